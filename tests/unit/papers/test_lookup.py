"""Which provider is queried for which names in which step of a lookup, and which paper each name then means."""

from __future__ import annotations

import pytest

from shared.bibliography.paper import Retraction, RetractionStatus
from shared.outcomes import Outcome
from shared.papers.lookup import FEW_NAMES
from shared.providers.capabilities import ProviderCapabilities
from tests.growth import MOST, growth
from tests.unit.papers.known_papers import CAPABILITIES, Sources, paper

SOUND = Retraction(RetractionStatus.NONE)
DOI, PMID, WORK, S2 = "10.5/a", "11", "W1", "a" * 40


def indexed_by_all() -> Sources:
    """One paper; each provider has some of its names."""
    return Sources([
        paper("crossref", doi=DOI, retraction=SOUND),
        paper("europe_pmc", doi=DOI, pmid=PMID, pmcid="PMC7"),
        paper("openalex", doi=DOI, openalex=WORK),
        paper("pubmed", pmid=PMID),
        paper("semantic_scholar", paper_id=S2, doi=DOI, pmid=PMID, names=("corpus:5",)),
        paper("unpaywall", doi=DOI),
    ])  # fmt: skip


def steps(sources: Sources) -> list[dict[str, tuple[str, ...]]]:
    """The queries sent at each moment."""
    moments: dict[float, dict[str, tuple[str, ...]]] = {}
    for it in sources.queries:
        moments.setdefault(it.at, {})[it.provider] = it.names
    return [moments[at] for at in sorted(moments)]


def test_a_doi_is_sent_at_once_and_then_its_other_names_to_the_providers_that_need_these() -> None:
    sources = indexed_by_all()
    (it,) = sources.look_up(f"doi:{DOI}").requests
    at_once = ("crossref", "europe_pmc", "openalex", "semantic_scholar", "unpaywall")
    assert steps(sources) == [dict.fromkeys(at_once, (f"doi:{DOI}",)), {"pubmed": (f"pmid:{PMID}",)}]
    assert it.paper
    assert it.paper.key == f"doi:{DOI}"
    assert it.answered_by == sorted(CAPABILITIES.keys() - {"arxiv"})
    assert it.names == {f"doi:{DOI}", f"pmid:{PMID}", "pmcid:PMC7", f"openalex:{WORK}", f"s2:{S2}"}


def test_a_name_that_one_provider_accepts_is_translated_before_the_others_are_queried() -> None:
    sources = indexed_by_all()
    sources.look_up(f"openalex:{WORK}")
    first, second, third = steps(sources)
    assert first == {"openalex": (f"openalex:{WORK}",)}
    assert second == dict.fromkeys(("crossref", "europe_pmc", "semantic_scholar", "unpaywall"), (f"doi:{DOI}",))
    assert third == {"pubmed": (f"pmid:{PMID}",)}


def test_the_translator_gets_one_query_for_all_names_and_the_others_one_by_their_preferred_names() -> None:
    sources = indexed_by_all()
    resolved = sources.look_up("corpus:5", f"pmid:{PMID}", "pmid:12", "arxiv:1706.03762")
    assert sources.queried_names("semantic_scholar") == [("arxiv:1706.03762", "corpus:5", f"pmid:{PMID}", "pmid:12")]
    assert sources.queried_names("crossref")[0] == ("doi:10.48550/arxiv.1706.03762", f"doi:{DOI}")
    assert sources.queried_names("europe_pmc")[0][-2:] == (f"pmid:{PMID}", "pmid:12")
    assert sources.queried_names("arxiv") == [("arxiv:1706.03762",)]
    keys = [it.paper.key if it.paper else None for it in resolved.requests]
    assert keys == [f"doi:{DOI}", f"doi:{DOI}", None, None]


