"""The retraction status of a paper as far as any message knew it: one that does not know it does not undo it.

A search of one source knows no retractions, and its state of a paper replaces the one before. So the newest status that
is known is an attribute of its own, `<moment> <weight> <JSON>`, which grows by a join: the greater text is newer, or
of one second the graver one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from shared.canonical_json import canonical

if TYPE_CHECKING:
    from shared.answers.graph import PaperState, RetractionState
    from shared.graph.items import Item

_UNKNOWN = ("", "unknown")
_WEIGHTS = {"none": 0, "corrected": 1, "concern": 2, "retracted": 3}


def stated(state: PaperState, seen_at: str) -> str:
    """What a state says of its retraction, as it is stored; empty if it does not know."""
    retraction = state["retraction"]
    if retraction["status"] in _UNKNOWN:
        return ""
    known = {name: value for name, value in retraction.items() if value is not None}
    return f"{seen_at} {_WEIGHTS.get(retraction['status'], 1)} {canonical(known)}"


def stored(item: Item) -> str:
    """What an item of a paper says. A version before this attribute writes it in the state alone, also later again."""
    of_state = stated(json.loads(item["paper"]), item["seen_at"]) if "paper" in item else ""
    return max(item.get("retraction", ""), of_state)


def with_newest(state: PaperState, known: Iterable[str]) -> PaperState:
    """The state with the newest of these; as it is if none is known."""
    newest = max(known, default="")
    if not newest:
        return state
    missing = dict.fromkeys(state["retraction"])
    return {**state, "retraction": cast("RetractionState", missing | json.loads(newest.split(" ", 2)[2]))}
