"""One paper as it is printed in fifteen styles: the order, the marks and the abbreviations that each is known for.

Written from the published rules of each style. `PrintedPaper` has what is printed, which an injected error may have
changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Name = tuple[str, str]  # family, given


@dataclass(frozen=True, slots=True)
class PrintedPaper:
    """The fields of a reference before they are printed; "" where a paper has none."""

    title: str
    authors: tuple[Name, ...]
    year: int
    journal: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    doi: str = ""


# ISO 4 (List of Title Word Abbreviations): the words that the journals of the corpus are made of.
_ABBREVIATIONS = (
    "journal=J the= of= and= for= in= on= &= nature=Nat communications=Commun reviews=Rev neuroscience=Neurosci "
    "medicine=Med american=Am human=Hum genetics=Genet molecular=Mol research=Res biological=Biol chemistry=Chem "
    "proceedings=Proc national=Natl academy=Acad sciences=Sci science=Sci international=Int european=Eur "
    "immunology=Immunol experimental=Exp clinical=Clin investigation=Invest neurology=Neurol annual=Annu "
    "biology=Biol computational=Comput infectious=Infect diseases=Dis neurobiology=Neurobiol aging=Aging "
    "neurochemistry=Neurochem neurodegeneration=Neurodegener systems=Syst reports=Rep new=N england=Engl "
    "conference=Conf association=Assoc linguistics=Linguist translational=Transl psychiatry=Psychiatry "
    "neuropathologica=Neuropathol royal=R society=Soc bulletin=Bull mathematical=Math cognitive=Cogn trends=Trends"
)
_SHORT = dict(pair.split("=") for pair in _ABBREVIATIONS.split())


def abbreviated(journal: str) -> str:
    """The journal's name by ISO 4; a name of one word stays."""
    words = journal.split()
    if len([word for word in words if word.lower() not in ("the", "of")]) < 2:
        return journal
    return " ".join(short for word in words if (short := _SHORT.get(word.lower(), word)))


def initials(given: str, mark: str = "", between: str = "") -> str:
    """`Daniel L` or `DL` as `DL`, `D.L.` or `D. L.`; `Ming-Wei` as `MW`."""
    pieces = list(given) if given.isupper() and given.isalpha() and len(given) < 4 else re.split(r"[\s.-]+", given)
    return between.join(f"{piece[0].upper()}{mark}" for piece in pieces if piece)


def family_first(name: Name, mark: str = "", between: str = "", comma: str = "") -> str:
    """`Kober DL`, `Kober, D. L.`."""
    return f"{name[0]}{comma} {initials(name[1], mark, between)}".strip() if name[1] else name[0]


def family_last(name: Name, mark: str = ".", between: str = " ") -> str:
    """`D. L. Kober`."""
    return f"{initials(name[1], mark, between)} {name[0]}".strip()


def in_full(name: Name) -> str:
    """`Daniel L Kober`."""
    return f"{name[1]} {name[0]}".strip()


def joined(names: Sequence[str], last: str, between: str = ", ") -> str:
    """`A, B and C`; `last` stands before the last name."""
    return names[0] if len(names) < 2 else between.join(names[:-1]) + last + names[-1]


def some(names: Sequence[str], most: int, last: str, *, printed: int | None = None) -> str:
    """All names, or the first `printed` with `et al.` where there are more than `most`."""
    return ", ".join([*names[: printed or most], "et al."]) if len(names) > most else joined(names, last)


def vancouver(it: PrintedPaper) -> str:
    """ICMJE: six authors, abbreviated journal, date;volume(issue):pages."""
    names = some([family_first(name) for name in it.authors], 6, ", ").rstrip(".")
    place = f"{it.year}" + (f";{it.volume}" if it.volume else "") + (f"({it.issue})" if it.issue else "")
    doi = f" doi: {it.doi}" if it.doi else ""
    return f"{names}. {it.title}. {abbreviated(it.journal)}. {place}{it.pages and ':' + it.pages}.{doi}"


def apa(it: PrintedPaper) -> str:
    """APA, seventh edition."""
    names = joined([family_first(name, ".", " ", ",") for name in it.authors[:20]], ", & ").rstrip(".")
    volume = f", {it.volume}" + (f"({it.issue})" if it.issue else "") if it.volume else ""
    pages = f", {it.pages.replace('-', '–')}" if it.pages else ""
    source = f" {it.journal}{volume}{pages}." if it.journal else ""
    return f"{names}. ({it.year}). {it.title}.{source}" + (f" https://doi.org/{it.doi}" if it.doi else "")


