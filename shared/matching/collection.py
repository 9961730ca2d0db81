"""Incremental clustering: compares new records only with the stored records that they could be grouped with.

    new records -> stored records that share a block with one -> those that are the same paper -> their blocks, ...

A group never contains a record that no chain of such pairs connects. Therefore the groups are exactly those that
`cluster` makes of the new records and the whole collection.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shared.bibliography.paper import Paper, RecordId
from shared.matching.clustering import FULL_BLOCK, NEIGHBOURS, Key, block_keys, joined
from shared.matching.features import Features, features
from shared.matching.same_paper import Decision, compare

# The position of a record in the order of all. New records are (0, number), before every stored record.
Member = tuple[int, int]


class Collection:
    """Stored records, indexed by their block keys. Each needs a provider of its own."""

    def __init__(self) -> None:
        self._papers: dict[Member, Paper] = {}
        self._blocks: dict[Key, list[Member]] = {}
        self._read: dict[Member, Features] = {}  # of the few records that were compared

    def put(self, member: Member, paper: Paper) -> None:
        """Store a record. The first number of `member` is greater than 0."""
        self._papers[member] = paper
        for key in set(block_keys(features(paper))):
            self._blocks.setdefault(key, []).append(member)

    def remove(self, member: Member) -> None:
        """Remove a stored record."""
        for key in set(block_keys(self.features_of(member))):
            self._blocks[key].remove(member)
        del self._papers[member], self._read[member]

    def features_of(self, member: Member) -> Features:
        """The features of a stored record, cached."""
        if member not in self._read:
            self._read[member] = features(self._papers[member])
        return self._read[member]

    def block(self, key: Key) -> Sequence[Member]:
        """All stored records with this block key."""
        return self._blocks.get(key, ())

    def groups_with(self, papers: Sequence[tuple[RecordId, Paper]]) -> list[list[Member]]:
        """The groups that contain at least one of `papers`, which are the members (0, 0), (0, 1) and so on."""
        return _Lookup(self, papers).groups()


class _Lookup:
    """The collection together with some new records."""

    def __init__(self, collection: Collection, papers: Sequence[tuple[RecordId, Paper]]) -> None:
        self._collection = collection
        self._read = {
            (0, number): features(paper, record_id.answer) for number, (record_id, paper) in enumerate(papers)
        }
        self._among: dict[Key, list[Member]] = {}
        for member, record in self._read.items():
            for key in set(block_keys(record)):
                self._among.setdefault(key, []).append(member)
        self._blocks: dict[Key, Mapping[Member, int]] = {}
        self._orders: dict[Key, list[Member]] = {}

    def groups(self) -> list[list[Member]]:
        """The groups that contain a new record, each in the order of its members."""
        same, disputed, reached = self._verdicts()
        members = sorted(reached)
        places = {member: place for place, member in enumerate(members)}
        records = [self._features_of(member) for member in members]
        groups = joined(
            records,
            [(-strength, places[one], places[other]) for strength, one, other in same],
            [(places[one], places[other]) for one, other in disputed],
        )
        return [[members[place] for place in group] for group in groups.members if members[group[0]] in self._read]

    def _verdicts(self) -> tuple[list[tuple[int, Member, Member]], list[tuple[Member, Member]], set[Member]]:
        """The pairs that are the same paper or in dispute, followed from the new records; and all their records."""
        same, disputed, compared = [], [], set()
        reached = set(self._read)
        waiting = list(reached)
        while waiting:
            member = waiting.pop()
            for other in self._candidates(member):
                first, second = sorted((member, other))
                if (first, second) in compared:
                    continue
                compared.add((first, second))
                verdict = compare(self._features_of(first), self._features_of(second))
                if verdict:
                    same.append((verdict.strength, first, second))
                elif verdict.decision is Decision.DISPUTED:
                    disputed.append((first, second))
                else:
                    continue
                if other not in reached:
                    reached.add(other)
                    waiting.append(other)
        return same, disputed, reached

    def _candidates(self, member: Member) -> Iterator[Member]:
        """The records that `clustering.candidates` pairs it with."""
        for key in block_keys(self._features_of(member)):
            order = self._order(key)
            if len(order) <= FULL_BLOCK:
                yield from (other for other in order if other != member)
            else:
                place = self._blocks[key][member]
                yield from order[max(0, place - NEIGHBOURS) : place]
                yield from order[place + 1 : place + 1 + NEIGHBOURS]

    def _order(self, key: Key) -> list[Member]:
        if key not in self._orders:
            block = [*self._among.get(key, ()), *self._collection.block(key)]
            if len(block) > FULL_BLOCK:
                block.sort(key=lambda member: (self._features_of(member).titles[0].compact, member))
                self._blocks[key] = {member: place for place, member in enumerate(block)}
            self._orders[key] = block
        return self._orders[key]

    def _features_of(self, member: Member) -> Features:
        return self._read[member] if member in self._read else self._collection.features_of(member)
