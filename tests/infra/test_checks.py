"""cfn-lint and cdk-nag on the template: each finding is fixed or accepted with a reason."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from infra.app import new_app
from infra.constructs import accepted_findings as accepted
from infra.uploaded_code import StagedCode
from tests.infra.conftest import ALL_SETTINGS, CONTACT
from tests.infra.template import Template

pytestmark = pytest.mark.slow  # importing the CDK and synthesising take seconds

# W3005: the CDK writes dependencies that already follow from references.
IGNORED = ["W3005"]
CHOICES = {"dev": {"contact": CONTACT}, "prod": ALL_SETTINGS}
# What makes every construct with an accepted finding, and none that makes up for one.
WITH_FINDINGS = {"contact": CONTACT, "alarm_email": "a@b.org", "canary": "true"}


def lint_findings(template: str) -> list[Any]:
    """What cfn-lint reports on a template."""
    # With all of sympy: every test process would import it to find the tests.
    from cfnlint.api import ManualArgs, lint

    return list(lint(template, config=ManualArgs(ignore_checks=IGNORED)))


@pytest.mark.parametrize("stage", ["template", "production"])
def test_cfn_lint_finds_nothing(stage: str, request: pytest.FixtureRequest) -> None:
    deployed: Template = request.getfixturevalue(stage)
    matches = lint_findings(deployed.path.read_text(encoding="utf-8"))
    assert not [f"{it.rule.id} {it.message}" for it in matches]


def test_cfn_lint_finds_an_invalid_timeout(template: Template) -> None:
    body = json.loads(template.path.read_text(encoding="utf-8"))
    body["Resources"][template.logical_id("dispatcher")]["Properties"]["Timeout"] = 901
    assert lint_findings(json.dumps(body))


def findings(layer: Path, out: Path, context: Mapping[str, str]) -> set[str]:
    """Return the findings of cdk-nag's two rule packs, as `rule[finding]`."""
    app, _ = new_app(layer, StagedCode(layer, layer), out, context)  # the rules do not check the code
    from aws_cdk import Validations
    from cdk_nag import AwsSolutionsChecks, ServerlessChecks

    Validations.of(app).add_plugins(AwsSolutionsChecks(app), ServerlessChecks(app))
    try:
        app.synth()
    except RuntimeError as error:
        assert str(error).startswith("ValidationFailed"), error
    report: dict[str, Any] = json.loads((out / "validation-report.json").read_text(encoding="utf-8"))
    return {
        f"{violation['ruleName']} at {where.get('constructPath')}"
        for plugin in report["pluginReports"]
        for violation in plugin["violations"]
        for where in violation["violatingConstructs"]
    }


@pytest.mark.parametrize("stage", CHOICES)
def test_cdk_nag_finds_nothing_that_is_not_accepted(layer: Path, tmp_path: Path, stage: str) -> None:
    assert findings(layer, tmp_path, CHOICES[stage]) == set()


def test_every_accepted_finding_is_one_that_cdk_nag_reports(
    layer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reasons: dict[str, str] = {}

    class RecordedAcknowledgments:
        """Replaces the CDK's class, so that nothing is acknowledged."""

        @staticmethod
        def of(where: Any) -> Any:
            return RecordedAcknowledgments()

        def acknowledge(self, *matches: Any) -> None:
            reasons.update({it.id: it.reason for it in matches})

    monkeypatch.setattr(accepted, "Validations", RecordedAcknowledgments)
    found = {it.partition(" at ")[0] for it in findings(layer, tmp_path, WITH_FINDINGS)}
    assert found == set(reasons)
    assert all(len(reason.split()) >= 6 for reason in reasons.values())
