"""Which paper comes first, and how it is explained."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.bibliography.paper import MergedPaper, Paper, RecordId
from shared.search.ranking.formula import RankedPaper, rank

FAMILIES = {"pubmed": "pubmed", "europe_pmc": "pubmed", "crossref": "crossref", "openalex": "crossref"}
Places = dict[str, int]


def paper(key: str, places: Places | None = None, *, title: str = "", **fields: Any) -> MergedPaper:
    """A merged paper found at these places of the providers' lists."""
    found = places if places is not None else {"pubmed": 1}
    records = tuple(Paper(provider=name, rank=place, title=title) for name, place in found.items())
    fields = {"citation_count": fields.pop("citations", None), "publication_date": fields.pop("date", None), **fields}
    ids = tuple(RecordId(name, 0, place) for name, place in found.items())
    return MergedPaper(key=key, citation_uri=None, title=title, records=records, record_ids=ids, **fields)


def keys(ranked: list[RankedPaper]) -> list[str]:
    return [one.paper.key for one in ranked]


def topic(number: int, *, citations: int | None = 10, abstract: str | None = "A study of cells.") -> MergedPaper:
    """One of a pool of related papers that several providers know."""
    title = f"Study {number} of microglia in disease model {number}"
    places = {"pubmed": number, "openalex": number}
    return paper(f"doi:10.1/{number:02}", places, title=title, abstract=abstract, citations=citations)


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("TREM2 shapes the response of microglia", id="exact"),
        pytest.param("TREM2 shapes response of microglia", id="a word dropped"),
        pytest.param("TREM2 shapes the responze of microglia", id="a typo"),
    ],
)
def test_an_uncited_paper_with_the_queried_title_comes_first(query: str) -> None:
    rivals = [topic(number, citations=9000, abstract=f"{query} " * 5) for number in range(1, 40)]
    target = paper("doi:10.2/target", {"crossref": 90}, title="TREM2 shapes the response of microglia", citations=0)
    ranked = rank([*rivals, target], [query], FAMILIES)
    assert ranked[0].paper.key == "doi:10.2/target"
    assert ranked[0].score_parts["title"] > 2 * sum(map(abs, ranked[1].score_parts.values()))


def test_similarity_to_the_best_papers_counts_only_if_the_query_is_not_a_title() -> None:
    pool = [topic(number, abstract=f"Cells {number}") for number in range(1, 9)]
    named = rank(pool, ["Study 3 of microglia in disease model 3"], FAMILIES)
    assert any(one.score_parts["feedback"] for one in rank(pool, ["disease in old age"], FAMILIES))
    assert not any(one.score_parts["feedback"] for one in named)


def test_one_or_two_words_name_a_topic_unless_a_title_is_just_these() -> None:
    pool = [topic(number) for number in range(1, 20)]
    near, exact = paper("doi:10.2/near", {"arxiv": 90}, title="On microglia"), paper("doi:10.2/is", title="Microglia")
    ranked = {one.paper.key: one for one in rank([*pool, near, exact], ["microglia"], FAMILIES)}
    assert ranked["doi:10.2/near"].score_parts["title"] == 0.0
    assert ranked["doi:10.2/is"].score == 1.0


def test_a_title_that_only_one_wording_names_comes_first() -> None:
    target = paper("doi:10.2/target", {"crossref": 90}, title="Zellen des Gehirns unter der Lupe")
    ranked = rank([topic(1), topic(2), target], ["brain cells", "Zellen des Gehirns unter der Lupe"], FAMILIES)
    assert ranked[0].paper.key == "doi:10.2/target"


def test_independent_agreement_counts_more_than_that_of_an_index_with_what_it_contains() -> None:
    independent = paper("doi:10.1/b", {"pubmed": 3, "crossref": 3})
    contained = paper("doi:10.1/a", {"pubmed": 3, "europe_pmc": 3})
    alone = paper("doi:10.1/c", {"pubmed": 4})
    assert keys(rank([alone, contained, independent], ["asthma"], FAMILIES)) == [
        "doi:10.1/b",
        "doi:10.1/a",
        "doi:10.1/c",
    ]


def test_each_further_vote_is_worth_less() -> None:
    places = [{"pubmed": 1}, {"pubmed": 1, "crossref": 1}, {"pubmed": 1, "crossref": 1, "arxiv": 1}]
    ranked = rank([paper(f"doi:{n}", found) for n, found in enumerate(places)], ["asthma"], FAMILIES)
    three, two, one = (place.score_parts["votes"] for place in ranked)
    assert 0 < three - two < 0.9 * (two - one)


