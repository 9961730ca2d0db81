"""The papers that a watched context cites: their states, and the events when a state is new.

A state is what at least one source says of a paper: retracted, corrected, an expression of concern, published. It is
reported once. No state is ever taken back: a source that fails says nothing, and another may not know of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from shared.bibliography.paper import MergedPaper, RetractionStatus
from shared.bibliography.paper_ids import key_of
from shared.bibliography.preprints import is_preprint, is_preprint_doi
from shared.saved_searches.seen import ReportedPaper, known_paper

State = Literal["retracted", "corrected", "expression_of_concern", "now_published"]
STATES: tuple[State, ...] = ("retracted", "corrected", "expression_of_concern", "now_published")
# Of a retracted paper these are not news.
_LESS_GRAVE: frozenset[State] = frozenset({"corrected", "expression_of_concern"})
_OF_STATUS: Mapping[RetractionStatus, State] = {
    RetractionStatus.RETRACTED: "retracted",
    RetractionStatus.CORRECTED: "corrected",
    RetractionStatus.CONCERN: "expression_of_concern",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedUpPaper:
    """A paper as the sources describe it now."""

    paper: MergedPaper
    names: Sequence[str]  # the ids by which the context cites it; at least one
    answered_by: frozenset[str]  # the sources that answered for it


@dataclass(frozen=True, slots=True, kw_only=True)
class NewState:
    """A state to report; `at_start` if no source that says so had answered for the paper before."""

    type: State
    at_start: bool


def new_states(looked_up: LookedUpPaper, before: Sequence[ReportedPaper]) -> list[NewState]:
    """Return the states to report of a paper; `before` is what is stored of it, empty when it is first looked up."""
    sources, reported = _stated(looked_up.paper), _reported(looked_up, before)
    answered_before = _answered_by(before)
    return [
        NewState(type=state, at_start=sources[state].isdisjoint(answered_before))
        for state in STATES
        if state in sources and state not in reported
    ]


def watched_paper(looked_up: LookedUpPaper, number: int, before: Sequence[ReportedPaper]) -> ReportedPaper:
    """Return what to store about the paper after `new_states` were reported."""
    return replace(
        known_paper(looked_up.paper, number, before),
        states=_reported(looked_up, before) | _stated(looked_up.paper).keys(),
        answered_by=_answered_by(before) | looked_up.answered_by,
    )


def _stated(paper: MergedPaper) -> dict[State, set[str]]:
    """The states of a paper, each with the sources that state it."""
    found: defaultdict[State, set[str]] = defaultdict(set)
    for record in paper.records:
        if state := _OF_STATUS.get(record.retraction.status):
            found[state].add(record.provider)
        if not is_preprint(record) or any(version.relation == "published" for version in record.versions):
            found["now_published"].add(record.provider)
    return dict(found)


def _reported(looked_up: LookedUpPaper, before: Sequence[ReportedPaper]) -> frozenset[str]:
    """The states that need no report: reported before, less grave than a retraction, or of a paper cited as published.

    A preprint that is already published when it is first looked up is reported: the context cites the preprint.
    """
    stated = _stated(looked_up.paper).keys()
    reported = frozenset[str]().union(*(known.states for known in before))
    if "retracted" in stated or "retracted" in reported:
        reported |= _LESS_GRAVE
    if not before and not all(map(_names_a_preprint, looked_up.names)):
        reported |= stated & {"now_published"}
    return reported


def _answered_by(before: Sequence[ReportedPaper]) -> frozenset[str]:
    return frozenset[str]().union(*(known.answered_by for known in before))


def _names_a_preprint(name: str) -> bool:
    """Whether an id, as the graph writes it, is one that a preprint server gives."""
    scheme, _, value = key_of(name).partition(":")
    return scheme == "doi" and is_preprint_doi(value)
