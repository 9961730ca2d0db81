"""The Lambdas: all from one code asset and one layer of wheels, each with its own handler, limits and permissions."""

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
ACCEPTED = {
    "Serverless-LambdaDLQ": "Only EventBridge does not wait for an answer, and only of the dispatcher: a run that was "
    "lost is made good by the next, which tells all that is new, and an alarm tells of it.",
    "AwsSolutions-L1": "The layer's wheels are built for 3.13; a newer runtime comes with newer wheels.",
    "Serverless-LambdaLatestVersion": "The layer's wheels are built for 3.13; a newer runtime comes with newer wheels.",
    "AwsSolutions-IAM5[Resource::*]": "X-Ray takes traces for no resource by name: its two actions allow `*` only.",
}


class Functions:
    """Makes the functions of a stack. `layer` holds `python/` with the locked wheels, `code` what is uploaded."""

    def __init__(self, scope: Construct, layer: Path, code: Path) -> None:
        self._scope = scope
        self._code = lambda_.Code.from_asset(str(code))
        self._layer = lambda_.LayerVersion(
            scope,
            "wheels",
            code=lambda_.Code.from_asset(str(layer.resolve())),
            compatible_runtimes=[RUNTIME],
            compatible_architectures=[ARCHITECTURE],
            description="the wheels of requirements.txt",
        )

    def new(
        self,
        name: str,
        handler: str,
        environment: Mapping[str, str],
        *,
        timeout_s: int,
        memory_mb: int,
        at_once: int | None = None,
    ) -> lambda_.Function:
        """A function that may do nothing yet but write its log, kept for a month, and its traces.

        `at_once`: so many of the account's concurrent invocations are its own, and no more; with None it shares all.
        """
        log = logs.LogGroup(
            self._scope, f"{name}-log", retention=logs.RetentionDays.ONE_MONTH, removal_policy=RemovalPolicy.DESTROY
        )
        # Of its own: Lambda's ready-made policy would let each function write into every log of the account.
        role = iam.Role(self._scope, f"{name}-role", assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"))
        function = lambda_.Function(
            self._scope,
            name,
            handler=handler,
            runtime=RUNTIME,
            architecture=ARCHITECTURE,
            code=self._code,
            layers=[self._layer],
            environment=dict(environment),
            timeout=Duration.seconds(timeout_s),
            memory_size=memory_mb,
            reserved_concurrent_executions=at_once,
            log_group=log,
            role=role,
            tracing=lambda_.Tracing.ACTIVE,
        )
        log.grant_write(function)
        accept(function, ACCEPTED)
        accept(role, ACCEPTED)
        return function


def allow(function: lambda_.Function, actions: Sequence[str], on: Sequence[str], *, because: str | None = None) -> None:
    """Let a function do these actions on these ARNs. Raises ValueError for a wildcard without a reason."""
    wild = [text for text in (*actions, *on) if "*" in text or "?" in text]
    if wild and not because:
        raise ValueError(f"{', '.join(wild)} may mean more than one thing: say why it is needed")
    function.add_to_role_policy(iam.PolicyStatement(actions=list(actions), resources=list(on)))
    stack = Stack.of(function)
    found = {f"AwsSolutions-IAM5[Resource::{_as_found(stack.resolve(text))}]": because for text in wild}
    accept(function.role, {finding: reason for finding, reason in found.items() if reason and "*" in finding})


def _as_found(arn: Any) -> str:
    """An ARN as the checks write it: `<AWS::Region>` for what only the cloud knows."""
    parts = [arn] if isinstance(arn, str) else arn["Fn::Join"][1]
    return "".join(part if isinstance(part, str) else f"<{part['Ref']}>" for part in parts)
