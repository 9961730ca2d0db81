"""Keys for callers: created under the usage plan of all, listed without their values, and deleted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from infra.caller_keys import main
from shared.api.credentials import tenant_of_key


@pytest.fixture
def gateway(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A deployed stage, as far as its outputs name its usage plan."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    with mock_aws():
        client: Any = boto3.client("apigateway")
        plan = client.create_usage_plan(name="callers")["id"]
        body = {
            "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}},
            "Outputs": {"UsagePlanId": {"Value": plan}},
        }
        boto3.client("cloudformation").create_stack(StackName="literature-search-dev", TemplateBody=json.dumps(body))
        yield client


def test_a_key_names_its_tenant_and_is_under_the_usage_plan(gateway: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["create", "alice"]) == main(["create", "alice"]) == 0
    (one_id, one), (other_id, other) = (line.split() for line in capsys.readouterr().out.splitlines())
    assert tenant_of_key(one) == tenant_of_key(other) == "alice"
    assert one != other
    assert main(["delete", one_id]) == main(["list"]) == 0
    assert capsys.readouterr().out == f"{other_id}  alice\n"
    assert gateway.get_api_key(apiKey=other_id, includeValue=True)["value"] == other


@pytest.mark.parametrize("tenant", ["", "Alice", "a.b", "a:b", "a" * 64, "a b"])
def test_an_odd_tenant_is_refused(tenant: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["create", tenant])


def test_a_stage_that_is_not_deployed_is_an_error(gateway: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--stage", "prod", "list"]) == 1
    assert capsys.readouterr().err.startswith("error: ")
