"""Papers like others: whose lists they are on, what is no other paper, and what a failing source costs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Paper, Pointer, Retraction, RetractionStatus, Version
from shared.errors import AllProvidersFailed, NotFound, Unprocessable
from shared.outcomes import Outcome
from shared.papers.graph_neighbours import GraphNeighbours, graph_neighbours
from shared.papers.similar.request import SimilarRequest
from shared.papers.similar.similar_papers import get_similar
from shared.providers.capabilities import ProviderCapabilities
from shared.search.ranking.rank_votes import joint_vote
from tests.unit.papers.known_papers import BY_ANY, SEARCH, Sources, paper
from tests.unit.papers.test_linked import at

HEAD, OTHER = "10.1000/head", "10.1000/other"
TITLE = "Glia that clear plaques in the ageing brain"
WAYS = ("semantic_scholar", "pubmed", "openalex")
CAPABILITIES = {
    "semantic_scholar": ProviderCapabilities(
        operations={**SEARCH, "lookup": BY_ANY, "similar": BY_ANY}, translates=True
    ),
    "pubmed": ProviderCapabilities(operations={**SEARCH, "lookup": ("pmid",), "similar": ("pmid",)}),
    "openalex": ProviderCapabilities(operations={**SEARCH, "lookup": ("doi",), "similar": ("openalex",)}),
}


def near(provider: str, *letters: str) -> list[Paper | Pointer]:
    """A list of papers, each named by a letter."""
    return [
        paper(provider, f"Study {it * 3} of the matter of {it}", rank=rank, doi=f"10.1000/{it}", authors=(f"Au{it}",))
        for rank, it in enumerate(letters, 1)
    ]


def sources(**how: Any) -> Sources:
    """A seed that all three know by their kinds of id, another that only one knows, and three lists."""
    records = [
        paper("semantic_scholar", TITLE, doi=HEAD, pmid="1", openalex="W11"),
        paper("pubmed", TITLE, doi=HEAD, pmid="1"),
        paper("openalex", TITLE, doi=HEAD, pmid="1", openalex="W11"),
        paper("semantic_scholar", "Another seed of quite another kind", doi=OTHER, authors=("Oz",)),
    ]
    lists = how.pop("lists", {
        "semantic_scholar": near("semantic_scholar", "a", "b", "c"),
        "pubmed": near("pubmed", "b", "d"),
        "openalex": near("openalex", "e", "b"),
    })  # fmt: skip
    return Sources([*records, *how.pop("records", ())], lists, capabilities=CAPABILITIES, **how)


def ask(found: Sources, *seeds: str, **fields: Any) -> Any:
    return found.run(lambda it: get_similar(SimilarRequest(seeds=seeds or (HEAD,), **fields), it))


def letters(answer: Any) -> str:
    return "".join(it["key"].rpartition("/")[2] for it in answer["results"])


def test_lists_are_merged_in_the_order_of_their_votes_with_who_says_so() -> None:
    answer = ask(sources(scores={"pubmed": (900.0, 70.0)}))
    assert letters(answer) == "baedc"
    first = answer["results"][0]
    assert first["votes"] == {
        "openalex": {"rank": 2, "score": None},
        "pubmed": {"rank": 1, "score": 900.0},
        "semantic_scholar": {"rank": 2, "score": None},
    }
    assert first["score"] == 1.0
    assert answer["results"][1]["score"] == round(joint_vote([1]) / joint_vote([1, 2, 2]), 3)
    assert (answer["seeds"], answer["total_count"], answer["returned"]) == ([f"doi:{HEAD}"], 5, 5)
    assert (answer["complete"], answer["graph"], answer["hints"]) == (True, "empty", [])
    assert all(it["paper"]["title"] for it in answer["results"])


def test_each_source_is_queried_once_by_its_own_kind_of_name_and_not_without_one() -> None:
    found = sources()
    ask(found, HEAD, OTHER)
    assert {it.provider: it.names for it in found.queries if it.operation == "similar"} == {
        "semantic_scholar": (f"doi:{HEAD}", f"doi:{OTHER}"), "pubmed": ("pmid:1",), "openalex": ("openalex:W11",),
    }  # fmt: skip
    found = sources()
    ask(found, OTHER)
    assert [it.provider for it in found.queries if it.operation == "similar"] == ["semantic_scholar"]


def test_the_seed_its_versions_and_its_notices_are_never_among_them() -> None:
    notice = Retraction(RetractionStatus.RETRACTED, notice_doi="10.1000/notice")
    seed = paper("openalex", TITLE, doi=HEAD, pmid="1", openalex="W11", retraction=notice)
    listed = [
        paper("openalex", TITLE, 1, doi=HEAD),
        paper("openalex", "Glia that clear plaques", 2, doi="10.1101/pre", authors=("Zz",)),
        paper("openalex", "A notice under its id", 3, doi="10.1000/notice", authors=("Yy",)),
        paper("openalex", f"Correction: {TITLE}", 4, doi="10.1000/corr", authors=("Xx",)),
        Paper(
            provider="openalex", rank=5, title="Of another paper", type="erratum", ids=Identifiers(doi="10.1000/err")
        ),
        *near("openalex", "a"),
    ]
    found = sources(lists={"openalex": listed, "pubmed": [paper("pubmed", TITLE, doi="10.1000/copy", pmid="1")]})
    versions = (Version("preprint", doi="10.1101/pre"),)
    found.records = [*(it for it in found.records if it.provider != "openalex"), replace(seed, versions=versions)]
    answer = ask(found)
    assert (letters(answer), answer["left_out"]) == ("a", {"seeds": 2, "notices": 2})


def test_a_working_paper_of_an_earlier_year_is_a_version_and_a_namesake_is_not() -> None:
    listed = [
        paper("openalex", TITLE, 1, doi="10.2139/wp", year=2011),
        paper("openalex", TITLE, 2, doi="10.1000/a", year=2011, authors=("Else",)),
    ]
    assert letters(ask(sources(lists={"openalex": listed}))) == "a"


@pytest.mark.parametrize(
    ("title", "authors", "left"),
    [
        (f"{TITLE}: a perspective", ("Ann", "Bo"), ""),  # the preprint, with the subtitle that the article dropped
        (f"{TITLE}: a perspective", ("Ann", "Cy"), "a"),
        ("Glia that clear plaques", ("Ann", "Bo"), "a"),  # too short to be the title without its subtitle
    ],
)
def test_a_version_may_have_a_subtitle_more_if_all_authors_are_the_same(
    title: str, authors: tuple[str, ...], left: str
) -> None:
    seed = paper("semantic_scholar", TITLE, doi="10.1000/seed", authors=("Ann", "Bo"))
    listed = [paper("semantic_scholar", title, 1, doi="10.1000/a", authors=authors)]
    found = sources(records=[seed], lists={"semantic_scholar": listed})
    assert letters(ask(found, "10.1000/seed")) == left


def test_a_paper_that_only_begins_like_a_notice_stays() -> None:
    listed = [paper("openalex", "Correction of astigmatism with lasers", doi="10.1000/a", authors=("Ab",))]
    assert letters(ask(sources(lists={"openalex": listed}))) == "a"


@pytest.mark.parametrize("outcome", [it for it in Outcome if not it.answered and not it.startswith("skipped")])
@pytest.mark.parametrize("failing", WAYS)
def test_a_failing_source_is_named_and_costs_its_own_list_alone(failing: str, outcome: Outcome) -> None:
    names = {"semantic_scholar": f"doi:{HEAD}", "pubmed": "pmid:1", "openalex": "openalex:W11"}
    answer = ask(sources(broken={f"{failing} {names[failing]}": outcome}))
    lists = {"semantic_scholar": "abc", "pubmed": "bd", "openalex": "eb"}
    assert set(letters(answer)) == set("".join(lists[name] for name in WAYS if name != failing))
    assert (answer["providers"][failing]["outcome"], answer["complete"]) == (outcome.value, False)
    assert "providers_failed" in {hint["reason"] for hint in answer["hints"]}


def test_when_all_sources_fail_it_is_no_empty_answer_but_the_graph_may_still_answer() -> None:
    lost = {
        f"{name} {it}": Outcome.UNAVAILABLE
        for name, it in zip(WAYS, (f"doi:{HEAD}", "pmid:1", "openalex:W11"), strict=True)
    }
    records = [paper("crossref", "Left out", doi="10.1000/left")]
    with pytest.raises(AllProvidersFailed):
        ask(sources(broken=lost, records=records))


KEY = f"doi:{HEAD}"
CITES = {
    "doi:10.1000/r1": (KEY, "doi:10.1000/a", "doi:10.1000/z"), "doi:10.1000/r2": (KEY, "doi:10.1000/a"),
    KEY: ("doi:10.1000/s1", "doi:10.1000/s2", "doi:10.1000/s3"),
    "doi:10.1000/b": ("doi:10.1000/s1", "doi:10.1000/s2", "doi:10.1000/s3"), "doi:10.1000/y": ("doi:10.1000/s1",),
}  # fmt: skip


def test_the_graph_names_what_is_cited_together_and_what_cites_the_same() -> None:
    answer = ask(sources(cites=CITES))
    votes = {it["key"][-1]: it["votes"] for it in answer["results"]}
    assert votes["a"]["co_citation"] == {"rank": 1, "score": 2.0}
    assert votes["b"]["bibliographic_coupling"] == {"rank": 1, "score": 3.0}
    assert not {"z", "y"} & set(votes), "one paper in common is too few"
    assert answer["graph"] == "ok"


def test_an_unreadable_graph_and_a_slow_one_are_named() -> None:
    unread = ask(sources(cites=None))
    assert (unread["graph"], unread["complete"], letters(unread)) == ("unavailable", False, "baedc")
    assert [hint["reason"] for hint in unread["hints"]] == ["graph_unavailable"]
    slow = ask(sources(cites=CITES, needs_s={"graph": 3.0}))
    assert (slow["graph"], slow["complete"]) == ("timeout", False)
    assert {it["reason"] for it in slow["hints"]} == {"out_of_time"}


def test_the_neighbours_of_papers_that_it_is_to_be_unlike_are_counted_off() -> None:
    cites = {
        "r1": ("p", "x", "y"), "r2": ("p", "x", "y"), "r3": ("n", "y"),
    }  # fmt: skip

    def edges(direction: str, name: str) -> list[str]:
        return list(cites.get(name, ())) if direction == "cites" else [it for it in cites if name in cites[it]]

    assert graph_neighbours(["p"], [], edges, lambda: False).found["co_citation"] == [("x", 2), ("y", 2)]
    assert graph_neighbours(["p"], ["n"], edges, lambda: False).found["co_citation"] == [("x", 2)]
    assert graph_neighbours(["p"], [], edges, lambda: True) == GraphNeighbours(
        {"co_citation": [], "bibliographic_coupling": []}, "timeout"
    )


def test_papers_to_be_unlike_are_sent_as_such_and_are_not_among_the_results() -> None:
    found = sources(lists={"semantic_scholar": [*near("semantic_scholar", "a"), at(doi=OTHER)]})
    answer = ask(found, HEAD, unlike=(OTHER,))
    assert (answer["unlike"], letters(answer)) == ([f"doi:{OTHER}"], "a")
    with pytest.raises(Unprocessable, match="is also one of `seeds`"):
        ask(sources(), HEAD, unlike=("PMID:1",))


def test_seeds_without_a_paper_are_named_and_none_at_all_is_not_found() -> None:
    answer = ask(sources(), HEAD, "10.9999/none")
    assert (answer["seeds_not_found"], answer["seeds_unanswered"]) == (["doi:10.9999/none"], [])
    with pytest.raises(NotFound):
        ask(sources(), "10.9999/none")
    with pytest.raises(Unprocessable, match=r"seeds\.1"):
        ask(sources(), HEAD, "no id at all")


def test_a_budget_in_tokens_leaves_out_the_least_similar() -> None:
    whole = ask(sources())
    part = ask(sources(), max_tokens=600)
    assert part["results"] == whole["results"][: part["returned"]]
    assert 0 < part["returned"] < 5
    assert part["truncated"]["results"] == 5 - part["returned"]
    assert letters(ask(sources(), max_results=2)) == "ba"


def test_a_range_of_dates_leaves_out_the_rest() -> None:
    lists = {
        "openalex": [
            paper("openalex", f"Paper of {it}", it - 2000, doi=f"10.1000/{it}", year=it, authors=(f"A{it}",))
            for it in (2001, 2002)
        ]
    }
    answer = ask(sources(lists=lists), date_from="2002")
    assert (letters(answer), answer["total_count"]) == ("2002", 1)


def test_papers_named_by_id_alone_get_their_records_or_are_left_out() -> None:
    found = sources(
        lists={"pubmed": [at(pmid="7"), at(pmid="8")]},
        records=[paper("semantic_scholar", "Seven", pmid="7", authors=("Se",))],
    )
    answer = ask(found)
    assert [it["paper"]["title"] for it in answer["results"]] == ["Seven"]
    assert answer["left_out"] == {"unknown": 1}


def test_papers_are_published_without_claims_of_citations() -> None:
    found = sources()
    ask(found)
    assert {it["key"] for it in found.published} == {f"doi:{HEAD}", *(f"doi:10.1000/{it}" for it in "abcde")}
    assert not any(it.get("references") for it in found.published)
