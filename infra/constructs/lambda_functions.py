"""The Lambda functions: one code asset and one layer of wheels; each has its own handler, limits and role.

A function whose wheels or files are large and used by no other has a layer or an asset of its own instead.

Each deployment publishes a version of the functions that it changes, and the alias `live` leads to it. Whatever invokes
a function names the alias: so the old version answers until the new one is complete, and can take over again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aws_cdk import Duration, RemovalPolicy, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.constructs.accepted_findings import accept

RUNTIME = lambda_.Runtime.PYTHON_3_13
ARCHITECTURE = lambda_.Architecture.ARM_64
LIVE = "live"
ACCEPTED = {
    "Serverless-LambdaDLQ": "Only what runs saved searches is invoked asynchronously, on their schedules: the next run "
    "of a saved search reports everything that a lost run missed, and an alarm reports lost runs.",
    "AwsSolutions-L1": "The layer's wheels are built for 3.13; a newer runtime comes with newer wheels.",
    "Serverless-LambdaLatestVersion": "The layer's wheels are built for 3.13; a newer runtime comes with newer wheels.",
    "AwsSolutions-IAM5[Resource::*]": "X-Ray's two actions support no resource-level permissions: IAM requires `*`.",
}


class Functions:
    """Creates the functions of a stack. `layer` contains `python/` with the locked wheels, `code` the uploaded code."""

    def __init__(self, scope: Construct, layer: Path, code: Path) -> None:
        self._scope = scope
        self._code = lambda_.Code.from_asset(str(code))
        self._layer = self.new_layer("wheels", layer, "the wheels of requirements.txt")

    def new_layer(self, name: str, folder: Path, description: str) -> lambda_.LayerVersion:
        """Create a layer of the wheels in `folder/python`."""
        return lambda_.LayerVersion(
            self._scope,
            name,
            code=lambda_.Code.from_asset(str(folder.resolve())),
            compatible_runtimes=[RUNTIME],
            compatible_architectures=[ARCHITECTURE],
            description=description,
        )

    def new(
        self,
        name: str,
        handler: str,
        environment: Mapping[str, str],
        *,
        timeout_s: int,
        memory_mb: int,
        reserved_concurrency: int | None = None,
        layer: lambda_.LayerVersion | None = None,
        code: Path | None = None,
        physical_name: str | None = None,
    ) -> lambda_.Function:
        """Create a function that may only write its log (retained for a month) and its traces.

        `reserved_concurrency` reserves and limits its concurrent invocations; None shares the account's concurrency.
        `layer` and `code` replace those of all functions, `physical_name` the name that CloudFormation makes up.
        """
        log = logs.LogGroup(
            self._scope, f"{name}-log", retention=logs.RetentionDays.ONE_MONTH, removal_policy=RemovalPolicy.DESTROY
        )
        # A role of its own: Lambda's managed policy would let each function write to every log of the account.
        role = iam.Role(self._scope, f"{name}-role", assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"))
        function = lambda_.Function(
            self._scope,
            name,
            function_name=physical_name,
            handler=handler,
            runtime=RUNTIME,
            architecture=ARCHITECTURE,
            code=lambda_.Code.from_asset(str(code)) if code else self._code,
            layers=[layer or self._layer],
            environment=dict(environment),
            timeout=Duration.seconds(timeout_s),
            memory_size=memory_mb,
            reserved_concurrent_executions=reserved_concurrency,
            log_group=log,
            role=role,
            tracing=lambda_.Tracing.ACTIVE,
        )
        lambda_.Alias(function, LIVE, alias_name=LIVE, version=function.current_version)
        log.grant_write(function)
        accept(function, ACCEPTED)
        accept(role, ACCEPTED)
        return function


def live(function: lambda_.Function) -> lambda_.Alias:
    """Return the alias of a function that is invoked."""
    alias = function.node.find_child(LIVE)
    assert isinstance(alias, lambda_.Alias)
    return alias


def live_name(function: lambda_.Function) -> str:
    """Return the name by which code invokes the alias: Lambda reads it as name and qualifier."""
    return f"{function.function_name}:{LIVE}"


def allow(function: lambda_.Function, actions: Sequence[str], on: Sequence[str], *, because: str | None = None) -> None:
    """Grant a function these actions on these ARNs. Raises ValueError for a wildcard without a reason (`because`)."""
    wildcards = [text for text in (*actions, *on) if "*" in text or "?" in text]
    if wildcards and not because:
        raise ValueError(f"{', '.join(wildcards)} matches more than one action or resource: say why in `because`")
    function.add_to_role_policy(iam.PolicyStatement(actions=list(actions), resources=list(on)))
    stack = Stack.of(function)
    findings = {f"AwsSolutions-IAM5[Resource::{_finding_text(stack.resolve(text))}]": because for text in wildcards}
    accept(function.role, {finding: reason for finding, reason in findings.items() if reason and "*" in finding})


def _finding_text(arn: Any) -> str:
    """Return an ARN as cdk-nag writes it: a CloudFormation reference becomes `<AWS::Region>` or `<bucket.Arn>`."""
    parts = [arn] if isinstance(arn, str) else arn["Fn::Join"][1]
    return "".join(part if isinstance(part, str) else f"<{_referred(part)}>" for part in parts)


def _referred(reference: Mapping[str, Any]) -> str:
    return str(reference["Ref"]) if "Ref" in reference else ".".join(reference["Fn::GetAtt"])
