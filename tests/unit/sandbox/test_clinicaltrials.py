"""ClinicalTrials.gov's sandbox: the expressions that the registry reads, what it refuses, and its pages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from werkzeug import Request, Response
from werkzeug.test import EnvironBuilder

from functions.providers import clinicaltrials as provider
from infra.local.sandbox.clinicaltrials.records import registration_of
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import clinicaltrials as sandbox
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.query.question import Links, Listing, Lookup, Question
from tests.replay import ask
from tests.unit.sandbox.bridge import over

FACTS = tuple(
    Fact(
        title=title, nct=f"NCT9900000{number}", year=year, pmid=f"3100000{number}", abstract="Adults drink it.",
        authors=(("Costa", "Ana"),), mesh=mesh, references=("10.9/x",),
    )
    for number, (title, year, mesh) in enumerate([
        ("Green tea for insomnia", 2015, ("Sleep",)), ("Black tea after heart attack", 2018, ("Heart Attack",)),
        ("Coffee and attack of the heart", 2020, ("Heart Attack",)), ("Teas and pain", 2021, ("Pain",)),
    ], start=1)
)  # fmt: skip
CORPUS = Corpus(FACTS)


def respond(path: str = "/api/v2/studies", **params: str) -> Response:
    """The sandbox's own answer; `__` stands for the dot of a parameter."""
    query = {name.replace("__", "."): value for name, value in params.items()}
    return sandbox.answer(Request(EnvironBuilder(path, query_string=query).get_environ()), CORPUS)


def body(**params: str) -> dict[str, Any]:
    answer = respond(**params)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return dict(json.loads(answer.get_data()))


def numbers(**params: str) -> list[int]:
    found = body(**params)["studies"]
    return [int(study["protocolSection"]["identificationModule"]["nctId"][-1]) for study in found]


def leg(question: Question, corpus: Corpus = CORPUS) -> ProviderReply:
    return ask(provider, over(sandbox, corpus), question)


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("tea", {1, 2, 4}),  # a plural is the same word
        ("tea, heart", {2}),  # a comma is AND
        ("tea OR coffee AND heart", {1, 2, 3, 4}),
        ("(tea OR coffee) AND heart", {2, 3}),
        ("tea NOT (insomnia OR pain)", {2}),
        ("tea not insomnia", set()),  # operators are in capitals
        ('"heart attack"', {2, 3}),  # of the condition of one, of the title of the other
        ('AREA[BriefTitle]"heart attack"', {2}),
        ("AREA[BriefTitle](heart AND coffee)", {3}),
        ("AREA[StudyFirstPostDate]RANGE[2016-01-01,2018-12-31]", {2, 3}),
        ("AREA[StudyFirstPostDate]RANGE[MIN,2013-12-31]", {1}),
        ("AREA[OverallOfficialName]Costa OR AREA[ResponsiblePartyInvestigatorFullName]Costa", {1, 2, 3, 4}),
        ("AREA[Acronym]MISSING AND pain", {4}),
        ("ALL", {1, 2, 3, 4}),
        ("\\ALL", set()),
        ("NCT99000003", {3}),
    ],
)
def test_an_expression_is_read_as_the_registry_reads_it(expression: str, found: set[int]) -> None:
    assert set(numbers(query__term=expression)) == found
    assert set(numbers(filter__advanced=expression)) == found


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"filter__phase": "PHASE3"}, "`filter.phase` is unknown parameter"),
        ({"query": "tea"}, "`query` is unknown parameter"),
        ({"query__term": "tea [hot]"}, "Error parsing query in Other terms: mismatched input '['"),
        ({"query__cond": "tea (hot"}, "Error parsing query in Conditions or disease: missing ')' at '<EOF>'"),
        ({"filter__advanced": "AREA[Tea]hot"}, "Error parsing query in advanced filter: Unknown area name: 'Tea'"),
        ({"filter__ids": "ABC123"}, "Item 1 in parameter `filter.ids` has incorrect format"),
        ({"sort": "BriefTitle"}, "Unsupported sort field type: text"),
        ({"fields": "Tea"}, "Parameter `fields` contains invalid field name: 'Tea'"),
    ],
)
def test_a_refusal_is_a_400_in_plain_text(params: dict[str, str], message: str) -> None:
    answer = respond(**params)
    assert (answer.status_code, answer.mimetype) == (400, "text/plain")
    assert answer.get_data(as_text=True).startswith(message)


