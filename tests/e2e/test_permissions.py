"""Every function runs under the role that the template gives it: what the role may not do, the function cannot."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from tests.e2e.deployment import Deployment


@contextmanager
def denied_to(deployed: Deployment, role: str, action: str) -> Iterator[None]:
    """While inside, a role may not do this."""
    iam = deployed.aws.client("iam")
    statement = {"Effect": "Deny", "Action": action, "Resource": "*"}
    policy = {"Version": "2012-10-17", "Statement": [statement]}
    iam.put_role_policy(RoleName=role, PolicyName="denied", PolicyDocument=json.dumps(policy))
    try:
        yield
    finally:
        iam.delete_role_policy(RoleName=role, PolicyName="denied")


@contextmanager
def denied(deployed: Deployment, function: str, action: str) -> Iterator[None]:
    """While inside, a function's role may not do this."""
    client = deployed.aws.client("lambda")
    role = client.get_function_configuration(FunctionName=deployed.functions[function])["Role"].rpartition("/")[2]
    with denied_to(deployed, role, action):
        yield


def test_permissions_are_enforced_where_all_this_is_tested(deployed: Deployment) -> None:
    """Else every other test would pass with no permission at all."""
    with denied(deployed, "dispatcher", "dynamodb:BatchGetItem"):
        assert deployed.caller.get("v1/graph/papers/10.5555/nobody").status_code == 503
    assert deployed.caller.get("v1/graph/papers/10.5555/nobody").status_code == 404


def test_a_provider_that_the_dispatcher_may_not_invoke_fails_alone(deployed: Deployment) -> None:
    with denied(deployed, "dispatcher", "lambda:InvokeFunction"):
        response = deployed.caller.post("v1/literature-search", json={"query": "TREM2", "fresh": True})
    assert response.status_code in (502, 504), response.text
