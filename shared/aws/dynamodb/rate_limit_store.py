"""The rate limiter state of each provider in DynamoDB: one item per provider, shared by all Lambdas.

pk = provider#<name>   sk = state   `version` counts the writes, `writer` names the last one, `state` is JSON (no
query, no key, no caller)

A write is conditional on the version that was read; if it fails, DynamoDB returns the current item, so that the next
attempt needs no read. While DynamoDB cannot be reached, a process keeps its permits in memory, uses only its share of
the limits (`shared.rate_limits.outage`), and reconciles with the table when it can be reached again.

Threads of a process share what it has seen last. A write is refused without a request if another thread has changed it
since, or an outage has begun or ended: what was decided before may be more than the share.
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ConditionExpressions.html
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.dynamodb.errors import is_condition_failure, is_throttled
from shared.aws.dynamodb.slot_counter import DynamoSlotCounter, slots_key, slots_of
from shared.aws.dynamodb.source_switches import KEY as SWITCHES
from shared.aws.dynamodb.source_switches import switched_off
from shared.aws.runtime.metrics import observe_lost_table
from shared.aws.runtime.observability import error_code, logger
from shared.rate_limits.slots import with_slots
from shared.rate_limits.state import MemoryStore, Outage, ProviderState, VersionedState, reconciled
from shared.rate_limits.stored_state import state_from_json, state_to_json

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

PAUSE_S = 5.0  # seconds without requests to the table after a failure: each could cost a leg two seconds


def dynamodb_client() -> DynamoDBClient:
    """A botocore client with short timeouts: a leg has 15 s in all."""
    import boto3

    from shared.aws.runtime.boto_configs import BEST_EFFORT

    return boto3.client("dynamodb", config=BEST_EFFORT)


class DynamoStore:
    """`shared.rate_limits.state.StateStore` over one item, for one process (`shared.rate_limits.rate_limiter`)."""

    def __init__(
        self, client: DynamoDBClient, table_name: str, provider: str, *, now: Callable[[], float], process_id: str
    ) -> None:
        self._client, self._process_id = client, process_id
        self._table_name = table_name
        self._provider = provider
        self._now = now
        self._memory = MemoryStore()
        self._known = False
        self._unwritten: Outage | None = None  # in which permits were granted that are in memory and not in the table
        self._alone = 0  # how many states were stored in memory only
        self._outage: Outage | None = None
        self._paused_until = 0.0
        self._writes = count()
        self._lock = threading.Lock()  # of all of the above; never held during a request

    @property
    def outage(self) -> Outage | None:
        """Set from the first failed request to the table until the next successful one."""
        return self._outage

    def last(self) -> VersionedState:
        """The state that this process read or wrote last; from the table at first and after a pause."""
        known = self._known and (self._outage is None or self._paused())
        return self._memory.last() if known else self.read()

    def read(self) -> VersionedState:
        """The stored state; during the pause after a failure, the state in memory."""
        if self._paused():
            return self._memory.last()
        before = self._memory.last()
        try:
            response = self._client.get_item(TableName=self._table_name, Key=_key(self._provider), ConsistentRead=True)
        except (ClientError, BotoCoreError) as error:
            return self.lost(error)
        return self._reached(before, _versioned_state(response.get("Item"), self._now()))

    def swap(self, seen: VersionedState, new: ProviderState) -> VersionedState | None:
        """Store `new` if `seen` is still current, else return the current state.

        A failure of the table counts as a lost race: the caller decides again, now within its share.
        """
        with self._lock:
            newest = self._memory.last()
            if newest is not seen:
                return newest
            if self._paused():
                self._unwritten = self._unwritten or self._outage
                self._alone += 1
                return self._memory.swap(seen, new)
            alone = self._alone
        item = self._item(seen.version + 1, new)
        try:
            self._put(seen.version, item)
        except ClientError as error:
            if not is_condition_failure(error):
                return self.lost(error)
            response: Mapping[str, Any] = error.response
            # botocore repeats a write whose answer is lost: it finds its own
            if (stored := response.get("Item")) != item:
                return self._reached(seen, _versioned_state(stored, self._now()))
        except BotoCoreError as error:
            return self.lost(error)
        return self._written(seen, VersionedState(new, seen.version + 1), alone)

    def _paused(self) -> bool:
        return self._now() < self._paused_until

    def _item(self, version: int, new: ProviderState) -> dict[str, AttributeValueTypeDef]:
        text = json.dumps(state_to_json(new), separators=(",", ":"))
        writer = f"{self._process_id}-{next(self._writes)}"
        return {**_key(self._provider), "version": {"N": str(version)}, "state": {"S": text}, "writer": {"S": writer}}

    def _put(self, version: int, item: Mapping[str, AttributeValueTypeDef]) -> None:
        values: dict[str, Any] = {"ExpressionAttributeValues": {":seen": {"N": str(version)}}} if version else {}
        self._client.put_item(
            TableName=self._table_name,
            Item=item,
            ConditionExpression="version = :seen" if version else "attribute_not_exists(pk)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
            **values,
        )

    def _written(self, seen: VersionedState, written: VersionedState, alone: int) -> VersionedState | None:
        """None if the write holds; what is known now if other threads got permits in memory since `alone`.

        Neither took the other into account, so a permit that was written meanwhile stays unused.
        """
        with self._lock:
            holds = self._alone == alone
            if holds and self._memory.last().state is seen.state:
                self._unwritten = None
        current = self._reached(seen, written)
        return None if holds else current

    def _reached(self, before: VersionedState, stored: VersionedState) -> VersionedState:
        """The table has answered a request that began with `before`: what this process knows by it.

        Without an outage there is no pause, in which permits would be in memory only.
        """
        with self._lock:
            newest, ends = self._memory.last(), self._outage is not None
            self._known, self._outage, self._paused_until = True, None, 0.0
            is_older = newest is not before and newest.version > stored.version
            if is_older or stored == newest or (self._unwritten and stored.version == newest.version):
                stored = replace(newest) if ends else newest
            elif self._unwritten:
                unwritten = self._unwritten
                self._unwritten = replace(unwritten, shared=stored.state)
                stored = replace(stored, state=reconciled(stored.state, newest.state, unwritten, self._process_id))
            self._memory.remember(stored)
            return stored

    def lost(self, error: Exception) -> VersionedState:
        """A request to the table has failed: the state in memory, which holds until the pause is over."""
        logger.error("the table of rate limits cannot be reached", provider=self._provider, error=error_code(error))
        observe_lost_table(self._provider)
        with self._lock:
            now, newest = self._now(), self._memory.last()
            since = self._outage or Outage(since=now, shared=newest.state)
            self._outage = replace(since, throttled=is_throttled(error))
            self._known, self._paused_until = True, now + PAUSE_S
            self._memory.remember(replace(newest))
            return self._memory.last()


def shared_stores(
    table_name: str, provider: str, *, now: Callable[[], float], process_id: str
) -> tuple[DynamoStore, DynamoSlotCounter]:
    """The state and the slots of one provider, which all its processes share, through one client."""
    client = dynamodb_client()
    store = DynamoStore(client, table_name, provider, now=now, process_id=process_id)
    return store, DynamoSlotCounter(client, table_name, provider, lost=store.lost)


@dataclass(frozen=True, slots=True)
class SharedStates:
    """The states of providers, and which of all providers an operator has switched off, with the reasons.

    `off` is None if that is unknown.
    """

    states: dict[str, ProviderState]
    off: dict[str, str] | None


def read_states(client: DynamoDBClient, table_name: str, providers: Iterable[str], now: float) -> SharedStates:
    """The state of every provider by one request, a default for one without an item; no state if DynamoDB fails.

    What DynamoDB leaves unprocessed, under load, is unknown as well. `now` is in epoch seconds.
    """
    names = sorted(set(providers))
    if not names:
        return SharedStates({}, None)
    try:
        keys = [*(_key(name) for name in names), *(slots_key(name) for name in names), SWITCHES]
        response = client.batch_get_item(RequestItems={table_name: {"Keys": keys}})
    except (ClientError, BotoCoreError) as error:
        logger.error("the table of rate limits cannot be read", error=error_code(error))
        return SharedStates({}, None)
    items = {item["pk"]["S"]: item for item in response["Responses"].get(table_name, [])}
    unprocessed = response.get("UnprocessedKeys", {}).get(table_name)
    left = {key["pk"]["S"] for key in (unprocessed["Keys"] if unprocessed else ())}
    known = [name for name in names if left.isdisjoint((_key(name)["pk"]["S"], slots_key(name)["pk"]["S"]))]
    states = {name: _shared_state(items, name, now) for name in known}
    switches = SWITCHES["pk"]["S"]
    return SharedStates(states, None if switches in left else switched_off(items.get(switches)))


def _shared_state(items: Mapping[str, Any], name: str, now: float) -> ProviderState:
    stored, slots = items.get(_key(name)["pk"]["S"]), items.get(slots_key(name)["pk"]["S"])
    return with_slots(_versioned_state(stored, now).state, slots_of(slots), now)


def _key(provider: str) -> dict[str, Any]:
    return {"pk": {"S": f"provider#{provider}"}, "sk": {"S": "state"}}


def _versioned_state(item: Mapping[str, AttributeValueTypeDef] | None, now: float) -> VersionedState:
    """The state in an item and its version; a default state if its form is unknown (another version of this code)."""
    if item is None:
        return VersionedState()
    version = int(item["version"]["N"])
    try:
        return VersionedState(state_from_json(json.loads(item["state"]["S"]), now), version)
    except (KeyError, TypeError, ValueError):
        logger.warning("the stored rate limit state has an unknown form and is reset", key=item.get("pk", {}).get("S"))
        return VersionedState(version=version)
