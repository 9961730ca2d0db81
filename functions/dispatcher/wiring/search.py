"""The adapters of all legs on AWS, built once per process: caches, providers, queue, clock."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TYPE_CHECKING

import boto3

from shared.aws.dynamodb.claims import Claims
from shared.aws.dynamodb.large_items import LargeItems
from shared.aws.dynamodb.leg_cache import DynamoLegCache
from shared.aws.dynamodb.provider_states import ProviderStates
from shared.aws.dynamodb.result_sets import DynamoResultSets
from shared.aws.lambda_functions.provider_fan_out import LegThreads, ProviderFanOut
from shared.aws.messaging.citation_queue import CitationQueue
from shared.aws.runtime.boto_configs import BEST_EFFORT
from shared.aws.runtime.settings import fresh_limits, required
from shared.aws.s3.files import Files
from shared.clock import now
from shared.legs.leg import LegDependencies
from shared.providers.capabilities import read_capabilities, searched_disciplines
from shared.search.kept_pages import KeptPages

if TYPE_CHECKING:
    from shared.aws.dynamodb.fresh_budgets import DynamoFreshBudgets
    from shared.aws.dynamodb.stored_counts import DynamoStoredCounts


CLAIM_S = 1.0  # a search that waits for the answer to its claim has less time for the rest
MAKING_S = 30.0  # a claim on a result set lasts as long as the slowest search


# The infrastructure writes both variables from the folder of providers: {"pubmed": "its function", …}.
CAPABILITIES = read_capabilities(required("CAPABILITIES"))
DISCIPLINES = searched_disciplines(CAPABILITIES)
RATES = {name: ability.requests_per_second for name, ability in CAPABILITIES.items()}
INTEGRITY = frozenset(name for name, ability in CAPABILITIES.items() if ability.tracks_integrity)
FAN_OUT = ProviderFanOut(json.loads(required("PROVIDERS")))
_THREADS = LegThreads()
_JITTER = random.random
_CLAIMANTS = ThreadPoolExecutor(max_workers=4, thread_name_prefix="claim")
# Each client takes ten milliseconds to make: the other wiring modules use these as well.
DYNAMODB = boto3.client("dynamodb", config=BEST_EFFORT)
SQS = boto3.client("sqs", config=BEST_EFFORT)
_ITEMS = LargeItems(
    boto3.resource("dynamodb", config=BEST_EFFORT),
    required("SEARCH_CACHE_TABLE"),
    Files(required("SEARCH_CACHE_BUCKET")),
)
_CLAIMS = Claims(_ITEMS.table, now)
PUBLISH = CitationQueue(SQS, required("CITATIONS_QUEUE_URL"), now, _CLAIMS)


STATES = ProviderStates(DYNAMODB, required("PROVIDER_BUDGETS_TABLE"))


def leg_dependencies(
    request_id: str, *, scheduled: bool = False, stored_after: float | None = None, began_ms: int | None = None
) -> LegDependencies:
    """The dependencies of one request's legs. From `stored_after` on (epoch seconds), it may have been answered.

    `began_ms` is when the request began, if that was in another invocation.
    """
    return LegDependencies(
        cache=DynamoLegCache(_ITEMS, now, owner=request_id, began_ms=began_ms),
        threads=_THREADS,
        ask=FAN_OUT.asker(request_id, scheduled=scheduled, stored_after=stored_after),
        refusals=STATES.refusals,
        monotonic=time.monotonic,
        jitter=_JITTER,
        rates=RATES,
        scheduled=scheduled,
    )


class _Making:
    """`shared.search.one_maker.Making` of this process."""

    def claim(self, request_key: str) -> Callable[[], bool]:
        """In another thread: the legs do not wait for it."""
        claim = _CLAIMANTS.submit(copy_context().run, _CLAIMS.claim, f"making#{request_key}", MAKING_S)

        def claimed() -> bool:
            try:
                return claim.result(CLAIM_S) is not None
            except TimeoutError:
                return True  # the table is slow: as without it, every search makes its own

        return claimed

    def wait(self, seconds: float) -> None:
        """Half as long to half as long again."""
        time.sleep(seconds * (0.5 + _JITTER()))


MAKING = _Making()
PAGES = KeptPages()


def result_sets() -> DynamoResultSets:
    """The store of result sets."""
    return DynamoResultSets(_ITEMS, now)


def stored_counts() -> DynamoStoredCounts:
    """The store of the graph's size."""
    from shared.aws.dynamodb.stored_counts import DynamoStoredCounts

    return DynamoStoredCounts(_ITEMS, now)


def fresh_budgets() -> DynamoFreshBudgets:
    """The budgets for requests that skip the cache."""
    from shared.aws.dynamodb.fresh_budgets import DynamoFreshBudgets

    return DynamoFreshBudgets(_ITEMS.table, fresh_limits(), now)
