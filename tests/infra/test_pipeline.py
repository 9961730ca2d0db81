"""The workflows of the pipeline: pinned actions, no stored keys, and commands that exist."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from infra.settings import read_settings
from tests.e2e.load import MAX_SLOW, SLOW_S, Result, load, verdict

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
every_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)


def jobs(path: Path) -> dict[str, dict[str, Any]]:
    return dict(yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"])


@every_workflow
def test_every_action_is_pinned_to_a_commit_with_its_version_beside_it(path: Path) -> None:
    used = [line.partition("uses: ")[2] for line in path.read_text(encoding="utf-8").splitlines() if "uses: " in line]
    assert used
    for action in used:
        assert re.fullmatch(r"\./\S+|[\w./-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+(: .+)?", action), action


@every_workflow
def test_a_workflow_may_read_the_code_alone_and_a_job_what_it_needs(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}
    assert "secrets." not in text  # keys are not stored: roles trust the token of the run
    for name, job in jobs(path).items():
        assert {*job.get("permissions", {})} <= {"contents", "id-token", "security-events"}, name
        assert job.get("timeout-minutes") or "uses" in job, name
        # Text that others choose must not become part of a script.
        assert not [it for it in job.get("steps", []) if "${{" in str(it.get("run", ""))], name


@every_workflow
def test_every_make_command_of_a_workflow_exists(path: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    called = set(re.findall(r"make ([\w-]+)", path.read_text(encoding="utf-8")))
    assert called <= targets


def test_main_is_deployed_to_a_stage_of_its_own_and_tested_there_before_prod_is_approved() -> None:
    pipeline = jobs(ROOT / ".github" / "workflows" / "deploy.yml")
    assert (pipeline["staging"]["needs"], pipeline["prod"]["needs"]) == ("ci", "staging")
    assert (pipeline["staging"]["environment"], pipeline["prod"]["environment"]) == ("staging", "prod")
    commands = [it["run"].split()[1] for it in pipeline["staging"]["steps"] if "run" in it]
    assert commands == ["deploy", "e2e", "load", "destroy"]
    assert pipeline["staging"]["steps"][-1]["if"] == "always()"
    stage = pipeline["staging"]["env"]["STAGE"].replace("${{ github.run_id }}", "16512345678")
    assert not read_settings({"stage": stage}.get).production


def test_the_suite_can_run_against_a_deployed_stage() -> None:
    """A dry run: which tests would run, without credentials."""
    commands = subprocess.run(
        ["make", "-n", "e2e", "TARGET=aws", "STAGE=test-1"], cwd=ROOT, capture_output=True, text=True, check=True,
        timeout=60,
    ).stdout  # fmt: skip
    assert "E2E_STAGE=test-1 .venv/bin/python -m pytest tests/e2e" in commands.splitlines()


def test_a_load_that_is_answered_is_borne(httpserver: HTTPServer) -> None:
    queries = []

    def answer(request: Request) -> Response:
        assert request.headers["x-api-key"] == "key"
        queries.append(request.get_json()["query"])
        return Response("{}")

    httpserver.expect_request("/v1/literature-search").respond_with_handler(answer)
    waited: list[float] = []
    results = load(httpserver.url_for("/"), "key", seconds=20, a_second=2, sleep=waited.append)
    assert len(results) == len(set(queries)) == len(waited) == 40
    assert set(waited) == {0.5}
    assert verdict(results)[0]


@pytest.mark.parametrize(("results", "borne"), [
    ([Result(200, 1.0)] * 100, True), ([], False), ([Result(200, 1.0)] * 98 + [Result(500, 1.0)] * 2, False),
    ([Result(200, 1.0)] * 99 + [Result(429, 0.1)], False), ([Result(200, 1.0)] * 98 + [Result(0, 1.0)] * 2, False),
    ([Result(200, 1.0)] * round(100 - 100 * MAX_SLOW) + [Result(200, SLOW_S + 1)] * round(100 * MAX_SLOW), True),
    ([Result(200, 1.0)] * 90 + [Result(200, SLOW_S + 1)] * 10, False),
])  # fmt: skip
def test_the_verdict_on_a_load(results: list[Result], borne: bool) -> None:
    assert verdict(results)[0] is borne
