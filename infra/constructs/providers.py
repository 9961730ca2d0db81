"""One Lambda per file in `functions/providers`, configured by the file's SPEC."""

from __future__ import annotations

from aws_cdk import ArnFormat, Stack
from aws_cdk import aws_iam as iam
from aws_cdk.aws_dynamodb import ITable
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_s3 import Bucket
from constructs import IConstruct

from infra.constructs.cache_files import allow_late_replies, leg_keys
from infra.constructs.lambda_functions import LIVE, Functions, allow
from infra.functions import max_concurrency, provider_functions, provider_names, provider_spec, timeout_s
from infra.settings import Settings
from shared.providers.function_names import function_name
from shared.providers.provider import ProviderSpec


def new_providers(
    functions: Functions, budgets: ITable, cache: ITable, files: Bucket, settings: Settings
) -> dict[str, Function]:
    """Create the functions; they are returned by provider name."""
    return {
        name: _new_provider(functions, provider_spec(name), budgets, cache, files, settings)
        for name in provider_names()
    }


def live_providers(part: IConstruct) -> str:
    """Return the environment variable with the names by which a part of the stack invokes the providers' functions."""
    return f"{provider_functions(Stack.of(part).stack_name)}:{LIVE}"


def _allow_keys(provider: Function, actions: list[str], table: ITable, *keys: str) -> None:
    """Allow the actions on the items of a table whose partition key is like one of these patterns."""
    provider.add_to_role_policy(
        iam.PolicyStatement(
            actions=actions,
            resources=[table.table_arn],
            conditions={"ForAllValues:StringLike": {"dynamodb:LeadingKeys": list(keys)}},
        )
    )


def _new_provider(
    functions: Functions, spec: ProviderSpec, budgets: ITable, cache: ITable, files: Bucket, settings: Settings
) -> Function:
    environment: dict[str, str] = {
        "SECRETS_PREFIX": settings.secrets,
        "PROVIDER_BUDGETS_TABLE": budgets.table_name,
        "POWERTOOLS_METRICS_NAMESPACE": Stack.of(budgets).stack_name,
    }
    if "search" in spec.operations:
        environment["SEARCH_CACHE_TABLE"] = cache.table_name
    contact = {"CONTACT_EMAIL": settings.contact} if settings.contact else {}
    provider = functions.new(
        spec.name,
        f"functions.providers.{spec.name}.handler",
        environment | contact | {**settings.limits.get(spec.name, {})},
        timeout_s=timeout_s(spec.name),
        memory_mb=spec.memory_mb,
        physical_name=function_name(provider_functions(Stack.of(budgets).stack_name), spec.name),
        reserved_concurrency=max_concurrency(spec) if settings.reserve_concurrency else None,
    )
    slots = f"slots#{spec.name}"
    allow(provider, ["dynamodb:GetItem"], on=[budgets.table_arn])  # its own state, and the switches of all
    _allow_keys(provider, ["dynamodb:PutItem"], budgets, f"provider#{spec.name}", slots)
    _allow_keys(provider, ["dynamodb:UpdateItem"], budgets, slots)
    if "search" in spec.operations:  # a reply after an early response, written to the legs of this provider alone
        _allow_keys(provider, ["dynamodb:BatchWriteItem", "dynamodb:UpdateItem"], cache, *leg_keys(spec.name))
        allow_late_replies(provider, spec.name, files)
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
        because="Secrets Manager appends six random characters to a secret's ARN. A secret that does not exist has "
        "none, and the answer must be `not found`, not `access denied`: a provider then knows that it has no key.",
    )
    return provider
