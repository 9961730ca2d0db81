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
