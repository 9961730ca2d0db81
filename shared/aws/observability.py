"""One logger for every function: structured lines, never a header, a key or a body."""

from __future__ import annotations

import logging
import sys

from aws_lambda_powertools import Logger

# httpx logs whole URLs, which may hold what a caller asked or a service's key.
for noisy in ("httpx", "httpcore", "botocore", "boto3", "urllib3"):
    logging.getLogger(noisy).setLevel(logging.WARNING)

# On stderr, so that a command's stdout holds its answer and nothing else; CloudWatch takes both.
logger = Logger(service="literature-search", stream=sys.stderr)


def code_of(error: Exception) -> str:
    """What went wrong, in a word: AWS's own code, or the kind of error; never a message, which may hold a value."""
    told = getattr(error, "response", None)  # of botocore's ClientError, which a provider need not import for this
    return str(told["Error"]["Code"]) if isinstance(told, dict) and "Error" in told else type(error).__name__
