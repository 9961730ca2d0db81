"""What is uploaded of the repository: `functions` and `shared` as they stand, with bytecode for the Lambdas' Python.

Lambda cannot keep the bytecode that it makes, so that without it every cold start would compile all that it imports.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from infra.lambda_python import lambda_python

ROOT = Path(__file__).parents[1]
# Path in the repository = import path = path in the asset; nothing else goes in.
ROOMS = ("functions", "shared")


def stage_code(folder: Path) -> Path:
    """A copy in `folder`, which is made anew. Without a Python 3.13 it says so, and the copy has no bytecode.

    Raises RuntimeError for code that this Python cannot compile: Lambda could not run it either.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    if python := lambda_python():
        _compile(python, folder)
    else:
        print("no Python 3.13 (PYTHON313): the code has no bytecode, functions start slower", file=sys.stderr)
    return folder


def _compile(python: str, folder: Path) -> None:
    # Times of files are not kept in an archive, so the bytecode must not be compared with them. Its paths are Lambda's.
    options = ["-q", "--invalidation-mode", "unchecked-hash", "-s", str(folder), "-p", "/var/task"]
    command = [python, "-m", "compileall", *options, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)  # noqa: S603  made above
    if done.returncode:
        raise RuntimeError(f"{python} cannot compile the code:\n{done.stdout}{done.stderr}")
