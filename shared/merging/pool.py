"""The records of one paper, and how they vote: what the rules for ids and fields have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from shared.bibliography.paper import Paper
from shared.bibliography.preprints import is_preprint

if TYPE_CHECKING:
    from _typeshed import SupportsRichComparison

T = TypeVar("T")
ProviderValues = Sequence[tuple[T, str]]  # values of one field, each with the provider of its record
Choice = tuple[T | None, tuple[str, ...]]  # the winning value, and the providers that state it
Provenance = Mapping[str, tuple[str, ...]]  # field -> the providers of its value


@dataclass(frozen=True, slots=True)
class Pool:
    """The records of one paper in a fixed order: where rules find values equal, the first of them wins."""

    records: tuple[Paper, ...]
    published: tuple[Paper, ...]  # the records that are not preprints; all of them if every record is a preprint

    @classmethod
    def of(cls, records: Sequence[Paper]) -> Pool:
        """Separate the published records from those of preprints."""
        pool = tuple(records)
        return cls(pool, tuple([record for record in pool if not is_preprint(record)]) or pool)

    def values(self, read: Callable[[Paper], T | None]) -> ProviderValues[T]:
        """The values of the published records; if they have none, those of the preprints."""
        values = [(value, record.provider) for record in self.published if (value := read(record))]
        if values or len(self.published) == len(self.records):
            return values
        return [(value, record.provider) for record in self.records if (value := read(record))]


def best(values: ProviderValues[T], preference: Callable[[T], SupportsRichComparison]) -> Choice[T]:
    """The value with the least preference, and its providers."""
    if not values:
        return None, ()
    winner = values[0][0]
    holders = [provider for value, provider in values if value == winner]
    if len(holders) < len(values):
        winner = min(values, key=lambda pair: preference(pair[0]))[0]
        holders = [provider for value, provider in values if value == winner]
    return winner, tuple(sorted(set(holders)))


def most_agreed(
    values: ProviderValues[T], preference: Callable[[T], SupportsRichComparison] | None = None
) -> Choice[T]:
    """The value that most providers state; of equally many the one with the least preference, then the first."""
    if len(values) < 2:
        return (values[0][0], (values[0][1],)) if values else (None, ())
    if len({value for value, _ in values}) == 1:
        return values[0][0], tuple(sorted({provider for _, provider in values}))
    votes = votes_of(values)
    return best(values, lambda value: (-votes[value], preference(value) if preference else 0))


def votes_of(values: ProviderValues[T]) -> Counter[T]:
    """How many providers state each value. A provider has one vote, however many of its records state the value."""
    return Counter([value for value, _ in set(values)])


def providers(records: Iterable[Paper]) -> tuple[str, ...]:
    """Their providers, each once, sorted."""
    return tuple(sorted({record.provider for record in records}))
