"""The slots of a provider with a high rate in DynamoDB: one item, changed by conditional updates without a version.

pk = slots#<provider>   sk = slots   `next_at` in epoch microseconds   `in_flight`: permit id -> epoch seconds, a map

An update takes a slot, or adds the request to those in flight if fewer than the limit are (`size` of a map is the
number of its members), or both. A failed condition returns the item. The partition key is not that of the state, so
that both have a partition's throughput to themselves; with fifty in flight the item takes less than one write unit.
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.dynamodb.errors import is_condition_failure, is_throttled
from shared.aws.runtime.observability import logger
from shared.rate_limits.slots import SlotRequest, Slots, TableLost, TableThrottled, TakeFirst, TakeNext
from shared.rate_limits.stored_state import AHEAD_S

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

_US = 1_000_000
_ENTER, _ROOM = "in_flight.#id = :until", "size(in_flight) < :limit"


class DynamoSlotCounter:
    """`shared.rate_limits.slots.SlotCounter` over one item; `lost` is called when the table cannot be reached."""

    def __init__(
        self, client: DynamoDBClient, table_name: str, provider: str, *, lost: Callable[[Exception], object]
    ) -> None:
        self._client, self._lost = client, lost
        self._where: dict[str, Any] = {"TableName": table_name, "Key": slots_key(provider)}
        self._last: Slots | None = None

    def last(self) -> Slots | None:
        """What this process read or wrote last."""
        return self._last

    def read(self) -> Slots:
        """The slots, by an eventually consistent read, which costs half: the next update is conditional anyway."""
        try:
            response = self._client.get_item(**self._where)
        except (ClientError, BotoCoreError) as error:
            raise self._failure(error) from error
        return self._remember(response.get("Item"))

    def take(self, request: SlotRequest, step: TakeFirst | TakeNext, now: float) -> float | Slots:
        """Take a slot, and a connection with the first one, by one update."""
        interval, names = round(request.interval_s * _US), {}
        if isinstance(step, TakeFirst):
            update = "SET next_at = :next"
            conditions = ["next_at <= :idle", "next_at > :ahead"]
            values = {":next": _us(step.at) + interval, ":idle": _us(request.idle_since), ":ahead": _us(now + AHEAD_S)}
            if step.enter and request.concurrency is not None:
                update = f"{update}, {_ENTER}"
                conditions = [f"{condition} AND {_ROOM}" for condition in conditions]
                values |= _entering(request.release_by, request.concurrency)
                names = {"#id": request.permit_id}
        else:
            update = "SET next_at = next_at + :interval"
            conditions = ["next_at > :first AND next_at <= :latest"]
            values = {":interval": interval, ":first": _us(request.first), ":latest": _us(request.latest)}
        taken = self._update(update, " OR ".join(conditions), values, names)
        return self._remembered().next_at - interval / _US if taken else self._remembered()

    def enter(self, permit_id: str, release_by: float, concurrency: int) -> bool:
        """Take a connection, or keep the own one: botocore repeats an update whose answer is lost."""
        condition = f"{_ROOM} OR attribute_exists(in_flight.#id)"
        return self._update(f"SET {_ENTER}", condition, _entering(release_by, concurrency), {"#id": permit_id})

    def clear(self, permit_ids: tuple[str, ...], now: float) -> Slots:
        """Remove them if all are still there and over; otherwise another process has removed some."""
        names = {f"#id{number}": permit_id for number, permit_id in enumerate(permit_ids)}
        condition = " AND ".join(f"in_flight.{name} <= :now" for name in names)
        update = "REMOVE " + ", ".join(f"in_flight.{name}" for name in names)
        self._update(update, condition, {":now": int(now)}, names)
        return self._remembered()

    def release(self, permit_id: str) -> None:
        """No longer in flight; one that was removed because its time was over changes nothing."""
        self._update("REMOVE in_flight.#id", "attribute_exists(in_flight.#id)", {}, {"#id": permit_id})

    def _update(self, update: str, condition: str, values: Mapping[str, int], names: Mapping[str, str]) -> bool:
        """Whether the condition held; afterwards the current item is known."""
        options: dict[str, Any] = {"ExpressionAttributeNames": names} if names else {}
        if values:
            options["ExpressionAttributeValues"] = {name: {"N": str(value)} for name, value in values.items()}
        try:
            response = self._client.update_item(
                **self._where,
                UpdateExpression=update,
                ConditionExpression=condition,
                ReturnValues="ALL_NEW",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
                **options,
            )
        except ClientError as error:
            if not is_condition_failure(error):
                raise self._failure(error) from error
            refused: Mapping[str, Any] = error.response
            if "Item" not in refused:
                self._create()
            self._remember(refused.get("Item"))
            return False
        except BotoCoreError as error:
            raise self._failure(error) from error
        self._remember(response["Attributes"])
        return True

    def _create(self) -> None:
        key, table = self._where["Key"], self._where["TableName"]
        item = {**key, "next_at": {"N": "0"}, "in_flight": {"M": {}}}
        try:
            self._client.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(pk)")
        except (ClientError, BotoCoreError) as error:
            if not is_condition_failure(error):
                raise self._failure(error) from error

    def _failure(self, error: Exception) -> TableThrottled | TableLost:
        if is_throttled(error):
            return TableThrottled()
        self._lost(error)
        return TableLost()

    def _remember(self, item: Mapping[str, AttributeValueTypeDef] | None) -> Slots:
        self._last = slots_of(item)
        return self._last

    def _remembered(self) -> Slots:
        return self._last or Slots()


def _entering(release_by: float, concurrency: int) -> dict[str, int]:
    """The values of _ENTER and _ROOM."""
    return {":until": ceil(release_by), ":limit": concurrency}


def slots_key(provider: str) -> dict[str, dict[str, str]]:
    """The key of a provider's item."""
    return {"pk": {"S": f"slots#{provider}"}, "sk": {"S": "slots"}}


def slots_of(item: Mapping[str, AttributeValueTypeDef] | None) -> Slots:
    """The slots in an item; none are taken if there is no item, or if another version of this code has written it."""
    if item is None:
        return Slots()
    try:
        in_flight = {permit_id: float(until["N"]) for permit_id, until in item["in_flight"]["M"].items()}
        return Slots(int(item["next_at"]["N"]) / _US, in_flight)
    except (KeyError, TypeError, ValueError):
        logger.warning("the stored slots have an unknown form and count as free", key=item.get("pk", {}).get("S"))
        return Slots()


def _us(moment: float) -> int:
    return round(moment * _US)
