"""Labelled references, real ones with errors and invented ones, judged among the nearest papers of the corpus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

import pytest
from rapidfuzz import fuzz, process

from shared.bibliography.paper import MergedPaper
from shared.papers.reference_request import Reference
from shared.references.judgement import Judgement
from shared.references.known_paper import all_names
from shared.references.reference_state import ReferenceState
from tests.benchmarks.reference_set import LabelledReference, labelled
from tests.unit.references.known import known
from tests.unit.references.test_same_citation import corpus

SAMPLE = 10  # one of so many in the fast test
CANDIDATES = 8
# group: the least share; in the fast sample one miss is a larger share
SAMPLE_FLOORS = {"invented": 1.0, "one": 0.94, "two": 0.8, "mismatched": 0.98}
FLOORS = {"invented": 1.0, "one": 0.97, "two": 0.9, "mismatched": 0.98}


@cache
def by_name() -> dict[str, MergedPaper]:
    return {name: paper for paper in corpus() for name in all_names(paper)}


@cache
def titles() -> list[str]:
    return [paper.title.lower() for paper in corpus()]


def near(label: LabelledReference) -> list[MergedPaper]:
    """The papers with the titles that resemble it most."""
    found = process.extract(label.text.lower(), titles(), scorer=fuzz.token_set_ratio, limit=CANDIDATES)
    return [corpus()[place] for *_, place in found]


def judged(label: LabelledReference, candidates: Sequence[MergedPaper]) -> Judgement:
    """Judged among these and the papers that its ids name, as sources would send them."""
    reference = ReferenceState.of(Reference.model_validate(label.text))
    named = [paper for name in reference.names if (paper := by_name().get(name))]
    reference.judge_by(known([*candidates, *named]))
    return reference.judgement


def is_right(label: LabelledReference) -> bool:
    judgement = judged(label, near(label))
    if label.status == "invented":
        return judgement.status != "matched"
    paper = judgement.shown_in_full
    names = {name.partition(":")[2].lower() for name in all_names(paper)} if paper else set()
    return judgement.status == label.status and not label.ids.isdisjoint(names)


def group(label: LabelledReference) -> str:
    if label.status != "matched":
        return label.status
    return "one" if len(label.errors) < 2 else "two"


def missed(sample: Sequence[LabelledReference], floors: Mapping[str, float]) -> dict[str, list[str]]:
    """The references of each group that are judged wrongly, where the share falls below the floor."""
    results: defaultdict[str, list[tuple[bool, str]]] = defaultdict(list)
    for label in sample:
        results[group(label)].append((is_right(label), label.text))
    assert results.keys() == floors.keys()
    return {
        name: [text for right, text in of_group if not right]
        for name, of_group in results.items()
        if sum(right for right, _ in of_group) < floors[name] * len(of_group)
    }


def test_a_sample_of_labelled_references_is_judged_rightly() -> None:
    assert missed(labelled()[::SAMPLE], SAMPLE_FLOORS) == {}


@pytest.mark.slow
@pytest.mark.parametrize("half", ["rules", "report"])
def test_labelled_references_are_judged_rightly(half: str) -> None:
    assert missed([it for it in labelled() if it.half == half], FLOORS) == {}


def test_the_set_holds_what_its_figures_are_about() -> None:
    real = [it for it in labelled() if it.status != "invented"]
    assert len(real) >= 300
    assert len(labelled()) - len(real) >= 150
    assert len({it.style for it in real}) >= 15
    assert labelled() == labelled()
    meant = {half: {one for it in real if it.half == half for one in it.ids} for half in ("rules", "report")}
    assert meant["rules"] and meant["report"]
