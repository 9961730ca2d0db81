"""`make deploy` creates the stack of the template and logs every step."""

from __future__ import annotations

import re

from infra.functions import OPTIONAL, provider_names
from infra.tables import TABLES
from tests.e2e.deployment import LOG, STACK, Deployment, deploy
from tests.e2e.emulated_aws import ROOT

FUNCTIONS = {*provider_names(), *(path.parent.name for path in ROOT.glob("functions/*/handler.py"))} - {*OPTIONAL}
EVENT = re.compile(rf"^{STACK} \| +\d+/\d+ \| .* \| CREATE_COMPLETE +\| (AWS::\S+)", re.MULTILINE)


def test_the_log_has_every_event_of_cloudformation(deployed: Deployment) -> None:
    created = EVENT.findall(deployed.deploy_output)
    assert created.count("AWS::Lambda::Function") == len(FUNCTIONS)
    assert created.count("AWS::DynamoDB::Table") == len(TABLES)
    assert {"AWS::ApiGateway::RestApi", "AWS::ApiGateway::UsagePlanKey", "AWS::Lambda::EventSourceMapping"} <= {
        *created
    }
    assert deployed.deploy_output in LOG.read_text(encoding="utf-8")


def test_the_command_prints_the_url_and_the_key_id(deployed: Deployment) -> None:
    assert f"{STACK}.Url = {deployed.outputs['Url']}" in deployed.deploy_output
    assert f"{STACK}.ApiKeyId = {deployed.outputs['ApiKeyId']}" in deployed.deploy_output


def test_every_function_is_deployed(deployed: Deployment) -> None:
    assert set(deployed.functions) == FUNCTIONS
    for name in provider_names():
        assert deployed.invoke(name, {"operation": "describe"})["name"] == name


def test_every_alias_was_made_for_a_published_version(deployed: Deployment) -> None:
    versions = deployed.resources("AWS::Lambda::Version")
    assert len(versions) == len(deployed.resources("AWS::Lambda::Alias")) == len(FUNCTIONS)
    assert all(version.rpartition(":")[2].isdigit() for version in versions)


def test_deploying_again_changes_nothing(deployed: Deployment) -> None:
    assert f"{STACK} (no changes)" in deploy(deployed.aws).stdout
