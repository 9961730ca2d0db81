"""Settings from environment variables, and API keys from Secrets Manager.

A key set in the environment wins; else the secret `<SECRETS_PREFIX>/<provider>` is read, again every five minutes. A
secret that does not exist, or was deleted, is not a key: a deleted one refuses its value for 7 to 30 days, until it is
gone (InvalidRequestException). After any other fault the last value is used, and the fault is logged.
https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from shared.aws.runtime.observability import error_code, logger

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager import SecretsManagerClient

    from shared.providers.provider import ProviderSpec
    from shared.rate_limits.fresh_budget import FreshLimits
    from shared.rate_limits.limits import Limits, Overrides

SECRET_MAX_AGE_S = 300.0
SECRET_FAULT_PAUSE_S = 60.0  # until the next attempt after a fault: each may take some seconds
_NO_SECRET = ("ResourceNotFoundException", "InvalidRequestException")


@dataclass(frozen=True, slots=True)
class _SecretRead:
    """A value of Secrets Manager, and when it is read again."""

    value: str | None
    until: float  # of the monotonic clock


_secrets: dict[str, _SecretRead] = {}
Number = TypeVar("Number", int, float)


def base_url(spec: ProviderSpec) -> str:
    """`<NAME>_BASE_URL`, else the API's public address; without a trailing slash."""
    return os.environ.get(f"{spec.name.upper()}_BASE_URL", spec.base_url).rstrip("/")


def contact() -> str | None:
    """`CONTACT_EMAIL`: the address that services ask their users to state."""
    return os.environ.get("CONTACT_EMAIL") or None


def provider_key(name: str) -> str | None:
    """`<NAME>_API_KEY`, else the provider's secret, else None."""
    if key := os.environ.get(f"{name.upper()}_API_KEY"):
        return key
    prefix = os.environ.get("SECRETS_PREFIX")
    return _secret(f"{prefix}/{name}") if prefix else None


def _secret(secret_id: str) -> str | None:
    """The value without white space around it; None without a secret. Never raises for AWS."""
    known = _secrets.get(secret_id, _SecretRead(None, 0.0))
    now = time.monotonic()
    if now < known.until:
        return known.value
    _secrets[secret_id] = read = _read_secret(secret_id, known.value, now)
    return read.value


def _read_secret(secret_id: str, last: str | None, now: float) -> _SecretRead:
    from botocore.exceptions import BotoCoreError, ClientError  # on first use: without a prefix there are no secrets

    try:
        text = _secrets_client().get_secret_value(SecretId=secret_id).get("SecretString", "")
    except (ClientError, BotoCoreError) as error:
        if error_code(error) in _NO_SECRET:
            return _SecretRead(None, now + SECRET_MAX_AGE_S)
        # Such as a denied access to the secret or to its KMS key: not the same as no secret.
        logger.error("a secret cannot be read", secret=secret_id, error=error_code(error))
        return _SecretRead(last, now + SECRET_FAULT_PAUSE_S)
    return _SecretRead(text.strip() or None, now + SECRET_MAX_AGE_S)


@cache
def _secrets_client() -> SecretsManagerClient:
    import boto3

    from shared.aws.runtime.boto_configs import BEST_EFFORT

    return boto3.client("secretsmanager", config=BEST_EFFORT)


def limit_overrides(name: str) -> Overrides:
    """`<NAME>_REQUESTS_PER_SECOND`, `<NAME>_CONCURRENCY`, `<NAME>_REQUESTS_PER_DAY`. Raises RuntimeError if invalid."""
    from shared.rate_limits.limits import Overrides  # only providers have overrides

    prefix = name.upper()
    return Overrides(
        requests_per_second=_positive(f"{prefix}_REQUESTS_PER_SECOND", float),
        concurrency=_positive(f"{prefix}_CONCURRENCY", int),
        requests_per_day=_positive(f"{prefix}_REQUESTS_PER_DAY", int),
    )


def limits_in_force(spec: ProviderSpec, key: str | None) -> Limits:
    """A provider's limits with this key, or without one. Raises RuntimeError if an override is invalid."""
    from shared.rate_limits.limits import limits_of  # only providers have limits

    return limits_of(spec, has_key=key is not None, overrides=limit_overrides(spec.name))


def _positive(name: str, read: Callable[[str], Number]) -> Number | None:
    text = os.environ.get(name)
    if not text:
        return None
    try:
        value = read(text)
    except ValueError:
        value = read("0")
    if not 0 < value < float("inf"):
        raise RuntimeError(f"the environment variable {name} must be a positive number, not {text!r}")
    return value


def fresh_limits() -> FreshLimits:
    """`FRESH_REQUESTS_PER_MINUTE`, `FRESH_REQUESTS_PER_HOUR` of each API key. Raises RuntimeError if invalid."""
    from shared.rate_limits.fresh_budget import FreshLimits  # only requests that skip the cache need it

    usual = FreshLimits()
    return FreshLimits(
        per_minute=_positive("FRESH_REQUESTS_PER_MINUTE", int) or usual.per_minute,
        per_hour=_positive("FRESH_REQUESTS_PER_HOUR", int) or usual.per_hour,
    )


def in_lambda() -> bool:
    """Whether Lambda has started this process."""
    return "AWS_LAMBDA_FUNCTION_NAME" in os.environ


def metrics_namespace() -> str:
    """`POWERTOOLS_METRICS_NAMESPACE`: each stage has its own, so that an alarm counts only the metrics of its stage."""
    return os.environ.get("POWERTOOLS_METRICS_NAMESPACE") or "literature-search"


def metrics_disabled() -> bool:
    """`POWERTOOLS_METRICS_DISABLED`: on the local machine, whose standard output nobody reads as metrics."""
    return os.environ.get("POWERTOOLS_METRICS_DISABLED", "").lower() in ("true", "1")


def budgets_table() -> str | None:
    """`PROVIDER_BUDGETS_TABLE`; without it each process applies the limits by itself."""
    return os.environ.get("PROVIDER_BUDGETS_TABLE") or None


def required(name: str) -> str:
    """An environment variable that the function cannot work without. Raises RuntimeError naming it."""
    value = os.environ.get(name)
    if not value:
        raise RuntimeError(f"the environment variable {name} is not set")
    return value
