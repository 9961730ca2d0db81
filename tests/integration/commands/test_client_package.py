"""The client as its package holds it: nothing beside httpx can be imported, and it calls a service over a socket."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest

from shared.client.errors import ToolError
from shared.client.json_types import ToolAnswer
from shared.client.tool_calls import TOOL_FUNCTIONS
from shared.client.tools import citation_network, cite_in_context, literature_search

ROOT = Path(__file__).parents[3]
CLIENT = ROOT / "client"
CITED = "10.7554/eLife.20391"
CONTEXT = {"type": "debate", "id": "unicode"}
CALL = """
import importlib.util, json, sys
sys.path[:0] = sys.argv[1:3]
assert not any(importlib.util.find_spec(name) for name in ("shared", "functions", "pydantic", "boto3"))
from literature_search_client import ToolError, literature_search
answer = literature_search("TREM2 microglia", max_results=3)
try:
    literature_search("TREM2", max_results=1000)
except ToolError as error:
    print(json.dumps({"answer": answer, "code": error.code, "errors": error.problem["errors"], "hint": error.hint}))
"""


def project() -> dict[str, object]:
    return tomllib.loads((CLIENT / "pyproject.toml").read_text(encoding="utf-8"))


def included() -> dict[str, str]:
    build: dict[str, dict[str, str]] = project()["tool"]["hatch"]["build"]["targets"]["wheel"]  # type: ignore[index]
    return build["force-include"]


@pytest.fixture
def packaged(tmp_path: Path) -> Path:
    """The files of the client's wheel, at the places that its pyproject.toml gives them."""
    sources = {CLIENT / source: target for source, target in included().items()}
    sources |= {path: f"{path.parent.name}/{path.name}" for path in (CLIENT / "literature_search_client").iterdir()}
    for source, target in sources.items():
        if source.is_file():
            (tmp_path / "client" / target).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "client" / target).write_bytes(source.read_bytes())
    return tmp_path / "client"


def closure(name: str, seen: set[str]) -> Iterator[Distribution]:
    """A distribution with all that it needs, without its extras."""
    if name in seen:
        return
    seen.add(name)
    found = distribution(name)
    yield found
    for requirement in found.requires or ():
        if "extra ==" not in requirement and "python_version <" not in requirement:
            yield from closure(re.split(r"[^\w.-]", requirement, maxsplit=1)[0], seen)


@pytest.fixture
def httpx_alone(tmp_path: Path) -> Path:
    """A folder from which httpx and what it needs can be imported, and nothing else."""
    folder = tmp_path / "site"
    folder.mkdir()
    for needed in closure("httpx", set()):
        tops = {path.parts[0] for path in needed.files or () if path.parts[0] not in ("..", "__pycache__")}
        for top in tops:
            (folder / top).symlink_to(str(needed.locate_file(top)))
    return folder


def test_the_package_holds_every_file_of_the_client() -> None:
    written = {path.name for path in (ROOT / "shared" / "client").glob("*.py")} - {"__init__.py"}
    assert written == {Path(source).name for source in included() if source.endswith(".py")}
    assert project()["project"]["dependencies"] == ["httpx"]  # type: ignore[index]


def test_the_package_exports_every_tool() -> None:
    names = (CLIENT / "literature_search_client" / "__init__.py").read_text(encoding="utf-8")
    assert all(f'"{name}"' in names for name in TOOL_FUNCTIONS)


@pytest.mark.slow
def test_the_client_needs_httpx_alone_and_calls_a_service(address: str, packaged: Path, httpx_alone: Path) -> None:
    shown = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", CALL, str(packaged), str(httpx_alone)],
        env={"LITERATURE_SEARCH_URL": address},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert shown.returncode == 0, shown.stderr
    output = json.loads(shown.stdout)
    assert len(output["answer"]["results"]) == 3
    assert output["answer"]["complete"] is True
    assert (output["code"], output["errors"][0]["field"]) == ("unprocessable", "max_results")
    assert output["hint"]


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: literature_search("\ud800"), "query"),
        (lambda: literature_search("TREM2", min_citations=float("nan")), "min_citations"),  # type: ignore[arg-type]
        (lambda: citation_network(["\ud800"], relation="citations"), "seeds"),
        (lambda: citation_network([CITED], relation="citations", cursor="\ud800"), "cursor"),
        (lambda: cite_in_context(CONTEXT, "x", idempotency_key="é"), "Idempotency-Key"),
        (lambda: cite_in_context(CONTEXT, "x", idempotency_key="a\r\nb"), "Idempotency-Key"),
    ],
)
def test_a_value_that_http_or_json_cannot_have_is_refused_by_name(
    address: str, call: Callable[[], ToolAnswer], field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITERATURE_SEARCH_URL", address)
    with pytest.raises(ToolError) as caught:
        call()
    assert (caught.value.problem["errors"][0]["field"], caught.value.retryable) == (field, False)
