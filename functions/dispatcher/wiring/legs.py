"""The adapters of all legs on AWS, built once per process: caches, providers, queue, clock."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TYPE_CHECKING

import boto3

from shared.aws.dynamodb.claims import Claims
from shared.aws.dynamodb.result_sets import DynamoResultSets
from shared.aws.lambda_functions.leg_wiring import LegWiring
from shared.aws.messaging.citation_queue import CitationQueue
from shared.aws.runtime.boto_configs import BEST_EFFORT
from shared.aws.runtime.settings import fresh_limits, required
from shared.clock import now
from shared.legs.leg import LegDependencies
from shared.search.result_sets.kept_pages import KeptPages

if TYPE_CHECKING:
    from shared.aws.dynamodb.fresh_budgets import DynamoFreshBudgets
    from shared.aws.dynamodb.stored_counts import DynamoStoredCounts

CLAIM_S = 1.0  # a search that waits for the answer to its claim has less time for the rest
LEADER_S = 30.0  # a claim to lead equal searches lasts as long as the slowest search

LEGS = LegWiring()
DISCIPLINES = LEGS.disciplines
_JITTER = random.random
_CLAIMANTS = ThreadPoolExecutor(max_workers=4, thread_name_prefix="claim")
SQS = boto3.client("sqs", config=BEST_EFFORT)  # ten milliseconds: the other wiring modules use it as well
_CLAIMS = Claims(LEGS.cache.table, now)
PUBLISH = CitationQueue(SQS, required("CITATIONS_QUEUE_URL"), now, _CLAIMS)


def leg_dependencies(
    request_id: str, *, scheduled: bool = False, stored_after: float | None = None, began_ms: int | None = None
) -> LegDependencies:
    """The dependencies of one request's legs, as those of `LegWiring`."""
    return LEGS.dependencies(
        request_id, now, time.monotonic, scheduled=scheduled, stored_after=stored_after, began_ms=began_ms
    )


class _SingleFlight:
    """`shared.search.result_sets.single_flight.SingleFlight` of this process."""

    def claim(self, request_key: str) -> Callable[[], bool]:
        """In another thread: the legs do not wait for it."""
        claim = _CLAIMANTS.submit(copy_context().run, _CLAIMS.claim, f"making#{request_key}", LEADER_S)

        def is_leader() -> bool:
            try:
                return claim.result(CLAIM_S) is not None
            except TimeoutError:
                return True  # the table is slow: as without it, every search makes its own

        return is_leader

    def wait(self, seconds: float) -> None:
        """Half as long to half as long again."""
        time.sleep(seconds * (0.5 + _JITTER()))


SINGLE_FLIGHT = _SingleFlight()
PAGES = KeptPages()


def result_sets() -> DynamoResultSets:
    """The store of result sets."""
    return DynamoResultSets(LEGS.cache, now)


def stored_counts() -> DynamoStoredCounts:
    """The store of the graph's size."""
    from shared.aws.dynamodb.stored_counts import DynamoStoredCounts

    return DynamoStoredCounts(LEGS.cache, now)


def fresh_budgets() -> DynamoFreshBudgets:
    """The budgets for requests that skip the cache."""
    from shared.aws.dynamodb.fresh_budgets import DynamoFreshBudgets

    return DynamoFreshBudgets(LEGS.cache.table, fresh_limits(), now)
