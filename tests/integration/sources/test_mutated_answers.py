"""Mutated answers of all sources, from the source's function to the graph's writer: nothing raises, no page is lost."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from typing import Any

import pytest

from infra.functions import provider_names, provider_spec
from shared.outcomes import Outcome
from shared.providers import answering
from shared.providers.provider import ProviderReply
from tests.benchmarks.mutate import Findings, Mutator, PageLost, raise_for_lost, run, slow_cases
from tests.benchmarks.mutate_bodies import mutate
from tests.unit.records import record

pytestmark = pytest.mark.slow  # fuzzing

SEED = 20261122


def test_twenty_mutated_answers_break_nothing() -> None:
    summary = run(20, SEED)
    assert summary["places"] == [], json.dumps(summary, indent=2)


@pytest.mark.slow
def test_two_thousand_answers_mutated_in_another_way_each_day_break_nothing() -> None:
    summary = run(2_000, datetime.now(UTC).date().toordinal())
    assert summary["places"] == [], json.dumps(summary, indent=2)  # with the seed, and the first case of each place


@pytest.mark.slow
def test_without_the_checks_of_records_defects_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "_with_fitting_records", lambda reply: reply)
    assert run(60, SEED)["places"]


def test_a_case_depends_on_its_seed_and_number_alone() -> None:
    abouts = []
    findings = Findings()
    mutator = Mutator(SEED, findings, recordings=False)
    for number in (3, 4, 3):
        mutator.run(number)
        abouts.append(findings.about)
    assert abouts[0] == abouts[2] != abouts[1]


@pytest.mark.slow
def test_every_operation_of_every_source_is_mutated() -> None:
    mutator = Mutator(SEED, Findings())
    exchanged = {(it.provider, it.question.operation) for it in mutator.exchanges}
    declared = {(name, operation) for name in provider_names() for operation in provider_spec(name).operations}
    assert declared - exchanged == set()


def reply_of(*titles: str) -> ProviderReply:
    papers = tuple(record(title, provider="crossref") for title in titles)
    return ProviderReply(provider="crossref", family="crossref", outcome=Outcome.OK, papers=papers)


@pytest.mark.parametrize(
    ("kept", "touched", "lost"),
    [
        ("abc", {1}, False),
        ("ac", {1}, False),
        ("a", {1}, True),
        ("", {1}, True),
        ("", None, False),
        ("ab", set(), True),
    ],
)
def test_a_page_is_lost_when_more_records_are_missing_than_were_changed(kept: str, touched: Any, lost: bool) -> None:
    inside = None if touched is None else frozenset(touched)
    if lost:
        with pytest.raises(PageLost):
            raise_for_lost(reply_of(*"abc"), reply_of(*kept), inside)
    else:
        raise_for_lost(reply_of(*"abc"), reply_of(*kept), inside)


def test_a_change_within_records_names_them_and_leaves_the_others_as_they_are() -> None:
    items = [{"title": f"Title {number}", "year": number, "authors": [{"name": "Li"}]} for number in range(5)]
    within = 0
    for seed in range(200):
        mutated = mutate(json.dumps({"total": 5, "items": items}).encode(), random.Random(seed))
        if mutated.touched is not None:
            changed = json.loads(mutated.body)["items"]
            assert all(changed[number] == items[number] for number in set(range(5)) - mutated.touched)
            within += 1
    assert within > 50


def test_a_case_that_takes_far_longer_than_its_like_is_slow() -> None:
    times = [("a", 0.01)] * 20 + [("a", 0.9), ("a", 5.0)] + [("b", 5.0)] * 3
    assert list(slow_cases(times)) == [21]
