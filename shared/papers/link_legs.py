"""Asking everybody who keeps lists of references or citations, and for the records of what is only named in them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper_ids import best_id, id_texts
from shared.clock import Deadline
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer
from shared.papers.dependencies import PapersWorld
from shared.papers.linked import Item, Listing, linked
from shared.papers.lookup import look_up
from shared.query.question import Links, Relation

# Papers that one provider is asked for, at most.
LIMIT = 1000
# Items of which only ids are known, and whose records are asked for; the translator's part of the time that is left.
FILLED = 100
TRANSLATORS_PART = 0.6


class Head(NamedTuple):
    """A paper whose lists are asked for: its key, and all its names."""

    key: str
    names: Collection[str]


def ask_links(
    relations: Sequence[Relation],
    heads: Sequence[Head],
    world: PapersWorld,
    deadline: Deadline,
    *,
    fresh: bool = False,
    part: float = 1.0,
) -> tuple[list[Listing], list[LegAnswer]]:
    """Everybody's lists for these papers, asked all at once, in this part of the time that is left."""
    legs = [
        (head, relation, Leg(provider, Links(relation, name, LIMIT)))
        for head in heads
        for relation in relations
        for provider, schemes in world.offering(relation).items()
        if (name := best_id(head.names, schemes))
    ]
    answers = answer_legs([leg for _, _, leg in legs], world.legs, until=deadline.share(part), fresh=fresh)
    world.observe(answers)
    listings = [
        Listing(
            head.key,
            relation,
            leg.provider,
            [it for it in answer.reply.papers if not _is(head, it.ids)],
            [it for it in answer.reply.pointers if not _is(head, it.ids)],
        )
        for (head, relation, leg), answer in zip(legs, answers, strict=True)
    ]
    return listings, answers


def _is(head: Head, ids: Identifiers) -> bool:
    """Whether these are names of the paper itself and of no other; some sources list a paper in its own list."""
    names = id_texts(ids)
    return bool(names) and set(names) <= set(head.names)


def with_records(
    listings: Sequence[Listing], world: PapersWorld, deadline: Deadline, order: Callable[[Item], Any]
) -> tuple[list[Item], list[LegAnswer]]:
    """The items of all lists in their order, those that are only ids with their records; and the legs asked for these.

    The first of them alone; of two that only their records show to be one paper, one is left. Who translates ids has
    most of the records in one question; when it does not answer, the others are asked.
    """
    items = sorted(linked(listings), key=order)
    bare = [item.key for item in items if item.key and item.paper is None][:FILLED]
    if not bare:
        return items, []
    translators = {name for name, ability in world.abilities.items() if ability.translates}
    first = look_up(bare, world, deadline, only=translators, part=TRANSLATORS_PART)
    unanswered = [it.name for it in first.sought if not it.answered_by]
    others = look_up(unanswered, world, deadline, only=world.abilities.keys() - translators)
    records = [record for it in (*first.sought, *others.sought) if it.paper for record in it.paper.records]
    return sorted(linked(listings, records), key=order), [*first.answers, *others.answers]
