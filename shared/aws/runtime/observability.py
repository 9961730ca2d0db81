"""One logger for every function: structured lines, never a header, a key or a body."""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Mapping

from aws_lambda_powertools import Logger

# httpx logs whole URLs, which may contain a query or an API key.
for noisy in ("httpx", "httpcore", "botocore", "boto3", "urllib3"):
    logging.getLogger(noisy).setLevel(logging.WARNING)

MAX_LINE_CHARS = 16_000
MAX_VALUE_CHARS = 4_000  # of a value in a line that is longer


def bounded_json(log: Mapping[str, object]) -> str:
    """A log line; over MAX_LINE_CHARS, its long values are shortened, such as the traceback of an endless recursion."""
    line = _json(log)
    return line if len(line) <= MAX_LINE_CHARS else _json({name: _shortened(value) for name, value in log.items()})


def _shortened(value: object) -> object:
    text = value if isinstance(value, str) else _json(value)
    half = MAX_VALUE_CHARS // 2
    return value if len(text) <= MAX_VALUE_CHARS else f"{text[:half]} … {text[-half:]}"


def _json(value: object) -> str:
    return json.dumps(value, default=str, separators=(",", ":"))


# On stderr, so that a command's stdout has only its answer; CloudWatch takes both.
logger = Logger(service="literature-search", stream=sys.stderr, json_serializer=bounded_json)


IDS = ("request_id", "correlation_id")
_A_CORRELATION_ID = re.compile(r"[\w.:/+=-]{1,128}", re.ASCII)


def bind_request_ids(request_id: str | None, correlation_id: str | None = None) -> None:
    """Add both ids to every log line of this thread; without a valid correlation id, it is the request id.

    A correlation id is valid if it has 1 to 128 letters, digits and `._:/+=-`: what is logged must stay one word.
    """
    correlation_id = correlation_id if correlation_id and _A_CORRELATION_ID.fullmatch(correlation_id) else request_id
    logger.thread_safe_clear_keys()
    logger.thread_safe_append_keys(request_id=request_id, correlation_id=correlation_id)


def bind_attribute_ids(attributes: Mapping[str, Mapping[str, str]]) -> None:
    """The same by the ids in the `messageAttributes` of an SQS record, as Lambda receives it."""
    bind_request_ids(*(attributes.get(name, {}).get("stringValue") for name in IDS))


def current_request_ids() -> dict[str, str]:
    """The ids bound to this thread, to pass on to another function or thread."""
    keys = logger.thread_safe_get_current_keys()
    return {name: str(keys[name]) for name in IDS if keys.get(name)}


def error_code(error: Exception) -> str:
    """AWS's error code, or the class name of another error; never the message, which may contain data."""
    response = getattr(error, "response", None)  # of botocore's ClientError, which a provider need not import for this
    if isinstance(response, dict) and "Error" in response:
        return str(response["Error"]["Code"])
    return type(error).__name__
