"""A DynamoDB table in memory for simulations: it takes its time, and a partition has its throughput.

It evaluates the few expressions that the rate limiter sends; `test_hot_table` holds it against moto. One partition
serves 1,000 write units and 3,000 read units a second, a failed condition costs a write too, and a unit is 1 KB written
or 4 KB read (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html). A client
tries twice with up to a second between (`shared.aws.runtime.boto_configs.BEST_EFFORT`).
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError, ReadTimeoutError

from tests.virtual_time import Clock

WRITE_UNITS, READ_UNITS = 1_000, 3_000  # a second, of one partition
WAY_S = 0.0025
TIMEOUT_S = 1.0  # of a client that reaches nothing

Item = dict[str, Any]
_PATH = re.compile(r"[#\w]+(?:\.[#\w]+)?")


@dataclass
class HotTable:
    """The items, and what they cost. The units are those of one partition and second."""

    clock: Clock
    write_units: float = WRITE_UNITS
    read_units: float = READ_UNITS
    items: dict[str, Item] = field(default_factory=dict)
    # Of a partition, for "read" or "write", in a second of the clock.
    used: defaultdict[tuple[str, str, int], float] = field(default_factory=lambda: defaultdict(float))
    wanted: defaultdict[str, float] = field(
        default_factory=lambda: defaultdict(float)
    )  # units, with those of throttled requests
    throttled: int = 0  # requests
    down: Callable[[float], bool] = lambda _: False  # by the seconds since the beginning

    def client(self) -> Any:
        """A client as the code knows it."""
        return _Client(self)

    def spend(self, partition: str, kind: str, size: int, *, halved: bool = False) -> None:
        """Take the units of one request, at least one; half of them for an eventually consistent read.

        Raises what DynamoDB answers when it throttles.
        """
        write = kind == "write"
        units = max(math.ceil(size / (1024 if write else 4096)), 1) / (2 if halved else 1)
        second = int(self.clock.monotonic())
        self.wanted[kind] += units
        if self.used[partition, kind, second] + units > (self.write_units if write else self.read_units):
            self.throttled += 1
            raise _error("ProvisionedThroughputExceededException")
        self.used[partition, kind, second] += units


class _Client:
    """GetItem, PutItem and UpdateItem, for what `shared.aws.dynamodb` sends to the table of rate limits."""

    def __init__(self, table: HotTable) -> None:
        self._table, self._clock = table, table.clock

    def get_item(self, **options: Any) -> Item:
        return self._call(self._get, options)

    def put_item(self, **options: Any) -> Item:
        return self._call(self._put, options)

    def update_item(self, **options: Any) -> Item:
        return self._call(self._update, options)

    def _call(self, operation: Callable[[Mapping[str, Any]], Item], options: Mapping[str, Any]) -> Item:
        for attempts_left in (1, 0):
            try:
                self._clock.sleep(WAY_S)
                if self._table.down(self._clock.monotonic()):
                    self._clock.sleep(TIMEOUT_S)
                    raise ReadTimeoutError(endpoint_url="table")
                answer = operation(options)
                self._clock.sleep(WAY_S)
                return answer
            except (ClientError, ReadTimeoutError) as error:
                if "Item" in (getattr(error, "response", None) or {}):
                    self._clock.sleep(WAY_S)
                if not attempts_left or _code(error) == "ConditionalCheckFailedException":
                    raise
                self._clock.sleep(self._clock.jitter())
        raise AssertionError

    def _get(self, options: Mapping[str, Any]) -> Item:
        key = options["Key"]
        item = self._table.items.get(_name(key))
        self._table.spend(key["pk"]["S"], "read", _size(item), halved=not options.get("ConsistentRead"))
        return {"Item": _copied(item)} if item else {}

    def _put(self, options: Mapping[str, Any]) -> Item:
        new, key = options["Item"], _name(options["Item"])
        old = self._table.items.get(key)
        self._table.spend(new["pk"]["S"], "write", max(_size(old), _size(new)))
        _check(options, old)
        self._table.items[key] = _copied(new)
        return {}

    def _update(self, options: Mapping[str, Any]) -> Item:
        key = _name(options["Key"])
        old = self._table.items.get(key)
        new = _updated(old or options["Key"], options) if holds(options, old) else old
        self._table.spend(options["Key"]["pk"]["S"], "write", max(_size(old), _size(new)))
        _check(options, old)
        assert new is not None
        self._table.items[key] = new
        return {"Attributes": _copied(new)}


def _copied(item: Mapping[str, Any]) -> Item:
    """The item with maps of its own, however deep; all else in it is texts, which nothing changes."""
    return {name: _copied(value) if isinstance(value, dict) else value for name, value in item.items()}


def holds(options: Mapping[str, Any], item: Item | None) -> bool:
    """Whether the condition of a request holds: comparisons and functions, joined by AND and OR."""
    condition = options.get("ConditionExpression", "attribute_exists(pk) OR attribute_not_exists(pk)")
    return any(
        all(_holds(term, options, item or {}) for term in any_.split(" AND ")) for any_ in condition.split(" OR ")
    )


def _holds(term: str, options: Mapping[str, Any], item: Item) -> bool:
    if function := re.fullmatch(r"(attribute_exists|attribute_not_exists)\((.+)\)", term):
        return (_value(function[2], options, item) is not None) == (function[1] == "attribute_exists")
    path, comparison, name = term.split(" ")
    bound = float(options["ExpressionAttributeValues"][name]["N"])
    if size := re.fullmatch(r"size\((.+)\)", path):
        value: Any = _value(size[1], options, item)
        left = None if value is None else float(len(value["M"]))
    else:
        value = _value(path, options, item)
        left = None if value is None else float(value["N"])
    if left is None:
        return False
    return {"=": left == bound, "<": left < bound, "<=": left <= bound, ">": left > bound, ">=": left >= bound}[
        comparison
    ]


def _value(path: str, options: Mapping[str, Any], item: Item) -> Any:
    first, *rest = _names(path, options)
    value = item.get(first)
    return value if value is None or not rest else value["M"].get(rest[0])


def _names(path: str, options: Mapping[str, Any]) -> list[str]:
    aliases = options.get("ExpressionAttributeNames", {})
    return [aliases.get(part, part) for part in path.split(".")]


def _updated(item: Item, options: Mapping[str, Any]) -> Item:
    """The item after `SET path = :value, path = path + :value REMOVE path, path`."""
    new = _copied(item)
    assigned, _, removed = options["UpdateExpression"].partition("REMOVE ")
    for assignment in filter(None, assigned.removeprefix("SET ").strip().split(", ")):
        path, _, source = assignment.partition(" = ")
        base, _, name = source.rpartition(" + ")
        value = options["ExpressionAttributeValues"][name]
        if base:
            value = {"N": str(int(item[base]["N"]) + int(value["N"]))}
        first, *rest = _names(path, options)
        if rest:
            new[first]["M"][rest[0]] = value
        else:
            new[first] = value
    for path in _PATH.findall(removed):
        first, *rest = _names(path, options)
        (new[first]["M"] if rest else new).pop(rest[0] if rest else first, None)
    return new


def _check(options: Mapping[str, Any], old: Item | None) -> None:
    if not holds(options, old):
        error = _error("ConditionalCheckFailedException")
        if options.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD" and old:
            error.response["Item"] = _copied(old)  # type: ignore[typeddict-unknown-key]
        raise error


def _error(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": ""}}, "UpdateItem")


def _code(error: ClientError | ReadTimeoutError) -> str:
    return error.response["Error"]["Code"] if isinstance(error, ClientError) else ""


def _name(key: Mapping[str, Any]) -> str:
    return f"{key['pk']['S']} {key['sk']['S']}"


def _size(item: Mapping[str, Any] | None) -> int:
    """Bytes as DynamoDB counts them: names and texts as they are, a number half a byte a digit and one more.

    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
    """
    return sum(len(name) + _value_size(value) for name, value in (item or {}).items())


def _value_size(value: Mapping[str, Any]) -> int:
    ((kind, content),) = value.items()
    if kind == "M":
        return 3 + sum(1 + len(name) + _value_size(inner) for name, inner in content.items())
    return len(content) if kind == "S" else math.ceil(len(content) / 2) + 1
