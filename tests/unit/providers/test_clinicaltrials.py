"""ClinicalTrials.gov: the expressions that it is sent, and its studies as registrations of trials."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from functions.providers import clinicaltrials
from shared.bibliography.paper import Author, Paper
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.query.question import Links, Listing, Lookup, Question
from tests.replay import OWN_RECORDINGS, ask, replay

OWN = OWN_RECORDINGS / "clinicaltrials"
STUDIES = json.loads((OWN / "studies.json").read_text(encoding="utf-8"))["studies"]
ONE = Lookup(("nct:NCT99000001",))


def sent(question: Question, body: dict[str, Any] | None = None) -> tuple[list[dict[str, str]], ProviderReply]:
    """The parameters of each request, and the reply if each is answered by this body."""
    seen: list[dict[str, str]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(dict(request.url.params))
        return httpx.Response(200, json=body or {"studies": [], "totalCount": 0})

    return seen, ask(clinicaltrials, answer, question)


def papers() -> list[Paper]:
    return list(replay(clinicaltrials, OWN / "studies.json").papers)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        pytest.param("heart attack", "heart attack", id="words stay one term, which has synonyms"),
        pytest.param("Does aspirin prevent heart attack?", "aspirin prevent heart attack", id="telling words"),
        pytest.param("diabetes [type 2], HbA1c", "diabetes type 2 HbA1c", id="no bracket and no comma"),
        pytest.param('aspirin AND ("heart attack" OR stroke)', '(aspirin AND ("heart attack" OR stroke))', id="tree"),
        pytest.param("pain NOT cancer", "(pain NOT cancer)", id="exclusion"),
        pytest.param("SEARCH RANGE pain", "\\SEARCH \\RANGE pain", id="operators of the registry are words"),
        pytest.param("insomnia[mesh] AND tea", '((AREA[ConditionMeshTerm]"insomnia" OR '
                     'AREA[InterventionMeshTerm]"insomnia") AND tea)', id="pieces"),
        pytest.param("NCT99000001 OR tea", "(NCT99000001 OR tea)", id="number"),
    ],
)  # fmt: skip
def test_a_query_becomes_an_expression(text: str, term: str) -> None:
    requests, _ = sent(Query(text=text))
    assert requests[0]["query.term"] == term


@pytest.mark.parametrize(
    ("text", "term", "unsupported"),
    [
        ("catech* tea", "tea", ()),
        ("tea AND catech*", "tea", ("operators",)),
        ("tea NOT catech*", "(tea)", ("operators",)),
        ("tea AND catech*[ti]", "tea", ("operators",)),
        ('tea AND "green catech*"', "(tea AND green)", ("operators",)),
    ],
)
def test_a_wildcard_is_left_out_with_a_warning(text: str, term: str, unsupported: tuple[str, ...]) -> None:
    """The manual documents none: the word without its wildcard would find next to nothing."""
    requests, reply = sent(Query(text=text))
    assert requests[0]["query.term"] == term
    assert [it for it in reply.warnings if "wildcards" in it] == [
        "ClinicalTrials.gov has no wildcards: catech* left out"
    ]
    assert reply.unsupported_filters == unsupported


@pytest.mark.parametrize("text", ["catech*", "catech*[ti]"])
def test_a_wildcard_alone_is_not_searched_for(text: str) -> None:
    requests, reply = sent(Query(text=text, date_from="2015"))
    assert (requests, reply.outcome) == ([], Outcome.SKIPPED_UNSUPPORTED_FILTER)


def test_studies_are_sorted_counted_and_sent_as_they_were_entered() -> None:
    """Without `sort` they come in no order, without `countTotal` uncounted, and with escapes by default."""
    requests, _ = sent(Query(text="tea", limit=20))
    assert (requests[0]["sort"], requests[0]["countTotal"]) == ("@relevance", "true")
    assert (requests[0]["pageSize"], requests[0]["markupFormat"]) == ("20", "legacy")
    assert sent(Query(text="tea", sort="date"))[0][0]["sort"] == "StudyFirstPostDate:desc"


def test_filters_stand_apart_from_the_query_so_that_they_do_not_rank() -> None:
    query = Query(text="tea", date_from="2015", date_to="2016-02", author="Costa A")
    assert sent(query)[0][0]["filter.advanced"] == (
        "AREA[StudyFirstPostDate]RANGE[2015-01-01,2016-02-29] AND "
        '(AREA[OverallOfficialName]"Costa" OR AREA[ResponsiblePartyInvestigatorFullName]"Costa" OR '
        'AREA[LeadSponsorName]"Costa")'
    )
    assert "AREA[StudyFirstPostDate]RANGE[2015-01-01,MAX]" in str(sent(Query(text="tea", date_from="2015"))[0][0])


def test_an_author_alone_is_a_query() -> None:
    (request,), _ = sent(Query(text="", author="Costa A"))
    assert "query.term" not in request
    assert "filter.advanced" in request


@pytest.mark.parametrize(
    "filters", [{"publication_types": ("journal-article",)}, {"language": "de"}], ids=["types", "language"]
)
def test_it_is_not_queried_if_the_filters_admit_no_registration(filters: dict[str, Any]) -> None:
    requests, reply = sent(Query(text="tea", **filters))
    assert (requests, reply.outcome, reply.total_estimate) == ([], Outcome.SKIPPED_UNSUPPORTED_FILTER, 0)


def test_few_hits_are_followed_by_fewer_words() -> None:
    requests, _ = sent(Query(text="green tea catechins insomnia adolescents melatonin onset latency"))
    assert len(requests) == 2
    assert len(requests[1]["query.term"].split()) < len(requests[0]["query.term"].split())


def test_a_registration_is_read_whole() -> None:
    paper = papers()[0]
    assert (paper.title, paper.alternative_titles) == (
        "Effect of Green Tea on Sleep in Adults", ("Sleep and Tea", "TEASLEEP"),
    )  # fmt: skip
    assert (paper.ids.nct, paper.type, paper.journal) == (
        "NCT99000001", "clinical-trial-registration", "ClinicalTrials.gov",
    )  # fmt: skip
    assert paper.landing_page == "https://clinicaltrials.gov/study/NCT99000001"
    assert paper.authors == (
        Author("van der Berg", "Maria"), Author("Li", "Wei"), Author(name="Example University Hospital"),
    )  # fmt: skip
    assert paper.references == ("pmid:31000001",)


def test_its_day_is_that_of_its_first_posting_not_of_the_trials_start() -> None:
    assert [(paper.year, paper.publication_date) for paper in papers()] == [
        (2019, "2019-03-07"), (None, None), (2005, "2005-09"),
    ]  # fmt: skip


def test_the_abstract_is_the_summary_with_what_the_form_says_of_the_trial() -> None:
    first, second, third = papers()
    assert first.abstract == (
        "Adults drink tea. - Age > 18 years, HbA1c <7 % Status: active not recruiting. Phase: 2, 3. "
        "Conditions: Insomnia; Sleep. Interventions: Green tea; Placebo."
    )
    assert second.abstract is None
    assert third.abstract == "Status: unknown."


def test_a_person_who_is_the_sponsor_too_is_one_author_and_a_call_centre_is_none() -> None:
    assert papers()[2].authors == (Author("Costa", "Ana"),)


def test_a_study_without_a_title_costs_itself_alone() -> None:
    reply = replay(clinicaltrials, OWN / "studies.json")
    assert [paper.rank for paper in reply.papers] == [1, 2, 3]
    assert "record 4 skipped: NCT99000004 has no title" in reply.warnings


def test_a_number_and_the_alias_that_it_replaced_find_one_registration() -> None:
    names = ("nct:NCT99000001", "nct:NCT99000009", "nct:NCT99999999")
    requests, reply = sent(Lookup(names), {"studies": STUDIES[:1]})
    assert requests[0]["filter.ids"] == "NCT99000001,NCT99000009,NCT99999999"
    assert [(paper.ids.nct, paper.asked) for paper in reply.papers] == [("NCT99000001", names[:2])]


def test_the_publications_of_a_registration_are_its_references() -> None:
    reply = replay(clinicaltrials, STUDIES[0], query=Links("references", "nct:NCT99000001"))
    assert [(it.rank, it.ids.pmid, it.text) for it in reply.pointers] == [
        (1, "31000001", "Berg M. Tea and sleep. J Sleep. 2021."), (2, None, "A book of tea."),
    ]  # fmt: skip


def test_a_number_that_the_registry_lacks_has_no_references() -> None:
    """Its 404 is plain text."""
    question = Links("references", "nct:NCT99999999")
    reply = replay(clinicaltrials, OWN / "unknown_number.txt", status=404, query=question)
    assert (reply.outcome, reply.total_estimate) == (Outcome.EMPTY, 0)
    assert reply.warnings == ("ClinicalTrials.gov does not know NCT99999999",)


def test_a_page_of_a_listing_leads_to_the_next_until_there_is_no_token() -> None:
    question = Listing(Query(text="tea"), size=3)
    requests, reply = sent(question, {"studies": STUDIES[:3], "totalCount": 4, "nextPageToken": "abc"})
    assert (reply.total_estimate, reply.next_position, "pageToken" in requests[0]) == (4, "abc", False)
    assert reply.effective_query
    assert reply.effective_query.startswith("GET https://clinicaltrials.gov/api/v2/studies?query.term=tea&")
    requests, reply = sent(Listing(Query(text="tea"), "abc", 3), {"studies": STUDIES[:1]})
    assert (reply.total_estimate, reply.next_position, requests[0]["pageToken"]) == (None, None, "abc")


@pytest.mark.parametrize("body", ["unknown_parameter.txt", "unreadable_query.txt"])
def test_a_refusal_in_plain_text_is_a_bad_response_with_its_status(body: str) -> None:
    reply = replay(clinicaltrials, OWN / body, status=400)
    assert reply.outcome is Outcome.BAD_RESPONSE
    assert reply.warnings == ("ClinicalTrials.gov answered HTTP 400: it rejected the request as invalid",)


@pytest.mark.parametrize("body", [{}, {"studies": None}, {"studies": {"x": 1}}])
@pytest.mark.parametrize("question", [Query(text="tea"), ONE], ids=["search", "lookup"])
def test_an_answer_without_studies_is_no_empty_one(body: dict[str, Any], question: Question) -> None:
    assert replay(clinicaltrials, body, query=question).outcome is Outcome.BAD_RESPONSE
