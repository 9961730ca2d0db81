"""One paper as people cite it beside the common styles: law reviews, chemistry, footnotes, other languages, notes.

Written from the published rules of each style; `machine_styles` has what programs write.
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


def _first(it: PrintedPaper) -> str:
    return it.pages.partition("-")[0]


def _dash(it: PrintedPaper) -> str:
    return it.pages.replace("-", "–")


def surnames(it: PrintedPaper) -> str:
    """`Doe et al.`, `Doe and Roe`."""
    return f"{it.authors[0][0]} et al." if len(it.authors) > 2 else " and ".join(name[0] for name in it.authors)


def bluebook(it: PrintedPaper) -> str:
    """Law reviews: the volume stands before the journal."""
    names = f"{in_full(it.authors[0])} et al." if len(it.authors) > 2 else " & ".join(map(in_full, it.authors))
    return f"{names}, {it.title}, {it.volume} {it.journal.upper()} {_first(it)} ({it.year})."


def oscola(it: PrintedPaper) -> str:
    """British law: the title in single quotation marks, the year, volume and journal without commas."""
    names = f"{in_full(it.authors[0])} and others" if len(it.authors) > 3 else joined(
        [in_full(name) for name in it.authors], " and ")  # fmt: skip
    return f"{names}, ‘{it.title}’ ({it.year}) {it.volume} {it.journal} {_first(it)}"


def mhra(it: PrintedPaper) -> str:
    """MHRA: volume and issue joined by a full stop."""
    names = f"{in_full(it.authors[0])} and others" if len(it.authors) > 3 else joined(
        [in_full(name) for name in it.authors], " and ")  # fmt: skip
    issue = f".{it.issue}" if it.issue else ""
    return f"{names}, ‘{it.title}’, {it.journal}, {it.volume}{issue} ({it.year}), {_dash(it)}."


def footnote(it: PrintedPaper) -> str:
    """A footnote by Turabian, with its number and the page that is cited."""
    names = f"{in_full(it.authors[0])} et al." if len(it.authors) > 3 else joined(
        [in_full(name) for name in it.authors], ", and ")  # fmt: skip
    issue = f", no. {it.issue}" if it.issue else ""
    return f"12. {names}, “{it.title},” {it.journal} {it.volume}{issue} ({it.year}): {_first(it)}."


def author_date(it: PrintedPaper) -> str:
    """Chicago, author and date."""
    names = [f"{it.authors[0][0]}, {it.authors[0][1]}".strip(", "), *map(in_full, it.authors[1:7])]
    issue = f" ({it.issue})" if it.issue else ""
    return (
        f"{joined(names, ', and ').rstrip('.')}. {it.year}. “{it.title}.” {it.journal} {it.volume}{issue}: {_dash(it)}."
    )


def abnt(it: PrintedPaper) -> str:
    """Brazil, NBR 6023: names in capitals, the journal marked, `v.`, `n.`, `p.`."""
    first = f"{it.authors[0][0].upper()}, {it.authors[0][1]}".strip(", ")
    names = f"{first} et al." if len(it.authors) > 3 else "; ".join(
        f"{family.upper()}, {given}".strip(", ") for family, given in it.authors)  # fmt: skip
    issue = f", n. {it.issue}" if it.issue else ""
    return f"{names} {it.title}. **{it.journal}**, v. {it.volume}{issue}, p. {it.pages}, {it.year}."


def polish(it: PrintedPaper) -> str:
    """Polish journals: a colon behind the names, a semicolon behind the year."""
    names = ", ".join(family_first(name, ".") for name in it.authors[:3]) + (" i wsp." if len(it.authors) > 3 else "")
    return f"{names}: {it.title}. {abbreviated(it.journal)}, {it.year}; {it.volume}: {_dash(it)}"


def italian(it: PrintedPaper) -> str:
    """The humanities in Italy: commas, the journal in guillemets."""
    names = joined([family_last(name, ".", " ") for name in it.authors[:3]], ", ")
    return f"{names}, {it.title}, in «{it.journal}», {it.volume}, {it.year}, pp. {it.pages}."


def german_in(it: PrintedPaper) -> str:
    """The humanities in Germany: slashes between names, `in:`, `Jg.`, `H.`, `S.`."""
    names = " / ".join(f"{family}, {given}".strip(", ") for family, given in it.authors[:3])
    more = " u. a." if len(it.authors) > 3 else ""
    issue = f", H. {it.issue}" if it.issue else ""
    return f"{names}{more}: {it.title}, in: {it.journal}, Jg. {it.volume}{issue}, {it.year}, S. {_dash(it)}."


def german_year(it: PrintedPaper) -> str:
    """German theses: the year behind the names, a colon, `Bd.`, `S.`."""
    names = "; ".join(f"{family}, {given}".strip(", ") for family, given in it.authors[:3])
    more = " et al." if len(it.authors) > 3 else ""
    return f"{names}{more} ({it.year}): {it.title}. In: {it.journal} Bd. {it.volume} (Hrsg. v. Verlag), S. {_dash(it)}."


def acs(it: PrintedPaper) -> str:
    """Chemistry with the title: semicolons between names, year and volume without commas before."""
    names = "; ".join(family_first(name, ".", " ", ",") for name in it.authors[:10])
    return f"({7}) {names.rstrip('.')}. {it.title}. {abbreviated(it.journal)} {it.year}, {it.volume}, {_dash(it)}."


def acs_untitled(it: PrintedPaper) -> str:
    """Chemistry as it was: no title."""
    names = "; ".join(family_first(name, ".", " ", ",") for name in it.authors[:10])
    return f"{names} {abbreviated(it.journal)} {it.year}, {it.volume}, {_first(it)}."


def rsc_untitled(it: PrintedPaper) -> str:
    """The Royal Society of Chemistry: no title, commas between all."""
    names = joined([family_last(name, ".", " ") for name in it.authors], " and ")
    return f"{names}, {it.journal}, {it.year}, {it.volume}, {it.pages}."


def aps_untitled(it: PrintedPaper) -> str:
    """Physics: no title, the year at the end in brackets."""
    names = joined([family_last(name, ".", " ") for name in it.authors[:3]], ", and ")
    if len(it.authors) > 3:
        names = f"{family_last(it.authors[0], '.', ' ')} et al."
    return f"[7] {names}, {abbreviated(it.journal)} {it.volume}, {_first(it)} ({it.year})."


def old_nature(it: PrintedPaper) -> str:
    """Nature before titles: a small list of names, the journal, the volume, the pages."""
    names = joined([family_first(name, ".", " ", ",") for name in it.authors[:4]], " & ")
    names = f"{family_first(it.authors[0], '.', ' ', ',')} et al." if len(it.authors) > 4 else names
    return f"7. {names} {abbreviated(it.journal)} {it.volume}, {_dash(it)} ({it.year})."


def wikipedia(it: PrintedPaper) -> str:
    """Wikipedia's citation as a reader copies it."""
    names = ", ".join(family_first(name) for name in it.authors[:6]) + (", et al." if len(it.authors) > 6 else "")
    issue = f" ({it.issue})" if it.issue else ""
    return (
        f'^ a b {names} (January {it.year}). "{it.title}". {it.journal}. {it.volume}{issue}: {_dash(it)}. '
        "ISSN 0028-4793. S2CID 12345678."
    )


