"""One paper as people paste it from journals, databases and reference managers, in styles beside `reference_styles`.

Written from what each source prints: publishers' author guidelines, GB/T 7714, GOST R 7.0.5, the citation buttons of
PubMed, Google Scholar, arXiv and bioRxiv, and line breaks as they are copied from a PDF.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.benchmarks.reference_styles import (
    PrintedPaper,
    abbreviated,
    family_first,
    family_last,
    in_full,
    joined,
    some,
)


def _pages(it: PrintedPaper, dash: str = "–") -> str:
    return it.pages.replace("-", dash)


def _issue(it: PrintedPaper) -> str:
    return f"({it.issue})" if it.issue else ""


def elsevier(it: PrintedPaper) -> str:
    """Elsevier, numbered."""
    names = ", ".join(family_last(name, ".", "") for name in it.authors[:6]) + (
        ", et al." if len(it.authors) > 6 else ""
    )
    place = f"{abbreviated(it.journal)} {it.volume} ({it.year}) {_pages(it)}".strip()
    return f"[7] {names}, {it.title}, {place}." + (f" https://doi.org/{it.doi}." if it.doi else "")


def springer(it: PrintedPaper) -> str:
    """Springer, basic."""
    names = some([family_first(name) for name in it.authors], 3, ", ")
    return f"{names} ({it.year}) {it.title}. {abbreviated(it.journal)} {it.volume}{_issue(it)}:{_pages(it)}."


def lancet(it: PrintedPaper) -> str:
    """The Lancet: raised dots do not survive copying."""
    names = some([family_first(name) for name in it.authors], 6, ", ", printed=3)
    return f"7 {names.removesuffix('.')}. {it.title}. {abbreviated(it.journal)} {it.year}; {it.volume}: {_pages(it)}."


def cell(it: PrintedPaper) -> str:
    """Cell Press."""
    names = some([family_first(name, ".", "", ",") for name in it.authors], 10, ", and ")
    return f"{names} ({it.year}). {it.title}. {abbreviated(it.journal).replace(' ', '. ')}. {it.volume}, {_pages(it)}."


def wiley(it: PrintedPaper) -> str:
    """Wiley, AMA with the year first."""
    names = some([family_first(name) for name in it.authors], 3, ", ")
    return (
        f"{names}. {it.title}. {it.journal}. {it.year};{it.volume}{_issue(it)}:{_pages(it)}. https://doi.org/{it.doi}"
    )


def plos(it: PrintedPaper) -> str:
    """PLOS."""
    names = some([family_first(name) for name in it.authors], 5, ", ").removesuffix(".")
    return f"7. {names}. {it.title}. {abbreviated(it.journal)}. {it.year};{it.volume}{_issue(it)}: {_pages(it)}. pmid:"


def ris(it: PrintedPaper) -> str:
    """A RIS record pasted as it is."""
    names = "\n".join(f"AU  - {family}, {given}" for family, given in it.authors)
    return (
        f"TY  - JOUR\n{names}\nTI  - {it.title}\nJO  - {it.journal}\nPY  - {it.year}\nVL  - {it.volume}\n"
        f"SP  - {it.pages.partition('-')[0]}\nER  - "
    )


def endnote(it: PrintedPaper) -> str:
    """EndNote's tagged export."""
    names = "\n".join(f"%A {family}, {given}" for family, given in it.authors)
    return f"%0 Journal Article\n{names}\n%T {it.title}\n%J {it.journal}\n%D {it.year}\n%V {it.volume}\n%P {it.pages}"


def french(it: PrintedPaper) -> str:
    """ISO 690 in French, with guillemets."""
    names = " ; ".join(f"{family.upper()}, {given}" for family, given in it.authors[:3])
    more = " et al" if len(it.authors) > 3 else ""
    return f"{names}{more}. « {it.title} ». {it.journal}, {it.year}, vol. {it.volume}, p. {_pages(it, '-')}."


def spanish(it: PrintedPaper) -> str:
    """APA in Spanish."""
    names = joined([family_first(name, ".", " ", ",") for name in it.authors[:6]], " y ")
    return (
        f"{names} ({it.year}). {it.title}. {it.journal}, {it.volume}{_issue(it)}, {_pages(it)}. Recuperado de internet."
    )


