"""The retraction status of a paper as far as any message knew it: one that knows less does not undo it.

A search of one source knows no retractions, or only an erratum of a paper that another source calls retracted, and its
state of a paper replaces the one before. So what is known is an attribute of its own. `none` is stored only where every
source that tracks retractions has answered, so it alone undoes what was stated before; of what was stated since, the
gravest holds.

The attribute has a line `<moment> <weight> <JSON>` for each status: the newest `none`, and the newest of each graver
one that is no older. It is a join of lines, so the order in which messages are written makes no difference.
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
_NONE = "0"


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
    return joined((item.get("retraction", ""), of_state))


def joined(known: Iterable[str]) -> str:
    """What all of these say together."""
    newest: dict[str, str] = {}
    for line in "\n".join(known).split("\n"):
        if line:
            weight = line.split(" ", 2)[1]
            newest[weight] = max(line, newest.get(weight, ""))
    undone_at = newest.get(_NONE, "").partition(" ")[0]
    return "\n".join(sorted(line for line in newest.values() if line.partition(" ")[0] >= undone_at))


def with_known(state: PaperState, known: Iterable[str]) -> PaperState:
    """The state with the status that holds of all these; as it is if none is known."""
    lines = [line for line in joined(known).split("\n") if line]
    if not lines:
        return state
    status = json.loads(max(line.split(" ", 2)[1:] for line in lines)[1])
    return {**state, "retraction": cast("RetractionState", dict.fromkeys(state["retraction"]) | status)}
