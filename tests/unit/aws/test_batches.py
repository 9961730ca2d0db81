"""BatchGetItem and BatchWriteItem with unprocessed keys: every case on which the former copies differed."""

from __future__ import annotations

from typing import Any

import pytest

from shared.aws.dynamodb.batches import EXTRA_REQUESTS, put_batches, read_batches, write_batch
from shared.storage_errors import TableBusy


class PartialTable:
    """A table, its client and its `meta`, that processes so many entries of each batch, in order of the requests."""

    def __init__(self, *processed: int) -> None:
        self.meta, self.client, self.name = self, self, "papers"
        self._processed = list(processed)
        self.sizes: list[int] = []
        self.options: list[dict[str, Any]] = []

    def _split(self, batch: list[Any]) -> tuple[list[Any], list[Any]]:
        self.sizes.append(len(batch))
        count = self._processed.pop(0) if self._processed else len(batch)
        return batch[:count], batch[count:]

    def batch_get_item(self, RequestItems: dict[str, Any]) -> dict[str, Any]:  # noqa: N803  boto3's name
        request = RequestItems[self.name]
        self.options.append({name: value for name, value in request.items() if name != "Keys"})
        found, left = self._split(request["Keys"])
        unprocessed = {self.name: {"Keys": left}} if left else {}
        return {"Responses": {self.name: found}, "UnprocessedKeys": unprocessed}

    def batch_write_item(self, RequestItems: dict[str, Any]) -> dict[str, Any]:  # noqa: N803
        _, left = self._split(RequestItems[self.name])
        return {"UnprocessedItems": {self.name: left} if left else {}}


def keys(count: int) -> list[tuple[str, str]]:
    return [("p", str(number)) for number in range(count)]


def items(count: int) -> list[dict[str, Any]]:
    return [{"pk": "p", "sk": str(number)} for number in range(count)]


@pytest.mark.parametrize(
    ("count", "processed", "sizes"),
    [
        (0, (), []),
        (100, (), [100]),
        (101, (), [100, 1]),
        (100, (40, 30), [100, 60, 30]),
        (1, (0, 0, 0), [1, 1, 1, 1]),
    ],
)
def test_a_read_repeats_what_was_unprocessed(count: int, processed: tuple[int, ...], sizes: list[int]) -> None:
    table: Any = PartialTable(*processed)
    assert len(read_batches(table, keys(count))) == count
    assert table.sizes == sizes


def test_a_read_is_given_up_after_four_answers_without_an_item() -> None:
    table: Any = PartialTable(100, *[0] * EXTRA_REQUESTS)
    with pytest.raises(TableBusy, match="50 keys could not be read"):
        read_batches(table, keys(150))
    assert table.sizes == [100, 50, 50, 50, 50]


def test_a_read_requests_each_key_once_and_passes_the_options_with_every_request() -> None:
    table: Any = PartialTable(1)
    assert len(read_batches(table, [*keys(2), *keys(2)], options={"ConsistentRead": True})) == 2
    assert table.sizes == [2, 1]
    assert table.options == [{"ConsistentRead": True}] * 2


@pytest.mark.parametrize(
    ("count", "requests"),
    # One of the former copies allowed 5, 6 and 6 requests, the other 4, 5 and 5.
    [(1, 1 + EXTRA_REQUESTS), (25, 1 + EXTRA_REQUESTS), (26, 2 + EXTRA_REQUESTS)],
)
def test_a_write_is_given_up_after_four_requests_more_than_it_has_batches(count: int, requests: int) -> None:
    table: Any = PartialTable(*[0] * 20)
    with pytest.raises(TableBusy, match=f"{count} items could not be written"):
        put_batches(table, items(count))
    assert len(table.sizes) == requests


def test_a_write_that_is_processed_in_part_continues_with_the_rest() -> None:
    table: Any = PartialTable(25, 10, 5)
    put_batches(table, items(50))
    assert table.sizes == [25, 25, 15, 10]


def test_no_request_is_sent_when_the_callers_check_raises() -> None:
    table: Any = PartialTable()

    def out_of_time() -> None:
        raise TableBusy("no time is left")

    with pytest.raises(TableBusy, match="no time"):
        read_batches(table, keys(1), before_request=out_of_time)
    with pytest.raises(TableBusy, match="no time"):
        put_batches(table, items(1), before_request=out_of_time)
    assert table.sizes == []


def test_a_single_batch_returns_its_unprocessed_requests() -> None:
    table: Any = PartialTable(2, 3)
    requests = [{"DeleteRequest": {"Key": item}} for item in items(3)]
    assert write_batch(table, requests) == requests[2:]
    assert write_batch(table, requests) == []
