"""Exhaustive searches as jobs (`shared.aws.dynamodb.jobs`), whose parts are pages of sources and blocks of papers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from boto3.dynamodb.types import Binary

from shared.aws.dynamodb.jobs import JobKind, JobStore
from shared.exhaustive_searches.progress import Progress, decode_progress, encode_progress

if TYPE_CHECKING:
    from shared.aws.dynamodb.batches import Item
    from shared.aws.dynamodb.large_items import LargeItems


def exhaustive_search_store(items: LargeItems, now: Callable[[], datetime]) -> JobStore[Progress]:
    """The exhaustive searches of all owners."""
    return JobStore(items, now, JobKind("exhaustive", _written, _read))


def _written(progress: Progress) -> Item:
    return {"progress": encode_progress(progress)}


def _read(item: Item) -> Progress:
    stored: Any = item["progress"]
    return decode_progress(stored.value if isinstance(stored, Binary) else stored)
