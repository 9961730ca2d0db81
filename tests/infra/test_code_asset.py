"""The code that is uploaded: all that the functions import, nothing else, and every handler is in it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.functions import provider_names
from tests.infra.template import Template

ROOT = Path(__file__).parents[2]
OURS = ("functions", "shared")
# A fresh interpreter that sees the asset and the installed packages, but not the repository.
LOOK = """
import sys
sys.path.insert(0, sys.argv[1])
from importlib import import_module
for handler in sys.argv[2:]:
    module, _, name = handler.rpartition(".")
    found = import_module(module)
    assert found.__file__.startswith(sys.argv[1]), found.__file__
    assert callable(getattr(found, name)), handler
"""


def asset(template: Template) -> Path:
    (key,) = {properties["Code"]["S3Key"] for properties in template.functions.values()}
    return template.asset(key)


def test_all_functions_share_one_asset_of_the_repositorys_code(template: Template) -> None:
    staged = {str(path.relative_to(asset(template))) for path in asset(template).rglob("*") if path.is_file()}
    code = {str(path.relative_to(ROOT)) for room in OURS for path in (ROOT / room).rglob("*") if path.is_file()}
    assert staged == {path for path in code if "__pycache__" not in path}


@pytest.mark.parametrize(
    "functions", [["dispatcher"], ["citation_writer"], ["mcp_server"], provider_names()], ids=" ".join
)
def test_handlers_import_from_the_asset_with_the_templates_environment(
    template: Template, functions: list[str]
) -> None:
    environment = {name: value for function in functions for name, value in template.environment(function).items()}
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-c",
            LOOK,
            str(asset(template)),
            *(template.functions[it]["Handler"] for it in functions),
        ],
        env={**environment, "AWS_DEFAULT_REGION": "eu-central-1", "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.defpath},
        cwd=template.path.parent,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def sources(module: str) -> list[Path]:
    """The files of our own that importing a module reads, its own first."""
    seen: list[Path] = []
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = ROOT / f"{name.replace('.', '/')}.py"
        if path in seen or not name.startswith(OURS) or not path.is_file():
            continue
        seen.append(path)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                waiting += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                waiting += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return seen


def required_variables(path: Path) -> set[str]:
    """The names in a file's `required("…")` calls."""
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    return {
        str(ast.literal_eval(call.args[0]))
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == "required"
    }


@pytest.mark.parametrize("function", ["dispatcher", "citation_writer"])
def test_a_function_is_given_exactly_the_variables_that_it_requires(template: Template, function: str) -> None:
    required = set().union(*map(required_variables, sources(f"functions.{function}.handler")))
    assert len(required) >= 1
    assert set(template.environment(function)) == required


def test_providers_require_nothing(template: Template) -> None:
    files = [path for name in provider_names() for path in sources(f"functions.providers.{name}")]
    assert ROOT / "shared" / "aws" / "settings.py" in files
    assert not set().union(*map(required_variables, files))
