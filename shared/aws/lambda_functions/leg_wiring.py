"""The adapters of legs on AWS, for each function that queries providers: their functions, cache, states and threads."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime

import boto3

from shared.aws.dynamodb.leg_cache import DynamoLegCache
from shared.aws.dynamodb.provider_states import ProviderStates
from shared.aws.dynamodb.search_cache import search_cache
from shared.aws.lambda_functions.provider_fan_out import LegThreads, ProviderFanOut
from shared.aws.runtime.boto_configs import BEST_EFFORT
from shared.aws.runtime.settings import required
from shared.legs.leg import LegDependencies
from shared.providers.capabilities import integrity_trackers, read_capabilities, searched_disciplines
from shared.providers.function_names import function_names
from shared.query.query_sizes import MAX_WORDINGS

SEARCHES_AT_ONCE = 1  # in a process of Lambda


class LegWiring:
    """What all legs of a process share. Made while its function is imported, when it has a whole processor."""

    def __init__(self) -> None:
        # The infrastructure writes this variable from the folder of providers.
        self.capabilities = read_capabilities(required("CAPABILITIES"))
        self.disciplines = searched_disciplines(self.capabilities)
        # Those of the largest search: a leg that gets no thread in time is not sent at all.
        self.most_legs = SEARCHES_AT_ONCE * len(self.disciplines) * MAX_WORDINGS
        functions = function_names(required("PROVIDER_FUNCTIONS"), self.capabilities)
        self.fan_out = ProviderFanOut(functions, self.most_legs)
        self.tracks_integrity = integrity_trackers(self.capabilities)
        self.dynamodb = boto3.client("dynamodb", config=BEST_EFFORT)  # ten milliseconds: others use it as well
        self.states = ProviderStates(self.dynamodb, required("PROVIDER_BUDGETS_TABLE"))
        self.cache = search_cache(boto3.resource("dynamodb", config=BEST_EFFORT))
        self._threads = LegThreads(self.most_legs)
        self._rates = {name: ability.requests_per_second for name, ability in self.capabilities.items()}

    def dependencies(
        self,
        owner: str,
        now: Callable[[], datetime],
        monotonic: Callable[[], float],
        *,
        scheduled: bool,
        stored_after: float | None = None,
        began_ms: int | None = None,
    ) -> LegDependencies:
        """The dependencies of the legs of one request, `owner`. No caller waits for `scheduled` ones.

        From `stored_after` on (epoch seconds), the request may have been answered. `began_ms` is when it began, if that
        was in another invocation.
        """
        return LegDependencies(
            cache=DynamoLegCache(self.cache, now, owner=owner, began_ms=began_ms),
            threads=self._threads,
            ask=self.fan_out.asker(owner, scheduled=scheduled, stored_after=stored_after),
            refusals=self.states.refusals,
            monotonic=monotonic,
            jitter=random.random,
            rates=self._rates,
            scheduled=scheduled,
        )
