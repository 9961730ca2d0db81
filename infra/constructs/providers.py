"""A Lambda for every file in `functions/providers`, as the file declares it."""

from __future__ import annotations

import math

from aws_cdk import ArnFormat, Stack
from aws_cdk.aws_dynamodb import Table
from aws_cdk.aws_lambda import Function

from infra.constructs.lambda_functions import Functions, allow
from infra.functions import provider_names, provider_spec, timeout_s
from infra.settings import Settings
from shared.providers.provider import ProviderSpec

MOST_AT_ONCE = 100


def new_providers(functions: Functions, budgets: Table, settings: Settings) -> dict[str, Function]:
    """The functions by their providers' names."""
    return {name: _new_provider(functions, provider_spec(name), budgets, settings) for name in provider_names()}


def at_once(spec: ProviderSpec) -> int:
    """How many legs of a provider can be under way with a use: those that have their turn before their time is over.

    What is turned away above that would have waited for nothing, and can take nobody else's place.
    """
    rate = max(spec.requests_per_second, spec.requests_per_second_with_key or 0)
    return min(math.ceil(rate * spec.timeout_s), MOST_AT_ONCE)


def _new_provider(functions: Functions, spec: ProviderSpec, budgets: Table, settings: Settings) -> Function:
    told: dict[str, str] = {
        "SECRETS_PREFIX": settings.secrets,
        "PROVIDER_BUDGETS_TABLE": budgets.table_name,
        "POWERTOOLS_METRICS_NAMESPACE": Stack.of(budgets).stack_name,
    }
    contact = {"CONTACT_EMAIL": settings.contact} if settings.contact else {}
    provider = functions.new(
        spec.name,
        f"functions.providers.{spec.name}.handler",
        told | contact | {**settings.limits.get(spec.name, {})},
        timeout_s=timeout_s(spec.name),
        memory_mb=spec.memory_mb,
        at_once=at_once(spec) if settings.reserve_concurrency else None,
    )
    allow(provider, ["dynamodb:GetItem", "dynamodb:PutItem"], on=[budgets.table_arn])
    secret = Stack.of(provider).format_arn(
        service="secretsmanager",
        resource="secret",
        resource_name=f"{settings.secrets}/{spec.name}",
        arn_format=ArnFormat.COLON_RESOURCE_NAME,
    )
    allow(
        provider,
        ["secretsmanager:GetSecretValue"],
        on=[secret, f"{secret}-??????"],
        because="Secrets Manager ends a stored secret's ARN with six characters of its own; one that is not there has "
        "none, and must be `not found` rather than `denied`: that is how a provider learns that it has no key.",
    )
    return provider
