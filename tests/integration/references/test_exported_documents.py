"""Exports of databases and reference managers, checked over HTTP: errors are listed, and the file stays as it is."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from infra.local.machine import Machine
from infra.local.sandbox.facts import Fact
from tests.integration.papers_calls import call
from tests.integration.reference_checks import PATH, request
from tests.unit.documents.corpus_documents import cited
from tests.unit.documents.exported_documents import TABLES, endnote, nbib, pubmed, refer, table, web_of_science

FACTS = cited()[:3]
WRONG = [int(fact.year or 0) + 1 for fact in FACTS]
EXPORTS: dict[str, tuple[Callable[[], str], str]] = {
    "EndNote": (partial(endnote, FACTS, WRONG), "endnote-xml"),
    "PubMed": (partial(pubmed, FACTS, WRONG), "pubmed"),
    "PubMed's .nbib": (partial(nbib, FACTS, WRONG), "nbib"),
    "EndNote's .enw": (partial(refer, FACTS, WRONG), "refer"),
    "Web of Science": (partial(web_of_science, FACTS, WRONG), "web-of-science"),
    **{f"table, {like}": (partial(table, FACTS, WRONG, like), "table") for like in TABLES},
}


@pytest.mark.parametrize("name", EXPORTS)
def test_the_wrong_years_of_an_export_are_listed_and_it_stays_as_it_is(running: Machine, name: str) -> None:
    write, format = EXPORTS[name]
    check = request(running, "POST", body={"document": write()}).json()
    assert (check["format"], [it["status"] for it in check["references"]]) == (format, ["matched"] * 3)
    assert [it["changes"] for it in check["references"]] == [{"year": str(fact.year)} for fact in FACTS]
    assert "not written" in check["warnings"][0]["message"]
    written = request(running, "GET", f"{PATH}/{check['check_id']}/document")
    assert (written.status, written.body) == (200, write())


def test_a_table_in_the_encoding_of_a_spreadsheet_is_checked(running: Machine) -> None:
    content = table(FACTS, WRONG, "zotero", "\t").encode("utf-16")
    check = request(running, "POST", body={"document_base64": base64.b64encode(content).decode()}).json()
    assert [it["changes"] for it in check["references"]] == [{"year": str(fact.year)} for fact in FACTS]


@pytest.mark.parametrize("write", [endnote, pubmed, web_of_science, partial(table, like="scopus")])
def test_one_record_of_an_export_is_resolved_by_its_fields(
    running: Machine, write: Callable[[Sequence[Fact], Sequence[int]], str]
) -> None:
    status, answer = call(running, "POST", "/v1/resolve", {"references": ["", write(FACTS[:1], WRONG[:1])]})
    (found,) = answer["references"]
    assert (status, found["index"], found["status"]) == (200, 1, "matched")
    assert found["fields"]["title"]["cited"] == FACTS[0].title
    assert found["differs"] == ["year"]
