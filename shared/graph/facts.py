"""What a message means as items of the papers table, and which of them are still to be written. Pure.

    pk = paper#<home>           sk = paper                            newest state, first_seen, ids, who told references
    pk = alias#<id>             sk = alias                            every home ever seen with this id
    pk = paper#<home>           sk = cites#<target> <provider>        one provider's word that it cites the target
    pk = context#<type>#<id>    sk = <at> <relation> <where> <target> <digest>   one mention, with by and text

Index by_target: what is said about `target`, in the order of `source`: citing papers by home, mentions by time, and
under papers#<0-f> the papers themselves, to go through all. Each item is a fact, or grows by a join that commutes and
repeats (newest of states, least of moments, union of sets): no two items must ever agree, so none needs a transaction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from shared.canonical_json import canonical
from shared.graph.identity import Kept, aliases, home, state_digest
from shared.graph.messages import Message, PaperPart, PapersMessage

Key = tuple[str, str]
Item = Mapping[str, Any]
Relation = Literal["cited_in", "shown_in"]
# What must be known of the items that a message touches.
KNOWN = ("pk", "sk", "seen_at", "digest", "first_seen", "ids", "providers", "written", "homes")
STATE = ("seen_at", "digest", "first_seen")
NOWHERE = "-"
# The partitions of the index that list all papers: many, so that none is written too often.
SHELVES = tuple(f"papers#{number:x}" for number in range(16))


@dataclass(frozen=True, slots=True)
class Update:
    """Set attributes and add to sets; only if the `expected` attributes are still so, None being absent."""

    key: Key
    sets: Mapping[str, str]
    adds: Mapping[str, frozenset[str]]
    expected: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is still to be written, in this order: readers find providers before edges; marks say that all is there."""

    papers: Sequence[Update]
    aliases: Sequence[Update]
    facts: Sequence[Item]  # edges and mentions, each complete in itself
    marks: Sequence[Update]


def paper_at(home: str) -> Key:
    """The item of a paper's state."""
    return f"paper#{home}", "paper"


def alias_of(name: str) -> Key:
    """The item of an id."""
    return f"alias#{name}", "alias"


def edge(home: str, target: str, provider: str) -> Key:
    """The item of an edge; a space sorts before every character of an id, so the order is that of the targets."""
    return f"paper#{home}", f"cites#{target} {provider}"


def context_at(context_type: str, context_id: str) -> str:
    """The partition of a context."""
    return f"context#{context_type}#{context_id}"


def kept(item: Item) -> Kept:
    """What a paper's item says of whose home it is."""
    return Kept(frozenset(item["ids"]), frozenset(item.get("providers", ())))


def known_keys(message: Message) -> list[Key]:
    """The items that decide what is still to be written. Edges are not among them: the marks tell of them."""
    facts = [(fact["pk"], fact["sk"]) for fact in _mentions(message)]
    if not isinstance(message, PapersMessage):
        return facts
    states = [paper.state for paper in message.papers]
    names = (name for state in states for name in aliases(state))
    return list(dict.fromkeys([*(paper_at(home(state)) for state in states), *map(alias_of, names), *facts]))


def plan(message: Message, known: Mapping[Key, Item]) -> Plan:
    """The writes that a message still needs; none when it was written before."""
    facts = {(fact["pk"], fact["sk"]): fact for fact in _mentions(message)}
    facts = {key: fact for key, fact in facts.items() if key not in known}
    if not isinstance(message, PapersMessage):
        return Plan((), (), list(facts.values()), ())
    at_home: defaultdict[str, list[PaperPart]] = defaultdict(list)
    homes_of: defaultdict[str, set[str]] = defaultdict(set)
    for paper in message.papers:
        where = home(paper.state)
        at_home[where].append(paper)
        for name in aliases(paper.state):
            homes_of[name].add(where)
    updates, marks = [], []
    for where, papers in at_home.items():
        stored = known.get(paper_at(where), {})
        updates.append(_paper_update(where, papers, message.seen_at, stored))
        written, edges = _edges(where, papers, stored)
        facts |= {(item["pk"], item["sk"]): item for item in edges}
        marks.append(Update(paper_at(where), {}, _new({"written": written}, stored)))
    names = [
        Update(alias_of(it), {}, _new({"homes": who}, known.get(alias_of(it), {}))) for it, who in homes_of.items()
    ]
    return Plan(_needed(updates), _needed(names), list(facts.values()), _needed(marks))