def mla(it: PrintedPaper) -> str:
    """MLA, ninth edition: the title in quotation marks, three authors or more cut to the first."""
    names = [in_full(name) for name in it.authors]
    names[0] = f"{it.authors[0][0]}, {it.authors[0][1]}".rstrip(", ")
    who = f"{names[0]}, et al" if len(names) > 2 else joined(names, ", and ")
    place = [it.journal, it.volume and f"vol. {it.volume}", it.issue and f"no. {it.issue}", str(it.year)]
    place += [it.pages and f"pp. {it.pages}", it.doi and f"doi:{it.doi}"]
    return f"{who.rstrip('.')}. “{it.title}.” {', '.join(part for part in place if part)}."


def chicago(it: PrintedPaper) -> str:
    """Chicago, notes and bibliography."""
    names = [in_full(name) for name in it.authors[:7]]
    names[0] = f"{it.authors[0][0]}, {it.authors[0][1]}".rstrip(", ")
    volume = f" {it.volume}" + (f", no. {it.issue}" if it.issue else "") if it.volume else ""
    pages = f": {it.pages.replace('-', '–')}" if it.pages else ""
    doi = f" https://doi.org/{it.doi}." if it.doi else ""
    return f"{joined(names, ', and ').rstrip('.')}. “{it.title}.” {it.journal}{volume} ({it.year}){pages}.{doi}"


def ieee(it: PrintedPaper) -> str:
    """IEEE, numbered."""
    names = some([family_last(name) for name in it.authors], 6, " and ", printed=1)
    place = [it.journal and abbreviated(it.journal), it.volume and f"vol. {it.volume}", it.issue and f"no. {it.issue}"]
    place += [it.pages and f"pp. {it.pages.replace('-', '–')}", str(it.year), it.doi and f"doi: {it.doi}"]
    return f"[12] {names}, “{it.title},” {', '.join(part for part in place if part)}."


def nature(it: PrintedPaper) -> str:
    """The style of Nature: five authors, else the first; the year last."""
    names = [family_first(name, ".", " ", ",") for name in it.authors]
    who = f"{names[0]} et al." if len(names) > 5 else joined(names, " & ")
    pages = f", {it.pages.replace('-', '–')}" if it.pages else ""
    doi = f" https://doi.org/{it.doi}" if it.doi else ""
    return f"{who} {it.title}. {abbreviated(it.journal)} {it.volume}{pages} ({it.year}).{doi}".replace("  ", " ")


def harvard(it: PrintedPaper) -> str:
    """Harvard (Cite Them Right)."""
    names = [family_first(name, ".", "", ",") for name in it.authors]
    who = f"{names[0]} et al." if len(names) > 3 else joined(names, " and ")
    volume = f", {it.volume}" + (f"({it.issue})" if it.issue else "") if it.volume else ""
    pages = f", pp. {it.pages}" if it.pages else ""
    return f"{who} ({it.year}) ‘{it.title}’, {it.journal}{volume}{pages}." + (f" doi:{it.doi}." if it.doi else "")


def acm(it: PrintedPaper) -> str:
    """ACM reference format."""
    names = joined([in_full(name) for name in it.authors], ", and ").rstrip(".")
    volume = f" {it.volume}" + (f", {it.issue}" if it.issue else "") if it.volume else ""
    pages = f", {it.pages}" if it.pages else ""
    doi = f" DOI: https://doi.org/{it.doi}" if it.doi else ""
    return f"{names}. {it.year}. {it.title}. {it.journal}{volume} ({it.year}){pages}.{doi}"


def ama(it: PrintedPaper) -> str:
    """AMA, eleventh edition."""
    names = some([family_first(name) for name in it.authors], 6, ", ", printed=3).rstrip(".")
    place = f"{it.year}" + (f";{it.volume}" if it.volume else "") + (f"({it.issue})" if it.issue else "")
    doi = f" doi:{it.doi}" if it.doi else ""
    return f"3. {names}. {it.title}. {abbreviated(it.journal)}. {place}{it.pages and ':' + it.pages}.{doi}"


