"""`pip install .` and `pip install ./client` work, each in an environment of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.generated import run

ROOT = Path(__file__).parents[2]
# The folders of the Python files that a distribution has installed.
INSTALLED = """
import sys
from importlib.metadata import distribution
files = distribution(sys.argv[1]).files
print(*sorted({file.parts[0] for file in files if file.suffix == ".py"}))
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The tracked files alone, as a reader of the repository has them."""
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=False)
    if archive.returncode:
        pytest.skip("this is not a git checkout")
    (tmp_path / "checkout").mkdir()
    subprocess.run(["tar", "-x", "-C", tmp_path / "checkout"], input=archive.stdout, check=True)
    return tmp_path / "checkout"


def installed(tmp_path: Path, *wanted: str) -> Path:
    """The programs of a new environment with these packages; skips the test if the build backend cannot be loaded."""
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    programs = tmp_path / "venv" / "bin"
    command = [programs / "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]
    done = subprocess.run([*map(str, command)], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    if "Could not find a version" in done.stderr:
        pytest.skip("no package registry can be reached")
    assert done.returncode == 0, done.stderr
    return programs


def test_the_project_installs_with_its_command_and_without_its_tests(checkout: Path, tmp_path: Path) -> None:
    programs = installed(tmp_path, "--no-deps", str(checkout))
    assert (programs / "literature-search").is_file()
    packages = run(programs / "python", "-c", INSTALLED, "literature-search", cwd=tmp_path).split()
    assert packages == ["functions", "infra", "shared"]


def test_the_client_installs_under_a_name_of_its_own(checkout: Path, tmp_path: Path) -> None:
    programs = installed(tmp_path, str(checkout / "client"))
    packages = run(programs / "python", "-c", INSTALLED, "literature-search-client", cwd=tmp_path).split()
    assert packages == ["literature_search_client"]
    run(programs / "python", "-c", "from literature_search_client import literature_search, get_papers", cwd=tmp_path)
