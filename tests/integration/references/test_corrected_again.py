"""A corrected document checked again: what is right stays, and correcting a corrected document changes nothing.

The documented rule is that everything but the corrections stays as it was, byte for byte (docs/known-papers.md).
"""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import docx
import pytest

from infra.local.machine import Machine
from infra.local.sandbox.facts import Fact
from shared.documents.document import DocumentFormat
from shared.documents.earlier_comments import without_comments
from tests.integration.reference_checks import PATH, request
from tests.unit.documents.corpus_documents import cited, names

pytestmark = pytest.mark.whole_tables


@dataclass(frozen=True, slots=True)
class Cited:
    """A reference as somebody wrote it; `id` as it is printed, `fields` as BibTeX names the ids."""

    title: str
    authors: Sequence[tuple[str, str]]
    year: int
    journal: str = ""
    volume: str = ""
    pages: str = ""
    id: str = ""

    @property
    def printed(self) -> str:
        people = ", ".join(f"{family}, {' '.join(f'{word[0]}.' for word in given.split())}" for family, given in
                           self.authors)  # fmt: skip
        place = f" {self.journal}, {self.volume}, {self.pages}." if self.journal else ""
        return f"{people} ({self.year}). {self.title}.{place} {self.id}".rstrip()


ATTENTION = Cited("Attention is all you need", [("Vaswani", "Ashish"), ("Shazeer", "Noam")], 2017)
# https://info.arxiv.org/help/doi.html: the DOI of each article is `10.48550/arXiv.` and its id.
ONE_ID = (
    "https://doi.org/10.48550/arXiv.1706.03762", "doi:10.48550/arXiv.1706.03762", "10.48550/ARXIV.1706.03762",
    "https://doi.org/10.48550/arXiv.1706.03762v5", "arXiv:1706.03762", "arXiv:1706.03762v5 [cs.CL]",
    "https://arxiv.org/abs/1706.03762v5", "https://doi.org/10.48550%2FarXiv.1706.03762",
)  # fmt: skip


def text(entries: Sequence[Cited]) -> str:
    lines = (f"{number}. {entry.printed}" for number, entry in enumerate(entries, 1))
    return "A title\n\nReferences\n\n" + "\n".join(lines) + "\n"


def markdown(entries: Sequence[Cited]) -> str:
    lines = (f"{number}. {entry.printed}" for number, entry in enumerate(entries, 1))
    return "# A title\n\n## References\n\n" + "\n".join(lines) + "\n"


def markdown_links(entries: Sequence[Cited]) -> str:
    return markdown([replace(it, id=f"[doi]({it.id})") if it.id.startswith("http") else it for it in entries])


def markdown_addresses(entries: Sequence[Cited]) -> str:
    return markdown([replace(it, id=f"<{it.id}>") if it.id.startswith("http") else it for it in entries])


def latex(entries: Sequence[Cited]) -> str:
    entries = [replace(it, id=f"\\url{{{it.id}}}") if it.id.startswith("http") else it for it in entries]
    items = "\n".join(f"\\bibitem{{key{number}}}\n{entry.printed}" for number, entry in enumerate(entries))
    items = items.replace("%2F", "/").replace("&", "\\&")
    return f"\\begin{{thebibliography}}{{9}}\n{items}\n\\end{{thebibliography}}\n"


def bibtex(entries: Sequence[Cited]) -> str:
    def one(number: int, entry: Cited) -> str:
        people = " and ".join(", ".join(name) for name in entry.authors)
        fields = {"author": people, "title": entry.title, "year": str(entry.year), "journal": entry.journal,
                  "volume": entry.volume, "pages": entry.pages.replace("-", "--"),
                  "url" if entry.id.startswith("http") else "note": entry.id}  # fmt: skip
        stated = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
        return f"@article{{key{number},\n{stated}\n}}\n"

    return "\n".join(one(number, entry) for number, entry in enumerate(entries))


def bibtex_doi(entries: Sequence[Cited]) -> str:
    return bibtex(entries).replace("  url = {https://doi.org/", "  doi = {").replace("  note = {doi:", "  doi = {")


def ris(entries: Sequence[Cited]) -> str:
    lines: list[str] = []
    for entry in entries:
        first, _, last = entry.pages.partition("-")
        lines += ["TY  - JOUR", *(f"AU  - {family}, {given}" for family, given in entry.authors)]
        lines += [f"TI  - {entry.title}", f"PY  - {entry.year}"]
        values = {"JO": entry.journal, "VL": entry.volume, "SP": first, "EP": last, "UR": entry.id}
        lines += [*(f"{tag}  - {value}" for tag, value in values.items() if value), "ER  - ", ""]
    return "\n".join(lines)


def csl(entries: Sequence[Cited]) -> str:
    def one(number: int, entry: Cited) -> dict[str, Any]:
        people = [{"family": family, "given": given} for family, given in entry.authors]
        values = {"container-title": entry.journal, "volume": entry.volume, "page": entry.pages, "URL": entry.id}
        stated = {name: value for name, value in values.items() if value}
        return {"id": f"key{number}", "type": "article-journal", "title": entry.title, "author": people,
                "issued": {"date-parts": [[entry.year]]}, **stated}  # fmt: skip

    return json.dumps([one(number, entry) for number, entry in enumerate(entries)], indent=1)


