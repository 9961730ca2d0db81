"""One logger for every function: structured lines, never a header, a key or a body."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools import Logger

# httpx logs whole URLs, which may hold what a caller asked or a service's key.
for noisy in ("httpx", "httpcore", "botocore", "boto3", "urllib3"):
    logging.getLogger(noisy).setLevel(logging.WARNING)

# On stderr, so that a command's stdout holds its answer and nothing else; CloudWatch takes both.
logger = Logger(service="literature-search", stream=sys.stderr)


IDS = ("request_id", "correlation_id")
_A_CORRELATION_ID = re.compile(r"[\w.:/+=-]{1,128}", re.ASCII)


def follow(request_id: str | None, correlation_id: str | None = None) -> None:
    """From here on every line of this thread tells both: our own id, and the caller's (else ours again).

    A caller's id that is not 1 to 128 letters, digits and `._:/+=-` is left out: what is logged must stay one word.
    """
    theirs = correlation_id if correlation_id and _A_CORRELATION_ID.fullmatch(correlation_id) else request_id
    logger.thread_safe_clear_keys()
    logger.thread_safe_append_keys(request_id=request_id, correlation_id=theirs)


def followed() -> dict[str, str]:
    """The two ids, for who goes on with this request elsewhere."""
    keys = logger.thread_safe_get_current_keys()
    return {name: str(keys[name]) for name in IDS if keys.get(name)}


def attribute_ids(record: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The two ids that a queue's message carries, as SQS gives it to a Lambda."""
    told = record.get("messageAttributes", {})
    request_id, correlation_id = (told.get(name, {}).get("stringValue") for name in IDS)
    return request_id, correlation_id


def code_of(error: Exception) -> str:
    """What went wrong, in a word: AWS's own code, or the kind of error; never a message, which may hold a value."""
    told = getattr(error, "response", None)  # of botocore's ClientError, which a provider need not import for this
    return str(told["Error"]["Code"]) if isinstance(told, dict) and "Error" in told else type(error).__name__