@pytest.mark.parametrize(
    "failing",
    [{"needs_s": {"semantic_scholar": 60.0}}, {"broken": {"semantic_scholar": Outcome.UNAVAILABLE}}],
    ids=["it is late", "it fails"],
)
def test_without_the_translator_the_others_are_queried_by_the_names_they_accept(failing: dict[str, object]) -> None:
    sources = Sources(indexed_by_all().records, **failing)  # type: ignore[arg-type]
    (it,) = sources.look_up(f"pmid:{PMID}").requests
    assert set(it.unanswered) == {"semantic_scholar"}
    assert it.answered_by == ["crossref", "europe_pmc", "openalex", "pubmed", "unpaywall"]
    assert sources.clock.monotonic() < 19.25


def test_a_slow_provider_leaves_time_for_those_that_need_another_name() -> None:
    sources = Sources(indexed_by_all().records, needs_s={"crossref": 60.0})
    (it,) = sources.look_up(f"doi:{DOI}", timeout_ms=10_000).requests
    assert it.unanswered == {"crossref": "timeout"}
    assert "pubmed" in it.answered_by


def test_a_short_request_queries_all_providers_at_once_by_the_requested_names() -> None:
    sources = Sources(indexed_by_all().records, needs_s=dict.fromkeys(CAPABILITIES, 0.2))
    (it,) = sources.look_up(f"pmid:{PMID}", timeout_ms=1_000).requests
    assert steps(sources)[0] == dict.fromkeys(
        ("europe_pmc", "openalex", "pubmed", "semantic_scholar"), (f"pmid:{PMID}",)
    )
    assert it.paper
    assert {"europe_pmc", "pubmed", "semantic_scholar"} <= set(it.answered_by)


@pytest.mark.parametrize("timeout_ms", [1_000, 2_500, 20_000, 25_000])
def test_a_lookup_ends_in_time_if_no_provider_answers(timeout_ms: int) -> None:
    sources = Sources(needs_s=dict.fromkeys(CAPABILITIES, 60.0))
    resolved = sources.look_up(f"openalex:{WORK}", "pmid:1", timeout_ms=timeout_ms)
    assert sources.clock.monotonic() <= timeout_ms / 1000
    assert [it.answered_by for it in resolved.requests] == [[], []]
    assert all(it.unanswered for it in resolved.requests)


def test_of_many_names_no_provider_is_queried_for_a_paper_twice_or_in_a_fourth_step() -> None:
    many = [f"doi:10.5/{number}" for number in range(FEW_NAMES)] + [f"openalex:{WORK}", "pmid:12"]
    sources = indexed_by_all()
    sources.look_up(*many)
    assert len(steps(sources)) == 3
    queried = [(it.provider, name) for it in sources.queries for name in it.names]
    assert len(queried) == len(set(queried))
    assert {name: len(sources.queried_names(name)) for name in CAPABILITIES if sources.queried_names(name)} == {
        "crossref": 1, "europe_pmc": 1, "openalex": 2, "pubmed": 1, "semantic_scholar": 1,
    }  # fmt: skip
    assert not set(sources.queried_names("openalex")[0]) & set(sources.queried_names("openalex")[1])


def test_a_provider_that_accepts_fewer_names_is_left_out_and_named() -> None:
    sources = indexed_by_all()
    assert not sources.look_up(f"doi:{DOI}", "doi:10.5/b").left_out
    assert sources.queried_names("unpaywall") == [(f"doi:{DOI}", "doi:10.5/b")]
    resolved = sources.look_up(f"doi:{DOI}", "doi:10.5/b", "doi:10.5/c")
    assert resolved.left_out == {"unpaywall": [f"doi:{DOI}", "doi:10.5/b", "doi:10.5/c"]}
    assert len(sources.queried_names("unpaywall")) == 1
    assert all("unpaywall" not in it.outcomes for it in resolved.requests)


def test_a_provider_that_accepts_fewer_names_is_queried_for_the_first_where_a_part_is_useful() -> None:
    sources = indexed_by_all()
    names = ("doi:10.5/z", f"doi:{DOI}", "doi:10.5/c", "doi:10.5/d")
    resolved = sources.look_up(*names, in_part=True)
    assert sources.queried_names("unpaywall") == [(f"doi:{DOI}", "doi:10.5/z")]  # in no second step, either
    assert resolved.left_out == {"unpaywall": list(names[2:])}
    assert ["unpaywall" in it.outcomes for it in resolved.requests] == [True, True, False, False]
    (note,) = next(it.reply.warnings for it in resolved.answers if it.reply.provider == "unpaywall")
    assert note == "it takes at most 2 ids at once: it was not queried for the other 2"


