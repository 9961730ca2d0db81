"""What a message states, as items of the papers table, and which of them must still be written. Pure.

An item is either an immutable fact, or grows by a join that is commutative and idempotent (newest state, earliest
moment, union of sets). No two items have to agree, so no write needs a transaction. `items` describes the table.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from shared.canonical_json import canonical
from shared.graph import known_retractions
from shared.graph.citing_tree import segments
from shared.graph.identity import aliases, canonical_key, state_digest
from shared.graph.in_text import joined_in_text
from shared.graph.items import (
    NO_POSITION,
    SHARDS,
    EdgeId,
    Item,
    Key,
    MentionKey,
    Relation,
    alias_item_key,
    canonical_keys_of,
    context_partition,
    in_text_item_key,
    key_of,
    packed_ids,
    paper_item_key,
    references_item_key,
    target_in,
)
from shared.graph.messages import Message, PaperPart, PapersMessage

if TYPE_CHECKING:
    from shared.answers.in_text import InText

# The attributes of stored items that decide what must be written.
PLAN_ATTRIBUTES = (
    "pk", "sk", "seen_at", "digest", "first_seen", "paper", "retraction", "ids", "providers", "written", "homes",
    "in_text",
)  # fmt: skip
NO_ITEM: Item = {}


@dataclass(frozen=True, slots=True)
class Update:
    """Sets attributes and adds members to sets, if the `expected` attributes are unchanged; None means absent."""

    key: Key
    sets: Mapping[str, str]
    adds: Mapping[str, frozenset[str]]
    expected: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """The writes that a message needs, in this order: providers before their edges, lists of references last."""

    papers: Sequence[Update]
    aliases: Sequence[Update]
    in_text: Sequence[Update]
    facts: Sequence[Item]  # mentions, each a whole item
    segments: Sequence[Item]  # the edges, for the root of the tree
    reference_lists: Sequence[Item]  # a list that is stored says that all its edges are


def keys_to_read(message: Message) -> list[Key]:
    """The items that decide what must be written. Edges are not among them: their list stands for them."""
    facts = [key_of(fact) for fact in _mentions(message)]
    if not isinstance(message, PapersMessage):
        return facts
    states = [paper.state for paper in message.papers]
    names = (name for state in states for name in aliases(state))
    papers = (paper_item_key(canonical_key(state)) for state in states)
    lists = (key for paper in message.papers for key in _lists(canonical_key(paper.state), [paper]))
    return list(dict.fromkeys([*papers, *map(alias_item_key, names), *lists, *facts, *_in_text(message)]))


def plan(message: Message, stored: Mapping[Key, Item]) -> Plan:
    """The writes that a message needs, given the stored items; none if it was written before."""
    facts = {key_of(fact): fact for fact in _mentions(message)}
    facts = {key: fact for key, fact in facts.items() if key not in stored}
    if not isinstance(message, PapersMessage):
        return Plan((), (), (), list(facts.values()), (), ())
    papers_under: defaultdict[str, list[PaperPart]] = defaultdict(list)
    keys_of: defaultdict[str, set[str]] = defaultdict(set)
    for paper in message.papers:
        key = canonical_key(paper.state)
        papers_under[key].append(paper)
        for name in aliases(paper.state):
            keys_of[name].add(key)
    updates: list[Update] = []
    lists: list[Item] = []
    edges: list[EdgeId] = []
    for key, papers in papers_under.items():
        item = stored.get(paper_item_key(key), NO_ITEM)
        updates.append(_paper_update(key, papers, message.seen_at, item))
        for list_key, (listed, marker) in _lists(key, papers).items():
            if list_key not in stored and marker not in item.get("written", ()):
                edges += listed
                lists.append({"pk": list_key[0], "sk": list_key[1], "cited": packed_ids(it.target for it in listed)})
    names = [_alias_update(name, keys, stored) for name, keys in keys_of.items()]
    in_text = [_in_text_update(key, stated, stored.get(key, NO_ITEM)) for key, stated in _in_text(message).items()]
    joins = (_with_effect(updates), _with_effect(names), _with_effect(in_text))
    return Plan(*joins, list(facts.values()), segments("", edges), lists)


def _paper_update(canonical_key: str, papers: Sequence[PaperPart], seen_at: str, stored: Item) -> Update:
    """The join of the stored item with the message; repeated if another writer changes the item in between."""
    key = paper_item_key(canonical_key)
    sets: dict[str, str] = {}
    newest = max((seen_at, state_digest(paper.state), canonical(paper.state)) for paper in papers)
    if newest[:2] > (stored.get("seen_at", ""), stored.get("digest", "")):
        sets |= dict(zip(("seen_at", "digest", "paper"), newest, strict=True))
    stated = (known_retractions.stated(it.state, seen_at) for it in papers)
    retraction = known_retractions.joined((known_retractions.stored(stored), *stated))
    if retraction != stored.get("retraction", ""):
        sets["retraction"] = retraction
    if seen_at < stored.get("first_seen", "~"):
        sets["first_seen"] = seen_at
    if "seen_at" not in stored:
        sets |= {"target": SHARDS[int(state_digest(canonical_key)[0], 16)], "source": key[0]}
    adds = {
        "ids": _new({name for paper in papers for name in aliases(paper.state)}, stored.get("ids")),
        "providers": _new({provider for paper in papers for provider in paper.references}, stored.get("providers")),
    }
    expected = {
        "seen_at": stored.get("seen_at"),
        "digest": stored.get("digest"),
        "first_seen": stored.get("first_seen"),
        "retraction": stored.get("retraction"),
    }
    return Update(key, sets, adds, expected if sets else {})


def _alias_update(name: str, canonical_keys: Iterable[str], stored: Mapping[Key, Item]) -> Update:
    key = alias_item_key(name)
    return Update(key, {}, {"homes": _new(canonical_keys, canonical_keys_of(stored.get(key, NO_ITEM)))})


def _in_text(message: PapersMessage) -> dict[Key, list[InText]]:
    """How the papers cite others in their texts, by the items that store it."""
    found: defaultdict[Key, list[InText]] = defaultdict(list)
    for paper in message.papers:
        for target, it in paper.in_text.items():
            found[in_text_item_key(canonical_key(paper.state), target)].append(it)
    return found


def _in_text_update(key: Key, stated: Sequence[InText], stored: Item) -> Update:
    """The join of the stored item with the message; repeated if another writer changes the item in between."""
    known = stored.get("in_text")
    text = canonical(joined_in_text([*([json.loads(known)] if known else []), *stated]))
    # The target is that of the edge, so that also versions before in-text citations count the two as one.
    sets = {"in_text": text, "target": target_in(key)} if text != known else {}
    return Update(key, sets, {}, {"in_text": known})


def _lists(canonical_key: str, papers: Sequence[PaperPart]) -> dict[Key, tuple[list[EdgeId], str]]:
    """The reference lists of a paper by their items: the edges of each, and its mark in tables of the old form."""
    found = {}
    for paper in papers:
        for provider, ids in paper.references.items():
            if ids:
                list_digest = state_digest(ids)
                edges = [EdgeId(canonical_key, target, provider) for target in dict.fromkeys(ids)]
                found[references_item_key(canonical_key, provider, list_digest)] = (edges, f"{provider} {list_digest}")
    return found


def _mentions(message: Message) -> list[Item]:
    """One item for each time that a context cites or shows a paper."""
    if isinstance(message, PapersMessage):
        if not message.context:
            return []
        partition = context_partition(message.context["type"], message.context["id"])
        shown = dict.fromkeys(canonical_key(paper.state) for paper in message.papers)
        return [_mention(partition, message.seen_at, "shown_in", target) for target in shown]
    partition = context_partition(message.context["type"], message.context["id"])
    return [
        _mention(partition, message.at, "cited_in", mention["id"], mention["where"], message.by, mention["text"])
        for mention in message.mentions
    ]


def _mention(
    partition: str,
    at: str,
    relation: Relation,
    target: str,
    where: int | None = None,
    by: str | None = None,
    text: str | None = None,
) -> Item:
    position = NO_POSITION if where is None else f"{where:09}"
    key = MentionKey(at, relation, position, target, state_digest([partition, by, text]))
    item: Item = {
        "pk": partition,
        "sk": key.sort_key(),
        "target": target,
        "source": f"context#{at} {relation} {position} {key.digest}",
        "at": at,
        "relation": relation,
    }
    if where is not None:
        item["where"] = where
    if by is not None:
        item["by"] = by
    if text is not None:
        item["text"] = text
    return item


def _new(members: Iterable[str], stored: Iterable[str] | None) -> frozenset[str]:
    return frozenset(members) - frozenset(stored or ())


def _with_effect(updates: Iterable[Update]) -> list[Update]:
    """Without empty additions, which DynamoDB does not accept, and without updates that change nothing."""
    trimmed = [
        replace(update, adds={name: members for name, members in update.adds.items() if members}) for update in updates
    ]
    return [update for update in trimmed if update.sets or update.adds]
