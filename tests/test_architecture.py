"""The layout is the architecture: one direction of imports, AWS at its doors only, names that say what is inside."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.functions import provider_names

ROOT = Path(__file__).parents[1]
CODE = sorted(path for room in ("functions", "shared", "infra") for path in (ROOT / room).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
MAX_FILE_LINES = 250
MAX_FUNCTION_LINES = 45
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc", "main"}
AWS = {"boto3", "botocore", "aws_lambda_powertools"}
CLOUD_DEFINITION = {"aws_cdk", "constructs"}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in the file; types-only imports count as well."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}: a relative import hides where it leads"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room(path: Path) -> str:
    """shared, shared.aws, functions.<one>, infra.local, infra."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "functions":
        return ".".join(("functions", *(part.removesuffix(".py") for part in parts[1:3])))
    if parts[:2] in (("shared", "aws"), ("infra", "local")):
        return ".".join(parts[:2])
    return parts[0]


@pytest.mark.parametrize("path", CODE, ids=name_of)
def test_imports_go_one_way(path: Path) -> None:
    here = room(path)
    for module in imports(path):
        top = module.partition(".")[0]
        message = f"{name_of(path)} imports {module}"
        if here.startswith("shared"):
            assert top not in ("functions", "infra", "tests"), message
        if here == "shared":
            assert not module.startswith("shared.aws"), message
        if here.startswith("functions"):
            assert top not in ("infra", "tests"), message
        if here == "infra":
            assert not module.startswith("infra.local"), message
        assert top != "tests", message


@pytest.mark.parametrize("path", [p for p in CODE if p.is_relative_to(ROOT / "functions")], ids=name_of)
def test_functions_do_not_import_each_other(path: Path) -> None:
    own = path.relative_to(ROOT / "functions").parts[0]
    for module in imports(path):
        if module.startswith("functions."):
            assert module.split(".")[1] == own, f"{name_of(path)} imports {module}"
            assert own != "providers", f"{name_of(path)}: a provider is one file"


@pytest.mark.parametrize("path", [p for p in CODE if room(p) == "shared"], ids=name_of)
def test_the_domain_knows_neither_aws_nor_the_clock(path: Path) -> None:
    forbidden = AWS | {"random", "secrets", "uuid", "socket"}
    if path.name == "webhook_client.py":  # it must see the addresses before it connects
        forbidden -= {"socket"}
    used = {module.partition(".")[0] for module in imports(path)}
    assert not used & forbidden
    source = path.read_text(encoding="utf-8")
    if path.name != "tools.py":  # a client of our own API, which runs in the caller's process
        assert "time" not in used
        assert "datetime.now(" not in source


def test_only_the_clients_and_tools_speak_http() -> None:
    http = {"httpx", "httpcore"}
    speakers = {name_of(path) for path in CODE if http & {m.partition(".")[0] for m in imports(path)}}
    clients = {"shared/http_client.py", "shared/webhook_client.py", "shared/tools.py"}
    assert speakers == clients | {"shared/aws/provider_lambda.py"}


def test_only_the_stack_and_its_constructs_define_the_cloud() -> None:
    here = {path for path in CODE if CLOUD_DEFINITION & {module.partition(".")[0] for module in imports(path)}}
    constructs = {path for path in here if path.parent == ROOT / "infra" / "constructs"}
    assert constructs
    assert {name_of(path) for path in here - constructs} == {"infra/app.py", "infra/stack.py"}


@pytest.mark.parametrize("path", [p for p in CODE if p.is_relative_to(ROOT / "functions" / "providers")], ids=name_of)
def test_a_provider_does_not_know_aws(path: Path) -> None:
    assert not {module.partition(".")[0] for module in imports(path)} & AWS


@pytest.mark.parametrize("path", CODE, ids=name_of)
def test_a_name_says_what_is_inside(path: Path) -> None:
    assert path.stem not in EMPTY_NAMES
    assert path.stem in ("__init__", "__main__") or path.stem not in sys.stdlib_module_names


@pytest.mark.parametrize("path", [p for p in CODE if p.stem == "__init__"], ids=name_of)
def test_packages_are_empty(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == ""


@pytest.mark.parametrize("path", CODE + TESTS, ids=name_of)
def test_files_and_functions_stay_short(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= MAX_FILE_LINES
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= MAX_FUNCTION_LINES, f"{node.name} has {length} lines"


def test_every_provider_has_its_sandbox_and_its_recorded_answers() -> None:
    assert len(provider_names()) >= 7
    for name in provider_names():
        assert (ROOT / "infra" / "local" / "sandbox" / f"{name}.py").is_file()
        assert any((ROOT / "tests" / "recorded" / name).iterdir())


@pytest.mark.parametrize("path", CODE, ids=name_of)
def test_conditions_are_written_as_text(path: Path) -> None:
    """boto3's own condition objects go through one builder a resource: two threads at once can mix their queries up."""
    assert not [module for module in imports(path) if module.startswith("boto3.dynamodb.conditions")]
