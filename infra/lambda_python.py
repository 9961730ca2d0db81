"""A Python of Lambda's own version on this machine, which makes the bytecode that is uploaded.

`python -m infra.lambda_python` prints its path, or nothing where there is none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

NAME = "python3.13"
PYENV = Path("~/.pyenv/versions")
# Bytecode depends on the version, wheels on how it was built: one without the global lock takes others than Lambda.
ASKED = "import sys; print(sys.implementation.cache_tag + sys.abiflags)"
ANSWER = "cpython-313"
ANSWER_S = 30


def lambda_python() -> str | None:
    """The first that runs of what `PYTHON313` names, `python3.13`, and those that pyenv has installed."""
    installed = sorted(PYENV.expanduser().glob(f"3.13*/bin/{NAME}"))
    for candidate in (os.environ.get("PYTHON313"), NAME, *map(str, installed)):
        found = shutil.which(candidate) if candidate else None
        if found and _runs(found):
            return found
    return None


def _runs(python: str) -> bool:
    """Being there is not enough: pyenv puts a command of each version on the path that runs only where it is chosen."""
    try:
        told = subprocess.run(  # noqa: S603  the operator's own
            [python, "-c", ASKED], capture_output=True, text=True, timeout=ANSWER_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return told.returncode == 0 and told.stdout.strip() == ANSWER


if __name__ == "__main__":
    print(lambda_python() or "")
