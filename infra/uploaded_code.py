"""Prepares the code that is uploaded: `functions` and `shared` unchanged, with bytecode for Lambda's Python.

Lambda's file system is read-only: without bytecode in the package, every cold start compiles all modules it imports.
The page for people is in the code of the function that serves it alone: a change of the page changes no other function.
One file is added: the inputs of the tools, which the MCP function would otherwise generate in each cold start.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from infra.lambda_python import lambda_python
from shared.agent_tools.registry import TOOLS
from shared.agent_tools.schemas import INPUTS_FILE
from shared.canonical_json import compact_json

ROOT = Path(__file__).parents[1]
# Path in the repository = import path = path in the asset. Nothing else is uploaded.
PACKAGES = ("functions", "shared")
PAGES = "public_pages"  # the function that serves the page
WEB = ROOT / "functions" / PAGES / "web"  # the page: its sources, and what is built from them
BUILT = "built"


@dataclass(frozen=True, slots=True)
class StagedCode:
    """Folders with the code that is uploaded."""

    functions: Path
    public_pages: Path


def stage(folder: Path) -> StagedCode:
    """Stage all code below `folder`, which is replaced; `stage_code` says what can fail."""
    code = stage_code(folder / "functions")
    return StagedCode(code, stage_public_pages(code, folder / PAGES))


def stage_public_pages(code: Path, folder: Path) -> Path:
    """Copy from staged code what the public pages need to `folder`, which is replaced, and add the built page."""

    def other_functions(here: str, names: list[str]) -> set[str]:
        own = {PAGES, "__init__.py", "__pycache__"}
        return {name for name in names if Path(here) == code / "functions" and name not in own}

    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(code, folder, ignore=other_functions)
    if (WEB / BUILT).is_dir():
        shutil.copytree(WEB / BUILT, folder / "functions" / PAGES / WEB.name / BUILT)
    return folder


def stage_code(folder: Path) -> Path:
    """Copy all code but the page to `folder`, which is replaced. Without a Python 3.13, warn and add no bytecode.

    Raises RuntimeError for code that Python 3.13 cannot compile: Lambda could not run it either.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=_left_out)
    if python := lambda_python():
        _compile(python, folder)
    else:
        print("no Python 3.13 (PYTHON313): the code has no bytecode, cold starts are slower", file=sys.stderr)
    inputs = {name: tool.input_schema for name, tool in sorted(TOOLS.items())}
    stored = folder.joinpath(*INPUTS_FILE.parts[-3:])
    stored.parent.mkdir(parents=True, exist_ok=True)
    stored.write_text(compact_json(inputs), encoding="utf-8")
    return folder


def _left_out(folder: str, names: list[str]) -> set[str]:
    """Bytecode of other Pythons, and the page."""
    return {name for name in names if name == "__pycache__" or Path(folder) / name == WEB}


def _compile(python: str, folder: Path) -> None:
    # An archive does not preserve file times, so Python must not compare the bytecode with them (PEP 552). The paths
    # in tracebacks are Lambda's. Isolated (-I): with PYTHONPYCACHEPREFIX the bytecode would go elsewhere.
    options = ["-q", "--invalidation-mode", "unchecked-hash", "-s", str(folder), "-p", "/var/task"]
    command = [python, "-I", "-m", "compileall", *options, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)  # noqa: S603  built above
    if done.returncode:
        raise RuntimeError(f"{python} cannot compile the code:\n{done.stdout}{done.stderr}")
