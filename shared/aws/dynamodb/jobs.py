"""Jobs in DynamoDB, for a week: their progress, the document that they are about, and the parts of their results.

    pk = <kind>#<id>         sk = <kind>   owner, request, progress, times
    pk = <kind>#<id>#<part>  sk = head …   a part, such as the document (`large_items`)

A part is written before the progress that refers to it, and progress only if no one else wrote it in between: a worker
that dies, or two that work at the same time, leave the results of one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic

from boto3.dynamodb.types import Binary

from shared.aws.dynamodb.batches import Item, read_batches
from shared.aws.dynamodb.errors import try_write
from shared.aws.dynamodb.large_items import ABSENT, LargeItems
from shared.aws.runtime.settings import required
from shared.clock import epoch_s, now
from shared.jobs.job import Job, JobKind, ProgressT
from shared.storage_errors import TableBusy

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import DynamoDBServiceResource

DOCUMENT = "document"


class JobStore(Generic[ProgressT]):
    """The jobs of one kind, of all owners. Methods raise TableBusy and botocore's errors."""

    def __init__(self, items: LargeItems, now: Callable[[], datetime], kind: JobKind[ProgressT]) -> None:
        self._items, self._now, self._kind = items, now, kind

    def create(self, job: Job[ProgressT], document: bytes) -> bool:
        """Store a new job; False if there is one with its id."""
        self.put(job, DOCUMENT, document)
        return self._write(job, ABSENT, {":now": self._seconds()})

    def get(self, job_id: str) -> Job[ProgressT] | None:
        """The job, if it has not expired."""
        key = (self._key(job_id), self._kind.name)
        found = read_batches(self._items.table, [key], options={"ConsistentRead": True})
        if not found or int(found[0]["expires_at"]) <= self._seconds():
            return None
        item = found[0]
        return Job(
            id=job_id,
            owner=str(item["owner"]),
            request=str(item["request"]),
            outline=str(item["outline"]),
            created_at=int(item["created_at"]),
            updated_at=int(item["updated_at"]),
            progress=self._kind.read({name: _plain(value) for name, value in item.items()}),
        )

    def document(self, job: Job[ProgressT]) -> bytes:
        """The document with which it was created."""
        return self.parts(job, [DOCUMENT])[0]

    def put(self, job: Job[ProgressT], part: str, data: bytes) -> None:
        """Store a part."""
        key = f"{self._key(job.id)}#{part}"
        self._items.put(key, data, stored_at=self._seconds(), expires_at=job.expires_at)

    def parts(self, job: Job[ProgressT], names: Sequence[str]) -> list[bytes]:
        """These parts, which have been stored."""
        keys = [f"{self._key(job.id)}#{name}" for name in names]
        found = self._items.get(keys, now=self._seconds())
        if missing := [key for key in keys if key not in found]:
            raise TableBusy(f"{len(missing)} values that were written cannot be read yet")
        return [found[key].data for key in keys]

    def change(self, job: Job[ProgressT], progress: ProgressT) -> bool:
        """Store other progress; False if someone else changed it first."""
        following = replace(job, progress=progress, updated_at=self._seconds())
        return self._write(following, "version = :version", {":version": job.progress.version})

    def _write(self, job: Job[ProgressT], condition: str, values: dict[str, int]) -> bool:
        item: Item = {
            "pk": self._key(job.id),
            "sk": self._kind.name,
            "owner": job.owner,
            "request": job.request,
            "outline": job.outline,
            "created_at": job.created_at,
            "updated_at": job.updated_at,
            "expires_at": job.expires_at,
            **self._kind.written(job.progress),
            "version": job.progress.version,
        }
        return try_write(
            self._items.table.put_item, Item=item, ConditionExpression=condition, ExpressionAttributeValues=values
        )

    def _key(self, job_id: str) -> str:
        return f"{self._kind.name}#{job_id}"

    def _seconds(self) -> int:
        return epoch_s(self._now())


def job_store(tables: DynamoDBServiceResource, kind: JobKind[ProgressT]) -> JobStore[ProgressT]:
    """The jobs of one kind, in the table that its setting names."""
    return JobStore(LargeItems(tables, required(kind.table_setting)), now, kind)


def _plain(value: object) -> object:
    """Bytes as they were written; any other value as it is."""
    stored: Any = value
    return stored.value if isinstance(value, Binary) else value
