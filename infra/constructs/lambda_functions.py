"""The Lambdas: all from one code asset and one layer of wheels, each with its own handler, limits and permissions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from aws_cdk import Duration, IgnoreMode, RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

ROOT = Path(__file__).parents[2]
# Path in the repository = import path = path in the asset; nothing else goes in.
NOT_CODE = ["/*", "!/functions", "!/shared", "__pycache__"]
RUNTIME = lambda_.Runtime.PYTHON_3_13
ARCHITECTURE = lambda_.Architecture.ARM_64


class Functions:
    """Makes the functions of a stack. `layer` is a folder that holds `python/` with the locked wheels."""

    def __init__(self, scope: Construct, layer: Path) -> None:
        self._scope = scope
        self._code = lambda_.Code.from_asset(str(ROOT), exclude=NOT_CODE, ignore_mode=IgnoreMode.GIT)
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
    ) -> lambda_.Function:
        """A function that may do nothing yet but write its log, which is kept for a month."""
        log = logs.LogGroup(
            self._scope, f"{name}-log", retention=logs.RetentionDays.ONE_MONTH, removal_policy=RemovalPolicy.DESTROY
        )
        return lambda_.Function(
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
            log_group=log,
        )


def allow(function: lambda_.Function, actions: Sequence[str], on: Sequence[str]) -> None:
    """Let a function do these actions on these resources, given by ARN."""
    function.add_to_role_policy(iam.PolicyStatement(actions=list(actions), resources=list(on)))
