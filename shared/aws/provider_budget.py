"""Each provider's budget and circuit in DynamoDB: one item a provider, for all Lambdas.

pk = provider#<name>   sk = state   `version` counts the writes, `state` is JSON (no query, no key, no caller)

A write goes through only over the version that was seen; where it does not, DynamoDB sends along what is there, so that
the next attempt needs no read. When DynamoDB fails, the process goes on with what it remembers: its own requests still
keep the limits, and no search fails for it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.dynamodb_errors import is_condition_failure
from shared.aws.observability import code_of, logger
from shared.budgets.budget import reconcile
from shared.budgets.state import MemoryStore, ProviderState, VersionedState, state_from_json, state_to_json

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

OUTAGE_PAUSE_S = (
    5.0  # after a failure the table is left alone for so long: waiting for it would cost every leg its time
)


class ItemClient(Protocol):
    """What a provider needs of DynamoDB, as botocore's client has it."""

    @property
    def get_item(self) -> Callable[..., Any]:
        """One item."""

    @property
    def put_item(self) -> Callable[..., Any]:
        """Write one item, under a condition."""


def item_client() -> ItemClient:
    """In Lambda the client that is made quickly; elsewhere botocore's, which finds credentials in every place."""
    if "AWS_LAMBDA_FUNCTION_NAME" in os.environ:
        from shared.aws.signed_dynamodb import SignedDynamoDB

        return SignedDynamoDB()
    return dynamodb_client()


def dynamodb_client() -> DynamoDBClient:
    """A client that gives up early: a leg has 15 s for everything."""
    import boto3

    from shared.aws.boto_configs import BEST_EFFORT

    return boto3.client("dynamodb", config=BEST_EFFORT)


class DynamoStore:
    """`shared.budgets.state.Store` over one item."""

    def __init__(self, client: ItemClient, table_name: str, provider: str, *, now: Callable[[], float]) -> None:
        self._client = client
        self._table_name = table_name
        self._provider = provider
        self._now = now
        self._memory = MemoryStore()
        self._known = False
        self._unwritten = False  # the memory in_flight turns that the table was never told of
        self._away_until = 0.0

    def last(self) -> VersionedState:
        """What this process saw last; the first time, what is kept."""
        return self._memory.last() if self._known else self.read()

    def read(self) -> VersionedState:
        """What is kept now."""
        if self._now() < self._away_until:
            return self._memory.last()
        try:
            found = self._client.get_item(TableName=self._table_name, Key=_key(self._provider), ConsistentRead=True)
        except (ClientError, BotoCoreError) as error:
            return self._lost(error)
        return self._remember(found.get("Item"))

    def swap(self, seen: VersionedState, new: ProviderState) -> VersionedState | None:
        """Keep `new` if `seen` is still what is kept, else tell what is."""
        if self._now() < self._away_until:
            return self._memory.swap(seen, new)
        try:
            self._put(seen.version, new)
        except ClientError as error:
            if is_condition_failure(error):
                response: Mapping[str, Any] = error.response
                return self._remember(response.get("Item"))
            self._lost(error)
            return self._memory.swap(seen, new)
        except BotoCoreError as error:
            self._lost(error)
            return self._memory.swap(seen, new)
        self._unwritten = False
        self._memory.remember(VersionedState(new, seen.version + 1))
        return None

    def _put(self, version: int, new: ProviderState) -> None:
        text = json.dumps(state_to_json(new), separators=(",", ":"))
        values: dict[str, Any] = {"ExpressionAttributeValues": {":seen": {"N": str(version)}}} if version else {}
        self._client.put_item(
            TableName=self._table_name,
            Item={**_key(self._provider), "version": {"N": str(version + 1)}, "state": {"S": text}},
            ConditionExpression="version = :seen" if version else "attribute_not_exists(pk)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
            **values,
        )

    def _remember(self, item: Mapping[str, AttributeValueTypeDef] | None) -> VersionedState:
        seen = _seen(item)
        if self._unwritten:
            budget = reconcile(seen.state.budget, self._memory.last().state.budget)
            seen = replace(seen, state=replace(seen.state, budget=budget))
        self._known = True
        self._memory.remember(seen)
        return seen

    def _lost(self, error: Exception) -> VersionedState:
        logger.error("the provider budgets cannot be reached", provider=self._provider, error=code_of(error))
        self._away_until = self._now() + OUTAGE_PAUSE_S
        self._known = self._unwritten = True
        return self._memory.last()


def read_states(client: DynamoDBClient, table_name: str, providers: Iterable[str]) -> dict[str, ProviderState]:
    """Every provider's state by one request, a fresh one for who was never asked; empty when DynamoDB fails."""
    names = sorted(set(providers))
    if not names:
        return {}
    try:
        answer = client.batch_get_item(RequestItems={table_name: {"Keys": [_key(name) for name in names]}})
    except (ClientError, BotoCoreError) as error:
        logger.error("the provider budgets cannot be read", error=code_of(error))
        return {}
    found = {item["pk"]["S"]: item for item in answer["Responses"].get(table_name, [])}
    return {name: _seen(found.get(_key(name)["pk"]["S"])).state for name in names}


def _key(provider: str) -> dict[str, Any]:
    return {"pk": {"S": f"provider#{provider}"}, "sk": {"S": "state"}}


def _seen(item: Mapping[str, AttributeValueTypeDef] | None) -> VersionedState:
    """An item as it was seen. A state in another form, of an older version of this code, is begun anew."""
    if item is None:
        return VersionedState()
    version = int(item["version"]["N"])
    try:
        return VersionedState(state_from_json(json.loads(item["state"]["S"])), version)
    except (KeyError, TypeError, ValueError):
        logger.warning("a provider's state has another form and is begun anew")
        return VersionedState(version=version)
