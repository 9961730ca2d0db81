"""What is uploaded of the repository: `functions` and `shared` as they stand, with bytecode for the Lambdas' Python.

Lambda cannot keep the bytecode that it makes, so that without it every cold start would compile all that it imports.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Path in the repository = import path = path in the asset; nothing else goes in.
ROOMS = ("functions", "shared")


def stage_code(folder: Path) -> Path:
    """A copy in `folder`, which is made anew. Without a Python 3.13 (`PYTHON313`) it says so, and has no bytecode."""
    shutil.rmtree(folder, ignore_errors=True)
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    python = os.environ.get("PYTHON313", "python3.13")
    # Times of files are not kept in an archive, so the bytecode must not be compared with them. Its paths are Lambda's.
    options = ["-q", "--invalidation-mode", "unchecked-hash", "-s", str(folder), "-p", "/var/task"]
    command = [python, "-m", "compileall", *options, str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=300)  # noqa: S603  the operator's own
    except (OSError, subprocess.SubprocessError):
        print(f"no {python}: the code has no bytecode, functions start slower", file=sys.stderr)
    return folder
