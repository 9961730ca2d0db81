"""The code as the tests of its layout see it: files, syntax trees, imports."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
CODE = sorted(path for folder in ("functions", "shared", "infra") for path in (ROOT / folder).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "client" / "README.md"]
# Installs under a name of its own as well (client/pyproject.toml), so it imports itself relatively.
CLIENT = ROOT / "shared" / "client"
AWS = {"boto3", "botocore", "aws_lambda_powertools"}
# A whole name, or the beginning of one whose end is not known before the code runs.
MODULE_NAME = re.compile(rf"(?:shared|functions|infra)(?:\.\w+)*\.?|(?:{'|'.join(sorted(AWS))})(?:\.\w+)*")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def source_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """The whole syntax tree, flat."""
    return tuple(ast.walk(ast.parse(source_of(path))))


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Comments and docstrings with their lines."""
    for token in tokenize.generate_tokens(io.StringIO(source_of(path)).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in nodes_of(path):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node, clean=False)
            yield from [(node.body[0].lineno, text)] if text else []


@cache
def imports(path: Path) -> frozenset[str]:
    """Every module that a file imports, wherever in the file; types-only imports count as well."""
    return frozenset(imported(nodes_of(path), path.relative_to(ROOT).parent.parts))


def imported(nodes: Iterable[ast.AST], package: tuple[str, ...]) -> Iterator[str]:
    """The modules that code of a package imports, by statements and by name: `import_module("shared.clock")`.

    A module that is taken from `sys.modules` counts as imported.

    Whatever function is called with such a text, it may be `import_module` under another name; only
    `importlib.resources.files` imports nothing.
    """
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            module = ".".join((*above, *([node.module] if node.module else [])))
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif (
            isinstance(node, ast.Subscript) and getattr(node.value, "attr", getattr(node.value, "id", "")) == "modules"
        ):
            yield from _module_named(node.slice)
        elif isinstance(node, ast.Call) and node.args and getattr(node.func, "id", None) != "files":
            yield from _module_named(node.args[0])


def _module_named(text: ast.expr) -> Iterator[str]:
    name = text.values[0] if isinstance(text, ast.JoinedStr) and text.values else text
    if isinstance(name, ast.Constant) and isinstance(name.value, str) and MODULE_NAME.fullmatch(name.value):
        yield name.value.rstrip(".")


def top_imports(path: Path) -> set[str]:
    """The distributions and folders that a file imports from."""
    return {module.partition(".")[0] for module in imports(path)}


def require_none(offences: Iterable[str]) -> None:
    """Fail with every offence at once, a line each."""
    found = sorted(offences)
    assert not found, "\n".join(["", *found])
