"""Check an account before a deployment: `python -m infra.preflight -c stage=prod …`, run by `make deploy`.

It only reads. Exit status 2: the deployment would fail, or would not work for its first callers; each line says what to
do. Warnings go to stderr as well and change nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError, NoRegionError

from infra.context import read_context
from infra.functions import max_concurrency, provider_functions, provider_names, provider_spec, searched_by_default
from infra.settings import RerankerModel, Settings, read_settings, stack_name
from infra.tables import TABLES, Table
from shared.providers.function_names import function_names

# The version of the CDK's bootstrap stack that the template requires; the name is that of the CDK's default qualifier.
BOOTSTRAP, BOOTSTRAP_VERSION = "/cdk-bootstrap/hnb659fds/version", 6
# Lambda lets no reservation leave less than this to all other functions of an account.
UNRESERVED = 100
ASK = "ask AWS for 1,000 (Service Quotas, AWS Lambda, Concurrent executions, L-B99A9384)"
ROLE_COMMAND = "aws apigateway update-account --patch-operations op=replace,path=/cloudwatchRoleArn,value=ROLE_ARN"
# Makes the client of a service.
Client = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with the account or the settings, and what to do."""

    message: str
    fatal: bool = True

    def __str__(self) -> str:
        return f"{'error' if self.fatal else 'warning'}: {self.message}"


def findings(settings: Settings, client: Client) -> Iterator[Finding]:
    """Yield what would go wrong. Raises ClientError or BotoCoreError if AWS refuses a request."""
    yield from _settings(settings)
    yield from _bootstrap(client)
    yield from _renamed(settings, client)
    yield from _concurrency(settings, client)
    if settings.access_log:
        yield from _log_role(client)
    for table in TABLES:
        if table.name in settings.adopted:
            yield from _adopted_table(table, settings.adopted[table.name], client)
    if settings.reranker_model:
        yield from _reranker_model(settings.reranker_model, client)
    for name in provider_names():
        yield from _key(settings, name, client)


def _settings(settings: Settings) -> Iterator[Finding]:
    if not settings.contact:
        hint = "CONTACT is not set (CONTACT=you@example.org): sources ask for it, and Unpaywall is skipped"
        yield Finding(hint, fatal=settings.production)
    elif settings.contact.rpartition("@")[2].startswith("example."):
        yield Finding(f"CONTACT is {settings.contact}: Unpaywall refuses addresses of examples", fatal=False)


def _bootstrap(client: Client) -> Iterator[Finding]:
    try:
        version = int(client("ssm").get_parameter(Name=BOOTSTRAP)["Parameter"]["Value"])
    except ClientError as error:
        if error.response["Error"]["Code"] != "ParameterNotFound":
            raise
        yield Finding("this account and region are not prepared for the CDK; run make bootstrap once")
        return
    if version < BOOTSTRAP_VERSION:
        yield Finding(
            f"the CDK's bootstrap stack is of version {version}, {BOOTSTRAP_VERSION} is needed: make bootstrap"
        )


def _concurrency(settings: Settings, client: Client) -> Iterator[Finding]:
    """Compare Lambda's limit with what is reserved. What this stage reserves already is not counted twice."""
    lambda_ = client("lambda")
    limit = lambda_.get_account_settings()["AccountLimit"]
    if limit["ConcurrentExecutions"] < UNRESERVED:
        one_search = 1 + len(searched_by_default())  # the dispatcher, and each provider
        message = (
            f"this account may run {limit['ConcurrentExecutions']} functions at once and a search takes {one_search}, "
            f"so that a second caller loses sources: {ASK}"
        )
        yield Finding(message, fatal=False)
    if not settings.reserve_concurrency:
        return
    wanted = sum(max_concurrency(provider_spec(name)) for name in provider_names())
    free = limit["UnreservedConcurrentExecutions"] + _reserved(settings, lambda_) - UNRESERVED
    if wanted > free:
        message = f"{wanted} concurrent executions cannot be reserved, {max(free, 0)} are free"
        yield Finding(f"{message}: {ASK}, or deploy with -c reserve_concurrency=false")


def _reserved(settings: Settings, lambda_: Any) -> int:
    """Return how many concurrent executions this stage's functions reserve now.

    One of another name is replaced by the deployment: it keeps what it reserves until the new one is there.
    """
    kept = _provider_functions(settings).intersection(_deployed(lambda_))
    answers = (lambda_.get_function_concurrency(FunctionName=name) for name in kept)
    return sum(int(answer.get("ReservedConcurrentExecutions", 0)) for answer in answers)