def jats(entries: Sequence[Cited]) -> str:
    def one(number: int, entry: Cited) -> str:
        people = "".join(f"<name><surname>{a}</surname><given-names>{b}</given-names></name>" for a, b in entry.authors)
        first, _, last = entry.pages.partition("-")
        values = {"article-title": entry.title, "source": entry.journal, "year": str(entry.year),
                  "volume": entry.volume, "fpage": first, "lpage": last}  # fmt: skip
        stated = "".join(f"<{tag}>{escape(value)}</{tag}>" for tag, value in values.items() if value)
        stated += f'<ext-link xlink:href="{entry.id}">{entry.id}</ext-link>' if entry.id else ""
        return (
            f'<ref id="B{number}"><element-citation publication-type="journal"><person-group '
            f'person-group-type="author">{people}</person-group>{stated}</element-citation></ref>\n'
        )

    refs = "".join(one(number, entry) for number, entry in enumerate(entries))
    return f'<article xmlns:xlink="http://www.w3.org/1999/xlink"><back><ref-list>\n{refs}</ref-list></back></article>\n'


def word(entries: Sequence[Cited]) -> bytes:
    made, file = docx.Document(), io.BytesIO()
    made.add_heading("References", level=1)
    for entry in entries:
        made.add_paragraph(entry.printed, style="List Number")
    made.save(file)
    return file.getvalue()


Form = Callable[[Sequence[Cited]], str | bytes]
FORMATS: tuple[Form, ...] = (
    text, markdown, markdown_links, markdown_addresses, latex, bibtex, bibtex_doi, ris, csl, jats, word,
)  # fmt: skip
PRINTED = (text, markdown, markdown_links, markdown_addresses, latex, bibtex_doi, word)


def checked(machine: Machine, document: str | bytes) -> tuple[dict[str, Any], str]:
    """The answer of a check, and the corrected document."""
    if isinstance(document, bytes):
        body: dict[str, object] = {"document_base64": base64.b64encode(document).decode()}
    else:
        body = {"document": document}
    answer = request(machine, "POST", body=body).json()
    return answer, request(machine, "GET", f"{PATH}/{answer['check_id']}/document").body


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.__name__)
def test_an_arxiv_id_is_the_doi_of_its_paper_however_it_is_written(running: Machine, form: Form) -> None:
    document = form([replace(ATTENTION, id=one) for one in ONE_ID])
    answer, written = checked(running, document)
    shown = [(it["status"], it["changes"], it["comment"]) for it in answer["references"]]
    assert shown == [("matched", {}, None)] * len(ONE_ID)
    assert isinstance(document, bytes) or written == document


def test_a_list_with_an_arxiv_doi_needs_no_changes(running: Machine) -> None:
    line = "Vaswani, A. (2017). Attention is all you need. https://doi.org/10.48550/arXiv.1706.03762"
    answer = request(running, "POST", body={"references": [line]}).json()
    assert [it["changes"] for it in answer["references"]] == [{}]


KOBER = (
    "Kober DL, Alexander-Brett JM, Karch CM. Neurodegenerative disease mutations in TREM2 reveal a functional surface "
    "and distinct loss-of-function mechanisms. eLife. 2016;5:e20391."
)


@pytest.mark.parametrize("line", [
    f"{KOBER} doi:10.7554/ eLife.20391",  # joined, as a source knows the whole
    "Jain S, Wallace BC. Attention is not Explanation. 2019. https://doi.org/10.48550/arXiv.1902.10186",  # a preprint
])  # fmt: skip
def test_no_doi_is_added_to_a_reference_that_has_one(running: Machine, line: str) -> None:
    answer, written = checked(running, f"# A title\n\n## References\n\n- {line}\n- {KOBER}\n")
    assert [it["changes"].get("doi") for it in answer["references"]] == [None, "10.7554/elife.20391"]
    assert line in written


def mistaken() -> list[tuple[Cited, list[str]]]:
    """Real references with a mistake each, and the fields that it concerns; those without one have a DOI, or no id."""
    right = [as_cited(fact) for fact in cited()]
    changed: list[tuple[dict[str, object], list[str]]] = [
        ({"year": right[0].year + 1}, ["year"]), ({"pages": f"{right[1].pages[:-1]}9"}, ["pages"]),
        ({"id": ""}, ["doi"]), ({"journal": "Annals of Tests"}, ["journal"]),
        ({"id": "https://doi.org/10.48550/arXiv.1706.03762"}, ["doi"]), ({"id": right[4].id}, ["doi"]),
        ({"id": "https://doi.org/10.48550/arXiv.1706.03762v5"}, ["doi"]), ({"volume": "77"}, ["volume"]), ({}, []),
    ]  # fmt: skip
    some = zip(right, changed, strict=False)
    return [(replace(entry, **values), fields) for entry, (values, fields) in some]  # type: ignore[arg-type]


def as_cited(fact: Fact) -> Cited:
    return Cited(
        fact.title, names(fact), int(fact.year or 0), str(fact.journal), str(fact.volume), str(fact.pages),
        f"https://doi.org/{fact.doi}",
    )  # fmt: skip


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.__name__)
def test_correcting_a_corrected_document_changes_nothing(running: Machine, form: Form) -> None:
    entries = mistaken()
    answer, once = checked(running, form([entry for entry, _ in entries]))
    assert [list(it["changes"]) for it in answer["references"]] == [fields for _, fields in entries]
    corrected = without_comments(once, DocumentFormat.MARKDOWN if form is word else DocumentFormat(answer["format"]))
    assert form not in PRINTED or "1706.03762" not in corrected
    again, twice = checked(running, once)
    assert {json.dumps(it["changes"]) for it in again["references"]} == {"{}"}
    assert twice == corrected
