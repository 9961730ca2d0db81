"""Settings from environment variables, and API keys from Secrets Manager.

A key set in the environment wins; else the secret `<SECRETS_PREFIX>/<provider>` is read. No secret means no key.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from shared.aws.runtime.secrets import secret

if TYPE_CHECKING:
    from shared.providers.provider import ProviderSpec
    from shared.rate_limits.fresh_budget import FreshLimits
    from shared.rate_limits.limits import Overrides

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
    return secret(f"{prefix}/{name}") if prefix else None


def limit_overrides(name: str) -> Overrides:
    """`<NAME>_REQUESTS_PER_SECOND`, `<NAME>_CONCURRENCY`, `<NAME>_REQUESTS_PER_DAY`. Raises RuntimeError if invalid."""
    from shared.rate_limits.limits import Overrides  # only providers have overrides

    prefix = name.upper()
    return Overrides(
        requests_per_second=_positive(f"{prefix}_REQUESTS_PER_SECOND", float),
        concurrency=_positive(f"{prefix}_CONCURRENCY", int),
        requests_per_day=_positive(f"{prefix}_REQUESTS_PER_DAY", int),
    )


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


def budgets_table() -> str | None:
    """`PROVIDER_BUDGETS_TABLE`; without it each process applies the limits by itself."""
    return os.environ.get("PROVIDER_BUDGETS_TABLE") or None


def required(name: str) -> str:
    """An environment variable that the function cannot work without. Raises RuntimeError naming it."""
    value = os.environ.get(name)
    if not value:
        raise RuntimeError(f"the environment variable {name} is not set")
    return value
