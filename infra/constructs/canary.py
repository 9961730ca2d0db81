"""Deployments of the functions that answer callers: a tenth of the requests first, and back if answers fail.

CodeDeploy moves the alias `live` to the new version. While the alarm is on it moves the alias back, and CloudFormation
then rolls the whole deployment back. https://docs.aws.amazon.com/codedeploy/latest/userguide/deployment-configurations.html
"""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import aws_codedeploy as codedeploy
from aws_cdk import aws_iam as iam
from aws_cdk.aws_cloudwatch import Alarm
from aws_cdk.aws_lambda import Function
from constructs import Construct

from infra.constructs.accepted_findings import accept
from infra.constructs.lambda_functions import live

# The alarm needs two periods of five minutes: a tenth must be exposed for longer than that.
CANARY = codedeploy.LambdaDeploymentConfig.CANARY_10_PERCENT_15_MINUTES
ACCEPTED = {
    "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]": (
        "AWS writes this policy for CodeDeploy's deployments of Lambda functions: it moves aliases and reads alarms."
    )
}


def deploy_with_canary(scope: Construct, functions: Sequence[Function], alarm: Alarm) -> None:
    """Let deployments of these functions begin with a tenth of their invocations, guarded by the alarm."""
    application = codedeploy.LambdaApplication(scope, "canary")
    role = iam.Role(
        scope,
        "canary-role",
        assumed_by=iam.ServicePrincipal("codedeploy.amazonaws.com"),
        managed_policies=[
            iam.ManagedPolicy.from_aws_managed_policy_name("service-role/AWSCodeDeployRoleForLambdaLimited")
        ],
    )
    accept(role, ACCEPTED)
    for function in functions:
        codedeploy.LambdaDeploymentGroup(
            scope,
            f"{function.node.id}-canary",
            application=application,
            alias=live(function),
            deployment_config=CANARY,
            alarms=[alarm],
            role=role,
        )
