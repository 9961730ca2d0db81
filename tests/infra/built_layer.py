"""Builds a layer of wheels for this machine, and finds an interpreter like Lambda's, to import the deployed code with.

With a Python 3.13, the locked wheels are downloaded for it, once for each requirements.txt. Without one, or without a
package index, the packages installed for the tests are used, with the tests' own Python. The end of the run reports
which.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from importlib.metadata import distribution
from pathlib import Path

from infra import trimmed_wheels
from infra.lambda_python import lambda_python

ROOT = Path(__file__).parents[2]
REQUIREMENTS = ROOT / "requirements.txt"


@dataclass(frozen=True, slots=True)
class BuiltLayer:
    """`path` contains `python/` with the wheels; `why` says how it was built, `compiled` whether it has bytecode."""

    path: Path
    python: str
    why: str
    compiled: bool = False


def built_layer(folder: Path, requirements: Path = REQUIREMENTS) -> BuiltLayer:
    """Return the layer, trimmed as `make build` does: in `folder`, from wheels cached in `.build` or installed here."""
    wheels = published_wheels(folder / "published", requirements)
    trimmed = folder / "trimmed"
    shutil.copytree(wheels.path, trimmed, copy_function=_link)
    trimmed_wheels.trim(trimmed / "python")
    return replace(wheels, path=trimmed)


def published_wheels(folder: Path, requirements: Path = REQUIREMENTS) -> BuiltLayer:
    """Return the wheels as they are published: cached in `.build`, or made in `folder` from the installed packages."""
    python = lambda_python()
    if python is None:
        return BuiltLayer(_from_installed(folder, requirements), sys.executable, "no Python 3.13 here: the tests' own")
    digest = hashlib.sha256(requirements.read_bytes()).hexdigest()[:12]
    path = ROOT / ".build" / f"layer-of-tests-{digest}"
    failure = "" if path.is_dir() else _fetch(python, path, requirements)
    if failure:
        return BuiltLayer(
            _from_installed(folder, requirements),
            sys.executable,
            f"the tests' own Python, because the download failed: {failure}",
        )
    return BuiltLayer(path, python, "Lambda's own version", compiled=True)


def _link(source: str, target: str) -> None:
    """Make `target` the same file as `source`, or a copy on another file system: `trim` replaces what it changes."""
    try:
        os.link(Path(source).resolve(), target)
    except OSError:
        shutil.copyfile(source, target)


def _fetch(python: str, path: Path, requirements: Path) -> str:
    """Download the wheels; return an error message, empty on success. An unfinished layer has a temporary name."""
    half = path.with_name(f"{path.name}-{os.getpid()}")
    options = ["--quiet", "--disable-pip-version-check", "--require-hashes", "--only-binary=:all:", "--no-compile"]
    arguments = [*options, "--target", str(half / "python"), "-r", str(requirements)]
    pip = [sys.executable, "-m", "pip", "--python", python, "install", *arguments]
    try:
        done = subprocess.run(pip, capture_output=True, text=True, timeout=240, check=False)
    except subprocess.TimeoutExpired:
        return "the package index did not answer in time"
    if done.returncode:
        shutil.rmtree(half, ignore_errors=True)
        return (done.stderr.strip().splitlines() or ["pip failed"])[-1]
    compiled = [python, "-I", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", str(half / "python")]
    subprocess.run(compiled, capture_output=True, timeout=240, check=False)
    if path.is_dir():  # another run finished first
        shutil.rmtree(half)
    else:
        half.rename(path)
    return ""


def _from_installed(folder: Path, requirements: Path) -> Path:
    """Link the files of the distributions in the requirements, and of no others."""
    for name in re.findall(r"^([A-Za-z0-9._-]+)==", requirements.read_text(encoding="utf-8"), re.MULTILINE):
        try:
            files = distribution(name).files or []
        except ModuleNotFoundError:  # for another platform
            continue
        for file in files:
            if ".." in file.parts or "__pycache__" in file.parts:
                continue
            link = folder / "python" / file
            link.parent.mkdir(parents=True, exist_ok=True)
            if not link.exists():
                link.symlink_to(file.locate())
    return folder


def size_mb(path: Path) -> float:
    """Return the size of all files in a folder, in MB (10^6 bytes)."""
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) / 1e6
