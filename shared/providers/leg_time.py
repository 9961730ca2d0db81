"""The time of a leg, as the event of its function states it."""

from __future__ import annotations

import math

from shared.providers.provider import LEG_TIMEOUT_S, ProviderSpec

LONGEST_START_S = 10.0  # Lambda ends a function that starts for longer


def seconds_left(spec: ProviderSpec, timeout_ms: float | None, deadline_ms: float | None, now: float) -> float:
    """The time of the leg: not longer than `timeout_ms`, and until `deadline_ms`, which a start of the function delays.

    `now` is in epoch seconds. A clock that is wrong by more than the start of a function takes shortens no leg.
    """
    seconds = min(spec.timeout_s, LEG_TIMEOUT_S if timeout_ms is None else timeout_ms / 1000)
    late_s = now + seconds - (math.inf if deadline_ms is None else deadline_ms / 1000)
    return max(seconds - late_s, 0.05) if 0 < late_s < LONGEST_START_S else seconds