def email(it: PrintedPaper) -> str:
    """As somebody writes it in passing."""
    return f'"{it.title}" by {surnames(it)} ({it.journal}, {it.year})'


def model_note(it: PrintedPaper) -> str:
    """As language models end a report: bold names, a dash, a remark."""
    return f"- **{surnames(it)} ({it.year})**, “{it.title},” *{it.journal}* – a landmark study of its field."


def model_numbered(it: PrintedPaper) -> str:
    """The same as a numbered list, the title first in bold."""
    return f"3. **{it.title}** ({it.year}). {surnames(it)} *{it.journal}*, {it.volume}, {_dash(it)}."


def capitals(it: PrintedPaper) -> str:
    """The title in capitals, as old catalogues set it."""
    names = some([family_first(name) for name in it.authors], 3, ", ").removesuffix(".")
    return f"{names.upper()}. {it.title.upper()}. {it.journal.upper()} {it.year};{it.volume}:{it.pages}."


def keyed(it: PrintedPaper) -> str:
    """BibTeX's alpha style: a key of names and year in square brackets."""
    names = joined([in_full(name) for name in it.authors[:6]], ", and ")
    key = f"{it.authors[0][0][:3]}{it.year % 100:02}"
    return f"[{key}] {names.rstrip('.')}. {it.title}. {it.journal}, {it.volume}:{_dash(it)}, January {it.year}."


