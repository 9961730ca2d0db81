"""Reference checks in DynamoDB: their documents, their progress and their results, for a week.

    pk = check#<id>                      sk = check    owner, form, progress, times
    pk = check#<id>#document             sk = head …   the document as it was sent (`large_items`)
    pk = check#<id>#block#<n>#<version>  sk = head …   the results of one block, as JSON

A block is written before the progress that refers to it, and progress only if no one else wrote it in between: a worker
that dies, or two that work at the same time, leave the results of one of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from shared.aws.dynamodb.batches import Item, read_batches
from shared.aws.dynamodb.errors import is_condition_failure
from shared.aws.dynamodb.large_items import LargeItems
from shared.canonical_json import compact_json
from shared.reference_checks.check import Check
from shared.reference_checks.progress import Progress
from shared.storage_errors import TableBusy

if TYPE_CHECKING:
    from shared.answers.reference_checks import CheckedReference


class ReferenceChecks:
    """The checks of all owners. Methods raise TableBusy and botocore's errors."""

    def __init__(self, items: LargeItems, now: Callable[[], datetime]) -> None:
        self._items, self._now = items, now

    def create(self, check: Check, document: bytes) -> bool:
        """Store a new check; False if there is one with its id."""
        self._put(f"{_key(check.id)}#document", document, check)
        return self._write(check, "attribute_not_exists(pk) OR expires_at <= :now", {":now": self._seconds()})

    def get(self, check_id: str) -> Check | None:
        """The check, if it has not expired."""
        found = read_batches(self._items.table, [(_key(check_id), "check")], options={"ConsistentRead": True})
        if not found or int(found[0]["expires_at"]) <= self._seconds():
            return None
        return _read(check_id, found[0])

    def document(self, check: Check) -> bytes:
        """The document as it was sent."""
        return self._values([f"{_key(check.id)}#document"])[0]

    def results(self, check: Check, blocks: list[int]) -> dict[int, list[CheckedReference | None]]:
        """The results of these blocks, as far as there are any; None for a reference that is still open."""
        stored = [number for number in blocks if number in check.progress.blocks]
        values = self._values([_block_key(check, number) for number in stored])
        return {number: json.loads(value) for number, value in zip(stored, values, strict=True)}

    def save(self, check: Check, progress: Progress, block: int, results: list[CheckedReference | None]) -> bool:
        """Store the results of a block and the progress with it; False if another worker was faster."""
        following = replace(check, progress=progress, updated_at=self._seconds())
        self._put(_block_key(following, block), compact_json(results).encode(), check)
        return self._save(following, check.progress.version)

    def change(self, check: Check, progress: Progress) -> bool:
        """Store other progress without results; False if another request was faster."""
        return self._save(replace(check, progress=progress, updated_at=self._seconds()), check.progress.version)

    def _save(self, check: Check, version: int) -> bool:
        return self._write(check, "version = :version", {":version": version})

    def _write(self, check: Check, condition: str, values: dict[str, int]) -> bool:
        try:
            self._items.table.put_item(
                Item=_item(check), ConditionExpression=condition, ExpressionAttributeValues=dict(values)
            )
        except ClientError as error:
            if is_condition_failure(error):
                return False
            raise
        return True

    def _put(self, key: str, data: bytes, check: Check) -> None:
        self._items.put(key, data, stored_at=self._seconds(), expires_at=check.expires_at)

    def _values(self, keys: list[str]) -> list[bytes]:
        found = self._items.get(keys, now=self._seconds())
        if missing := [key for key in keys if key not in found]:
            raise TableBusy(f"{len(missing)} values that were written cannot be read yet")
        return [found[key].data for key in keys]

    def _seconds(self) -> int:
        return round(self._now().timestamp())


def _key(check_id: str) -> str:
    return f"check#{check_id}"


def _block_key(check: Check, number: int) -> str:
    return f"{_key(check.id)}#block#{number}#{check.progress.blocks[number]}"


def _item(check: Check) -> Item:
    progress = check.progress
    return {
        "pk": _key(check.id),
        "sk": "check",
        "owner": check.owner,
        "request": check.request,
        "outline": check.outline,
        "created_at": check.created_at,
        "updated_at": check.updated_at,
        "expires_at": check.expires_at,
        "letters": progress.letters,
        "blocks": {str(number): version for number, version in progress.blocks.items()},
        "passes": progress.passes,
        "version": progress.version,
        "milliseconds": round(progress.seconds * 1_000),
        "failure": progress.failure,
    }


def _read(check_id: str, item: Item) -> Check:
    return Check(
        id=check_id,
        owner=str(item["owner"]),
        request=str(item["request"]),
        outline=str(item["outline"]),
        created_at=int(item["created_at"]),
        updated_at=int(item["updated_at"]),
        progress=Progress(
            letters=str(item["letters"]),
            blocks={int(number): int(version) for number, version in item["blocks"].items()},
            passes=int(item["passes"]),
            version=int(item["version"]),
            seconds=int(item["milliseconds"]) / 1_000,
            failure=item["failure"],
        ),
    )
