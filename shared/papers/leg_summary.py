"""What an answer says of the legs that it was made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.legs.leg import LegAnswer
from shared.legs.reports import Reports, cache_state, complete, reports_of

if TYPE_CHECKING:
    from shared.answers.search import CacheState


@dataclass(frozen=True, slots=True)
class LegSummary:
    """The fields `complete`, `providers` and `cache` of an answer."""

    complete: bool
    providers: Reports
    cache: CacheState

    @classmethod
    def of(cls, answers: Sequence[LegAnswer]) -> LegSummary:
        """The summary of these legs."""
        reports = reports_of([answer.reply for answer in answers])
        return cls(complete(reports, ()), reports, cache_state(answers))