def chinese(it: PrintedPaper) -> str:
    """GB/T 7714."""
    names = ", ".join(family_first(name).upper() for name in it.authors[:3]) + (
        ", et al" if len(it.authors) > 3 else ""
    )
    return f"[7] {names}. {it.title}[J]. {it.journal}, {it.year}, {it.volume}{_issue(it)}: {_pages(it, '-')}."


def russian(it: PrintedPaper) -> str:
    """GOST R 7.0.5: slashes, the year, `Vol.` and `P.`."""
    names = ", ".join(family_first(name, ".", " ") for name in it.authors[:3]) + (
        " et al." if len(it.authors) > 3 else ""
    )
    return f"{names} {it.title} // {it.journal}. {it.year}. Vol. {it.volume}. P. {_pages(it)}."


def pubmed_nlm(it: PrintedPaper) -> str:
    """PubMed's button, NLM."""
    names = some([family_first(name) for name in it.authors], 10, ", ").removesuffix(".")
    place = f"{it.year} Mar 14;{it.volume}{_issue(it)}:{_pages(it, '-')}"
    return f"{names}. {it.title}. {abbreviated(it.journal)}. {place}. doi: {it.doi}. Epub {it.year} Jan 3. PMCID: PMC1."


def pubmed_ama(it: PrintedPaper) -> str:
    """PubMed's button, AMA."""
    names = some([family_first(name) for name in it.authors], 6, ", ", printed=3).removesuffix(".")
    return f"{names}. {it.title}. {it.journal}. {it.year};{it.volume}{_issue(it)}:{_pages(it, '-')}."


def pubmed_mla(it: PrintedPaper) -> str:
    """PubMed's button, MLA."""
    first = f"{it.authors[0][0]}, {it.authors[0][1]}".rstrip(", ")
    who = f"{first} et al." if len(it.authors) > 1 else f"{first}."
    return f"{who} “{it.title}.” {it.journal} vol. {it.volume},{it.issue} ({it.year}): {_pages(it, '-')}."


def scholar(it: PrintedPaper) -> str:
    """Google Scholar's MLA: straight quotation marks, the journal without `vol.`."""
    first = f"{it.authors[0][0]}, {it.authors[0][1]}".rstrip(", ")
    who = f"{first}, et al." if len(it.authors) > 2 else f"{first}."
    issue = f".{it.issue}" if it.issue else ""
    return f'{who} "{it.title}." {it.journal} {it.volume}{issue} ({it.year}): {_pages(it, "-")}.'


def arxiv(it: PrintedPaper) -> str:
    """arXiv's listing: the title, the authors, comments."""
    return f"{it.title}\n{', '.join(in_full(name) for name in it.authors)}\nSubmitted {it.year}; 12 pages, 3 figures"


def biorxiv(it: PrintedPaper) -> str:
    """bioRxiv's citation."""
    names = ", ".join(in_full(name) for name in it.authors)
    return f"{it.title}\n{names}\n{it.journal} {it.year}"


def bare_title(it: PrintedPaper) -> str:
    """The title alone."""
    return it.title


def broken_lines(it: PrintedPaper) -> str:
    """Vancouver as copied from a narrow column: lines end in the middle, long words are hyphenated."""
    names = some([family_first(name) for name in it.authors], 6, ", ").removesuffix(".")
    text = f"{names}. {it.title}. {abbreviated(it.journal)}. {it.year};{it.volume}:{_pages(it)}."
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) > 44:
            half = len(word) // 2
            cut = half if len(word) > 8 and word.isalpha() else 0
            lines.append(f"{line} {word[:cut]}-".strip() if cut else line)
            line = word[cut:]
        else:
            line = f"{line} {word}".strip()
    return "\n".join([*lines, line])


PASTED: dict[str, Callable[[PrintedPaper], str]] = {
    "Elsevier": elsevier, "Springer": springer, "Lancet": lancet, "Cell": cell, "Wiley": wiley, "PLOS": plos,
    "RIS": ris, "EndNote": endnote, "French": french, "Spanish": spanish, "GB/T 7714": chinese, "GOST": russian,
    "PubMed NLM": pubmed_nlm, "PubMed AMA": pubmed_ama, "PubMed MLA": pubmed_mla, "Google Scholar": scholar,
    "arXiv": arxiv, "bioRxiv": biorxiv, "bare title": bare_title, "broken lines": broken_lines,
}  # fmt: skip