def test_two_names_of_one_paper_count_once_against_the_limit_of_names() -> None:
    sources = Sources(
        indexed_by_all().records,
        capabilities={
            **CAPABILITIES,
            "unpaywall": ProviderCapabilities(operations={"lookup": ("doi",)}, lookup_names=1),
        },
    )
    one, other = sources.look_up("corpus:5", f"pmid:{PMID}").requests
    assert sources.queried_names("unpaywall") == [(f"doi:{DOI}",)]
    assert one.paper == other.paper
    assert one.answered_by == other.answered_by


def test_names_are_learnt_over_several_records() -> None:
    sources = Sources([
        paper("semantic_scholar", paper_id=S2, pmid=PMID),
        paper("pubmed", pmid=PMID, pmcid="PMC7"),
        paper("europe_pmc", pmcid="PMC7", pmid=PMID, doi=DOI),
        paper("crossref", doi=DOI),
    ])  # fmt: skip
    (it,) = sources.look_up(f"s2:{S2}").requests
    assert it.names == {f"s2:{S2}", f"pmid:{PMID}", "pmcid:PMC7", f"doi:{DOI}"}
    assert "crossref" in it.answered_by


def test_not_found_unanswered_and_not_queried_are_distinct() -> None:
    silent = dict.fromkeys(("semantic_scholar", "europe_pmc"), Outcome.UNAVAILABLE)
    sources = Sources(broken=silent)
    absent, unanswered, not_queried = sources.look_up("doi:10.5/none", "pmcid:PMC9", "title:" + "0" * 20).requests
    assert absent.answered_by == ["crossref", "openalex", "unpaywall"]
    assert absent.unanswered == {"europe_pmc": "unavailable", "semantic_scholar": "unavailable"}
    assert (unanswered.answered_by, set(unanswered.unanswered)) == ([], set(silent))
    assert not_queried.outcomes == {}


@pytest.mark.parametrize(
    ("broken", "not_found"),
    [
        ({}, True),
        ({"crossref": Outcome.SKIPPED_BUDGET}, False),
        ({"openalex": Outcome.CIRCUIT_OPEN}, False),
        ({"europe_pmc": Outcome.SKIPPED_DISABLED}, False),
        ({"openalex": Outcome.SKIPPED_NO_KEY}, True),
        ({"unpaywall": Outcome.UNAVAILABLE}, True),  # it has copies of papers, not papers
    ],
)
def test_a_paper_is_not_found_if_every_index_that_would_know_it_has_answered(
    broken: dict[str, Outcome], not_found: bool
) -> None:
    (absent,) = Sources(broken=broken).look_up("doi:10.5/none").requests
    assert absent.not_found is not_found


def test_a_name_without_an_answer_of_its_own_is_unanswered_though_others_of_its_leg_are_answered() -> None:
    sources = Sources(indexed_by_all().records, silent_on={"unpaywall": "doi:10.5/none"})
    answered, silent = sources.look_up(f"doi:{DOI}", "doi:10.5/none").requests
    assert ("unpaywall" in answered.unanswered, silent.unanswered) == (False, {"unpaywall": "unavailable"})


def test_a_provider_without_its_key_does_not_count_as_failed() -> None:
    sources = Sources(indexed_by_all().records, broken={"unpaywall": Outcome.SKIPPED_NO_KEY})
    (it,) = sources.look_up(f"doi:{DOI}").requests
    assert it.unanswered == {}
    assert "unpaywall" not in it.answered_by


