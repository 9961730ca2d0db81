"""Hints about a citation network: why papers or citations may be missing in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shared.legs.reports import missing
from shared.papers.links.hints import OUT_OF_TIME, failure_hints

if TYPE_CHECKING:
    from shared.answers.search import Hint, LegReport


def network_hints(reports: Mapping[str, LegReport], too_slow: Sequence[str], *, is_cut: bool) -> list[Hint]:
    """The hints of a network. `too_slow`: providers whose rate limit allows no lists but those of the seeds.

    `is_cut`: steps were left out because the time was used up.
    """
    hints = failure_hints({name: reports[name] for name in missing(dict(reports), ())})
    if too_slow:
        message = f"Asked about the seeds only, for their rate is too low for more: {', '.join(too_slow)}."
        hints.append({"reason": "asked_about_seeds_only", "message": message})
    return [*hints, OUT_OF_TIME] if is_cut else hints
