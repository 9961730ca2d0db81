"""Every function runs under its role: without a permission of the role, the function's call is denied."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from tests.e2e.deployment import Deployment


@contextmanager
def denied_to(deployed: Deployment, role: str, action: str, on: str = "*") -> Iterator[None]:
    """Deny a role an action, on every resource or on one, until the context ends."""
    iam = deployed.aws.client("iam")
    statement = {"Effect": "Deny", "Action": action, "Resource": on}
    policy = {"Version": "2012-10-17", "Statement": [statement]}
    iam.put_role_policy(RoleName=role, PolicyName="denied", PolicyDocument=json.dumps(policy))
    try:
        yield
    finally:
        iam.delete_role_policy(RoleName=role, PolicyName="denied")


@contextmanager
def denied(deployed: Deployment, function: str, action: str, on: str = "*") -> Iterator[None]:
    """Deny a function's role an action until the context ends."""
    client = deployed.aws.client("lambda")
    role = client.get_function_configuration(FunctionName=deployed.functions[function])["Role"].rpartition("/")[2]
    with denied_to(deployed, role, action, on):
        yield


def test_the_emulated_aws_enforces_permissions(deployed: Deployment) -> None:
    """Otherwise every other test would pass without any permission."""
    with denied(deployed, "dispatcher", "dynamodb:BatchGetItem"):
        assert deployed.caller.get("v1/graph/papers/10.5555/nobody").status_code == 503
    assert deployed.caller.get("v1/graph/papers/10.5555/nobody").status_code == 404


def test_a_provider_that_the_dispatcher_may_not_invoke_fails_alone(deployed: Deployment) -> None:
    client, before = deployed.aws.client("lambda"), deployed.requests_received()
    arn = client.get_alias(FunctionName=deployed.functions["crossref"], Name="live")["AliasArn"]
    providers = ["crossref", "europe_pmc", "openalex"]
    with denied(deployed, "dispatcher", "lambda:InvokeFunction", arn):
        # No other test searches this: a cached leg would replace the failed one.
        answer = deployed.search("TREM2 signalling", providers=providers, cite_in_kg=False)
    outcomes = {name: report["outcome"] for name, report in answer["providers"].items()}
    assert outcomes == {"crossref": "unavailable", "europe_pmc": "ok", "openalex": "ok"}
    assert answer["complete"] is False
    assert answer["returned"] > 0
    assert {name for name in providers if deployed.requests_received()[name] > before[name]} == {
        "europe_pmc",
        "openalex",
    }