def markdown_item(it: PrintedPaper) -> str:
    """A list item with the title in bold and the journal in italics, as language models write it."""
    names = some([in_full(name) for name in it.authors], 3, ", ", printed=1)
    place = "".join([f" {it.volume}" if it.volume else "", f", {it.pages}" if it.pages else ""])
    source = f" *{it.journal}*{place}." if it.journal else ""
    return f"- **{it.title}**, {names} ({it.year}).{source}" + (f" DOI: {it.doi}" if it.doi else "")


def markdown_link(it: PrintedPaper) -> str:
    """A numbered item whose title is a link."""
    names = some([family_first(name) for name in it.authors], 3, ", ", printed=1)
    link = f"[{it.title}](https://doi.org/{it.doi})" if it.doi else f"**[{it.title}](paper.md)**"
    return f"1. {link} – {names}, *{it.journal}*, {it.year}" if it.journal else f"1. {link} – {names}, {it.year}"


def bibtex(it: PrintedPaper) -> str:
    """A BibTeX entry."""
    fields = {"author": " and ".join(f"{family}, {given}".rstrip(", ") for family, given in it.authors)}
    fields |= {"title": f"{{{it.title}}}", "journal": it.journal, "year": str(it.year), "volume": it.volume}
    fields |= {"number": it.issue, "pages": it.pages.replace("-", "--"), "doi": it.doi}
    lines = ",\n  ".join(f"{name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@article{{key{it.year},\n  {lines}\n}}"


def author_year(it: PrintedPaper) -> str:
    """`Kober et al. (2016) Title, Journal`: as one writes in a mail."""
    first = it.authors[0][0]
    who = f"{first} et al." if len(it.authors) > 2 else joined([family for family, _ in it.authors], " and ")
    place = f", {it.journal}" + (f" {it.volume}" if it.volume else "") if it.journal else ""
    return f"{who} ({it.year}) {it.title}{place}" + (f". doi:{it.doi}" if it.doi else "")


def japanese(it: PrintedPaper) -> str:
    """SIST 02: colons between names and title, commas between the parts, full-width signs."""
    names = ", ".join(family_first(name, ".", " ", ",") for name in it.authors[:3])
    more = "ほか" if len(it.authors) > 3 else ""
    place = [it.journal, it.volume and f"Vol.{it.volume}", it.issue and f"No.{it.issue}"]
    place += [it.pages and f"pp.{it.pages}", f"{it.year}"]
    doi = f"，DOI：{it.doi}" if it.doi else ""
    return f"{names}{more}：{it.title}，{'，'.join(part for part in place if part)}{doi}"


def german(it: PrintedPaper) -> str:
    """German habits: `u. a.`, the title after a colon, `In:`, `Bd.`, `S.`."""
    names = "; ".join(f"{family}, {given}".rstrip(", ") for family, given in it.authors[:3])
    more = " u. a." if len(it.authors) > 3 else ""
    place = f" In: {it.journal}" + (f", Bd. {it.volume}" if it.volume else "") if it.journal else ""
    place += (f", H. {it.issue}" if it.issue else "") + f" ({it.year})" + (f", S. {it.pages}" if it.pages else "")
    return f"{names}{more}: {it.title}.{place}." + (f" DOI: {it.doi}." if it.doi else "")


def abbreviated_line(it: PrintedPaper) -> str:
    """The short form of physics and chemistry with a title: initials first, abbreviated journal, volume, page, year."""
    names = joined([family_last(name) for name in it.authors[:4]], ", ") + (", et al" if len(it.authors) > 4 else "")
    page = it.pages.partition("-")[0]
    place = ", ".join(part for part in (f"{abbreviated(it.journal)} {it.volume}".strip(), page) if part)
    return f"{names}, {it.title}, {place} ({it.year})" + (f", doi:{it.doi}" if it.doi else "")


STYLES: dict[str, Callable[[PrintedPaper], str]] = {
    "Vancouver": vancouver, "APA": apa, "MLA": mla, "Chicago": chicago, "IEEE": ieee, "Nature": nature,
    "Harvard": harvard, "ACM": acm, "AMA": ama, "Markdown list": markdown_item, "Markdown link": markdown_link,
    "BibTeX": bibtex, "author (year)": author_year, "Japanese": japanese, "German": german,
    "abbreviated": abbreviated_line,
}  # fmt: skip
