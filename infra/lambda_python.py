"""A Python of Lambda's version on this machine, for the bytecode that is uploaded.

`python -m infra.lambda_python` prints its path, or nothing where there is none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

NAME = "python3.13"
# Wheels depend on the build as well as on the version: one without the global lock takes others than Lambda.
TAG = "import sys; print(sys.implementation.cache_tag + sys.abiflags)"


def lambda_python() -> str | None:
    """`$PYTHON313`, else `python3.13` on the path or in pyenv; the first that runs (a shim of pyenv may not)."""
    in_pyenv = sorted(Path("~/.pyenv/versions").expanduser().glob(f"3.13*/bin/{NAME}"))
    found = (shutil.which(it) for it in (os.environ.get("PYTHON313", ""), NAME, *map(str, in_pyenv)))
    return next((python for python in found if python and _is_right(python)), None)


def _is_right(python: str) -> bool:
    try:
        ran = subprocess.run([python, "-c", TAG], capture_output=True, text=True, timeout=30, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return False
    return ran.stdout.strip() == "cpython-313"


if __name__ == "__main__":
    print(lambda_python() or "")
