"""`max_tokens` bounds the answers of the graph's routes, and cursors continue where a list was cut."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine

from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from shared.search.sizes.token_budget import tokens
from tests.integration.papers_calls import call, fetch
from tests.integration.runtime.test_dynamodb_requests import counted
from tests.integration.search.test_sizes import by_mcp

pytestmark = pytest.mark.slow  # pages of long lists at several budgets

PAPER = "/v1/graph/papers/10.7554%2FeLife.20391"
OF_A_PAPER = 12
CONTEXT = "/v1/graph/contexts/debate/budgets"


@pytest.fixture(scope="module")
def graph() -> Iterator[Machine]:
    """A machine whose graph has sixty papers, one of which cites forty, and a debate that was shown twenty."""
    with machine(sandbox=Sandbox(faults={})) as local:
        _fill(local)
        yield local


def _fill(local: Machine) -> None:
    fetch(
        local, "POST", "/v1/literature-search",
        {"query": "TREM2 microglia", "max_results": 20, "context": {"type": "debate", "id": "budgets"}},
    )  # fmt: skip
    for relation in ("references", "citations"):
        fetch(local, "GET", f"/v1/papers/10.7554%2FeLife.20391/{relation}", max_results=100)
    local.drain_queue()


def _keys(items: list[Any]) -> list[str]:
    return [item.get("key") or str(item["context"]) for item in items]


def _pages(local: Machine, path: str, **query: Any) -> list[Any]:
    """The answers of all pages of one list."""
    pages = [fetch(local, "GET", path, **query)]
    while cursor := pages[-1]["next_cursor"]:
        pages.append(fetch(local, "GET", path, **query, cursor=cursor))
    return pages


@pytest.mark.parametrize(("path", "query"), [(CONTEXT, {}), (PAPER, {"list": "cites"}), (PAPER, {"list": "cited_by"})])
def test_a_list_keeps_within_its_budget_and_its_pages_have_every_entry(
    graph: Machine, path: str, query: dict[str, str]
) -> None:
    (whole,) = _pages(graph, path, **query, limit=100)
    assert "truncated" not in whole
    small = _pages(graph, path, **query, limit=100, max_tokens=1_200)
    assert all(tokens(page) <= 1_200 for page in small)
    assert [key for page in small for key in _keys(page["items"])] == _keys(whole["items"])
    if len(small) > 1:
        assert small[0]["truncated"]["results"] == len(whole["items"]) - len(small[0]["items"])
        assert "max_tokens=1200" in small[0]["truncated"]["reason"]


def test_a_context_is_cut(graph: Machine) -> None:
    assert len(_pages(graph, CONTEXT, max_tokens=1_200)) > 2


def test_a_paper_shows_the_first_entries_of_each_of_its_lists(graph: Machine) -> None:
    whole, small = fetch(graph, "GET", PAPER), fetch(graph, "GET", PAPER, max_tokens=1_500)
    assert tokens(small) <= 1_500 < tokens(whole)
    for name in ("cites", "cited_by", "contexts"):
        assert _keys(small[name]["items"]) == _keys(whole[name]["items"])[: len(small[name]["items"])]
        if len(small[name]["items"]) < len(whole[name]["items"]):
            rest = fetch(graph, "GET", PAPER, list=name, cursor=small[name]["next_cursor"])
            assert _keys(rest["items"])[:1] == _keys(whole[name]["items"])[len(small[name]["items"]) :][:1]
            assert rest == fetch(graph, "GET", PAPER, cursor=small[name]["next_cursor"])  # it says of which list it is
    assert small["truncated"]["results"] > 0


@pytest.mark.parametrize("path", [PAPER, CONTEXT])
def test_a_budget_that_is_too_small_is_refused_with_the_least(graph: Machine, path: str) -> None:
    status, answer = call(graph, "GET", path, max_tokens=200)
    assert (status, answer["errors"][0]["field"]) == (422, "max_tokens")
    needed = int(answer["errors"][0]["message"].rpartition(" ")[2])
    assert tokens(fetch(graph, "GET", path, max_tokens=needed)) <= needed


@pytest.mark.parametrize("value", ["0", "199", "1000001", "many", "²"])
def test_a_budget_that_is_no_number_of_the_range_is_refused(graph: Machine, value: str) -> None:
    status, answer = call(graph, "GET", "/v1/graph/export", max_tokens=value)
    assert (status, answer["errors"][0]["field"]) == (422, "max_tokens")


@pytest.mark.parametrize(("form", "budget"), [("jsonld", 10_000), ("graphml", 8_000), ("csv", 1_000)])
def test_an_export_keeps_within_its_budget_and_its_pages_have_every_paper(
    graph: Machine, form: str, budget: int
) -> None:
    (whole, _), *more = _exported(graph, form, limit=100)
    assert not more
    assert len(_keys_in(whole, form)) > 40
    pages = _exported(graph, form, limit=12, max_tokens=budget)
    assert all(tokens(text) <= budget for text, _ in pages)
    assert any("left-out" in headers for _, headers in pages)
    assert all("next-cursor" in headers for _, headers in pages if "left-out" in headers)
    assert {key for text, _ in pages for key in _keys_in(text, form)} == _keys_in(whole, form)


def _exported(local: Machine, form: str, **query: int) -> list[tuple[str, dict[str, str]]]:
    """The texts and headers of all pages of an export."""
    pages: list[tuple[str, dict[str, str]]] = []
    asked = {"format": [form], **{name: [str(value)] for name, value in query.items()}}
    while not pages or "next-cursor" in pages[-1][1]:
        if pages:
            asked["cursor"] = [pages[-1][1]["next-cursor"]]
        response = local.invoke("dispatcher", rest_event("GET", "/v1/graph/export", query=asked))
        assert response["statusCode"] == 200, response["body"]
        headers = {name.lower(): values[0] for name, values in response["multiValueHeaders"].items()}
        pages.append((response["body"], headers))
    return pages


def _keys_in(text: str, form: str) -> set[str]:
    if form == "jsonld":
        return {it["@id"] for it in json.loads(text)["@graph"] if it["@type"] == "ScholarlyArticle"}
    if form == "csv":
        return {line.partition(",")[0] for line in text.splitlines()[1:]}
    return {part.partition('"')[0] for part in text.split('<node id="')[1:] if not part.startswith("context")}


def test_an_export_costs_a_few_requests_to_the_table_for_each_paper(
    graph: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an export, time is requests: those for a paper are its references, its contexts, and who they are."""
    costs = []
    for limit in ("5", "25"):
        with counted(monkeypatch) as seen:
            graph.invoke("dispatcher", rest_event("GET", "/v1/graph/export", query={"limit": [limit]}))
        costs.append(seen.total())
    assert costs[1] - costs[0] <= 20 * OF_A_PAPER


