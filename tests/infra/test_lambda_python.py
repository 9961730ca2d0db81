"""The Python that compiles the bytecode has Lambda's version and runs, wherever it is installed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from infra.lambda_python import lambda_python

ROOT = Path(__file__).parents[2]
RIGHT, OLDER, UNLOCKED, SHIM = "echo cpython-313", "echo cpython-312", "echo cpython-313t", "exit 127"
IN_PYENV = "home/.pyenv/versions/3.13.1/bin/python3.13"
Make = Callable[[str, str], str]


@pytest.fixture
def interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Creates fake interpreters; PATH is `path/`, and there are no others."""
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PYTHON313", raising=False)

    def made(path: str, printed: str) -> str:
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{printed}\n", encoding="utf-8")
        file.chmod(0o755)
        return str(file)

    return made


def test_the_interpreter_in_python313_comes_first(interpreter: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    interpreter("path/python3.13", RIGHT)
    monkeypatch.setenv("PYTHON313", interpreter("own/python", RIGHT))
    found = lambda_python()
    assert found is not None
    assert found.endswith("own/python")


@pytest.mark.parametrize("printed", [SHIM, OLDER, UNLOCKED, ""], ids=["a shim", "older", "unlocked", "silent"])
def test_an_interpreter_that_fails_or_has_another_version_is_skipped(
    interpreter: Make, monkeypatch: pytest.MonkeyPatch, printed: str
) -> None:
    monkeypatch.setenv("PYTHON313", "no-such-python")
    wrong = interpreter("path/python3.13", printed)
    assert lambda_python() is None
    installed = interpreter(IN_PYENV, RIGHT)
    assert lambda_python() == installed
    interpreter("path/python3.13", RIGHT)
    assert lambda_python() == wrong


def test_a_file_that_is_not_executable_is_skipped(interpreter: Make) -> None:
    Path(interpreter("path/python3.13", "")).write_bytes(b"\x7fELF")
    assert lambda_python() is None


@pytest.mark.parametrize("there", [True, False])
def test_the_command_prints_the_path_or_an_empty_line(interpreter: Make, there: bool) -> None:
    path = interpreter(IN_PYENV, RIGHT) if there else ""
    command = [sys.executable, "-m", "infra.lambda_python"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout.strip(), done.stderr) == (path, "")
