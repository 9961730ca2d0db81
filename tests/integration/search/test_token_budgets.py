"""`max_tokens` bounds the whole answer on every route and tool; what matters most is cut last."""

from __future__ import annotations

import re
from typing import Any

import pytest

from infra.local.machine import Machine
from shared.search.sizes.token_budget import tokens
from tests.integration.papers_calls import call as request
from tests.integration.papers_calls import fetch
from tests.integration.search.test_sizes import by_mcp

pytestmark = pytest.mark.slow  # every list at many budgets

SEARCH, NETWORK, BATCH, RESOLVE = "/v1/literature-search", "/v1/citation-network", "/v1/papers", "/v1/resolve"
SEEDS = ["10.7554/eLife.20391", "10.1084/jem.20212479"]
LINES = [{"title": "Attention is all you need"}, {"title": "Attention is not Explanation"}]
CALLS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "search": ("literature_search", SEARCH, {"query": "TREM2 microglia", "detail": "standard"}),
    "pubmed": ("pubmed_search", "/v1/pubmed-search", {"query": "TREM2 microglia"}),
    "network": ("citation_network", NETWORK, {"seeds": SEEDS}),
    "papers": ("get_papers", BATCH, {"ids": [*SEEDS, "PMID:36107206", "arXiv:1706.03762"]}),
}
ID = "10.7554/eLife.20391"


@pytest.mark.parametrize("most", [1_200, 2_000, 4_000])
@pytest.mark.parametrize("call", CALLS)
def test_the_whole_answer_keeps_within_its_budget(running: Machine, call: str, most: int) -> None:
    tool, path, body = CALLS[call]
    assert tokens(fetch(running, "POST", path, {**body, "max_tokens": most})) <= most
    assert tokens(by_mcp(running, tool, **body, max_tokens=most)) <= most + 20


@pytest.mark.parametrize("query", ["TREM2 microglia", "large language models", "protein structure"])
def test_a_compact_answer_has_whole_sentences_where_its_budget_allows_them(running: Machine, query: str) -> None:
    asked = {"query": query, "detail": "compact", "cite_in_kg": False}
    usual, roomy, wide = (fetch(running, "POST", SEARCH, {**asked, "max_tokens": it}) for it in (1_500, 2_200, 3_000))
    assert tokens(usual) <= 1_500 and tokens(roomy) <= 2_200 and tokens(wide) <= 3_000
    assert roomy["returned"] == wide["returned"] == 10
    shown = [sum(len(it["abstract"] or "") for it in answer["results"]) for answer in (usual, roomy, wide)]
    assert shown[0] < shown[1] <= shown[2]
    sentences = [it["abstract"].strip("…") for it in wide["results"] if it["abstract"]]
    assert all(len(it) > 150 or it.endswith((".", "?", "!")) for it in sentences)
    by_name = by_mcp(running, "literature_search", **asked, max_tokens=3_000)
    assert [it["abstract"] for it in by_name["results"]] == [it["abstract"] for it in wide["results"]]


@pytest.mark.parametrize("detail", ["compact", "standard", "full"])
def test_lists_of_references_keep_within_their_budget(running: Machine, detail: str) -> None:
    path = f"/v1/papers/{ID}/references"
    whole = fetch(running, "GET", path, max_results=100, detail="compact")
    small = fetch(running, "GET", path, max_results=100, detail=detail, max_tokens=2_500)
    assert tokens(small) <= 2_500
    assert small["truncated"]["results"] == whole["returned"] - small["returned"]


def test_resolved_references_keep_within_their_budget(running: Machine) -> None:
    body = {"references": LINES * 10, "detail": "full"}
    small = fetch(running, "POST", RESOLVE, {**body, "max_tokens": 8_000})
    assert tokens(small) <= 8_000 < tokens(fetch(running, "POST", RESOLVE, body))
    assert len(small["references"]) == 20
    assert all(it["paper"] or it["candidates"] for it in small["references"])
    assert small["truncated"]["results"] > 0
    enough = re.search(r"max_tokens=(\d+) shows all", small["truncated"]["reason"])
    assert enough and fetch(running, "POST", RESOLVE, {**body, "max_tokens": int(enough[1])})["truncated"] is None


def test_a_paper_of_a_list_that_does_not_fit_has_its_title_at_least(running: Machine) -> None:
    asked = {"ids": SEEDS, "detail": "full"}
    whole = fetch(running, "POST", BATCH, asked)
    for most in (600, 1_000, 1_500):
        small = fetch(running, "POST", BATCH, {**asked, "max_tokens": most})
        assert tokens(small) <= most
        assert [it["paper"]["key"] for it in small["papers"]] == [it["paper"]["key"] for it in whole["papers"]]
        assert set(small["papers"][-1]["paper"]) >= {"key", "title", "year"}
        assert small["truncated"]["results"] == 0
        assert "results shortened" in small["truncated"]["reason"]
    least = fetch(running, "POST", BATCH, {**asked, "max_tokens": 400})
    assert [it["paper"] for it in least["papers"]] == [None, None]
    assert least["truncated"]["results"] == 2


def test_a_paper_that_does_not_fit_is_shown_in_the_largest_detail_that_does(running: Machine) -> None:
    asked = {"ids": SEEDS[:1], "detail": "full"}
    details = {name: fetch(running, "POST", BATCH, {**asked, "detail": name}) for name in ("compact", "standard")}
    sizes = {name: set(answer["papers"][0]["paper"]) for name, answer in details.items()}
    shown = [
        set(fetch(running, "POST", BATCH, {**asked, "max_tokens": most})["papers"][0]["paper"])
        for most in range(450, 1_500, 50)
    ]
    assert [fields for number, fields in enumerate(shown) if fields not in shown[:number]][:2] == [*sizes.values()]
    assert len(shown[-1]) > len(sizes["standard"])


