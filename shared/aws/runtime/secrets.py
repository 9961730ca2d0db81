"""Secrets from Secrets Manager, read again every five minutes.

A secret that does not exist, or was deleted, is None: a deleted one refuses its value for the 7 to 30 days until it is
gone (InvalidRequestException). After any other fault the last value is used, and the fault is logged.
https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from shared.aws.runtime.observability import error_code, logger

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager import SecretsManagerClient

MAX_AGE_S = 300.0
FAULT_PAUSE_S = 60.0  # until the next attempt after a fault: each may take some seconds
_NO_SECRET = ("ResourceNotFoundException", "InvalidRequestException")


@dataclass(frozen=True, slots=True)
class _Read:
    value: str | None
    until: float  # of the monotonic clock


_values: dict[str, _Read] = {}


def secret(secret_id: str) -> str | None:
    """The value without white space around it; None without a secret. Never raises for AWS."""
    known = _values.get(secret_id, _Read(None, 0.0))
    now = time.monotonic()
    if now < known.until:
        return known.value
    _values[secret_id] = read = _read(secret_id, known.value, now)
    return read.value


def _read(secret_id: str, last: str | None, now: float) -> _Read:
    from botocore.exceptions import BotoCoreError, ClientError  # on first use: without a prefix there are no secrets

    try:
        text = _client().get_secret_value(SecretId=secret_id).get("SecretString", "")
    except (ClientError, BotoCoreError) as error:
        if error_code(error) in _NO_SECRET:
            return _Read(None, now + MAX_AGE_S)
        # Such as a denied access to the secret or to its KMS key: not the same as no secret.
        logger.error("a secret cannot be read", secret=secret_id, error=error_code(error))
        return _Read(last, now + FAULT_PAUSE_S)
    return _Read(text.strip() or None, now + MAX_AGE_S)


@cache
def _client() -> SecretsManagerClient:
    import boto3

    from shared.aws.runtime.boto_configs import BEST_EFFORT

    return boto3.client("secretsmanager", config=BEST_EFFORT)
