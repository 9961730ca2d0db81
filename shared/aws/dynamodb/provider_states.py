"""The shared states of providers as a search needs them: which providers it does not invoke, and why."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from shared.aws.dynamodb.rate_limit_store import read_states
from shared.legs.refusals import refusals_of, replies_of_switched_off
from shared.providers.provider import ProviderReply
from shared.rate_limits.state import ProviderState

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class ProviderStates:
    """The states, and what is switched off: as it was read last, while the table fails."""

    def __init__(self, client: DynamoDBClient, table: str) -> None:
        self._client, self._table = client, table
        self.off: Mapping[str, str] = {}  # provider -> reason

    def read(self, names: Collection[str]) -> Mapping[str, ProviderState]:
        """The states of these providers; none when they cannot be read."""
        shared = read_states(self._client, self._table, names, time.time())
        if shared.off is not None:
            self.off = shared.off
        return shared.states

    def refusals(self, waits: Mapping[str, float]) -> dict[str, ProviderReply]:
        """Replies for the providers that are not invoked: off, with an open circuit, or with too long a queue.

        `waits`: the longest wait for a permit, in seconds, by provider.
        """
        states = self.read(waits)
        return {**refusals_of(states, waits, time.time()), **replies_of_switched_off(self.off, waits)}