def _paper_update(home: str, papers: Sequence[PaperPart], seen_at: str, stored: Item) -> Update:
    """The join of what is stored with what is said; to be repeated when someone else writes in between."""
    sets: dict[str, str] = {}
    newest = max((seen_at, state_digest(paper.state), canonical(paper.state)) for paper in papers)
    if newest[:2] > (stored.get("seen_at", ""), stored.get("digest", "")):
        sets |= dict(zip(("seen_at", "digest", "paper"), newest, strict=True))
    if seen_at < stored.get("first_seen", "~"):
        sets["first_seen"] = seen_at
    if "seen_at" not in stored:
        sets |= {"target": SHELVES[int(state_digest(home)[0], 16)], "source": paper_at(home)[0]}
    said = {
        "ids": {name for paper in papers for name in aliases(paper.state)},
        "providers": {provider for paper in papers for provider in paper.references},
    }
    expected = {name: stored.get(name) for name in STATE} if sets else {}
    return Update(paper_at(home), sets, _new(said, stored), expected)


def _edges(home: str, papers: Sequence[PaperPart], stored: Item) -> tuple[set[str], list[Item]]:
    """The marks of the lists that are not there whole yet, and their edges."""
    lists = {
        f"{provider} {state_digest(ids)}": (provider, ids)
        for paper in papers
        for provider, ids in paper.references.items()
    }
    new = {mark: told for mark, told in lists.items() if mark not in stored.get("written", ())}
    edges = [(edge(home, target, provider), target) for provider, ids in new.values() for target in ids]
    # The source is unique for its target, so that the index has one order.
    items: list[Item] = [
        {"pk": pk, "sk": sk, "target": target, "source": f"{pk} {sk.rpartition(' ')[2]}"} for (pk, sk), target in edges
    ]
    return set(new), items


def _mentions(message: Message) -> list[Item]:
    """One item for each time that a context cites or shows a paper."""
    if isinstance(message, PapersMessage):
        if not message.context:
            return []
        shown = dict.fromkeys(home(paper.state) for paper in message.papers)
        where = context_at(message.context["type"], message.context["id"])
        return [_mention(where, message.seen_at, "shown_in", target, None, None, None) for target in shown]
    where = context_at(message.context["type"], message.context["id"])
    return [
        _mention(where, message.at, "cited_in", it["id"], it["where"], message.by, it["text"])
        for it in message.mentions
    ]


def _mention(
    context: str, at: str, relation: Relation, target: str, where: int | None, by: str | None, text: str | None
) -> Item:
    place = NOWHERE if where is None else f"{where:09}"
    rest = state_digest([context, by, text])
    said = {"at": at, "relation": relation, "where": where, "by": by, "text": text}
    return {
        "pk": context,
        "sk": mention_key(at, relation, place, target, rest),
        "target": target,
        "source": f"context#{at} {relation} {place} {rest}",
        **{name: value for name, value in said.items() if value is not None},
    }


def mention_key(at: str, relation: str, place: str, target: str, rest: str) -> str:
    """The sort key of a mention: by time, in a text from its beginning to its end."""
    return f"{at} {relation} {place} {target} {rest}"


def _new(said: Mapping[str, Iterable[str]], stored: Item) -> dict[str, frozenset[str]]:
    missing = {name: frozenset(members) - frozenset(stored.get(name, ())) for name, members in said.items()}
    return {name: members for name, members in missing.items() if members}


def _needed(updates: Iterable[Update]) -> list[Update]:
    return [update for update in updates if update.sets or update.adds]