def test_one_doi_of_several_papers_names_each_by_its_own_id() -> None:
    titles = {"21": "Sleep of apes in captivity", "22": "Kin recognition among macaques", "23": "Songs of gibbons"}
    supplement = [paper("pubmed", title, pmid=pmid, doi=DOI, authors=(title[:5],)) for pmid, title in titles.items()]
    sources = Sources(supplement)
    resolved = sources.look_up(*(f"pmid:{pmid}" for pmid in titles), f"doi:{DOI}")
    assert sources.queried_names("pubmed") == [("pmid:21", "pmid:22", "pmid:23")]
    found = [it.paper.title if it.paper else None for it in resolved.requests]
    assert found[:3] == list(titles.values())
    assert resolved.requests[0].names == {"pmid:21", f"doi:{DOI}"}


def test_of_two_papers_for_one_name_the_one_with_most_records_is_meant() -> None:
    sources = Sources([
        paper("semantic_scholar", "A wholly different matter of kidneys", doi="10.1/z", names=("pmcid:PMC7",)),
        paper("europe_pmc", pmid=PMID, pmcid="PMC7"),
        paper("pubmed", pmid=PMID, pmcid="PMC7"),
    ], capabilities={**CAPABILITIES, "pubmed": ProviderCapabilities(operations={"lookup": ("pmcid",)})})  # fmt: skip
    (it,) = sources.look_up("pmcid:PMC7").requests
    assert it.paper
    assert it.paper.title == "A paper that many sources hold"


def test_a_paper_is_queried_by_its_requested_name_and_not_by_a_replacement_of_it() -> None:
    sources = Sources([paper("semantic_scholar", paper_id=S2, pmid="10", names=(f"pmid:{PMID}",))])
    sources.look_up(f"pmid:{PMID}")
    assert sources.queried_names("pubmed") == [(f"pmid:{PMID}",)]


def test_a_status_of_none_requires_an_answer_from_every_tracker_of_retractions() -> None:
    records = [paper("europe_pmc", doi=DOI, retraction=SOUND), paper("crossref", doi=DOI, retraction=SOUND)]
    for broken, status in (({}, RetractionStatus.NONE), ({"crossref": Outcome.TIMEOUT}, RetractionStatus.UNKNOWN)):
        (it,) = Sources(records, broken=broken).look_up(f"doi:{DOI}").requests
        assert it.paper
        assert it.paper.retraction.status is status


def test_an_article_is_queried_by_its_own_doi_rather_than_arxivs() -> None:
    sources = Sources([paper("semantic_scholar", paper_id=S2, arxiv="1706.03762", doi="10.9/article")])
    sources.look_up("arxiv:1706.03762")
    assert sources.queried_names("crossref") == [("doi:10.9/article",)]
    assert sources.queried_names("arxiv") == [("arxiv:1706.03762",)]


def test_a_lookup_can_be_limited_to_some_providers_and_a_share_of_the_time() -> None:
    sources = Sources(needs_s={"semantic_scholar": 60.0})
    resolved = sources.look_up(f"doi:{DOI}", only={"semantic_scholar"}, part=0.5)
    assert [it.provider for it in sources.queries] == ["semantic_scholar"]
    assert [answer.reply.outcome for answer in resolved.answers] == [Outcome.TIMEOUT]
    assert sources.clock.monotonic() <= 0.5 * 19.25 + 0.1


def test_a_lookup_without_names_queries_no_provider() -> None:
    sources = Sources()
    resolved = sources.look_up()
    assert (resolved.requests, resolved.answers, sources.queries) == ([], [], [])


@pytest.mark.slow
@pytest.mark.parametrize("shared_doi", [False, True], ids=["papers", "a supplement"])
def test_time_grows_with_the_names_and_not_with_their_square(shared_doi: bool) -> None:
    def look_up(size: int) -> None:
        records = [
            paper(provider, f"Title of number {n} and of no other", doi=DOI if shared_doi else f"10.5/{n}",
                  pmid=str(n), authors=(f"Author{n}",))
            for provider in ("europe_pmc", "pubmed", "openalex", "semantic_scholar") for n in range(1, size + 1)
        ]  # fmt: skip
        resolved = Sources(records).look_up(*(f"pmid:{n}" for n in range(1, size + 1)))
        assert all(it.paper for it in resolved.requests)

    assert growth(look_up, 100) < MOST
