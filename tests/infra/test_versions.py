"""Every invocation names the alias `live`, which leads to a published version, and production begins with a tenth."""

from __future__ import annotations

import json

import pytest

from tests.infra.template import ALIAS, FUNCTION, Template

pytestmark = pytest.mark.slow  # importing the CDK and synthesising take seconds

VERSION, GROUP = "AWS::Lambda::Version", "AWS::CodeDeploy::DeploymentGroup"
# What names a function itself, and does not invoke it.
CONFIGURES = {VERSION, ALIAS, "AWS::CloudWatch::Alarm", "AWS::CloudWatch::Dashboard"}


def test_every_function_has_one_live_alias_of_its_own_version(template: Template) -> None:
    versions = template.resources(VERSION)
    aliases = template.resources(ALIAS)
    assert len(versions) == len(aliases) == len(template.functions)
    for alias in aliases.values():
        assert alias["Name"] == "live"
        version, attribute = alias["FunctionVersion"]["Fn::GetAtt"]
        assert attribute == "Version"
        assert versions[version]["FunctionName"] == alias["FunctionName"]


def test_nothing_refers_to_the_arn_of_a_function_itself(template: Template, production: Template) -> None:
    """Who has the ARN of a function invokes its unpublished code; names are followed by the alias."""
    for stage in (template, production):
        functions = {*stage.resources(FUNCTION)}
        for name, resource in stage.body["Resources"].items():
            written = json.dumps(resource)
            assert not any(f'"Fn::GetAtt": ["{function}", "Arn"]' in written for function in functions), name
            if resource["Type"] not in CONFIGURES:
                for function in functions:
                    named = written.split(f'{{"Ref": "{function}"}}, "')[1:]
                    assert all(rest.startswith(":live") for rest in named), name
                    assert f'{{"Ref": "{function}"}}]' not in written, name


def test_production_deploys_what_answers_callers_to_a_tenth_first_and_back_if_answers_fail(
    production: Template,
) -> None:
    groups = production.resources(GROUP)
    (alarm,) = (name for name, it in production.resources("AWS::CloudWatch::Alarm").items() if "answersfail" in name)
    assert len(groups) == 3
    for group in groups.values():
        assert group["AlarmConfiguration"] == {"Alarms": [{"Name": {"Ref": alarm}}], "Enabled": True}
        assert "DEPLOYMENT_STOP_ON_ALARM" in group["AutoRollbackConfiguration"]["Events"]
    updated = {
        name: resource["UpdatePolicy"]["CodeDeployLambdaAliasUpdate"]["DeploymentGroupName"]["Ref"]
        for name, resource in production.body["Resources"].items()
        if "CodeDeployLambdaAliasUpdate" in resource.get("UpdatePolicy", {})
    }
    assert {f"<{name}>" for name in updated} == {
        production.live(it) for it in ("dispatcher", "mcp_server", "public_pages")
    }
    assert {*updated.values()} == {*groups}


def test_a_tenth_answers_for_longer_than_the_alarm_needs(production: Template) -> None:
    (name,) = {it["DeploymentConfigName"] for it in production.resources(GROUP).values()}
    minutes = int(name.removeprefix("CodeDeployDefault.LambdaCanary10Percent").removesuffix("Minutes"))
    (alarm,) = (it for name, it in production.resources("AWS::CloudWatch::Alarm").items() if "answersfail" in name)
    seconds = max(it["MetricStat"]["Period"] for it in alarm["Metrics"] if "MetricStat" in it)
    assert minutes * 60 >= seconds * (alarm["DatapointsToAlarm"] + 1)
    assert alarm["Threshold"] < 10  # percent: a tenth that fails altogether is above it


def test_a_stage_without_the_canary_moves_its_aliases_at_once(template: Template) -> None:
    assert not template.resources(GROUP)
