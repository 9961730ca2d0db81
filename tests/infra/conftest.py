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
    return Template(path, json.loads(path.read_text(encoding="utf-8")))
