"""Claims: of many processes that are about to do the same work, the one that does it.

    pk = claim#<name>     sk = head     `until` in epoch milliseconds; `expires_at` for DynamoDB to delete the item

One conditional write each. Claims are optional: when DynamoDB fails, every process has the claim and does the work.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.dynamodb.errors import is_condition_failure
from shared.aws.runtime.observability import error_code, logger

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table


class Claims:
    """The claims in one table."""

    def __init__(self, table: Table, now: Callable[[], datetime]) -> None:
        self._table = table
        self._now = now

    def claim(self, name: str, seconds: float) -> bool:
        """Whether this process has the claim for so many seconds; False if another one does."""
        now, claimant = self._ms(), token_hex(8)  # botocore repeats a write whose answer is lost: it finds its own
        try:
            self._table.put_item(
                Item={**_item(name, now + round(seconds * 1000)), "claimant": claimant},
                ConditionExpression="attribute_not_exists(pk) OR #until <= :now OR claimant = :claimant",
                ExpressionAttributeNames={"#until": "until"},
                ExpressionAttributeValues={":now": now, ":claimant": claimant},
            )
        except (ClientError, BotoCoreError) as error:
            if is_condition_failure(error):
                return False
            logger.error("a claim cannot be made", error=error_code(error))
        return True

    def extend(self, name: str, seconds: float) -> None:
        """Keep the claim for so many seconds from now on: the work was done, or goes on."""
        self._write_again({**_item(name, self._ms() + round(seconds * 1000)), "claimant": token_hex(8)})

    def release(self, name: str) -> None:
        """Give the claim up: the work was not done. It is over, not deleted, which would need one permission more."""
        self._write_again(_item(name, self._ms()))

    def _write_again(self, item: dict[str, str | int]) -> None:
        try:
            self._table.put_item(Item=item)
        except (ClientError, BotoCoreError) as error:
            logger.error("a claim cannot be written again", error=error_code(error))

    def _ms(self) -> int:
        return round(self._now().timestamp() * 1000)


def _item(name: str, until: int) -> dict[str, str | int]:
    """The item of a claim that lasts until this moment, in epoch milliseconds."""
    return {"pk": f"claim#{name}", "sk": "head", "until": until, "expires_at": math.ceil(until / 1000)}
