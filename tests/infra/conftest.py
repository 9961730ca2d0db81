"""The stack, synthesised once for all tests, with keys in the environment that must not get into it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from infra.app import synthesise
from infra.functions import provider_names
from tests.infra.template import Template

CONTACT = "operator@example.org"
KEY_OF_THE_DEVELOPER = "a-key-that-stays-on-this-machine"
# Everything that a deployment may choose.
ALL_CHOSEN = {
    "stage": "prod", "waf": "true", "access_log": "true", "alarm_email": "alarms@example.org",
    "CROSSREF_CONCURRENCY": "9",
}  # fmt: skip
# What the tests have measured, told at the end of a run.
MEASURED: list[str] = []


@pytest.fixture(scope="session")
def layer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A layer without wheels: what the template says does not depend on them."""
    path = tmp_path_factory.mktemp("layer")
    (path / "python").mkdir()
    (path / "python" / "wheels_come_with_make_build.txt").touch()
    return path


@pytest.fixture(scope="session")
def template(layer: Path, tmp_path_factory: pytest.TempPathFactory) -> Template:
    """The stage `dev`."""
    with pytest.MonkeyPatch.context() as environment:
        for name in provider_names():
            environment.setenv(f"{name.upper()}_API_KEY", KEY_OF_THE_DEVELOPER)
        path = synthesise(layer, tmp_path_factory.mktemp("dev"), {"contact": CONTACT})
    return read(path)


@pytest.fixture(scope="session")
def production(layer: Path, tmp_path_factory: pytest.TempPathFactory) -> Template:
    """The stage `prod`, with all that may be chosen."""
    return read(synthesise(layer, tmp_path_factory.mktemp("prod"), ALL_CHOSEN))


def read(path: Path) -> Template:
    """A template from its file."""
    return Template(path, json.loads(path.read_text(encoding="utf-8")))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell what was measured, also when everything passed."""
    for line in MEASURED:
        terminalreporter.write_line(line)
