"""Finds a Python of Lambda's version on this machine; it compiles the bytecode that is uploaded.

`python -m infra.lambda_python` prints its path, or an empty line if there is none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

NAME = "python3.13"
# Wheels depend on the build as well as the version: a free-threaded build (cpython-313t) needs others than Lambda.
TAG = "import sys; print(sys.implementation.cache_tag + sys.abiflags)"


def lambda_python() -> str | None:
    """Return the first that runs of `$PYTHON313`, `python3.13` on PATH, and pyenv's (a pyenv shim may not run)."""
    in_pyenv = sorted(Path("~/.pyenv/versions").expanduser().glob(f"3.13*/bin/{NAME}"))
    candidates = (shutil.which(name) for name in (os.environ.get("PYTHON313", ""), NAME, *map(str, in_pyenv)))
    return next((python for python in candidates if python and _is_lambdas_version(python)), None)


def _is_lambdas_version(python: str) -> bool:
    try:
        done = subprocess.run([python, "-c", TAG], capture_output=True, text=True, timeout=30, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return False
    return done.stdout.strip() == "cpython-313"


if __name__ == "__main__":
    print(lambda_python() or "")