def _renamed(settings: Settings, client: Client) -> Iterator[Finding]:
    """Warn where a canary would leave the present version without sources: its functions are named otherwise (0115)."""
    if not settings.canary:
        return
    of_stage = {name for name in _deployed(client("lambda")) if name.startswith(f"{stack_name(settings.stage)}-")}
    if of_stage and of_stage.isdisjoint(_provider_functions(settings)):
        message = (
            "this deployment renames the functions of sources, and until it ends the present version finds no source: "
            "deploy it once with -c canary=false, when few callers are there (docs/decisions/0115)"
        )
        yield Finding(message, fatal=False)


def _provider_functions(settings: Settings) -> set[str]:
    return {*function_names(provider_functions(stack_name(settings.stage)), provider_names()).values()}


def _deployed(lambda_: Any) -> list[str]:
    """The names of all functions of the account."""
    pages = lambda_.get_paginator("list_functions").paginate()
    return [function["FunctionName"] for page in pages for function in page["Functions"]]


def _adopted_table(table: Table, name: str, client: Client) -> Iterator[Finding]:
    """Compare an existing table with the form that the code reads and writes."""
    try:
        found = client("dynamodb").describe_table(TableName=name)["Table"]
    except ClientError as error:
        if error.response["Error"]["Code"] != "ResourceNotFoundException":
            raise
        yield Finding(f"there is no table {name} to be used for {table.name}")
        return
    keys = [key["AttributeName"] for key in found["KeySchema"]]
    indexes = {index["IndexName"] for index in found.get("GlobalSecondaryIndexes", [])}
    missing = sorted({index.name for index in table.indexes} - indexes)
    if keys != ["pk", "sk"] or missing:
        form = f"pk and sk as keys and the indexes {', '.join(index.name for index in table.indexes)}"
        yield Finding(f"the table {name} cannot be used for {table.name}: it must have {form}")
    if found["TableStatus"] != "ACTIVE":
        yield Finding(f"the table {name} is {found['TableStatus'].lower()}; wait until it is active")
    if not found.get("DeletionProtectionEnabled"):
        command = f"aws dynamodb update-table --table-name {name} --deletion-protection-enabled"
        yield Finding(f"the table {name} is not protected against deletion: {command}", fatal=False)


def _reranker_model(model: RerankerModel, client: Client) -> Iterator[Finding]:
    """Look for both files. The deployer need not be allowed to read them."""
    for key in model.keys:
        try:
            client("s3").head_object(Bucket=model.bucket, Key=key)
        except ClientError as error:
            if error.response["Error"]["Code"] not in ("404", "403"):
                raise
            missing = error.response["Error"]["Code"] == "404"
            how = "is not there" if missing else "cannot be looked for: is it there?"
            yield Finding(f"the re-ranker's file s3://{model.bucket}/{key} {how}", fatal=missing)


def _log_role(client: Client) -> Iterator[Finding]:
    if not client("apigateway").get_account().get("cloudwatchRoleArn"):
        message = "the access log needs a role of API Gateway, set once for the account and region"
        yield Finding(f"{message}: {ROLE_COMMAND} (with the policy AmazonAPIGatewayPushToCloudWatchLogs)")


def _key(settings: Settings, name: str, client: Client) -> Iterator[Finding]:
    """Warn where a source does much less without a key; which keys somebody has is no reason not to deploy."""
    spec, secret = provider_spec(name), f"{settings.secrets}/{name}"
    if not (spec.needs_key or spec.requests_per_second_with_key):
        return
    create = f"aws secretsmanager create-secret --name {secret} --secret-string KEY"
    try:
        deleted = client("secretsmanager").describe_secret(SecretId=secret).get("DeletedDate")
    except ClientError as error:
        if error.response["Error"]["Code"] != "ResourceNotFoundException":
            raise
        effect = "is skipped" if spec.needs_key else "allows less, from an address shared with strangers"
        yield Finding(f"{name} has no key and {effect}: {create}", fatal=False)
        return
    if deleted:
        yield Finding(
            f"the key of {name} is deleted: aws secretsmanager restore-secret --secret-id {secret}", fatal=False
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every finding. Exit status 2: one of them is fatal, a setting is invalid, or AWS cannot be asked."""
    context = read_context("python -m infra.preflight", __doc__, arguments)
    try:
        settings = read_settings(context.get)
        caller = boto3.client("sts").get_caller_identity()["Account"]
        session: Any = boto3.Session()
        found = list(findings(settings, session.client))
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except NoRegionError:
        print("error: no region is set: export AWS_REGION=eu-central-1, or another one", file=sys.stderr)
        return 2
    except (ClientError, BotoCoreError) as error:
        print(f"error: AWS cannot be asked: {error}. Are these credentials of the right account?", file=sys.stderr)
        return 2
    for finding in found:
        print(finding, file=sys.stderr)
    fatal = any(finding.fatal for finding in found)
    print(f"account {caller}, stage {settings.stage}: {'not ready' if fatal else 'ready'}")
    return 2 if fatal else 0


if __name__ == "__main__":
    sys.exit(main())
