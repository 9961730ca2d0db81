"""Synthesises the stack once per run, with keys in the environment that the template must not contain."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from infra.app import RERANKER_LAYER, synthesise
from infra.functions import provider_names
from tests.infra.template import Template

CONTACT = "operator@example.org"
KEY_OF_THE_DEVELOPER = "a-key-that-stays-on-this-machine"
DEV = {"contact": CONTACT, "alarms": "true"}
# Every optional setting of a deployment.
ALL_SETTINGS = {
    "stage": "prod", "waf": "true", "access_log": "true", "alarm_email": "alarms@example.org", "monthly_budget": "50",
    "CROSSREF_CONCURRENCY": "9", "FRESH_REQUESTS_PER_MINUTE": "5",
    "cors_origins": "https://one.example,https://two.example",
    "oauth_issuer": "cognito", "oauth_audience": "an-audience", "reranker_model": "s3://models.example/cross/tiny-model",
}  # fmt: skip
# Measurements of the tests, reported at the end of the run.
MEASURED: list[str] = []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that need a template as slow: importing the CDK and synthesising take seconds."""
    for item in items:
        if "layer" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def layer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A layer without wheels, and the re-ranker's beside it: the template does not depend on them."""
    path = tmp_path_factory.mktemp("layer")
    for folder in (path, path.with_name(path.name + RERANKER_LAYER)):
        (folder / "python").mkdir(parents=True)
        (folder / "python" / "wheels_come_with_make_build.txt").touch()
    return path


@pytest.fixture(scope="session")
def template(layer: Path, tmp_path_factory: pytest.TempPathFactory) -> Template:
    """The stage `dev`, with alarms."""
    with pytest.MonkeyPatch.context() as environment:
        for name in provider_names():
            environment.setenv(f"{name.upper()}_API_KEY", KEY_OF_THE_DEVELOPER)
        return _synthesised_once(layer, tmp_path_factory, "dev", DEV)


@pytest.fixture(scope="session")
def production(layer: Path, tmp_path_factory: pytest.TempPathFactory) -> Template:
    """The stage `prod`, with every optional setting."""
    return _synthesised_once(layer, tmp_path_factory, "prod", ALL_SETTINGS)


def _synthesised_once(
    layer: Path, tmp_path_factory: pytest.TempPathFactory, name: str, context: Mapping[str, str]
) -> Template:
    """Return the template from a folder shared by all test processes of this run; the first one synthesises it."""
    of_this_process = tmp_path_factory.getbasetemp()
    shared = of_this_process.parent if "PYTEST_XDIST_WORKER" in os.environ else of_this_process
    out, place = shared / name, shared / f"{name}.path"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            place.write_text(str(synthesise(layer, out, context)), encoding="utf-8")
    return read(Path(place.read_text(encoding="utf-8")))


def read(path: Path) -> Template:
    """Read a template file."""
    return Template(path, json.loads(path.read_text(encoding="utf-8")))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report the measurements, even if all tests passed."""
    for line in MEASURED:
        terminalreporter.write_line(line)
