"""Clients made from the API's own document by generators that others wrote."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

# Versions of the npm packages that make and type-check the TypeScript client.
NPM_PACKAGES = ("openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3")


def run(*command: str | Path, cwd: Path) -> str:
    """What the command writes; AssertionError with it when the command fails."""
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def python_client(document: Path) -> str:
    """openapi-python-client writes the package `python_client` beside the document; returns what it says."""
    config = document.with_name("config.json")  # JSON is YAML; no hooks, which look for programs on the path
    config.write_text('{"post_hooks": []}', encoding="utf-8")
    return run(
        sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--path", document,
        "--output-path", document.with_name("python_client"), "--config", config, "--fail-on-warning",
        cwd=document.parent,
    )  # fmt: skip


def python_models(document: Path) -> None:
    """datamodel-code-generator writes the module `python_models` beside the document."""
    run(
        sys.executable, "-m", "datamodel_code_generator", "--input", document, "--input-file-type", "openapi",
        "--output", document.with_name("python_models.py"), "--output-model-type", "pydantic_v2.BaseModel",
        "--target-python-version", "3.11", cwd=document.parent,
    )  # fmt: skip


def typescript_client(document: Path, source: Path) -> Path:
    """The compiled JavaScript of `source`, type-checked against what openapi-typescript makes of the document.

    Skips the test without Node or without its packages.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        pytest.skip("Node is not installed")
    folder = document.parent
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    install = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", *NPM_PACKAGES]
    if subprocess.run(install, cwd=folder, capture_output=True, timeout=300, check=False).returncode:
        pytest.skip("the packages of the TypeScript generator cannot be installed")
    binaries = folder / "node_modules" / ".bin"
    # A field with a default need not be sent; this generator says otherwise unless this option is set.
    run(binaries / "openapi-typescript", document, "-o", "api.ts", "--default-non-nullable", "false", cwd=folder)
    shutil.copy(source, folder / source.name)
    run(
        binaries / "tsc", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext",
        "--lib", "es2022,dom", source.name, cwd=folder,
    )  # fmt: skip
    return folder / source.with_suffix(".js").name


def operations(document: dict[str, Any]) -> set[str]:
    """The names of all operations of a document."""
    return {it["operationId"] for path in document["paths"].values() for it in path.values()}
