"""A document of each format, checked over HTTP and corrected, read again by a parser that did not write it."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable, Sequence
from html import escape

import docx
import pytest
import rispy
from citeproc.source.json import CiteProcJSON
from lxml import etree
from markdown_it import MarkdownIt
from pybtex.database import parse_string

from infra.local.machine import Machine
from infra.local.sandbox.facts import Fact
from tests.integration.reference_checks import PATH, request
from tests.unit.documents.corpus_documents import apa, cited, names, vancouver
from tests.unit.documents.test_latex_documents import theirs as latex_items
from tests.unit.documents.test_markdown_documents import shown

Pairs = list[tuple[str, str]]  # of each reference a text that names it, and its year


def facts() -> Sequence[Fact]:
    return cited()[:3]


def wrong(fact: Fact) -> int:
    """The year that the documents print: one too late."""
    return int(fact.year or 0) + 1


def bibtex() -> str:
    return "\n".join(
        f"@article{{key{number},\n  author = {{{' and '.join(', '.join(name) for name in names(fact))}}},\n"
        f"  title = {{{fact.title}}},\n  journal = {{{fact.journal}}},\n  year = {wrong(fact)},\n"
        f"  volume = {{{fact.volume}}}\n}}\n"
        for number, fact in enumerate(facts())
    )


def by_pybtex(text: str) -> Pairs:
    entries = parse_string(text, "bibtex").entries.values()
    return [(entry.fields["title"], entry.fields["year"]) for entry in entries]


def ris() -> str:
    lines: list[str] = []
    for fact in facts():
        lines += ["TY  - JOUR", *(f"AU  - {family}, {given}" for family, given in names(fact)), f"TI  - {fact.title}"]
        lines += [f"JO  - {fact.journal}", f"PY  - {wrong(fact)}", f"VL  - {fact.volume}", "ER  - ", ""]
    return "\n".join(lines)


def by_rispy(text: str) -> Pairs:
    return [(entry["title"], entry["year"]) for entry in rispy.loads(text)]


def csl() -> str:
    return json.dumps([
        {"id": f"key{number}", "type": "article-journal", "title": fact.title, "container-title": fact.journal,
         "author": [{"family": family, "given": given} for family, given in names(fact)],
         "issued": {"date-parts": [[wrong(fact)]]}}
        for number, fact in enumerate(facts())
    ])  # fmt: skip


def by_citeproc(text: str) -> Pairs:
    return [(str(it.title), str(it.issued.year)) for it in CiteProcJSON(json.loads(text)).values()]


def jats() -> str:
    refs = "".join(
        f'<ref id="B{number}"><element-citation publication-type="journal"><person-group person-group-type="author">'
        + "".join(f"<name><surname>{a}</surname><given-names>{b}</given-names></name>" for a, b in names(fact))
        + f"</person-group><article-title>{escape(fact.title)}</article-title><source>{escape(str(fact.journal))}"
        f"</source><year>{wrong(fact)}</year><volume>{fact.volume}</volume></element-citation></ref>\n"
        for number, fact in enumerate(facts())
    )
    return f"<article><back><ref-list>\n{refs}</ref-list></back></article>\n"


def by_lxml(text: str) -> Pairs:
    references = etree.fromstring(text.encode()).iterfind(".//ref")
    return [(str(it.findtext(".//article-title")), str(it.findtext(".//year"))) for it in references]


def latex() -> str:
    items = "\n".join(
        f"\\bibitem{{key{number}}}\n{apa(fact, wrong(fact)).replace('&', chr(92) + '&')}"
        for number, fact in enumerate(facts())
    )
    return (
        "\\documentclass{article}\\begin{document}\n\\begin{thebibliography}{9}\n"
        f"{items}\n\\end{{thebibliography}}\\end{{document}}\n"
    )


def markdown() -> str:
    items = "\n".join(f"{number}. {vancouver(fact, wrong(fact))}" for number, fact in enumerate(facts(), 1))
    return f"# Text\n\nMicroglia matter [1-3].\n\n## References\n\n{items}\n"


def word() -> bytes:
    made, file = docx.Document(), io.BytesIO()
    made.add_heading("References", level=1)
    for fact in facts():
        made.add_paragraph(vancouver(fact, wrong(fact)), style="List Number")
    made.save(file)
    return file.getvalue()


def years_of(lines: Sequence[str]) -> Pairs:
    """Of printed references: the title as far as the line has it, and the year."""
    titles = [next(fact.title for fact in facts() if fact.title in line) for line in lines]
    return [(title, *re.findall(r"\b(?:19|20)\d\d\b", line)[:1]) for title, line in zip(titles, lines, strict=True)]


FORMATS: dict[str, tuple[Callable[[], str | bytes], Callable[[str], Pairs]]] = {
    "bibtex": (bibtex, by_pybtex),
    "ris": (ris, by_rispy),
    "csl-json": (csl, by_citeproc),
    "jats": (jats, by_lxml),
    "latex": (latex, lambda text: years_of(latex_items(text))),
    "markdown": (markdown, lambda text: years_of(shown(MarkdownIt().parse(text)))),
    "docx": (word, lambda text: years_of(shown(MarkdownIt().parse(text)))),
}


@pytest.mark.parametrize("name", FORMATS)
def test_a_corrected_document_has_the_right_years_for_another_parser(running: Machine, name: str) -> None:
    made, read = FORMATS[name]
    content = made()
    field = "document" if isinstance(content, str) else "document_base64"
    sent = content if isinstance(content, str) else base64.b64encode(content).decode()
    check = request(running, "POST", body={field: sent}).json()
    assert (check["format"], [it["status"] for it in check["references"]]) == (name, ["matched"] * 3)
    assert [it["fields"]["year"]["verdict"] for it in check["references"]] == ["differs"] * 3
    written = request(running, "GET", f"{PATH}/{check['check_id']}/document").body
    assert read(written) == [(fact.title, str(fact.year)) for fact in facts()]
    if isinstance(content, str):
        assert read(content) == [(fact.title, str(wrong(fact))) for fact in facts()]
