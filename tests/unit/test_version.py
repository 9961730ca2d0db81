"""One version for callers, services and package registries."""

from __future__ import annotations

import tomllib
from pathlib import Path

from shared.api.openapi import openapi_document
from shared.providers.http_headers import USER_AGENT
from shared.version import VERSION

ROOT = Path(__file__).parents[2]


def test_the_document_and_the_user_agent_have_the_version_of_the_package() -> None:
    assert {openapi_document("/", {})["info"]["version"], USER_AGENT.partition("/")[2]} == {VERSION}


def test_the_package_reads_its_version_where_the_code_does() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"]
    assert project["tool"]["hatch"]["version"]["path"] == "shared/version.py"
