"""References as people paste them, in styles that the labelled set does not have, resolved through HTTP events."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from infra.local.machine import Machine
from infra.local.sandbox.facts import Fact
from tests.benchmarks.pasted_styles import PASTED
from tests.benchmarks.reference_set import ids_of, papers, printed
from tests.integration.papers_calls import fetch
from tests.ways_of_asking.capture import ids_of_result

BATCH = 20
EACH = 3  # papers in each style


@cache
def articles() -> tuple[Fact, ...]:
    """Papers with all that a reference prints."""
    return tuple(it for it in papers() if it.journal and it.volume and it.pages and it.doi and len(it.authors) > 1)


def pasted(number: int, style: str) -> tuple[str, str, frozenset[str]]:
    """The style, the text, and the ids of the paper; another paper for each style."""
    fact = articles()[(number * len(PASTED) + list(PASTED).index(style)) % len(articles())]
    return style, PASTED[style](printed(fact, with_doi=False)), ids_of(fact)


def missed(local: Machine, sample: Sequence[tuple[str, str, frozenset[str]]]) -> list[tuple[str, str, str]]:
    """Those that are not matched with their own paper: style, status, text."""
    found: list[tuple[str, str, str]] = []
    for start in range(0, len(sample), BATCH):
        batch = sample[start : start + BATCH]
        body = {"references": [text for _, text, _ in batch], "timeout_ms": 25_000}
        entries = fetch(local, "POST", "/v1/resolve", body)["references"]
        for (style, text, ids), entry in zip(batch, entries, strict=True):
            paper = entry["paper"]
            if entry["status"] != "matched" or ids.isdisjoint(ids_of_result(paper)):
                found.append((style, entry["status"], text))
    return found


@pytest.mark.slow
def test_a_reference_pasted_in_any_style_is_matched(running: Machine) -> None:
    assert missed(running, [pasted(0, style) for style in PASTED]) == []


@pytest.mark.slow
def test_sixty_pasted_references_are_matched(running: Machine) -> None:
    assert missed(running, [pasted(number, style) for number in range(EACH) for style in PASTED]) == []
