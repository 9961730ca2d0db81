"""Files of papers over HTTP: as many as were requested, and what is missing named with the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.integration.papers_calls import call

FOUND, UNKNOWN, MALFORMED = "10.7554/eLife.20391", "10.9999/none", "36107206"


def file_of(local: Machine, method: str, path: str, **event: Any) -> tuple[str, dict[str, list[str]]]:
    """The text and the headers of a file."""
    response = local.invoke("dispatcher", rest_event(method, path, **event))
    assert response["statusCode"] == 200, response["body"]
    return str(response["body"]), response["multiValueHeaders"]


@pytest.mark.parametrize("fields", [{}, {"fields": ["title"]}, {"detail": "compact"}], ids=str)
def test_a_file_of_a_search_has_the_papers_of_its_page(local: Machine, fields: dict[str, Any]) -> None:
    search = {"query": "TREM2 microglia", "max_results": 3, **fields}
    posted = rest_event("POST", "/v1/literature-search", body=json.dumps(search))
    page = json.loads(local.invoke("dispatcher", posted)["body"])
    assert page["total_count"] > page["returned"] == 3
    by_name = {"body": json.dumps({**search, "format": "csl-json"})}
    by_accept = {"body": json.dumps(search), "headers": {"Accept": "application/vnd.citationstyles.csl+json"}}
    for event in (by_name, by_accept):
        text, _ = file_of(local, "POST", "/v1/literature-search", **event)
        shown = [it["title"].removesuffix("…") for it in page["results"]]  # compact papers have short titles
        assert all(it["title"].startswith(title) for it, title in zip(json.loads(text), shown, strict=True))
    following = {**search, "cursor": page["next_cursor"], "format": "csl-json"}
    text, _ = file_of(local, "POST", "/v1/literature-search", body=json.dumps(following))
    assert len(json.loads(text)) == 3
    assert {it["title"] for it in json.loads(text)}.isdisjoint(it["title"] for it in page["results"])


def test_an_export_of_a_result_set_is_whole_or_of_max_results(local: Machine) -> None:
    _, page = call(local, "POST", "/v1/literature-search", {"query": "TREM2 microglia", "max_results": 1})
    for limit, rows in (({}, page["total_count"]), ({"max_results": ["2"]}, 2)):
        query = {"result_set_id": [page["result_set_id"]], "format": ["csl-json"], **limit}
        text, _ = file_of(local, "GET", "/v1/exports", query=query)
        assert len(json.loads(text)) == rows


@pytest.mark.parametrize(("form", "comments"), [
    ("bibtex", ["% Not-Found: 10.9999/none", "% Malformed: 36107206"]),
    ("markdown", ["<!-- Not-Found: 10.9999/none -->", "<!-- Malformed: 36107206 -->"]),
    ("ris", []), ("csl-json", []), ("csv", []),
])  # fmt: skip
def test_a_file_names_the_papers_that_are_missing_and_why(local: Machine, form: str, comments: list[str]) -> None:
    body = json.dumps({"ids": [FOUND, MALFORMED, UNKNOWN], "format": form})
    text, headers = file_of(local, "POST", "/v1/exports", body=body)
    assert [line for line in text.splitlines() if line.startswith(("% ", "<!--"))] == comments
    assert (headers["Not-Found"], headers["Not-Found-Ids"], headers["Malformed-Ids"]) == (["1"], [UNKNOWN], [MALFORMED])
    assert "Unanswered-Ids" not in headers


def test_a_hostile_id_begins_no_entry_and_ends_no_comment(local: Machine) -> None:
    for form in ("bibtex", "markdown"):
        body = json.dumps({"ids": [FOUND, "x -->\n@article{evil,}\r\nX: y"], "format": form})
        text, headers = file_of(local, "POST", "/v1/exports", body=body)
        assert text.count("@") == (1 if form == "bibtex" else 0)
        assert text.count("-->") == (0 if form == "bibtex" else 1)
        assert headers["Malformed-Ids"] == ["x%20--%3E%0A%40article%7Bevil%2C%7D%0D%0AX:%20y"]


def test_ids_that_are_none_are_refused_and_not_called_unknown(local: Machine) -> None:
    status, problem = call(local, "POST", "/v1/exports", {"ids": [MALFORMED]})
    assert (status, problem["errors"][0]["field"]) == (422, "ids")
    assert "none of them is an id" in problem["errors"][0]["message"]


def test_a_preprint_of_a_conference_names_the_conference(local: Machine) -> None:
    files = {
        form: file_of(local, "POST", "/v1/exports", body=json.dumps({"ids": ["arXiv:1706.03762"], "format": form}))[0]
        for form in ("ris", "bibtex")
    }
    assert "T2  - Neural Information Processing Systems\r\n" in files["ris"] and "\r\nPB  - " not in files["ris"]
    assert "howpublished = {Neural Information Processing Systems}" in files["bibtex"]
