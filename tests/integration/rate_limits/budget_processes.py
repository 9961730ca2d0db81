"""Several processes at one table of provider budgets, in virtual time: for the tests beside this file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from infra.local.machine import CREDENTIALS
from infra.tables import PROVIDER_BUDGETS
from shared.aws.dynamodb.rate_limit_store import DynamoStore, dynamodb_client
from shared.rate_limits.limits import Limits, rate_headers
from shared.rate_limits.rate_limiter import RateLimiter
from tests.virtual_time import Clock, Task

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

TABLE = PROVIDER_BUDGETS.name
THREE = Limits(requests=3, window_s=1.0)


class Line:
    """A client whose calls are counted, take their time, and can be made to fail."""

    def __init__(self, client: Any, sleep: Callable[[float], None]) -> None:
        self._client, self._sleep = client, sleep
        self.calls: list[str] = []
        self.fault: Exception | None = None

    def _call(self, name: str, **options: Any) -> Any:
        self.calls.append(name)
        self._sleep(0.004)
        if self.fault:
            raise self.fault
        return getattr(self._client, name)(**options)

    def get_item(self, **options: Any) -> Any:
        return self._call("get_item", **options)

    def put_item(self, **options: Any) -> Any:
        return self._call("put_item", **options)

    def batch_get_item(self, **options: Any) -> Any:
        return self._call("batch_get_item", **options)


class Process:
    """One Lambda's rate limiter for PubMed. It wakes up to `late_s` late, as on a busy machine."""

    def __init__(self, clock: Clock, table: str = TABLE, late_s: float = 0.0) -> None:
        self.clock = clock
        self.line = Line(dynamodb_client(), clock.sleep)
        line: Any = self.line
        self.store = DynamoStore(line, table, "pubmed", now=clock.time, process_id=f"{id(self):x}")
        self.limiter = RateLimiter(
            "PubMed", self.store, read_limits=rate_headers("limit"), now=clock.time,
            sleep=lambda seconds: clock.sleep(seconds + late_s * clock.jitter()), jitter=clock.jitter,
            process_id=f"{id(self):x}",
        )  # fmt: skip

    def ask(
        self, limits: Limits = THREE, *, fault: Exception | None = None, takes_s: float = 0.1, **headers: str
    ) -> float:
        deadline = self.clock.time() + 15.0
        with self.limiter.permit(limits, lambda: deadline - self.clock.time()) as granted:
            granted.confirm()
            sent = self.clock.time()
            self.clock.sleep(takes_s)
            granted.report_headers(headers)
            if fault:
                raise fault
        return sent


@pytest.fixture(name="table")
def budgets_table(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    with mock_aws():
        client = boto3.client("dynamodb")
        client.create_table(
            TableName=TABLE,
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            AttributeDefinitions=[
                {"AttributeName": "pk", "AttributeType": "S"},
                {"AttributeName": "sk", "AttributeType": "S"},
            ],
            BillingMode="PAY_PER_REQUEST",
        )
        yield client


def run(clock: Clock, *workers: Callable[[], object]) -> None:
    """All begin at the same moment; what one of them raises is raised here."""
    for end in clock.run([Task(work=worker) for worker in workers]):
        end.result()


def throttled() -> ClientError:
    return ClientError({"Error": {"Code": "ProvisionedThroughputExceededException", "Message": "slow"}}, "PutItem")


def most_in_a_second(sent: list[float]) -> int:
    return max(sum(first <= other < first + 1.0 for other in sent) for first in sent)
