"""The adapters of this function, built once a process: cache, providers, queue, clock."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime

import boto3

from shared.aws.citation_queue import publisher
from shared.aws.provider_fan_out import ProviderFanOut, lambda_client
from shared.aws.search_cache import DynamoSearchCache
from shared.aws.settings import required
from shared.search import World


def _now() -> datetime:
    return datetime.now(UTC)


# {"pubmed": {"function": "…", "disciplines": ["biomedical"]}, …}, written by the infrastructure from the folder.
_PROVIDERS = json.loads(required("PROVIDERS"))
DISCIPLINES: dict[str, list[str]] = {name: entry["disciplines"] for name, entry in _PROVIDERS.items()}
FAN_OUT = ProviderFanOut(lambda_client(), {name: entry["function"] for name, entry in _PROVIDERS.items()})
_CACHE = DynamoSearchCache(boto3.resource("dynamodb"), required("SEARCH_CACHE_TABLE"), _now)
_PUBLISH = publisher(boto3.client("sqs"), required("CITATIONS_QUEUE_URL"), _now)


def world(request_id: str) -> World:
    """The outside world of one request."""
    return World(
        cache=_CACHE,
        ask_providers=FAN_OUT.asker(request_id),
        publish=_PUBLISH,
        disciplines=DISCIPLINES,
        monotonic=time.monotonic,
        request_id=request_id,
    )
