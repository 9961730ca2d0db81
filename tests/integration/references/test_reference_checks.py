"""The references of a document, checked within one request or by a worker."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.reference_checks import (
    PATH,
    request,
)

DOCUMENT = """# A review

Microglia need TREM2 [1]. Attention helps [2], and copper [4].

## References

1. Zhao N, et al. Elevating microglia TREM2 reduces amyloid seeding and suppresses disease-associated microglia. \
J Exp Med. 2017;219:e20212479.
2. Vaswani A, Shazeer N, Parmar N. Attention is all you need. 2017.
3. Nobody A, Noone B. On papers that were never written about microglia. Nature. 2011;1:1-2.
"""
ELIFE, JEM = "10.7554/elife.20391", "10.1084/jem.20212479"


@pytest.fixture(scope="module")
def checked(running: Machine) -> dict[str, Any]:
    answer = request(running, "POST", body={"document": DOCUMENT})
    assert answer.status == 200, answer.body
    return answer.json()


def test_a_short_list_is_checked_within_the_request(checked: dict[str, Any]) -> None:
    assert (checked["state"], checked["done"], checked["of"], checked["seconds_left"]) == ("done", 3, 3, 0)
    assert checked["format"] == "markdown"
    assert [it["status"] for it in checked["references"]] == ["matched", "matched", "not_found"]
    assert checked["counts"] == {"matched": 2, "mismatched": 0, "ambiguous": 0, "not_found": 1, "unanswered": 0}
    assert checked["complete"]


def test_each_reference_says_what_is_wrong_field_by_field(checked: dict[str, Any]) -> None:
    first, second, third = checked["references"]
    assert (first["label"], first["cited_in_text"], first["paper"]["doi"]) == ("1", 1, JEM)
    assert first["fields"]["year"]["verdict"] == "differs"
    assert first["changes"] == {"year": "2022", "doi": JEM}
    assert first["comment"] == "year is 2022, not 2017"
    assert second["comment"] is None
    assert (third["paper"], third["changes"]) == (None, {})
    assert third["comment"] == "no source that answered has such a paper"


def test_citations_without_an_entry_and_entries_that_are_not_cited_are_listed(checked: dict[str, Any]) -> None:
    assert checked["uncited"] == [3]
    assert [(it["marker"], it["missing"]) for it in checked["without_entry"]] == [("[4]", ["4"])]
    assert DOCUMENT[checked["without_entry"][0]["offset"] :].startswith("[4]")


def test_the_document_comes_back_with_its_references_corrected(running: Machine, checked: dict[str, Any]) -> None:
    answer = request(running, "GET", f"{PATH}/{checked['check_id']}/document")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == ["text/markdown; charset=utf-8"]
    before, after = DOCUMENT.splitlines(), answer.body.splitlines()
    assert [line for line in after if line in before] == [
        line for line in before if not line.startswith(("1.", "2.", "3."))
    ]
    (first,) = (line for line in after if line.startswith("1."))
    assert "2022;219:e20212479" in first
    assert JEM in first
    assert "<!-- checked: year is 2022, not 2017 -->" in first


def test_the_same_document_again_sends_no_request(running: Machine, checked: dict[str, Any]) -> None:
    assert running.sandbox
    before = len(running.sandbox.requests)
    again = request(running, "POST", body={"document": DOCUMENT, "max_results": 1}).json()
    assert (again["check_id"], again["returned"], again["next_cursor"]) == (checked["check_id"], 1, "1")
    following = request(running, "GET", f"{PATH}/{checked['check_id']}", cursor="1").json()
    assert [it["number"] for it in following["references"]] == [2, 3]
    assert len(running.sandbox.requests) == before


def test_a_compact_page_has_what_is_wrong_in_less_than_half_the_size(running: Machine, checked: dict[str, Any]) -> None:
    small = request(running, "POST", body={"document": DOCUMENT, "detail": "compact"}).json()
    first, second, third = small["references"]
    assert small["check_id"] == checked["check_id"]
    assert (first["changes"], first["comment"]) == ({"year": "2022", "doi": JEM}, "year is 2022, not 2017")
    assert {name: it["verdict"] for name, it in first["fields"].items()} == {
        "year": "differs", "volume": "missing", "pages": "missing", "doi": "missing",
    }  # fmt: skip
    assert first["paper"].keys() == {"key", "title", "authors", "author_count", "year", "journal", "doi", "is_oa"}
    assert (second["status"], third["status"]) == ("matched", "not_found")
    assert all(it["paper"].keys() >= {"key", "title"} and it["reason"] for it in third["candidates"])
    assert len(str(small["references"])) < 0.5 * len(str(checked["references"]))


@pytest.mark.slow
def test_many_warnings_leave_room_for_references_in_a_small_budget(running: Machine) -> None:
    lines = [f"See the appendix of book {number} on mice and men." for number in range(12)]
    small = request(running, "POST", body={"references": lines, "max_tokens": 700}).json()
    assert small["returned"] >= 1
    assert len(small["warnings"]) == 3
    assert "warnings" in small["truncated"]["reason"]


def test_a_check_is_its_owners(running: Machine) -> None:
    body = {"references": ["Vaswani A. Attention is all you need. 2017."]}
    own = request(running, "POST", body=body, caller="first").json()["check_id"]
    assert request(running, "GET", f"{PATH}/{own}", caller="first").status == 200
    for path in (f"{PATH}/{own}", f"{PATH}/{own}/document"):
        assert request(running, "GET", path, caller="second").status == 404
    assert request(running, "POST", body=body, caller="second").json()["check_id"] != own


def test_references_are_shown_by_status_and_within_a_budget(running: Machine, checked: dict[str, Any]) -> None:
    where = f"{PATH}/{checked['check_id']}"
    wrong = request(running, "GET", where, status="not_found,mismatched").json()
    assert [it["number"] for it in wrong["references"]] == [3]
    small = request(running, "GET", where, max_tokens="600").json()
    assert 0 < small["returned"] < 3
    assert small["next_cursor"] == str(small["returned"])
    assert small["truncated"]["results"] == 3 - small["returned"]
    refused = request(running, "GET", where, max_tokens="499")
    assert (refused.status, "500" in refused.body) == (422, True)
    few = request(running, "GET", where, max_tokens="500").json()
    assert few["returned"] == 1


@pytest.mark.parametrize(("body", "field"), [
    ({}, "document"),
    ({"document": "a", "references": ["b"]}, "references"),
    ({"document": "   "}, "document"),
    ({"document": "No list of references is in these words."}, "document"),
    ({"document": "x", "format": "pdf"}, "format"),
    ({"document_base64": "????"}, "document_base64"),
    ({"document_base64": base64.b64encode(b"%PDF-1.7 x").decode()}, "document_base64"),
    ({"references": ["Zhao N. 2017"], "format": "bibtex"}, "references"),
    ({"document": "@article{", "format": "csl-json"}, "document"),
    ({"references": ["a" * 2_001]}, "references.0"),
    ({"document": DOCUMENT, "max_results": 0}, "max_results"),
])  # fmt: skip
def test_a_document_that_cannot_be_checked_is_refused_with_the_reason(
    running: Machine, body: dict[str, Any], field: str
) -> None:
    answer = request(running, "POST", body=body)
    assert answer.status == 422, answer.body
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_an_unknown_check_is_a_404(running: Machine) -> None:
    for check_id in ("0" * 32, "a", "../x", "é" * 32):
        assert request(running, "GET", f"{PATH}/{check_id}").status == 404


def test_a_retracted_paper_is_named(running: Machine) -> None:
    title = "Hydroxychloroquine or chloroquine with or without a macrolide for treatment of COVID-19"
    lancet = f"Mehra MR, et al. {title}. Lancet. 2020. doi:10.1016/S0140-6736(20)31180-6"
    (reference,) = request(running, "POST", body={"references": [lancet]}).json()["references"]
    assert reference["status"] == "matched"
    assert reference["paper"]["retraction"]["status"] == "retracted"
    assert "the paper is retracted" in reference["comment"]


def test_a_doi_of_another_paper_is_a_mismatch_that_names_both(running: Machine) -> None:
    line = f"Vaswani A, Shazeer N, Parmar N. Attention is all you need. 2017. doi:{ELIFE}"
    (reference,) = request(running, "POST", body={"references": [line]}).json()["references"]
    assert reference["status"] == "mismatched"
    assert reference["named_by_id"]["doi"] == ELIFE
    assert reference["paper"]["title"].lower() == "attention is all you need"
    assert reference["changes"]["doi"] == reference["paper"]["doi"]
    assert reference["comment"].startswith("its id names another paper, “")


@pytest.mark.parametrize("line", [
    f"Kober et al., 2016. doi:{ELIFE}", f"Kober 2016, doi:{ELIFE}",
    f"Kober DL, Alexander-Brett JM (2016) doi:{ELIFE}",
])  # fmt: skip
def test_names_without_a_title_are_no_journal_to_correct(running: Machine, line: str) -> None:
    (reference,) = request(running, "POST", body={"references": [line]}).json()["references"]
    assert reference["status"] == "matched"
    assert "journal" not in reference["changes"]
    assert reference["fields"]["journal"]["verdict"] != "differs"


@pytest.mark.parametrize("references", [
    ["\\bibitem{a} Zhao N. Microglia. 2017", "Vaswani A. Attention is all you need. 2017"],
    ["Figure 1. A thing", "References", "Vaswani A. Attention is all you need. 2017", "Appendix"],
    ["ibid.", "?", "2020"], ["```", "[7] Vaswani A. Attention is all you need. 2017", "@article{a, title={b}}"],
])  # fmt: skip
def test_each_text_of_a_list_is_one_reference(running: Machine, references: list[str]) -> None:
    answer = request(running, "POST", body={"references": references}).json()
    assert [it["text"] for it in answer["references"]] == references
    assert [it["cited_in_text"] for it in answer["references"]] == [None] * len(references)
    assert (answer["format"], answer["without_entry"], answer["uncited"]) == ("text", [], [])


def test_a_file_of_text_may_come_in_base64(running: Machine) -> None:
    entry = "@article{a,\n  title = {Attention is all you need},\n  year = {2017}\n}\n"
    sent = {"document_base64": base64.b64encode(entry.encode()).decode()}
    answer = request(running, "POST", body=sent)
    assert answer.status == 200, answer.body
    check = answer.json()
    assert (check["format"], [it["status"] for it in check["references"]]) == ("bibtex", ["matched"])
    written = request(running, "GET", f"{PATH}/{check['check_id']}/document").body
    assert "title = {Attention is all you need}" in written


LINE = "Zhao N, et al. Elevating microglia TREM2 reduces amyloid seeding. J Exp Med. 2017;219:e20212479."


@pytest.mark.parametrize("document", [
    f"References\n\n[1] {LINE}\n[2] Nobody A. On nothing. 2011.\n",
    f"# References\n\n- {LINE}\n- Nobody A. On nothing. 2011.\n",
    f"\\begin{{thebibliography}}{{9}}\n\\bibitem{{a}} {LINE}\n\\end{{thebibliography}}\n",
    "@article{a,\n  title = {On nothing that was ever written},\n  year = {2011}\n}\n",
    "TY  - JOUR\r\nTI  - On nothing that was ever written\r\nPY  - 2011\r\nER  - \r\n",
    "<article><back><ref-list><ref id='a'><mixed-citation>Nobody A. On nothing. 2011.</mixed-citation></ref></ref-list>"
    "</back></article>",
    '[{"id": "a", "title": "On nothing that was ever written", "note": "mine"}]',
])  # fmt: skip
def test_a_corrected_document_checked_again_has_one_comment_beside_each_reference(
    running: Machine, document: str
) -> None:
    once = _corrected(running, document)
    assert "checked: " in once
    assert once.count("checked: ") == _corrected(running, once).count("checked: ")


def _corrected(machine: Machine, document: str) -> str:
    check_id = request(machine, "POST", body={"document": document}).json()["check_id"]
    return request(machine, "GET", f"{PATH}/{check_id}/document").body


def test_a_reference_is_unanswered_if_one_source_fails_and_its_comment_says_no_more(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 503}
    answer = request(local, "POST", body={"references": ["Nobody A. Never written. doi:10.9999/nobody.knows"]}).json()
    (entry,) = answer["references"]
    assert (entry["status"], entry["unanswered"]) == ("unanswered", {"crossref": "unavailable"})
    assert entry["comment"] == "a source that may have it did not answer"
