"""The client package has every module of `shared.client`: its build copies them by name."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_package_has_every_module_of_the_client() -> None:
    settings = tomllib.loads((ROOT / "client" / "pyproject.toml").read_text(encoding="utf-8"))
    copied = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    modules = {it.name for it in (ROOT / "shared" / "client").glob("*.py")} - {"__init__.py"}
    assert {Path(it).name for it in copied if it.endswith(".py")} == modules
    assert {Path(it).name for it in copied.values()} >= modules
