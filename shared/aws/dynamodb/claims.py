"""Claims: of many processes that are about to do the same work, the one that does it.

    pk = claim#<name>     sk = head     `until` in epoch milliseconds; `expires_at` for DynamoDB to delete the item

One conditional write each. Claims are optional: when DynamoDB fails, every process has the claim and does the work.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.dynamodb.errors import is_condition_failure
from shared.aws.runtime.observability import error_code, logger
from shared.clock import epoch_ms

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table


class Claims:
    """The claims in one table."""

    def __init__(self, table: Table, now: Callable[[], datetime]) -> None:
        self._table = table
        self._now = now

    def claim(self, name: str, seconds: float) -> Claim | None:
        """The claim of this process, for so many seconds; None if another one has it."""
        item = self._item(name, seconds)
        try:
            self._table.put_item(
                Item=item,
                # botocore repeats a write whose answer is lost: it finds its own
                ConditionExpression="attribute_not_exists(pk) OR #until <= :now OR claimant = :claimant",
                ExpressionAttributeNames={"#until": "until"},
                ExpressionAttributeValues={":now": self._ms(), ":claimant": item["claimant"]},
            )
        except (ClientError, BotoCoreError) as error:
            if is_condition_failure(error):
                return None
            logger.error("a claim cannot be made", error=error_code(error))
            return Claim()
        return Claim(lambda seconds: self._write_again(self._item(name, seconds)))

    def _write_again(self, item: dict[str, str | int]) -> None:
        try:
            self._table.put_item(Item=item)
        except (ClientError, BotoCoreError) as error:
            logger.error("a claim cannot be written again", error=error_code(error))

    def _item(self, name: str, seconds: float) -> dict[str, str | int]:
        until = self._ms() + round(seconds * 1000)
        times = {"until": until, "expires_at": math.ceil(until / 1000)}
        return {"pk": f"claim#{name}", "sk": "head", **times, "claimant": token_hex(8)}

    def _ms(self) -> int:
        return epoch_ms(self._now())


@dataclass(frozen=True, slots=True)
class Claim:
    """What this process has claimed. `_keep` writes how many seconds it lasts; None where the table failed."""

    _keep: Callable[[float], None] | None = None

    def extend(self, seconds: float) -> None:
        """Keep the claim for so many seconds from now on: the work was done, or goes on."""
        if self._keep:
            self._keep(seconds)

    def release(self) -> None:
        """Give the claim up: the work was not done. It is over, not deleted, which would need one permission more."""
        self.extend(0.0)
