"""The records of one paper, and how they vote: what the rules for ids and fields have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from shared.bibliography.paper import Paper
from shared.bibliography.preprints import is_preprint

T = TypeVar("T")
Told = Sequence[tuple[T, str]]  # values of one field, each with the provider of the record that tells it
Found = tuple[Any, tuple[str, ...]]  # the winning value, and the providers that hold it
NOTHING: Found = (None, ())


@dataclass(frozen=True, slots=True)
class Pool:
    """The records of one paper in a fixed order: the first of equals wins, whatever order they came in."""

    records: tuple[Paper, ...]
    published: tuple[Paper, ...]  # those that speak first; all when there are only preprints

    @classmethod
    def of(cls, records: Sequence[Paper]) -> Pool:
        """Sort out the records."""
        pool = tuple(records)
        return cls(pool, tuple([record for record in pool if not is_preprint(record)]) or pool)

    def told(self, value_of: Callable[[Paper], T | None]) -> Told[T]:
        """The values that the published records tell or, where they are silent, the preprints."""
        told = [(value, record.provider) for record in self.published if (value := value_of(record))]
        if told or len(self.published) == len(self.records):
            return told
        return [(value, record.provider) for record in self.records if (value := value_of(record))]


def best(told: Told[T], preference: Callable[[T], Any]) -> Found:
    """The value that is least by preference, and who holds it."""
    if not told:
        return NOTHING
    winner = told[0][0]
    holders = [provider for value, provider in told if value == winner]
    if len(holders) < len(told):
        winner = min(told, key=lambda it: preference(it[0]))[0]
        holders = [provider for value, provider in told if value == winner]
    return winner, tuple(sorted(set(holders)))


def most_agreed(told: Told[T], then: Callable[[T], Any] | None = None) -> Found:
    """The value that most providers tell; of equally many, the least by `then`."""
    if len(told) < 2:
        return (told[0][0], (told[0][1],)) if told else NOTHING
    if len({value for value, _ in told}) == 1:
        return told[0][0], tuple(sorted({provider for _, provider in told}))
    votes = votes_of(told)
    return best(told, lambda value: (-votes[value], then(value) if then else 0))


def votes_of(told: Told[T]) -> Counter[T]:
    """How many providers tell each value; one that was asked in several wordings still has one vote."""
    return Counter([value for value, _ in set(told)])


def providers(records: Iterable[Paper]) -> tuple[str, ...]:
    """Their providers, each once, sorted."""
    return tuple(sorted({record.provider for record in records}))
