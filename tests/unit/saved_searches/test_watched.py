"""Which states of a cited paper are reported, and what is stored so that none is reported twice."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from shared.bibliography.paper import Paper, Retraction, RetractionStatus, Version
from shared.saved_searches.seen import ReportedPaper, known_from_json, known_paper, known_to_json
from shared.saved_searches.watched import LookedUpPaper, new_states, watched_paper
from tests.unit.records import merge_records, record

ARTICLE, PREPRINT = "doi:10.5555/article", "doi:10.1101/2024.01.05.574305"
# What a source says of the paper on a day: the status, or that it is published; "down": it does not answer.
Day = Mapping[str, str]


def said(provider: str, what: str, doi: str) -> Paper:
    fields: dict[str, Any] = {"doi": doi, "provider": provider, "year": 2024}
    if doi == PREPRINT.removeprefix("doi:"):
        fields["type"] = "preprint"
    if what == "published":
        fields["versions"] = (Version("published", doi="10.5555/article"),)
    elif what != "sound":
        fields["retraction"] = Retraction(RetractionStatus(what))
    return record("Lipid droplets in microglia", "Smith, Jane; Doe, Ann", **fields)


def reported(days: Iterable[Day], name: str = ARTICLE) -> list[list[str]]:
    """The states that are reported on each day; those found at the start begin with `was `."""
    known: list[ReportedPaper] = []
    events = []
    for day in days:
        answered = {provider: what for provider, what in day.items() if what != "down"}
        if not answered:
            events.append(list[str]())
            continue
        (paper,) = merge_records(said(*it, name.removeprefix("doi:")) for it in answered.items())
        looked_up = LookedUpPaper(paper=paper, names=[name], answered_by=frozenset(answered))
        events.append([f"{'was ' if it.at_start else ''}{it.type}" for it in new_states(looked_up, known)])
        known = [known_from_json(known_to_json(watched_paper(looked_up, 1, known)), 1)]
    return events


SOUND = {"crossref": "sound", "pubmed": "sound"}
COURSES: dict[str, tuple[list[Day], list[list[str]]]] = {
    "retracted": ([SOUND, {**SOUND, "crossref": "retracted"}, {**SOUND, "crossref": "retracted"}],
                  [[], ["retracted"], []]),
    "retracted before": ([{"crossref": "retracted", "pubmed": "sound"}, SOUND], [["was retracted"], []]),
    "a second source says so later": ([{**SOUND, "pubmed": "retracted"}, {"crossref": "retracted", "pubmed": "down"}],
                                      [["was retracted"], []]),
    "the source that knows is down at first": ([{"crossref": "down", "pubmed": "sound"},
                                                {"crossref": "corrected", "pubmed": "sound"}],
                                               [[], ["was corrected"]]),
    "another source had answered before": ([{"crossref": "down", "pubmed": "sound"},
                                            {"crossref": "retracted", "pubmed": "retracted"}], [[], ["retracted"]]),
    "no source answers for a day": ([SOUND, {"crossref": "down", "pubmed": "down"}, {**SOUND, "pubmed": "retracted"},
                                     {"crossref": "down", "pubmed": "down"}, {**SOUND, "pubmed": "retracted"}],
                                    [[], [], ["retracted"], [], []]),
    "a graver source is down for a day": ([SOUND, {"crossref": "retracted", "pubmed": "corrected"},
                                           {"crossref": "down", "pubmed": "corrected"}], [[], ["retracted"], []]),
    "a concern that ends in a correction": ([SOUND, {**SOUND, "pubmed": "concern"}, {**SOUND, "pubmed": "corrected"},
                                             {**SOUND, "pubmed": "concern"}],
                                            [[], ["expression_of_concern"], ["corrected"], []]),
    "a concern that ends in a retraction": ([{**SOUND, "pubmed": "concern"}, {**SOUND, "pubmed": "retracted"}],
                                            [["was expression_of_concern"], ["retracted"]]),
    "a retraction that is taken back": ([SOUND, {**SOUND, "pubmed": "retracted"}, SOUND,
                                         {**SOUND, "pubmed": "retracted"}], [[], ["retracted"], [], []]),
    "an article and its preprint": ([SOUND, {**SOUND, "crossref": "published"}], [[], []]),
}  # fmt: skip


@pytest.mark.parametrize(("days", "expected"), COURSES.values(), ids=COURSES)
def test_each_state_is_reported_once(days: list[Day], expected: list[list[str]]) -> None:
    assert reported(days) == expected


def test_a_published_preprint_is_reported_once() -> None:
    published = {**SOUND, "crossref": "published"}
    assert reported([SOUND, published, SOUND, published], PREPRINT) == [[], ["now_published"], [], []]
    assert reported([published, published], PREPRINT) == [["was now_published"], []]


@pytest.mark.slow
def test_no_order_of_answers_reports_a_state_twice() -> None:
    states = ("sound", "corrected", "concern", "retracted", "published", "down")
    for course in itertools.product(states, repeat=3):
        days = [{"crossref": what, "pubmed": other} for what, other in itertools.pairwise((*course, "sound"))]
        events = [event.removeprefix("was ") for day in reported(days, PREPRINT) for event in day]
        assert len(events) == len(set(events)), course


def test_the_state_of_a_watched_paper_survives_storage_and_that_of_a_search_is_as_before() -> None:
    (paper,) = merge_records([said("crossref", "corrected", "10.5555/article")])
    watched = watched_paper(LookedUpPaper(paper=paper, names=[ARTICLE], answered_by=frozenset({"crossref"})), 3, [])
    assert known_from_json(known_to_json(watched), 3) == watched
    assert known_to_json(known_paper(paper, 3)).keys() == {"key", "published", "retracted", "stubs"}
