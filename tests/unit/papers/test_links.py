"""The list of one paper: which providers are queried for it, how it is stored and paged, and what is published."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from shared.aws.dynamodb.leg_cache import FAILURE_S
from shared.bibliography.paper import Paper, Pointer
from shared.errors import AllProvidersFailed, Expired, NotFound, Unanswered, Unprocessable
from shared.outcomes import Outcome
from shared.papers.links.lists import get_links
from shared.papers.request import LinksRequest
from shared.query.question import Relation
from shared.search.hints.result_hints import NOT_STORED
from shared.search.result_sets.cursor import Cursor
from tests.unit.papers.known_papers import CAPABILITIES, Sources, paper
from tests.unit.papers.test_linked import APES, KIN, SONGS, at

HEAD = "10.1000/head"
FIELDS = [
    "relation", "paper", "total_count", "totals", "returned", "results", "search_time_ms", "complete", "providers",
    "cache", "result_set_id", "next_cursor", "kg", "hints", "truncated", "request_id", "content_trust",
]  # fmt: skip


def sources(**how: Any) -> Sources:
    """A paper that cites four: one with records, one by ids alone, one as a line, and itself by mistake."""
    records = [
        paper("crossref", "The head of the list of references", doi=HEAD),
        paper("semantic_scholar", "The head of the list of references", doi=HEAD, pmid="1", openalex="W1"),
        paper("semantic_scholar", KIN, doi="10.1000/k", pmid="8", authors=("Kin",)),
    ]
    lists: dict[str, list[Paper | Pointer]] = {
        "crossref": [at("Adams. A book. 1962"), at(doi="10.1000/k"), at(doi="10.1000/a"), at(pmid="1")],
        "semantic_scholar": [paper("semantic_scholar", APES, doi="10.1000/a", citation_count=5)],
        "europe_pmc": [at(pmid="8")],
        "openalex": [
            paper("openalex", SONGS, rank=n, doi=f"10.1000/{n}", citation_count=n, authors=(f"A{n}",), year=2000 + n)
            for n in range(1, 4)
        ],
    }
    placed = {name: [replace(it, rank=rank) for rank, it in enumerate(entries, 1)] for name, entries in lists.items()}
    return Sources(records, placed, **how)


def ask(providers: Sources, relation: Relation = "references", name: str = HEAD, **fields: Any) -> Any:
    return providers.run(lambda it: get_links(relation, LinksRequest(id=name, **fields), it))


def test_lists_are_merged_with_the_records_of_papers_listed_by_id() -> None:
    providers = sources()
    answer = ask(providers)
    assert list(answer) == FIELDS
    assert [(it["key"], it["text"], it["asserted_by"]) for it in answer["results"]] == [
        (None, "Adams. A book. 1962", ["crossref"]),
        ("doi:10.1000/k", None, ["crossref", "europe_pmc"]),
        ("doi:10.1000/a", None, ["crossref", "semantic_scholar"]),
    ]
    assert [it["paper"] and it["paper"]["title"] for it in answer["results"]] == [None, KIN, APES]
    assert (answer["complete"], answer["total_count"], answer["returned"]) == (True, 3, 3)
    assert answer["totals"] == {"crossref": 4, "europe_pmc": 1, "semantic_scholar": 1}
    assert answer["search_time_ms"] > 0


def test_records_are_requested_of_the_translator_alone_in_the_order_of_the_list() -> None:
    providers = sources()
    ask(providers)
    sent_after_the_lists = [it for it in providers.queries if it.at > providers.queries[-2].at]
    assert [(it.provider, it.names) for it in sent_after_the_lists] == [
        ("semantic_scholar", ("doi:10.1000/k", "pmid:8")),
    ]


def test_when_the_translator_fails_others_provide_the_records() -> None:
    providers = sources(broken={"semantic_scholar": Outcome.UNAVAILABLE})
    providers.records = [
        *providers.records,
        paper("europe_pmc", KIN, doi="10.1000/k"),
        paper("europe_pmc", APES, doi="10.1000/a"),
    ]
    answer = ask(providers)
    assert {it["key"]: it["paper"]["title"] for it in answer["results"] if it["paper"]}["doi:10.1000/k"] == KIN
    assert answer["complete"] is False
    assert {hint["reason"] for hint in answer["hints"]} >= {"providers_failed", "records_missing"}


@pytest.mark.parametrize("slow", ["crossref", "pubmed", "europe_pmc"])
def test_a_slow_provider_costs_its_own_list_alone(slow: str) -> None:
    providers = sources(needs_s={slow: 60.0})
    answer = ask(providers, timeout_ms=10_000)
    timeouts = {name for name, report in answer["providers"].items() if report["outcome"] == "timeout"}
    assert timeouts == {slow} - {"pubmed"}  # which has no lists here
    assert {it["key"] for it in answer["results"]} >= {"doi:10.1000/a", "doi:10.1000/k"}
    assert answer["complete"] is False
    assert providers.clock.monotonic() <= 10.0


def test_a_short_request_is_answered_when_all_are_quick() -> None:
    answer = ask(sources(needs_s=dict.fromkeys(CAPABILITIES, 0.1)), timeout_ms=1_500)
    assert {it["key"] for it in answer["results"]} >= {"doi:10.1000/a", "doi:10.1000/k"}


def test_an_incomplete_list_is_stored_for_its_pages_but_not_reused() -> None:
    providers = sources(broken={"europe_pmc": Outcome.UNAVAILABLE})
    first = ask(providers, max_results=1)
    assert providers.result_sets.fresh_s == [0.0]
    assert ask(providers, max_results=1, cursor=first["next_cursor"])["results"]
    providers.broken = {}
    providers.pass_time(FAILURE_S)
    providers.queries.clear()
    healed = ask(providers)
    assert (healed["complete"], healed["cache"]) == (True, "partial")
    assert {it.provider for it in providers.queries} == {"europe_pmc", "semantic_scholar"}


def test_a_list_with_missing_records_is_incomplete_and_not_reused() -> None:
    providers = sources(broken={"semantic_scholar doi:10.1000/k": Outcome.UNAVAILABLE})
    answer = ask(providers)
    assert (answer["complete"], answer["total_count"]) == (False, 4)
    assert {report["outcome"] for report in answer["providers"].values()} == {"ok"}
    assert [hint["reason"] for hint in answer["hints"]] == ["records_missing"]
    assert providers.result_sets.fresh_s == [0.0]


def test_a_stored_list_queries_no_provider_and_its_pages_show_each_item_once() -> None:
    providers = sources()
    whole = [it["key"] for it in ask(providers, "citations")["results"]]
    queries = len(providers.queries)
    page = ask(providers, "citations", max_results=2)
    keys = [it["key"] for it in page["results"]]
    while page["next_cursor"]:
        page = ask(providers, "citations", max_results=2, cursor=page["next_cursor"])
        keys += [it["key"] for it in page["results"]]
    assert keys == whole == ["doi:10.1000/3", "doi:10.1000/2", "doi:10.1000/1"]
    assert len(providers.queries) == queries
    assert page["cache"] == "hit"


def test_the_shown_items_are_published_with_their_providers() -> None:
    providers = sources()
    answer = ask(providers)
    head, *papers = providers.published
    assert answer["kg"] == {"queued": 3, "skipped": 0}
    assert (head["key"], head["references"]) == (
        f"doi:{HEAD}",
        {
            "crossref": ["doi:10.1000/k", "doi:10.1000/a"],
            "europe_pmc": ["doi:10.1000/k"],
            "semantic_scholar": ["doi:10.1000/a"],
        },
    )
    assert [it["key"] for it in papers] == ["doi:10.1000/k", "doi:10.1000/a"]
    providers.published.clear()
    ask(providers, "citations", max_results=1)
    assert [it["key"] for it in providers.published] == [f"doi:{HEAD}", "doi:10.1000/3"]
    assert providers.published[1]["references"] == {"openalex": [f"doi:{HEAD}"]}


def test_nothing_is_published_without_consent_and_the_next_request_with_consent_publishes() -> None:
    providers = sources()
    assert ask(providers, cite_in_kg=False)["kg"] == {"queued": 0, "skipped": 3}
    assert providers.published == []
    assert ask(providers)["kg"] == {"queued": 3, "skipped": 0}


def test_sorts_are_lists_of_their_own() -> None:
    providers = sources()
    assert [it["key"][-1] for it in ask(providers, "citations", sort="date")["results"]] == ["3", "2", "1"]
    assert [it["key"][-1] for it in ask(providers, "citations", sort="bibliography")["results"]] == ["1", "2", "3"]


def test_a_list_in_few_tokens_goes_on_after_the_last_item_shown() -> None:
    providers = sources()
    page = ask(providers, "citations", max_tokens=420)
    assert page["truncated"]["results"] == 3 - page["returned"] > 0
    following = ask(providers, "citations", cursor=page["next_cursor"])
    assert page["returned"] + following["returned"] == 3


def test_a_list_that_cannot_be_stored_has_no_next_page_and_a_hint() -> None:
    providers = sources()
    providers.result_sets.unavailable = True
    answer = ask(providers, "citations", max_results=1)
    assert answer["next_cursor"] is None
    assert NOT_STORED in answer["hints"]


@pytest.mark.parametrize(("relation", "name"), [("citations", HEAD), ("references", "10.1000/k")])
def test_a_cursor_is_valid_for_its_own_list_only(relation: Relation, name: str) -> None:
    providers = sources()
    cursor = ask(providers, max_results=1)["next_cursor"]
    with pytest.raises(Unprocessable) as fault:
        ask(providers, relation, name, cursor=cursor)
    assert fault.value.errors[0].field == "cursor"
    assert ask(providers, name="PMID:1", cursor=cursor)["results"]  # another name of the same paper


def test_a_cursor_of_a_search_is_rejected_for_a_list() -> None:
    providers = sources()
    providers.result_sets.stored["a" * 32] = {"result_set_id": "a" * 32, "summary": {"query": "TREM2"}, "results": []}
    with pytest.raises(Unprocessable):
        ask(providers, cursor=str(Cursor("a" * 32, 0)))
    with pytest.raises(Expired):
        ask(providers, cursor=str(Cursor("b" * 32, 0)))


def test_an_unknown_paper_is_not_found_or_unanswered_if_a_provider_did_not_answer() -> None:
    with pytest.raises(NotFound) as unknown:
        ask(sources(), name="10.1000/none")
    assert unknown.value.retryable is False
    with pytest.raises(Unanswered) as maybe:
        ask(sources(broken={"crossref": Outcome.UNAVAILABLE}), name="10.1000/none")
    assert maybe.value.retryable is True
    with pytest.raises(NotFound):
        ask(sources(), name="title:" + "0" * 20)


@pytest.mark.parametrize("late", [False, True])
def test_when_no_provider_answers_the_error_has_every_reason(late: bool) -> None:
    failing = (
        {"needs_s": dict.fromkeys(CAPABILITIES, 60.0)}
        if late
        else {"broken": dict.fromkeys(CAPABILITIES, Outcome.UNAVAILABLE)}
    )
    with pytest.raises(AllProvidersFailed) as failure:
        ask(sources(**failing), timeout_ms=5_000)
    assert failure.value.timed_out is late
    assert "providers.crossref" in {fault.field for fault in failure.value.errors}


def test_a_paper_without_such_a_list_has_an_empty_one() -> None:
    providers = sources()
    providers.lists = {}
    answer = ask(providers)
    assert (answer["total_count"], answer["results"], answer["next_cursor"]) == (0, [], None)
    assert [hint["reason"] for hint in answer["hints"]] == ["no_match"]


def test_a_paper_for_which_no_provider_has_lists_has_an_empty_list() -> None:
    providers = Sources([paper("arxiv", arxiv="1706.03762")])
    answer = ask(providers, "citations", "1706.03762")
    assert (answer["results"], answer["providers"], answer["complete"]) == ([], {}, True)
