"""References in styles that no table of the parser lists, judged among the nearest papers of the corpus."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from infra.local.sandbox.facts import Fact
from shared.bibliography.paper import MergedPaper
from shared.references.judgement import Judgement
from shared.references.known_paper import all_names
from tests.benchmarks.machine_styles import MACHINE
from tests.benchmarks.reference_set import LabelledReference, ids_of, papers, printed
from tests.benchmarks.unusual_styles import UNUSUAL
from tests.unit.references.test_labelled_references import judged, near
from tests.unit.references.test_same_citation import corpus

STYLES = UNUSUAL | MACHINE
EACH = 12  # papers in each style, in the slow test


def articles() -> list[Fact]:
    """Papers with all that a reference prints."""
    return [it for it in papers() if it.journal and it.volume and it.pages and it.doi and len(it.authors) > 1]


def is_meant(judgement: Judgement, fact: Fact) -> bool:
    paper = judgement.candidates[0].paper if judgement.status == "matched" else None
    return paper is not None and not ids_of(fact).isdisjoint(numbers(paper))


def numbers(paper: MergedPaper) -> set[str]:
    return {name.partition(":")[2].lower() for name in all_names(paper)}


def missed(style: str, facts: Sequence[Fact]) -> list[str]:
    """The references that are not matched with their paper, among it and the nearest others."""
    found = []
    for fact in facts:
        text = STYLES[style](printed(fact, with_doi=False))
        label = LabelledReference(text, style, (), "matched", "rules", ids_of(fact))
        meant = [paper for paper in corpus() if not ids_of(fact).isdisjoint(numbers(paper))]
        if not is_meant(judged(label, [*near(label), *meant]), fact):
            found.append(text)
    return found


@pytest.mark.parametrize("style", STYLES)
def test_a_reference_in_an_unusual_style_is_matched(style: str) -> None:
    at = 5 * list(STYLES).index(style)
    assert missed(style, [articles()[at % len(articles())]]) == []


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_many_references_in_an_unusual_style_are_matched(style: str) -> None:
    """One of twelve may be missed: a paper's title may itself read like names or a journal."""
    assert len(missed(style, articles()[:: len(articles()) // EACH])) <= 1