def test_a_provider_mirrored_in_its_family_changes_no_order_and_no_score() -> None:
    pool = [paper(f"doi:10.1/{n}", {"pubmed": n + 1, "crossref": (n * 7) % 10 + 1}) for n in range(10)]
    mirrored = [
        replace(
            one,
            records=(*one.records, replace(one.records[0], provider="europe_pmc")),
            record_ids=(*one.record_ids, one.record_ids[0]._replace(provider="europe_pmc")),
        )
        for one in pool
    ]
    plain, doubled = rank(pool, ["asthma"], FAMILIES), rank(mirrored, ["asthma"], FAMILIES)
    assert [(one.paper.key, one.score) for one in plain] == [(one.paper.key, one.score) for one in doubled]


def test_each_wording_that_finds_a_paper_adds_a_vote() -> None:
    def found_by(key: str, *wordings: int) -> MergedPaper:
        records = tuple(Paper(provider="pubmed", rank=5, title="") for _ in wordings)
        return replace(paper(key), records=records, record_ids=tuple(RecordId("pubmed", it, 5) for it in wordings))

    ranked = rank([found_by("doi:10.1/a", 0), found_by("doi:10.1/b", 0, 1)], ["asthma", "wheeze"], FAMILIES)
    assert keys(ranked) == ["doi:10.1/b", "doi:10.1/a"]


def test_a_paper_without_abstract_is_compared_with_titles() -> None:
    rich = [paper(f"doi:10.1/{n}", title=f"Notes {n}", abstract="Zinc in soil, and much else. " * 9) for n in range(9)]
    bare = [paper("doi:10.2/on", title="Zinc in soil"), paper("doi:10.2/off", title="Bridges under load")]
    parts = {one.paper.key: one.score_parts["text"] for one in rank([*rich, *bare], ["zinc metabolism"], FAMILIES)}
    assert parts["doi:10.2/on"] > max(parts[one.key] for one in rich) > 0 > parts["doi:10.2/off"]


def test_citations_decide_between_equals_and_unknown_ones_count_as_the_mean() -> None:
    pool = [paper("doi:10.1/a", citations=0), paper("doi:10.1/b", citations=99), paper("doi:10.1/c", citations=None)]
    ranked = rank(pool, ["asthma"], FAMILIES)
    assert keys(ranked) == ["doi:10.1/b", "doi:10.1/c", "doi:10.1/a"]
    assert ranked[1].score_parts["citations"] == 0.0


def test_the_ranking_relevance_knows_no_citations() -> None:
    pool = [topic(number, citations=number**3) for number in range(1, 9)]
    ranked = rank(pool, ["microglia disease"], FAMILIES, ranking="relevance")
    assert set(ranked[0].score_parts) == {"votes", "text", "feedback", "title"}


def test_the_ranking_impact_is_relevance_times_log_of_citations() -> None:
    pool = [topic(number, citations=number**4) for number in range(9)]
    relevance = {one.paper.key: one for one in rank(pool, ["microglia disease"], FAMILIES, ranking="relevance")}
    names = relevance[pool[0].key].score_parts
    lowest = math.fsum(min(one.score_parts[name] for one in relevance.values()) for name in names)
    for one in rank(pool, ["microglia disease"], FAMILIES, ranking="impact"):
        from_lowest = math.fsum(relevance[one.paper.key].score_parts.values()) - lowest
        wanted = from_lowest * math.log((one.paper.citation_count or 0) + 1)
        assert math.fsum(one.score_parts.values()) == pytest.approx(wanted)


@pytest.mark.parametrize("ranking", ["balanced", "relevance", "impact"])
def test_the_parts_add_up_to_the_order_and_the_score_keeps_it(ranking: str) -> None:
    pool = [topic(number, citations=number**3) for number in range(1, 30)]
    ranked = rank(pool, ["microglia in disease"], FAMILIES, ranking=ranking)
    sums = [math.fsum(one.score_parts.values()) for one in ranked]
    scores = [one.score for one in ranked]
    assert sums == sorted(sums, reverse=True)
    assert scores == sorted(scores, reverse=True)
    assert (scores[0], scores[-1]) == (1.0, 0.5)  # each has both words: half of its own fit remains to the last


def test_the_last_paper_has_half_of_the_share_of_the_words_that_it_has_itself() -> None:
    words = ["microglia zinc", "microglia"]
    pool = [paper(f"doi:10.9/{title}", title=title) for title in ("Microglia zinc study", "Microglia", "Unrelated")]
    both = [pool[0], pool[1]]
    assert [one.score for one in rank(both, words[:1], FAMILIES)] == [1.0, 0.25]
    assert [one.score for one in rank(both[::-1], words[1:], FAMILIES)] == [1.0, 0.5]
    assert rank(pool, words[:1], FAMILIES)[-1].score == 0.1  # it has none of them, but a source found it
    assert {one.score for one in rank(pool, ["fisheries"], FAMILIES)} == {0.0}  # nor has any


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        pytest.param("citations", ["doi:b", "doi:a", "doi:d", "doi:c"], id="most cited first, unknown last"),
        pytest.param("date", ["doi:c", "doi:d", "doi:a", "doi:b"], id="newest first, unknown last"),
    ],
)
def test_sorting_by_a_field(sort: str, order: list[str]) -> None:
    pool = [
        paper("doi:a", citations=5, date="2020"),
        paper("doi:b", citations=50),
        paper("doi:c", citations=None, date="2021-03-04"),
        replace(paper("doi:d", citations=0), year=2021),
    ]
    assert keys(rank(pool, ["asthma"], FAMILIES, sort=sort)) == order


