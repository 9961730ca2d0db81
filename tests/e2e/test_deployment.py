"""What the command leaves behind: a stack as the template says, told step by step, and no secret anywhere."""

from __future__ import annotations

import re

from infra.functions import provider_names
from infra.tables import TABLES
from tests.e2e.deployment import LOG, STACK, Deployment, deploy
from tests.e2e.emulated_aws import ROOT

FUNCTIONS = {*provider_names(), *(path.parent.name for path in ROOT.glob("functions/*/handler.py"))}
EVENT = re.compile(rf"^{STACK} \| +\d+/\d+ \| .* \| CREATE_COMPLETE +\| (AWS::\S+)", re.MULTILINE)


def test_the_log_tells_every_event_of_cloudformation(deployed: Deployment) -> None:
    created = EVENT.findall(deployed.told)
    assert created.count("AWS::Lambda::Function") == len(FUNCTIONS)
    assert created.count("AWS::DynamoDB::Table") == len(TABLES)
    assert {"AWS::ApiGateway::RestApi", "AWS::ApiGateway::UsagePlanKey", "AWS::Lambda::EventSourceMapping"} <= {
        *created
    }
    assert deployed.told in LOG.read_text(encoding="utf-8")


def test_the_command_tells_the_address_and_the_key_to_fetch(deployed: Deployment) -> None:
    assert f"{STACK}.Url = {deployed.outputs['Url']}" in deployed.told
    assert f"{STACK}.ApiKeyId = {deployed.outputs['ApiKeyId']}" in deployed.told


def test_every_function_says_that_it_is_there(deployed: Deployment) -> None:
    assert set(deployed.functions) == FUNCTIONS
    for name in provider_names():
        assert deployed.invoke(name, {"operation": "describe"})["name"] == name


def test_deploying_again_changes_nothing(deployed: Deployment) -> None:
    assert f"{STACK} (no changes)" in deploy(deployed.aws).stdout
