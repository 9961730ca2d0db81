"""The leases of the legs that a search leaves unanswered at its deadline."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from shared.legs.intervals import RELEASE_S
from shared.legs.leg import Leg, LegDependencies


def release_late(legs: Sequence[Leg], dependencies: LegDependencies) -> None:
    """Release the leases of unanswered legs for other searches, within RELEASE_S: the answer must not be late."""
    releases = [dependencies.threads.submit(partial(dependencies.cache.release, leg, None)) for leg in legs]
    until = dependencies.monotonic() + RELEASE_S
    while releases and (seconds := until - dependencies.monotonic()) > 0:
        dependencies.threads.wait(releases, seconds)
        releases = [future for future in releases if not future.done()]