def test_of_numbers_as_the_whole_query_filters_are_ignored() -> None:
    nothing = "AREA[StudyFirstPostDate]RANGE[2030-01-01,MAX]"
    assert numbers(query__term="NCT99000001, nct99000002", filter__advanced=nothing, sort="@relevance") != []
    assert numbers(query__term="tea", filter__advanced=nothing) == []


def test_studies_are_sorted_only_on_request() -> None:
    assert numbers(sort="StudyFirstPostDate") == [4, 3, 2, 1]
    assert numbers(sort="StudyFirstPostDate:asc") == [1, 2, 3, 4]
    assert numbers() not in ([1, 2, 3, 4], [4, 3, 2, 1])


def test_the_total_comes_with_the_first_page_and_only_on_request() -> None:
    first = body(query__term="tea", countTotal="true", pageSize="2")
    second = body(query__term="tea", countTotal="true", pageSize="2", pageToken=first["nextPageToken"])
    assert (first["totalCount"], "totalCount" in second, "nextPageToken" in second) == (3, False, False)
    assert "totalCount" not in body(query__term="tea")
    assert len(body(pageSize="5000")["studies"]) == 4


def test_texts_are_markdown_with_escapes_unless_they_are_requested_as_entered() -> None:
    summaries = {
        form: [study["protocolSection"].get("descriptionModule", {}).get("briefSummary", "") for study in found]
        for form in ("markdown", "legacy")
        if (found := body(markupFormat=form)["studies"])
    }
    assert any("Age \\> 18" in text and "\r" not in text for text in summaries["markdown"])
    assert any("Age > 18" in text and "\r\n" in text for text in summaries["legacy"])


def test_one_study_is_found_by_its_number_and_by_the_alias_that_leads_to_it() -> None:
    assert respond("/api/v2/studies/nct99000001").status_code == 200
    unknown, malformed = respond("/api/v2/studies/NCT99999999"), respond("/api/v2/studies/ABC123")
    assert (unknown.status_code, unknown.get_data()) == (404, b"NCT number NCT99999999 not found")
    assert (malformed.status_code, malformed.get_data()) == (400, b"Parameter `nctId` has incorrect format")
    held = default_corpus().covered("clinicaltrials")
    joined = next(it for it in map(registration_of, held) if it.aliases)
    names = (f"nct:{joined.aliases[0]}", f"nct:{joined.nct}")
    (paper,) = leg(Lookup(names), default_corpus()).papers
    assert (paper.ids.nct, paper.asked) == (joined.nct, names)
    listed = [leg(Links("references", name), default_corpus()).pointers for name in names]
    assert listed[0] == listed[1] != ()


def test_a_listing_reads_every_study_once() -> None:
    position, found = "", []
    for _ in range(3):
        page = leg(Listing(Query(text="tea"), position, 2))
        found += [paper.ids.nct for paper in page.papers]
        if not (position := page.next_position or ""):
            break
    assert sorted(filter(None, found)) == ["NCT99000001", "NCT99000002", "NCT99000004"]


def test_the_error_envelope_is_an_unreadable_query() -> None:
    answer = sandbox.error_envelope()
    assert (answer.status_code, answer.mimetype) == (400, "text/plain")
    assert leg(Query(text="SEARCH[x] AND tea")).outcome in (Outcome.OK, Outcome.EMPTY)


def test_every_registration_of_the_corpus_can_be_read() -> None:
    held = default_corpus().covered("clinicaltrials")
    reply = leg(Lookup(tuple(f"nct:{fact.nct}" for fact in held)), default_corpus())
    assert (len(reply.papers), reply.warnings) == (len(held), ())
    assert len(held) > 5
    assert all(paper.authors and paper.year and paper.references for paper in reply.papers)
