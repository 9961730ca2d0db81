"""Identity in the knowledge graph: the ids of a paper, where its facts are stored, which ids mean one paper. Pure.

Facts are stored under the *canonical key* of a paper as it was when a message came, and never moved. An alias item
stores every canonical key that was ever seen with an id. Readers decide which canonical keys are one paper: all that
are connected by shared ids. So the result does not depend on the order in which facts arrive. Two PMIDs are two papers:
canonical keys whose ids would connect two PMIDs are not connected at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.bibliography.identifiers import ARXIV_DOI, IdName
from shared.bibliography.paper_ids import NAMED_SCHEMES, SCHEMES, key_of, scheme_of
from shared.canonical_json import canonical, digest

if TYPE_CHECKING:
    from shared.answers.graph import PaperState

TITLE_PREFIX = "title:"
SCHEME_ORDER = (*NAMED_SCHEMES.values(), "title")
# An id is part of sort keys, where a space ends it, and of an index key, which takes 1,024 bytes.
_ID = re.compile(rf"(?:{'|'.join(SCHEME_ORDER)}):[^\x00-\x20\x7f\ud800-\udfff]+")
MAX_ID_BYTES = 500
_ARXIV_DOI = f"doi:{ARXIV_DOI}"
# Canonical keys of one paper. An id that connects more does not identify a single paper.
MAX_CANONICAL_KEYS = 10


def is_id(text: str) -> bool:
    """Whether the graph can store a text as an id: `doi:10.1000/x`, `pmid:1`, `title:<hash>`."""
    return bool(_ID.fullmatch(text)) and len(text.encode()) <= MAX_ID_BYTES


def id_keys(external_ids: Mapping[IdName, str | None]) -> list[str]:
    """The ids of a paper with their schemes, the best first: `["doi:10.1000/x", "pmid:1"]`.

    With an arXiv id also the DOI of the preprint: others cite the paper by either.
    """
    values = {str(name): value for name, value in external_ids.items()}
    names = [f"{scheme}:{values[name]}" for name, scheme in SCHEMES.items() if values.get(name)]
    return list(dict.fromkeys(either for name in names for either in (key_of(name), name)))


def is_identified(key: str, external_ids: Mapping[IdName, str | None]) -> bool:
    """Whether the graph can store a paper: it has a DOI or PMID, valid ids, and one of them or its title as the key."""
    own = id_keys(external_ids)
    if not all(map(is_id, own)) or not (external_ids.get("doi") or external_ids.get("pmid")):
        return False
    return key in own or (key.startswith(TITLE_PREFIX) and is_id(key))


def aliases(paper: PaperState) -> list[str]:
    """Every id that identifies the paper, its own key included.

    An id that would be a better key than its own is shared with other papers (the DOI of a congress supplement): it
    identifies none of them.
    """
    every, key = id_keys(paper["external_ids"]), paper["key"]
    if key in every:
        return sorted(every[every.index(key) :])
    return [key]


def canonical_key(paper: PaperState) -> str:
    """The key under which the facts of a paper are stored: its PMID, which no other paper has, else its own key."""
    return next((alias for alias in aliases(paper) if _is_pmid(alias)), paper["key"])


def best_key(keys: Iterable[str]) -> str:
    """The preferred one of several keys of a paper: DOIs (arXiv's last), PMIDs and so on, a title's hash last."""
    return min(keys, key=lambda key: (SCHEME_ORDER.index(scheme_of(key)), key.startswith(_ARXIV_DOI), key))


def state_digest(value: object) -> str:
    """16 hexadecimal digits of a JSON value. Of two states of a paper seen in one second, the higher digest wins."""
    return digest(canonical(value), 16)


def _is_pmid(name: str) -> bool:
    return name.startswith("pmid:")


@dataclass(frozen=True, slots=True)
class Node:
    """One paper: its preferred key, its canonical keys, its ids, and the providers of its reference lists; sorted."""

    key: str
    canonical_keys: tuple[str, ...]
    ids: tuple[str, ...]
    providers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredIds:
    """The ids stored under one canonical key, and the providers whose reference lists are stored there."""

    ids: frozenset[str]
    providers: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Component:
    """Everything connected to an id by what has been read; `ambiguous` when that is more than one paper."""

    canonical_keys: frozenset[str]
    ids: frozenset[str]
    ambiguous: bool


class Identity:
    """Which paper an id means, from the items read so far; `missing` says which others must be read."""

    def __init__(self) -> None:
        self.canonical_keys_of: dict[str, frozenset[str]] = {}  # id -> canonical keys; empty for an unknown id
        self.stored_at: dict[str, StoredIds | None] = {}  # canonical key -> what is stored there

    def missing(self, names: Iterable[str]) -> tuple[set[str], set[str]]:
        """`(ids, canonical keys)` to read before calling `node`; MAX_CANONICAL_KEYS bounds the number of rounds."""
        ids: set[str] = set()
        keys: set[str] = set()
        for name in names:
            component = self._component(name)
            if component.ambiguous:
                owner = self._owner(name)
                keys |= {owner}
                ids |= self._ids_at(owner)
            else:
                keys |= component.canonical_keys
                ids |= component.ids
        return ids - self.canonical_keys_of.keys(), keys - self.stored_at.keys()

    def node(self, name: str) -> Node | None:
        """The paper that an id means; None if the graph has none. Every id of a node leads to that node."""
        component = self._component(name)
        if component.ambiguous:
            owner = self._owner(name)
            keys = frozenset({owner})
            ids = frozenset(other for other in self._ids_at(owner) if self._owner(other) == owner) | keys
        else:
            keys, ids = component.canonical_keys, component.ids
        stored = [found for key in keys if (found := self.stored_at.get(key))]
        if not stored:
            return None
        providers = frozenset[str]().union(*(found.providers for found in stored))
        return Node(best_key(ids), tuple(sorted(keys)), tuple(sorted(ids)), tuple(sorted(providers)))

    def _component(self, start: str) -> _Component:
        """Stops as soon as this is more than one paper, which is so from every start or from none."""
        ids, keys, waiting = {start}, set[str](), [start]
        while waiting:
            for key in self.canonical_keys_of.get(waiting.pop(), frozenset()) - keys:
                keys.add(key)
                waiting += self._ids_at(key) - ids
                ids |= self._ids_at(key)
            if len(keys) > MAX_CANONICAL_KEYS or sum(map(_is_pmid, ids | keys)) > 1:
                return _Component(frozenset(keys), frozenset(ids), ambiguous=True)
        return _Component(frozenset(keys), frozenset(ids), ambiguous=False)

    def _ids_at(self, key: str) -> frozenset[str]:
        stored = self.stored_at.get(key)
        return stored.ids if stored else frozenset()

    def _owner(self, name: str) -> str:
        """The canonical key that an ambiguous id means: the id itself where it is one, else the best of them."""
        keys = self.canonical_keys_of.get(name, frozenset())
        return best_key(keys) if keys and name not in keys else name
