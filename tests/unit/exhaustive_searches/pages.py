"""Pages of a source that counts its records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared.legs.leg import Leg
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from tests.unit.records import record


def page_of(size: int, total: int) -> Callable[[Leg], ProviderReply]:
    """Answers a listing with its page of so many records, of a `total` with a DOI each."""

    def reply(leg: Leg) -> ProviderReply:
        question: Any = leg.question
        first = int(question.position or 0)
        numbers = range(first, min(first + size, total))
        papers = tuple(
            record(f"Paper number {n} of its own kind", provider=leg.provider, doi=f"10.1000/{n}") for n in numbers
        )
        end = first + size
        return ProviderReply(
            provider=leg.provider, family=leg.provider, outcome=Outcome.OK, papers=papers, total_estimate=total,
            next_position=str(end) if end < total else None, retrieved_at="2026-11-23T00:00:00Z",
            effective_query="GET https://api.example.org",
        )  # fmt: skip

    return reply
