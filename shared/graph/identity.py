"""What a paper is in the knowledge graph: its names, where it is kept, and what is one paper. Pure: no AWS, no clock.

Facts are kept under a paper's *home* and never moved. An alias remembers every home that was ever seen with an id.
Which homes are one paper is worked out when reading: all that are connected by shared ids. So the order in which facts
arrive decides nothing. Two PMIDs are two papers: homes whose ids would join two are not joined at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from shared.bibliography.paper_ids import SCHEMES
from shared.canonical_json import canonical, digest

BY_TITLE = "title:"
ORDER = (*SCHEMES.values(), "title")
# An id is part of sort keys, where a space ends it, and of an index's key, which takes 1,024 bytes.
_ID = re.compile(rf"(?:{'|'.join(ORDER)}):[^\x00-\x20\x7f\ud800-\udfff]+")
MAX_ID_BYTES = 500
# Homes of one paper; more than this is an id that means no single paper.
MAX_HOMES = 10


def is_id(text: str) -> bool:
    """Whether the graph can keep it as an id: `doi:10.1000/x`, `pmid:1`, `title:<hash>`."""
    return bool(_ID.fullmatch(text)) and len(text.encode()) <= MAX_ID_BYTES


def names(external_ids: Mapping[str, str | None]) -> list[str]:
    """A paper's ids as keys, the best first."""
    return [f"{scheme}:{external_ids[name]}" for name, scheme in SCHEMES.items() if external_ids.get(name)]


def aliases(paper: Mapping[str, Any]) -> list[str]:
    """Every id under which the paper may be asked for, its own key included.

    An id that would be a better key than its own is shared with other papers (a congress supplement's DOI): it names
    none of them.
    """
    every, key = names(paper["external_ids"]), paper["key"]
    if key in every:
        return sorted(every[every.index(key) :])
    return [key]


def home(paper: Mapping[str, Any]) -> str:
    """Where a paper is kept: under its PMID, which no other paper has, else under its key."""
    return next((alias for alias in aliases(paper) if _is_pmid(alias)), str(paper["key"]))


def best_key(keys: Iterable[str]) -> str:
    """Of several keys of one paper, the one that wins: DOI before PMID and so on, a title's hash last."""
    return min(keys, key=lambda key: (ORDER.index(key.partition(":")[0]), key))


def state_digest(value: Any) -> str:
    """A short name of a value; of a paper's states seen in the same second the higher wins, in any order."""
    return digest(canonical(value), 16)


def _is_pmid(name: str) -> bool:
    return name.startswith("pmid:")


@dataclass(frozen=True, slots=True)
class Node:
    """One paper: its key, all its homes and ids, and the providers that told what it cites; all sorted."""

    key: str
    homes: tuple[str, ...]
    ids: tuple[str, ...]
    providers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept at one home, as far as it matters for whose home it is."""

    ids: frozenset[str]
    providers: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Reach:
    """What can be reached from an id over all that has been read; `contested` when that is not one paper."""

    homes: frozenset[str]
    ids: frozenset[str]
    contested: bool


class Identity:
    """Which paper an id means, from the aliases and homes read so far; `missing` says what else must be read."""

    def __init__(self) -> None:
        self.homes_of: dict[str, frozenset[str]] = {}  # id -> homes; empty when nobody has it
        self.kept_at: dict[str, Kept | None] = {}  # home -> what is there

    def missing(self, asked: Iterable[str]) -> tuple[set[str], set[str]]:
        """`(ids, homes)` to read before `node` can be asked; how often it is needed is bounded by MAX_HOMES."""
        ids: set[str] = set()
        homes: set[str] = set()
        for name in asked:
            reach = self._reach(name)
            if reach.contested:
                owner = self._owner(name)
                homes |= {owner}
                ids |= self._ids_at(owner)
            else:
                homes |= reach.homes
                ids |= reach.ids
        return ids - self.homes_of.keys(), homes - self.kept_at.keys()

    def node(self, name: str) -> Node | None:
        """The paper that an id means; None when none is in the graph. Every id of a node leads to that node."""
        reach = self._reach(name)
        if reach.contested:
            owner = self._owner(name)
            homes = frozenset({owner})
            ids = frozenset(it for it in self._ids_at(owner) if self._owner(it) == owner) | homes
        else:
            homes, ids = reach.homes, reach.ids
        kept = [found for home in homes if (found := self.kept_at.get(home))]
        if not kept:
            return None
        providers = frozenset[str]().union(*(found.providers for found in kept))
        return Node(best_key(ids), tuple(sorted(homes)), tuple(sorted(ids)), tuple(sorted(providers)))

    def _reach(self, start: str) -> _Reach:
        """Stops at the first sign that this is more than one paper; the sign is the same from every start."""
        ids, homes, waiting = {start}, set[str](), [start]
        while waiting:
            for home in self.homes_of.get(waiting.pop(), frozenset()) - homes:
                homes.add(home)
                waiting += self._ids_at(home) - ids
                ids |= self._ids_at(home)
            if len(homes) > MAX_HOMES or sum(map(_is_pmid, ids | homes)) > 1:
                return _Reach(frozenset(homes), frozenset(ids), contested=True)
        return _Reach(frozenset(homes), frozenset(ids), contested=False)

    def _ids_at(self, home: str) -> frozenset[str]:
        kept = self.kept_at.get(home)
        return kept.ids if kept else frozenset()

    def _owner(self, name: str) -> str:
        """Of homes that stay apart, the one that an id of several means: its own, else the best."""
        homes = self.homes_of.get(name, frozenset())
        return best_key(homes) if homes and name not in homes else name
