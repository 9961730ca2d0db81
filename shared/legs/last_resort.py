"""A search all of whose legs were refused for the queues of their providers waits for one of them after all."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from shared.legs.leg import Leg, LegAnswer
from shared.rate_limits.budget import MIN_RESPONSE_S

AT_ONCE = 15  # searches that are refused at the same moment, and may join the same queue


def last_resort(
    legs: Sequence[Leg], answers: Mapping[int, LegAnswer], left_s: float, rates: Mapping[str, float]
) -> int | None:  # fmt: skip
    """The leg that may be asked again the soonest, within `left_s` seconds, if no leg was answered; else None.

    The soonest for AT_ONCE searches: `rates` has the requests that a provider allows in a second, by default one.
    It was refused for the queue of its provider, or because this service was too busy to use its permit in time.
    """
    if any(answer.reply.outcome.answered for answer in answers.values()):
        return None
    waits = {
        number: answer.reply.retry_after_s
        for number, answer in answers.items()
        if answer.reply.outcome.no_room and legs[number].queue_s < math.inf
    }
    within = {number: wait for number, wait in waits.items() if wait is not None and wait + MIN_RESPONSE_S < left_s}
    return min(
        within, key=lambda number: within[number] + AT_ONCE / rates.get(legs[number].provider, 1.0), default=None
    )
