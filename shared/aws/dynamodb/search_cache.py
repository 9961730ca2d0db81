"""The cache of legs and result sets: a table, and the bucket of its larger values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared.aws.dynamodb.large_items import LargeItems
from shared.aws.runtime.settings import required
from shared.aws.s3.files import Files

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import DynamoDBServiceResource


def search_cache(tables: DynamoDBServiceResource) -> LargeItems:
    """The items of the cache."""
    return LargeItems(tables, required("SEARCH_CACHE_TABLE"), Files(required("SEARCH_CACHE_BUCKET")))
