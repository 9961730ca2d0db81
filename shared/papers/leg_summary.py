"""The reports and completeness of the legs behind an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shared.legs.leg import LegAnswer
from shared.legs.reports import cache_state, complete, reports_of

if TYPE_CHECKING:
    from shared.answers.search import LegSummary


def summary_of(answers: Sequence[LegAnswer]) -> LegSummary:
    """The fields `complete`, `providers` and `cache` of an answer made from these legs."""
    reports = reports_of([answer.reply for answer in answers])
    return {"complete": complete(reports, ()), "providers": reports, "cache": cache_state(answers)}