def test_a_network_begins_with_its_seeds_and_keeps_them_longest(running: Machine) -> None:
    whole = fetch(running, "POST", NETWORK, {"seeds": SEEDS})
    assert [node["seed"] for node in whole["nodes"]] == sorted((it["seed"] for it in whole["nodes"]), reverse=True)
    around = [node["cited_within"] for node in whole["nodes"] if not node["seed"]]
    assert around == sorted(around, reverse=True)
    small = fetch(running, "POST", NETWORK, {"seeds": SEEDS, "max_tokens": 1_500})
    assert len(small["nodes"]) > 2
    assert [node["key"] for node in small["nodes"]] == [it["key"] for it in whole["nodes"]][: len(small["nodes"])]
    assert all(node["paper"] for node in small["nodes"][:2])
    ends = {key for edge in small["edges"] for key in (edge["source"], edge["target"])}
    assert ends <= {node["key"] for node in small["nodes"]}
    assert small["truncated"]["nodes"] >= len(whole["nodes"]) - len(small["nodes"]) > 0


def test_a_budget_too_small_for_the_envelope_shortens_it_and_says_so(running: Machine) -> None:
    asked = {"query": "TREM2 microglia"}
    usual = tokens({**fetch(running, "POST", SEARCH, asked), "results": []})
    small = fetch(running, "POST", SEARCH, {**asked, "max_tokens": 400})
    assert tokens(small) < usual
    assert (small["returned"], set(small["results"][0])) == (1, {"key", "title", "year"})
    assert "max_tokens=400 is little" in small["truncated"]["reason"]
    assert "providers" in small["truncated"]["reason"]
    assert fetch(running, "POST", SEARCH, {"cursor": small["next_cursor"]})["returned"] == 10
    network = fetch(running, "POST", NETWORK, {"seeds": SEEDS, "max_tokens": 400})
    assert (len(network["nodes"]), network["nodes"][0]["seed"]) == (1, True)
    assert "max_tokens=400 is little" in network["hints"][-1]["message"]


LONG = "TREM2 " + "microglia Alzheimer disease risk variant " * 45
QUERIES = {"long": LONG[:1_990], "Chinese": "深度学习" * 400, "emoji": "🧬 " * 300 + "TREM2"}
EVERY_ROUTE: dict[str, tuple[str, str, dict[str, Any]]] = {
    **{name: ("literature_search", SEARCH, {"query": query, "detail": "full"}) for name, query in QUERIES.items()},
    "search": ("literature_search", SEARCH, {"query": "TREM2 microglia"}),
    "one provider": ("literature_search", SEARCH, {"query": "TREM2", "providers": "pubmed"}),
    "papers": ("get_papers", BATCH, {"ids": [*SEEDS, "nonsense", "10.9999/x"]}),
    "resolve": ("resolve_reference", RESOLVE, {"references": [*LINES, {"title": LONG[:900]}]}),
    "network": ("citation_network", NETWORK, {"seeds": SEEDS}),
}


@pytest.mark.slow
@pytest.mark.parametrize("call", EVERY_ROUTE)
def test_every_answer_keeps_within_any_budget_or_says_how_much_it_needs(running: Machine, call: str) -> None:
    tool, path, body = EVERY_ROUTE[call]
    for most in (200, 400, 700):
        status, answer = request(running, "POST", path, {**body, "max_tokens": most})
        if status == 200:
            assert tokens(answer) <= most
            continue
        assert (status, [it["field"] for it in answer["errors"]]) == (422, ["max_tokens"])
        needed = int(answer["errors"][0]["message"].rpartition(" ")[2])
        assert most < needed < 1_500
        assert tokens(fetch(running, "POST", path, {**body, "max_tokens": needed})) <= needed
        assert tokens(by_mcp(running, tool, **body, max_tokens=needed)) <= needed + 20


def test_a_last_page_that_is_cut_has_room_for_the_action_that_continues_it(running: Machine) -> None:
    """Where all papers would fit, nothing has a next page; the long request that fetches one counts once it has."""
    wordings = ["TREM2 lecanemab aducanumab donanemab", "solanezumab gantenerumab crenezumab remternetug trontinemab"]
    body = {"query": '(R47H[tiab] OR "lecanemab") NOT zzyzx', "providers": ["europe_pmc"], "queries": wordings}
    assert fetch(running, "POST", SEARCH, body)["next_cursor"] is None
    for most in range(400, 1_000, 20):
        assert tokens(fetch(running, "POST", SEARCH, {**body, "max_tokens": most})) <= most


@pytest.mark.parametrize(
    "path", ["/v1/papers/10.7554%2FeLife.20391/references", "/v1/papers/10.7554%2FeLife.20391", ""]
)
def test_every_list_keeps_within_any_budget_or_says_how_much_it_needs(running: Machine, path: str) -> None:
    found = fetch(running, "POST", SEARCH, {"query": "TREM2 microglia"})
    for most in (200, 400, 700, 900):
        status, answer = request(running, "GET", path or f"/v1/result-sets/{found['result_set_id']}", max_tokens=most)
        assert (status == 200 and tokens(answer) <= most) or answer["errors"][0]["field"] == "max_tokens"
        assert status == 200 or most < 600


@pytest.mark.parametrize("most", [800, 1_000])
def test_reports_are_shortened_before_a_result_is(running: Machine, most: int) -> None:
    small = fetch(running, "POST", SEARCH, {"query": "TREM2 microglia", "max_tokens": most})
    assert small["returned"] >= 1
    assert "abstract" in small["results"][0]
    assert tokens(small) <= most