def _citing(name: str, count: int = 40) -> dict[str, Any]:
    text = (
        "see " + ", ".join(f"doi:10.9999/made.up.{number}" for number in range(count)) + " and doi:10.7554/eLife.20391"
    )
    return {"context": {"type": "debate", "id": name}, "text": text}


def test_the_answer_to_recorded_citations_keeps_within_its_budget(local: Machine) -> None:
    body = _citing("cut")
    small = fetch(local, "POST", "/v1/citations", {**body, "max_tokens": 1_500})
    assert (small["recorded"], small["truncated"]["results"]) == (41, 41 - len(small["mentions"]))
    assert 0 < len(small["mentions"]) < 41
    whole = fetch(local, "POST", "/v1/citations", body)
    assert "truncated" not in whole
    assert whole["mentions"][: len(small["mentions"])] == small["mentions"]
    assert whole["at"] == small["at"], "a larger budget shows the rest of the same record"
    for most in (200, 300, 500, 800):
        assert tokens(fetch(local, "POST", "/v1/citations", {**body, "max_tokens": most})) <= most
        with time_machine.travel(time.time() + 60, tick=True):  # mentions of the same second would be one
            assert tokens(by_mcp(local, "cite_in_context", **body, max_tokens=most)) <= most + 20
    local.drain_queue()
    mentions = [it["key"] for it in fetch(local, "GET", "/v1/graph/contexts/debate/cut", limit=100)["items"]]
    assert mentions.count("doi:10.7554/elife.20391") == 2, "HTTP and MCP have keys of their own"


def test_a_budget_that_not_even_the_context_fits_into_records_nothing(local: Machine) -> None:
    body = _citing("\N{DNA DOUBLE HELIX}" * 200, 1)
    status, refused = call(local, "POST", "/v1/citations", {**body, "max_tokens": 200})
    assert (status, refused["errors"][0]["field"]) == (422, "max_tokens")
    least = int(refused["errors"][0]["message"].rpartition(" ")[2])
    assert fetch(local, "GET", "/v1/graph/stats")["contexts"] == 0
    assert tokens(fetch(local, "POST", "/v1/citations", {**body, "max_tokens": least})) <= least
