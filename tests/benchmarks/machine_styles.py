"""One paper as programs write it: LaTeX, exports, web pages, rows of tables, PDF; some of it damaged on the way.

Written from what BibTeX, PubMed, Wikipedia's templates, spreadsheets and PDF readers produce.
"""

from __future__ import annotations

import json
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
from tests.benchmarks.unusual_styles import surnames


def cite_journal(it: PrintedPaper) -> str:
    """Wikipedia's template."""
    names = " ".join(f"|last{n}={family} |first{n}={given}" for n, (family, given) in enumerate(it.authors[:5], 1))
    return (
        f"<ref>{{{{cite journal {names} |title={it.title} |journal=[[{it.journal}]] |volume={it.volume} "
        f"|issue={it.issue} |pages={it.pages.replace('-', '–')} |date=10 January {it.year}}}}}</ref>"
    )


def bibitem(it: PrintedPaper) -> str:
    """LaTeX written by hand: ties, italics, a bold volume."""
    names = joined([family_last(name, ".", "~") for name in it.authors[:6]], " and ")
    names += ", {\\it et al.}" if len(it.authors) > 6 else ""
    place = f"{it.journal} {{\\bf {it.volume}}}, {it.pages.replace('-', '--')} ({it.year})."
    return f"\\bibitem{{key7}} {names}, {{\\em {it.title}}}, {place}"


def natbib(it: PrintedPaper) -> str:
    """What BibTeX writes with plainnat."""
    names = joined([in_full(name) for name in it.authors[:8]], ", and ").replace(" ", "~", 1)
    issue = f"\\penalty0 ({it.issue})" if it.issue else ""
    return (
        f"\\bibitem[{it.authors[0][0]} et~al.({it.year})]{{key}}\n{names}.\n\\newblock {it.title}.\n"
        f"\\newblock \\emph{{{it.journal}}}, {it.volume}{issue}:\\penalty0 {it.pages.replace('-', '--')}, {it.year}."
    )


def broken_bibtex(it: PrintedPaper) -> str:
    """BibTeX with a missing comma, a bare month, quotation marks, and no closing brace."""
    names = " and ".join(f"{family}, {given}" for family, given in it.authors)
    return (
        f'@Article{{{it.authors[0][0]}{it.year},\n  Author = "{names}",\n  Title = "{{{it.title}}}"\n'
        f"  JOURNAL = {{{it.journal}}},\n  month = jan,\n  volume = {it.volume},\n  year = {it.year},\n"
        f"  pages = {{{it.pages.replace('-', '--')}}}\n"
    )


def nbib(it: PrintedPaper) -> str:
    """PubMed's export: four columns of tags, long values continued."""
    names = "\n".join(f"FAU - {family}, {given}\nAU  - {family_first((family, given))}" for family, given in it.authors)
    words = it.title.split()
    title = f"{' '.join(words[:5])}\n      {' '.join(words[5:])}".rstrip()
    return (
        f"OWN - NLM\nSTAT- MEDLINE\nDCOM- 20130117\nVI  - {it.volume}\nIP  - {it.issue}\nDP  - {it.year} Jan 10\n"
        f"TI  - {title}.\nPG  - {it.pages}\nAB  - BACKGROUND: Words of an abstract.\n{names}\nLA  - eng\n"
        f"TA  - {abbreviated(it.journal)}\nJT  - {it.journal}\n"
    )


def loose_ris(it: PrintedPaper) -> str:
    """RIS as an editor leaves it: one blank before the dash, both pages, no end."""
    names = "\n".join(f"A1 - {family}, {given}" for family, given in it.authors[:5])
    place = f"JF - {it.journal}\nVL - {it.volume}\nSP - {it.pages.partition('-')[0]}\nY1 - {it.year}/01/10/"
    return f"TY - JOUR\nT1 - {it.title}\n{names}\n{place}"


def csl_json(it: PrintedPaper) -> str:
    """One item of CSL-JSON, pasted as a reference."""
    people = [{"family": family, "given": given} for family, given in it.authors]
    item = {
        "type": "article-journal", "id": "x1", "title": it.title, "author": people, "container-title": it.journal,
        "volume": it.volume, "page": it.pages, "issued": {"date-parts": [[it.year, 1, 10]]},
    }  # fmt: skip
    return json.dumps(item)


def html(it: PrintedPaper) -> str:
    """An item of a web page's list."""
    names = some([family_first(name) for name in it.authors], 6, ", ")
    return (
        f'<li id="ref7"><span class="names">{names.removesuffix(".")}</span>. {it.title}. '
        f"<i>{abbreviated(it.journal)}</i>. {it.year};<b>{it.volume}</b>:{it.pages.replace('-', '–')}.</li>"
    )


def table_row(it: PrintedPaper) -> str:
    """A row copied from a spreadsheet."""
    names = "; ".join(family_first(name) for name in it.authors[:5])
    return "\t".join((names, str(it.year), it.title, it.journal, it.volume, it.pages))


def pipe_row(it: PrintedPaper) -> str:
    """A row of a Markdown table."""
    return f"| 7 | {surnames(it)} | {it.title} | {it.journal} | {it.year} |"


def hyphenated(it: PrintedPaper) -> str:
    """APA from a PDF of narrow columns: soft hyphens and a page's running head stay between the lines."""
    names = joined([family_first(name, ".", " ", ",") for name in it.authors[:6]], ", & ")
    words = it.title.split()
    at = next((n for n, word in enumerate(words) if len(word) > 7 and word.isalpha() and n), None)
    if at is not None:
        words[at] = f"{words[at][:4]}\u00ad\n{words[at][4:]}"
    return f"{names} ({it.year}). {' '.join(words)}.\n{it.journal}, {it.volume},\n{it.pages.replace('-', '–')}."


def labelled_fields(it: PrintedPaper) -> str:
    """A form: one field a line."""
    names = ", ".join(in_full(name) for name in it.authors[:5])
    place = f"Journal: {it.journal}\nYear: {it.year}\nVolume: {it.volume}\nPages: {it.pages}"
    return f"Title: {it.title}\nAuthors: {names}\n{place}"


MACHINE: dict[str, Callable[[PrintedPaper], str]] = {
    "cite journal": cite_journal, "bibitem": bibitem, "natbib": natbib, "broken BibTeX": broken_bibtex, "NBIB": nbib,
    "loose RIS": loose_ris, "CSL-JSON": csl_json, "HTML": html, "table row": table_row, "pipe row": pipe_row,
    "hyphenated": hyphenated, "form": labelled_fields,
}  # fmt: skip
