"""Files of papers over HTTP: as many as were requested, and what is missing named with the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.search.sizes.token_budget import tokens
from tests.integration.mcp_calls import called
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


@pytest.mark.parametrize(("path", "query"), [
    ("/v1/literature-search", {"query": ["TREM2"]}), ("/v1/pubmed-search", {"query": ["TREM2"]}),
    ("/v1/exports", {"ids": [FOUND]}),
])  # fmt: skip
@pytest.mark.parametrize("accept", [None, "application/json", "application/x-bibtex", "text/csv"])
def test_an_answer_that_accept_chooses_says_so(
    local: Machine, path: str, query: dict[str, list[str]], accept: str | None
) -> None:
    headers = {"Accept": accept} if accept else {}
    assert file_of(local, "GET", path, query=query, headers=headers)[1]["Vary"] == ["Accept"]


def test_an_export_of_a_result_set_is_whole_or_of_max_results(local: Machine) -> None:
    _, page = call(local, "POST", "/v1/literature-search", {"query": "TREM2 microglia", "max_results": 1})
    for limit, rows in (({}, page["total_count"]), ({"max_results": ["2"]}, 2)):
        query = {"result_set_id": [page["result_set_id"]], "format": ["csl-json"], **limit}
        text, _ = file_of(local, "GET", "/v1/exports", query=query)
        assert len(json.loads(text)) == rows


def test_an_export_of_ids_with_a_comma_between_them_has_each_paper(local: Machine) -> None:
    query = {"ids": [f"{FOUND},PMID:36107206"], "format": ["csl-json"]}
    text, headers = file_of(local, "GET", "/v1/exports", query=query)
    assert {it["DOI"].lower() for it in json.loads(text)} == {FOUND.lower(), "10.1084/jem.20212479"}
    assert headers["Not-Found"] == ["0"]


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


def test_a_file_names_the_ids_of_papers_that_it_has_already(local: Machine) -> None:
    again = ["PMID:36107206", "10.1084/JEM.20212479"]
    body = json.dumps({"ids": ["10.1084/jem.20212479", *again, FOUND], "format": "bibtex"})
    text, headers = file_of(local, "POST", "/v1/exports", body=body)
    assert text.count("\n@") + text.startswith("@") == 2
    assert f"% Repeated: {', '.join(again)}" in text.splitlines()
    assert (headers["Not-Found"], headers["Repeated-Ids"]) == (["0"], [", ".join(again)])


def test_a_hostile_id_begins_no_entry_and_ends_no_comment(local: Machine) -> None:
    for form in ("bibtex", "markdown"):
        body = json.dumps({"ids": [FOUND, "x -->\n@article{evil,}\r\nX: y"], "format": form})
        text, headers = file_of(local, "POST", "/v1/exports", body=body)
        assert text.count("@") == (1 if form == "bibtex" else 0)
        assert text.count("-->") == (0 if form == "bibtex" else 1)
        assert headers["Malformed-Ids"] == ["x%20--%3E%0A%40article%7Bevil%2C%7D%0D%0AX:%20y"]


def test_ids_that_are_none_are_refused_and_not_called_unknown(local: Machine) -> None:
    status, problem = call(local, "POST", "/v1/exports", {"ids": [MALFORMED]})
    assert (status, problem["detail"]) == (422, "ids: '36107206' is not an id of a paper")
    assert problem["errors"] == [{"field": "ids", "message": "if it is a PMID, write PMID:36107206"}]
    _, several = call(local, "POST", "/v1/exports", {"ids": [MALFORMED, "nothing"]})
    assert several["detail"] == "ids: none of them is an id of a paper"
    assert all(it in several["errors"][0]["message"] for it in ("write PMID:36107206", "write a DOI"))


@pytest.mark.parametrize("path", [
    "/v1/papers/36107206", "/v1/papers/36107206/references", "/v1/papers/36107206/similar",
    "/v1/papers/36107206/fulltext", "/v1/graph/papers/36107206",
])  # fmt: skip
def test_a_number_in_a_path_has_the_hint_how_a_pmid_is_written(local: Machine, path: str) -> None:
    status, problem = call(local, "GET", path)
    assert (status, problem["detail"]) == (422, "id: '36107206' is not an id of a paper")
    assert problem["hint"].startswith("If it is a PMID, write PMID:36107206.")


def test_where_no_paper_was_found_the_error_names_each_id(local: Machine) -> None:
    hostile = "10.9999/<!--\nX"
    status, problem = call(local, "POST", "/v1/exports", {"ids": [UNKNOWN, MALFORMED, hostile]})
    assert (status, problem["code"]) == (404, "not_found")
    assert {it["field"] for it in problem["errors"]} == {"ids"}
    messages = sorted(it["message"] for it in problem["errors"])
    assert messages == sorted([
        f"no source that answered has {UNKNOWN}", f"{MALFORMED} is not an id of a paper",
        "10.9999/%3C%21--%0AX is not an id of a paper",
    ])  # fmt: skip
    _, many = call(local, "POST", "/v1/exports", {"ids": [f"10.9999/none{number}" for number in range(12)]})
    assert (len(many["errors"]), many["errors"][-1]["message"]) == (11, "and 2 more errors")


def test_a_preprint_of_a_conference_names_the_conference(local: Machine) -> None:
    files = {
        form: file_of(local, "POST", "/v1/exports", body=json.dumps({"ids": ["arXiv:1706.03762"], "format": form}))[0]
        for form in ("ris", "bibtex")
    }
    assert "T2  - Neural Information Processing Systems\r\n" in files["ris"] and "\r\nPB  - " not in files["ris"]
    assert "howpublished = {Neural Information Processing Systems}" in files["bibtex"]


SEARCH: dict[str, Any] = {"query": "TREM2 microglia", "max_results": 30}
SEEDS = {"seeds": [FOUND, "10.1084/jem.20212479"]}
BUDGETED: list[tuple[str, dict[str, Any], str]] = [
    *(("/v1/literature-search", SEARCH, it) for it in ("csv", "markdown", "bibtex", "ris", "csl-json")),
    ("/v1/exports", {"ids": [FOUND, "10.1084/jem.20212479", "arXiv:1706.03762", UNKNOWN]}, "bibtex"),
    *(("/v1/citation-network", SEEDS, it) for it in ("graphml", "svg")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("path", "body", "form"), BUDGETED, ids=[f"{path} {form}" for path, _, form in BUDGETED])
def test_a_file_keeps_within_its_budget_and_says_how_much_it_left_out(
    running: Machine, path: str, body: dict[str, Any], form: str
) -> None:
    whole, headers = file_of(running, "POST", path, body=json.dumps({**body, "format": form}))
    assert "Left-Out" not in headers
    for most in (int(tokens(whole) * 0.6), int(tokens(whole) * 0.95)):
        small, headers = file_of(running, "POST", path, body=json.dumps({**body, "format": form, "max_tokens": most}))
        assert tokens(small) <= most < tokens(whole)
        (left_out,) = headers["Left-Out"]
        assert 0 < int(left_out) < 30
        assert (f"Left-Out: {left_out}" in small) == (form in ("markdown", "bibtex"))


@pytest.mark.slow
@pytest.mark.parametrize(("path", "body", "form"), BUDGETED, ids=[f"{path} {form}" for path, _, form in BUDGETED])
def test_a_budget_too_small_for_one_paper_of_a_file_is_refused_with_what_it_takes(
    running: Machine, path: str, body: dict[str, Any], form: str
) -> None:
    event = {**body, "format": form, "max_tokens": 200}
    answer = running.invoke("dispatcher", rest_event("POST", path, body=json.dumps(event)))
    if answer["statusCode"] == 200:
        assert tokens(answer["body"]) <= 200
        return
    (error,) = json.loads(answer["body"])["errors"]
    assert (answer["statusCode"], error["field"]) == (422, "max_tokens")
    needed = int(error["message"].rpartition(" ")[2])
    text, _ = file_of(running, "POST", path, body=json.dumps({**event, "max_tokens": needed}))
    assert 200 < tokens(text) <= needed


def test_a_file_keeps_within_its_budget_over_mcp(running: Machine) -> None:
    file = called(running, "literature_search", **SEARCH, format="csv", max_tokens=2_000)
    assert tokens(file) <= 2_000
    assert file["left_out"] > 0
    refs = called(running, "get_papers", ids=[FOUND, "10.1084/jem.20212479"], format="bibtex", max_tokens=360)
    assert (tokens(refs) <= 360, refs["left_out"]) == (True, 1)
