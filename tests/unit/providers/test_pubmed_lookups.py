"""PubMed: papers by PMID, in one request; an unknown PMID is missing, an outage is not."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pytest

from functions.providers import pubmed
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.question import Lookup
from tests.recorded.every_recording import folder, needs_recordings
from tests.replay import replay, requests_of
from tests.unit.providers.pubmed_replay import OWN, article, article_set


def look_up(body: Any, *pmids: str) -> ProviderReply:
    return replay(pubmed, body, query=Lookup(tuple(f"pmid:{pmid}" for pmid in pmids)))


def answers(reply: ProviderReply) -> list[tuple[tuple[str, ...], str | None, int]]:
    """What is answered, by which paper, in which place."""
    return [(paper.asked, paper.ids.pmid, paper.rank) for paper in reply.papers]


def test_a_lookup_is_one_form_with_all_ids() -> None:
    sent = requests_of(pubmed, Lookup(("pmid:1", "pmid:2")), [article_set(article("1"), article("2"))])
    assert [(request.method, request.url.path, request.url.query) for request in sent] == [
        ("POST", "/entrez/eutils/efetch.fcgi", b"")
    ]
    form = {name: values[0] for name, values in parse_qs(sent[0].content.decode()).items()}
    assert form == {
        "db": "pubmed", "id": "1,2", "retmode": "xml",
        "tool": "literature-search", "email": "dev@example.org", "api_key": "secret-key",
    }  # fmt: skip


def test_papers_answer_their_names_in_the_order_of_the_question() -> None:
    reply = look_up(article_set(article("9"), article("7"), article("5")), "5", "7", "9")
    assert answers(reply) == [(("pmid:5",), "5", 1), (("pmid:7",), "7", 2), (("pmid:9",), "9", 3)]
    assert (reply.outcome, reply.total_estimate, reply.warnings) == (Outcome.OK, 3, ())
    assert reply.effective_query == "/entrez/eutils/efetch.fcgi?db=pubmed&id=5,7,9"


def test_an_unknown_name_is_missing_and_the_others_keep_their_places() -> None:
    assert answers(look_up(article_set(article("9")), "5", "9")) == [(("pmid:9",), "9", 2)]


def test_no_paper_at_all_is_empty_and_no_fault() -> None:
    reply = look_up(OWN / "efetch-empty-set.xml", "5", "9")
    assert (reply.outcome, reply.total_estimate, reply.warnings) == (Outcome.EMPTY, 0, ())


def test_a_merged_pmid_is_answered_by_the_paper_into_which_it_was_merged() -> None:
    reply = look_up(article_set(article("8"), article("5")), "5", "7")
    assert answers(reply) == [(("pmid:5",), "5", 1), (("pmid:7",), "8", 2)]
    assert reply.warnings == ("PubMed answers PMID 7 with PMID 8, into which it was merged",)


@pytest.mark.parametrize("missing", [["7"], ["7", "9"]], ids=["one", "two"])
def test_no_surplus_paper_is_assumed_to_be_the_merged_one(missing: list[str]) -> None:
    reply = look_up(article_set(article("8"), article("6"), article("5")), "5", *missing)
    assert answers(reply) == [(("pmid:5",), "5", 1)]
    assert reply.warnings == ("PubMed sent 2 records not requested",)


def test_only_unrequested_records_are_a_bad_response() -> None:
    assert look_up(article_set(article("8"), article("6")), "5").outcome is Outcome.BAD_RESPONSE


def test_a_record_that_is_sent_twice_is_one_paper() -> None:
    assert answers(look_up(article_set(article("5"), article("5")), "5")) == [(("pmid:5",), "5", 1)]


def test_a_broken_record_is_reported_and_the_others_are_returned() -> None:
    reply = look_up(article_set(article("5", title=""), article("6")), "5", "6")
    assert answers(reply) == [(("pmid:6",), "6", 2)]
    assert reply.warnings == ("record 1 skipped: PubMed 5 has no title",)


def test_the_effective_query_of_many_names_is_cut() -> None:
    pmids = [str(30_000_000 + number) for number in range(100)]
    reply = look_up(article_set(article(pmids[0])), *pmids)
    assert len(reply.effective_query or "") == 200
    assert "secret-key" not in repr(reply)


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (OWN / "efetch-error-empty-id.xml", Outcome.BAD_RESPONSE),
        ("<eFetchResult><ERROR>External viewer error: Status: Timeout</ERROR></eFetchResult>", Outcome.UNAVAILABLE),
        (OWN / "error-rate-limit.json", Outcome.RATE_LIMITED),
        (OWN / "elink-no-links.xml", Outcome.BAD_RESPONSE),
        ("<PubmedArticleSet><PubmedArticle>", Outcome.BAD_RESPONSE),
        (b"", Outcome.BAD_RESPONSE),
    ],
    ids=["empty-id", "passing", "rate-limit", "links", "cut-off", "nothing"],
)
def test_a_failing_lookup_is_never_an_empty_one(body: Any, outcome: Outcome) -> None:
    assert look_up(body, "1").outcome is outcome


@needs_recordings
@pytest.mark.parametrize(
    ("name", "pmids"),
    [
        ("efetch-18157122-18157123-multi.xml", ["18157123", "18157122"]),
        ("efetch-20301577-book-genereviews.xml", ["20301577"]),
        ("efetch-211-589-591-960-multi-old.xml", ["960", "591", "589", "211"]),
    ],
    ids=["two", "book", "four"],
)
def test_recorded_records_answer_their_own_names(name: str, pmids: list[str]) -> None:
    reply = look_up(folder("pubmed") / name, *pmids)
    assert answers(reply) == [((f"pmid:{pmid}",), pmid, place) for place, pmid in enumerate(pmids, start=1)]


@needs_recordings
def test_the_recorded_empty_set_is_an_empty_lookup() -> None:
    assert look_up(folder("pubmed") / "efetch-empty-set.xml", "1").outcome is Outcome.EMPTY
