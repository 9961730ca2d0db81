"""Removes the cached legs of a machine, for tests of failing sources: a cached leg would replace the failed one."""

from __future__ import annotations

from typing import Any

import boto3

TABLE = "local-search-cache"


def remove_cached_legs() -> None:
    """Remove the legs of all questions; result sets stay."""
    table = boto3.resource("dynamodb").Table(TABLE)
    pages: Any = table.meta.client.get_paginator("scan").paginate(TableName=TABLE, ProjectionExpression="pk, sk")
    with table.batch_writer() as batch:
        for item in (item for page in pages for item in page["Items"] if item["pk"].startswith("leg")):
            batch.delete_item(Key=item)