def semicolons(it: PrintedPaper) -> str:
    """Semicolons everywhere, as some databases export."""
    names = "; ".join(in_full(name) for name in it.authors[:6])
    return f"{names}; {it.title}; {it.journal}; {it.year}; {it.volume}; {it.pages}"


def et_alii(it: PrintedPaper) -> str:
    """Vancouver with its abbreviation misspelt."""
    names = f"{family_first(it.authors[0])}, et. al." if len(it.authors) > 1 else f"{family_first(it.authors[0])}."
    return f"{names} {it.title}. {abbreviated(it.journal)} {it.year};{it.volume}:{it.pages}."


def and_colleagues(it: PrintedPaper) -> str:
    """Spanish medical journals: `y cols.`."""
    names = f"{family_first(it.authors[0])} y cols." if len(it.authors) > 1 else f"{family_first(it.authors[0])}."
    return f"{names} {it.title}. {abbreviated(it.journal)} {it.year}; {it.volume}: {it.pages}."


def many_authors(it: PrintedPaper) -> str:
    """APA with more than twenty authors: an ellipsis before the last."""
    names = [family_first(name, ".", " ", ",") for name in it.authors]
    shown = f"{', '.join(names[:3])}, . . . {names[-1]}" if len(names) > 3 else joined(names, ", & ")
    return f"{shown} ({it.year}). {it.title}. {it.journal}, {it.volume}, {_dash(it)}."


def chapter(it: PrintedPaper) -> str:
    """A paper cited like a chapter: `In:`, editors, pages."""
    names = ", ".join(family_first(name) for name in it.authors[:6])
    place = f"In: {it.journal}, vol {it.volume}. Springer, Berlin, Heidelberg, pp {_dash(it)}"
    return f"{names} ({it.year}) {it.title}. {place}"


def no_year_first(it: PrintedPaper) -> str:
    """Title and authors without a year, as slides have them."""
    return f"{it.title}. {', '.join(in_full(name) for name in it.authors[:3])}. {it.journal}"


def press(it: PrintedPaper) -> str:
    """Science journalism: journal and year before the title."""
    return f"{it.journal} ({it.year}): “{it.title}” ({surnames(it)})"


def japanese(it: PrintedPaper) -> str:
    """Japanese medical journals: names without marks, a colon, the year behind the pages."""
    names = ", ".join(family_first(name) for name in it.authors[:3]) + (", 他" if len(it.authors) > 3 else "")
    return f"7） {names}：{it.title}．{abbreviated(it.journal)} {it.volume}：{it.pages}，{it.year}"


UNUSUAL: dict[str, Callable[[PrintedPaper], str]] = {
    "Bluebook": bluebook, "OSCOLA": oscola, "MHRA": mhra, "footnote": footnote, "author-date": author_date,
    "ABNT": abnt, "Polish": polish, "Italian": italian, "German in": german_in, "German year": german_year,
    "ACS": acs, "ACS untitled": acs_untitled, "RSC untitled": rsc_untitled, "APS untitled": aps_untitled,
    "old Nature": old_nature, "Wikipedia": wikipedia, "e-mail": email, "model's note": model_note,
    "model's list": model_numbered, "capitals": capitals, "alpha": keyed, "semicolons": semicolons,
    "et. al.": et_alii, "y cols.": and_colleagues, "many authors": many_authors, "chapter": chapter,
    "no year": no_year_first, "press": press, "Japanese": japanese,
}  # fmt: skip
