"""The groups of records that are one paper: blocks of candidates, pairs compared, joined strongest first.

Cheap exact keys bring together the records that are worth comparing, so that the work grows with the number of
records and not with its square. A join that would bring a contradiction into a group (two PMIDs, two hits of one
answer) is not made: union-find alone chains single mistakes into groups of a hundred.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from shared.bibliography.paper import Paper, RecordId
from shared.matching.disputed_ids import Join, Pair, odd_records
from shared.matching.features import Features, features
from shared.matching.rules import BY_ID
from shared.matching.same_paper import Decision, Verdict, compare, contradict

# A block within which every pair is compared; in a larger one, each record with so many neighbours in title order.
FULL_BLOCK = 10
NEIGHBOURS = 3

Doubt = tuple[int, int, Verdict]  # the positions of two records that may end in two groups, yet are near
Key = str | tuple[str | int | None, ...]  # tuples cost less than texts made of the same parts


@dataclass(frozen=True, slots=True)
class Link:
    """Two groups (by number) that are near-duplicates, and why they were left apart."""

    first: int
    second: int
    reason: str


def cluster(papers: Iterable[tuple[RecordId, Paper]]) -> tuple[list[list[int]], list[Link]]:
    """Groups of positions in `papers`, and links between groups.

    The order of `papers` decides between joins of equal strength: sort them by id for a reproducible result.
    """
    records = [features(paper, record_id.answer) for record_id, paper in papers]
    same: list[Join] = []
    doubts: list[Doubt] = []
    disputed: list[Pair] = []
    for first, second in candidates(records):
        verdict = compare(records[first], records[second])
        if verdict:
            same.append((-verdict.strength, first, second))
            doubts.append((first, second, verdict))
        elif verdict.decision is not Decision.DIFFERENT:
            doubts.append((first, second, verdict))
        if verdict.decision is Decision.DISPUTED:
            disputed.append((first, second))
    groups = joined(records, same, disputed)
    return groups.members, _links(groups, doubts)


def candidates(records: Sequence[Features]) -> list[tuple[int, int]]:
    """The pairs worth comparing."""
    pairs: set[tuple[int, int]] = set()
    for block in set(map(tuple, _blocks(records))):  # the same records often share several keys
        pairs.update(combinations(block, 2) if len(block) <= FULL_BLOCK else _neighbours(block, records))
    return sorted(pairs)


def _blocks(records: Sequence[Features]) -> Iterable[list[int]]:
    """The records that share a key, in their order; most keys are one record's alone and make no block."""
    first: dict[Key, int] = {}
    blocks: dict[Key, list[int]] = {}
    for number, record in enumerate(records):
        for key in block_keys(record):
            other = first.setdefault(key, number)
            if other == number:
                continue
            block = blocks.setdefault(key, [other])
            if block[-1] != number:  # two forms of one title may share a key
                block.append(number)
    return blocks.values()


def _neighbours(block: Sequence[int], records: Sequence[Features]) -> Iterator[tuple[int, int]]:
    in_order = sorted(block, key=lambda number: (records[number].titles[0].compact, number))
    for place, first in enumerate(in_order):
        for second in in_order[place + 1 : place + 1 + NEIGHBOURS]:
            yield (first, second) if first < second else (second, first)


def block_keys(record: Features) -> list[Key]:
    """What records share that are worth comparing; of large blocks only the next neighbours are."""
    keys: list[Key] = [*record.ids]
    author = record.names[0].family if record.names else ""
    for title in record.titles:
        keys.append(("title", title.compact[:30]))
        keys.append(("words", *title.telling))
        if author:  # by two words, since the longest may be misspelled and the year unknown
            keys += [("author and word", author, word) for word in title.telling[:2]]
    if author:
        keys.append(("author and year", author, record.year))
        if len(record.names) > 1:
            keys.append(("some author and year", min(record.families), record.year))
    if record.page:
        keys.append(("page and year", record.page, record.year))
        if record.volume:
            keys.append(("page and volume", record.page, record.volume))
    return keys


class Groups:
    """Disjoint groups, joined only where no two members contradict each other."""

    def __init__(self, records: Sequence[Features]) -> None:
        self._records = records
        self._group_of = list(range(len(records)))
        self._members: dict[int, list[int]] = {}

    @property
    def members(self) -> list[list[int]]:
        """All groups, singletons included, in the order of their first members."""
        return [self._of(group) for number, group in enumerate(self._group_of) if group == number]

    def group_of(self, number: int) -> int:
        """The number of a record's group: its first member."""
        return self._group_of[number]

    def _of(self, group: int) -> list[int]:
        return self._members.get(group) or [group]

    def _unequal(self, group: Sequence[int]) -> Sequence[int]:
        """Its members without repetitions, which a list of a thousand copies of one record consists of."""
        return group if len(group) <= FULL_BLOCK else list({self._first_equal[number] for number in group})

    @cached_property
    def _first_equal(self) -> list[int]:
        """For each record the first of its answer that has the same contents at any rank."""
        first: dict[tuple[tuple[str, int], Paper], int] = {}
        return [
            first.setdefault((it.answer, replace(it.paper, rank=1)), number) for number, it in enumerate(self._records)
        ]

    def _contradict(self, ours: Sequence[int], theirs: Sequence[int], *, by_id: bool) -> bool:
        others = [self._records[number] for number in self._unequal(theirs)]
        for number in self._unequal(ours):
            record = self._records[number]
            for other in others:
                if contradict(record, other, joined_by_id=by_id):
                    return True
        return False

    def join(self, first: int, second: int, *, by_id: bool) -> None:
        """Make one group of two, unless they contradict each other."""
        low, high = self._group_of[first], self._group_of[second]
        if low == high:
            return
        if low > high:
            low, high = high, low
        ours, theirs = self._of(low), self._of(high)
        if len(ours) + len(theirs) > 2 and self._contradict(ours, theirs, by_id=by_id):
            return
        self._members[low] = sorted(ours + theirs)
        self._members.pop(high, None)
        for number in theirs:
            self._group_of[number] = low


def joined(records: Sequence[Features], same: Sequence[Join], disputed: Sequence[Pair]) -> Groups:
    """The records' groups by the pairs that are the same paper, the strongest first; `disputed` share a wrong id."""
    groups = Groups(records)
    odd = odd_records(records, same, disputed)
    for strength, first, second in sorted(same):
        if (first in odd) is (second in odd):
            groups.join(first, second, by_id=-strength > BY_ID)
    return groups


def _links(groups: Groups, doubts: list[Doubt]) -> list[Link]:
    found: dict[tuple[int, int], str] = {}
    for first, second, verdict in doubts:
        one, other = groups.group_of(first), groups.group_of(second)
        if one != other:
            reason = f"{verdict.reason}, but other records contradict that" if verdict else verdict.reason
            found.setdefault((min(one, other), max(one, other)), reason)
    return [Link(first, second, reason) for (first, second), reason in sorted(found.items())]
