"""What an operator does without a deployment: a source is switched off, and a version that fails is taken back."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.deployment import STAGE, Deployment
from tests.e2e.emulated_aws import ROOT

SOURCE, OTHER = "crossref", "openalex"
REASON = "asked by the publisher to pause"
DISPATCHER = "dispatcher"


def switch(deployed: Deployment, *words: str) -> str:
    """Run the command of infra/runbook.md; returns what it prints."""
    command = [sys.executable, "-m", "infra.source_switch", *words, "--stage", STAGE]
    done = subprocess.run(
        command, cwd=ROOT, env=dict(deployed.aws.environment), capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


def test_a_source_that_is_switched_off_is_reported_and_not_queried(deployed: Deployment) -> None:
    fields: dict[str, Any] = {"providers": [SOURCE, OTHER], "max_results": 3}
    assert switch(deployed, "off", SOURCE, "--reason", REASON) == f"{SOURCE} is off: {REASON}\n"
    before = deployed.requests_received()
    answer = deployed.search("microglia synapse pruning", **fields)  # no other test searches this
    report = answer["providers"][SOURCE]
    assert report["outcome"] == "skipped_disabled"
    assert report["warnings"] == [f"{SOURCE} is switched off by the operator: {REASON}"]
    assert answer["providers"][OTHER]["outcome"] in ("ok", "empty")
    assert answer["complete"] is False
    received = deployed.requests_received()
    assert (received[SOURCE], received[OTHER] > before[OTHER]) == (before[SOURCE], True)
    assert switch(deployed, "on", SOURCE) == "every source is on\n"
    again = deployed.search("microglia synapse pruning in mice", **fields)
    assert again["providers"][SOURCE]["outcome"] in ("ok", "empty")
    assert deployed.requests_received()[SOURCE] > before[SOURCE]


@pytest.fixture
def published(deployed: Deployment) -> Iterator[str]:
    """A published version of the dispatcher that answers; afterwards the alias leads to the unpublished code again."""
    client, name = deployed.aws.client("lambda"), deployed.functions[DISPATCHER]
    variables = client.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    yield str(client.publish_version(FunctionName=name)["Version"])
    client.update_function_configuration(FunctionName=name, Environment={"Variables": variables})
    client.update_alias(FunctionName=name, Name="live", FunctionVersion="$LATEST")
    deployed.search("microglia")


def test_a_version_that_fails_is_taken_back_by_its_alias(deployed: Deployment, published: str) -> None:
    """What CodeDeploy does when the alarm rings; the emulated AWS has no CodeDeploy."""
    client, name = deployed.aws.client("lambda"), deployed.functions[DISPATCHER]

    def led_to(version: str) -> int:
        client.update_alias(FunctionName=name, Name="live", FunctionVersion=version)
        return deployed.caller.get("v1/providers").status_code

    assert led_to(published) == 200
    variables = client.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    broken = {**variables, "CAPABILITIES": "no JSON"}
    client.update_function_configuration(FunctionName=name, Environment={"Variables": broken})
    assert led_to(str(client.publish_version(FunctionName=name)["Version"])) == 502
    assert led_to(published) == 200