def test_ties_break_on_the_key() -> None:
    pool = [paper(key) for key in ("doi:c", "doi:a", "doi:b")]
    assert keys(rank(pool, ["asthma"], FAMILIES)) == ["doi:a", "doi:b", "doi:c"]
    assert keys(rank(pool, ["asthma"], FAMILIES, sort="citations")) == ["doi:a", "doi:b", "doi:c"]


def test_provider_scores_show_place_and_title() -> None:
    one = paper("doi:a", {"pubmed": 1, "crossref": 60}, title="Asthma in children")
    (ranked,) = rank([one], ["asthma children"], FAMILIES)
    assert ranked.provider_scores["pubmed"] == 1.0
    assert 0.5 < ranked.provider_scores["crossref"] < 1.0
    assert (ranked.best_provider, ranked.best_score) == ("pubmed", 1.0)


def test_the_best_of_a_providers_records_counts() -> None:
    records = tuple(Paper(provider="pubmed", rank=place, title="Asthma") for place in (50, 1, 70))
    ids = tuple(RecordId(record.provider, 0, record.rank) for record in records)
    (ranked,) = rank([replace(paper("doi:a"), records=records, record_ids=ids)], ["asthma"], FAMILIES)
    assert ranked.provider_scores == {"pubmed": 1.0}


def test_of_equal_provider_scores_the_first_name_is_best() -> None:
    (ranked,) = rank([paper("doi:a", {"pubmed": 2, "arxiv": 2})], ["asthma"], FAMILIES)
    assert ranked.best_provider == "arxiv"


def test_a_paper_without_a_rank_has_no_best_provider() -> None:
    (ranked,) = rank([paper("doi:a", {})], ["asthma"], FAMILIES)
    assert (ranked.provider_scores, ranked.best_provider, ranked.best_score) == ({}, None, None)


@pytest.mark.parametrize("wrong", [{"ranking": "fame"}, {"sort": "colour"}])
def test_an_unknown_order_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"fame|colour"):
        rank([], ["asthma"], FAMILIES, **wrong)


WORDS = ["zinc", "soil", "iron", "Müller", "cell", "deep", "小胶质"]
TITLES = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
PLACES = st.dictionaries(
    st.sampled_from(["pubmed", "europe_pmc", "crossref", "arxiv"]), st.integers(1, 100), max_size=4
)


@given(
    pool=st.lists(
        st.builds(
            paper, key=st.sampled_from("abcdef"), places=PLACES, title=TITLES, abstract=st.none() | TITLES,
            citations=st.none() | st.integers(0, 10**6), date=st.none() | st.sampled_from(["2001", "2001-02"]),
        ),
        max_size=6,
        unique_by=lambda one: one.key,
    ),
    ranking=st.sampled_from(["balanced", "relevance", "impact"]),
    sort=st.sampled_from(["relevance", "citations", "date"]),
    seed=st.integers(),
)  # fmt: skip
def test_any_order_of_papers_and_records_gives_the_same_answer(
    pool: list[MergedPaper], ranking: str, sort: str, seed: int
) -> None:
    wordings = ["zinc soil", '"deep cell" OR iron']
    first = rank(pool, wordings, FAMILIES, ranking=ranking, sort=sort)
    chance = random.Random(seed)
    orders = [chance.sample(range(len(one.records)), len(one.records)) for one in pool]
    shuffled = [
        replace(
            one,
            records=tuple(one.records[it] for it in order),
            record_ids=tuple(one.record_ids[it] for it in order),
        )
        for one, order in zip(pool, orders, strict=True)
    ]
    chance.shuffle(shuffled)
    again = rank(shuffled, wordings, FAMILIES, ranking=ranking, sort=sort)
    assert [shown(one) for one in again] == [shown(one) for one in first]
    assert all(0 <= value <= 1 for one in first for value in (one.score, *one.provider_scores.values()))


def shown(ranked: RankedPaper) -> tuple[object, ...]:
    """All that an answer says of a place, in the order in which it says it."""
    parts, scores = ranked.score_parts.items(), ranked.provider_scores.items()
    return ranked.paper.key, ranked.score, ranked.best_provider, ranked.best_score, tuple(parts), tuple(scores)
