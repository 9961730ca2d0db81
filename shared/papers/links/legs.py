"""Queries providers for lists of references or citations, and for the records of papers listed by id alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Paper
from shared.bibliography.paper_ids import best_id, id_texts
from shared.clock import Deadline
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer
from shared.papers.dependencies import PaperDependencies
from shared.papers.links.merging import LinkedItem, LinkList, merge_listings
from shared.papers.links.order import SortKey
from shared.papers.lookup import look_up
from shared.query.question import Links, Relation

# The most papers requested of one provider's list.
LIMIT = 1000
# The most items known by id alone whose records are requested, and the translator's share of the remaining time.
RECORDS_REQUESTED = 100
TRANSLATOR_SHARE = 0.6


class Head(NamedTuple):
    """A paper whose lists are requested: its key, and all its names."""

    key: str
    names: Collection[str]


class Items(NamedTuple):
    """The items of a merged list, and the legs sent for records; `is_cut` if records that may exist were left out."""

    items: list[LinkedItem]
    answers: list[LegAnswer]
    is_cut: bool


def query_lists(
    relations: Sequence[Relation],
    heads: Sequence[Head],
    dependencies: PaperDependencies,
    deadline: Deadline,
    *,
    fresh: bool,
    part: float = 1.0,
) -> tuple[list[LinkList], list[LegAnswer]]:
    """The lists of all providers for these papers, queried at once within this share of the remaining time."""
    legs = [
        (head, relation, Leg(provider, Links(relation, name, LIMIT)))
        for head in heads
        for relation in relations
        for provider, schemes in dependencies.providers_supporting(relation).items()
        if (name := best_id(head.names, schemes))
    ]
    answers = answer_legs([leg for _, _, leg in legs], dependencies.legs, until=deadline.share(part), fresh=fresh)
    dependencies.observe(answers)
    listings = [
        LinkList(
            head.key,
            relation,
            leg.provider,
            [paper for paper in answer.reply.papers if not _is_head(head, paper.ids)],
            [pointer for pointer in answer.reply.pointers if not _is_head(head, pointer.ids)],
            answer.reply.in_text,
        )
        for (head, relation, leg), answer in zip(legs, answers, strict=True)
    ]
    return listings, answers


def _is_head(head: Head, ids: Identifiers) -> bool:
    """Whether all these ids are the head's own: some providers list a paper in its own list."""
    names = id_texts(ids)
    return bool(names) and set(names) <= set(head.names)


def with_records(
    listings: Sequence[LinkList],
    dependencies: PaperDependencies,
    deadline: Deadline,
    order: Callable[[LinkedItem], tuple[SortKey, str, str]],
    known: Sequence[Paper] = (),
) -> Items:
    """The merged items sorted by `order`, with the records of those listed by id alone.

    If the time of the request is used up before, these records are left out.

    Records are requested for the first RECORDS_REQUESTED such items only. Providers that translate between names have
    most records in one answer; the others are queried for what these did not answer. Items that turn out to be one
    paper by their records are joined; `known` are further records of such papers.
    """
    items = sorted(merge_listings(listings, known), key=order)
    without_record = [item.key for item in items if item.key and item.paper is None][:RECORDS_REQUESTED]
    if not without_record or deadline.over:
        return Items(items, [], is_cut=bool(without_record))
    translators = {name for name, capability in dependencies.capabilities.items() if capability.translates}
    others = dependencies.not_optional - translators
    first = look_up(without_record, dependencies, deadline, only=translators, part=TRANSLATOR_SHARE)
    unanswered = [request.name for request in first.requests if not request.answered_by]
    second = look_up(unanswered, dependencies, deadline, only=others)
    found = [request.paper for request in (*first.requests, *second.requests) if request.paper]
    records = [record for paper in found for record in paper.records]
    answers = [*first.answers, *second.answers]
    if not records or deadline.over:
        return Items(items, answers, is_cut=bool(records))
    return Items(sorted(merge_listings(listings, [*known, *records]), key=order), answers, is_cut=False)
