"""Names and prose use the field's standard terms: words that were retired do not come back.

The glossary in CONTRIBUTING.md has the terms that this project defines for itself.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("functions", "shared", "infra", "client", "tests")
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "client" / "README.md"]
CODE = sorted(path for top in FOLDERS for path in (ROOT / top).rglob("*.py"))
# Words of names, as `snake_case` and `CamelCase` divide them.
RETIRED_IN_NAMES = {
    "told", "untold", "tells", "sought", "world", "worlds", "heard", "unheard", "patience", "patiently", "everybody",
    "everybodys", "nobody", "whoever", "shelf", "shelves", "lanes", "horizon", "forfeit", "forfeited", "owed",
    "overfull", "swept", "unswept", "riddle", "mend", "put_right", "our_fault", "unasked", "comes_again", "of_owner",
    "hand_over", "every_word", "turns", "keeper", "play", "plays", "played", "hurt", "struck", "spoilt", "stumble",
    "believe", "believed", "maker", "makers", "taker", "takers", "taking", "may_take",
    "leaving", "early_end", "judge_of", "outwaits", "tend", "tended",
}  # fmt: skip
PUBLISHED = {"patience_ms"}  # a field of the API
# The name of a test states a behaviour of a subject that it names.
RETIRED_IN_TEST_NAMES = re.compile(
    r"test_(what|whatever|who|whoever|those)_|_(ask|asks|asked|asking|tell|kept|said|somebody|believed)(_|$)"
)
RETIRED_IN_PROSE = re.compile(
    r"\b(told|untold|unheard|sought|whoever|everybody'?s?|patiently|put right|riddles?|a fault of ours|our own fault"
    r"|comes? again|is kept no longer|(?<!the )world(?! health| journal| wide| cup)|product contract|played|hurt"
    r"|struck by|front door|botocore's door|stumbles?|spoilt|in vain|nobody knows|(?<!not )believed|stands? in `"
    r"|(?<!decision )(?<!policy )makers?|takers?|left to another|rules? of leaving"
    r"|(?:search|answer)(?:es|s)? that (?:leaves?|(?:has |had |have )?left)"
    r"|(?:leaves?|left) (?:early|before (?:its|their) last))\b",
    re.IGNORECASE,
)


@cache
def source_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """The whole syntax tree, flat."""
    return tuple(ast.walk(ast.parse(source_of(path))))


def words(name: str) -> set[str]:
    """The words of an identifier, and its pairs of words."""
    parts = [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]
    return {*parts, *(f"{first}_{second}" for first, second in pairwise(parts))}


def names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Every name that a module defines: module level, classes' members, functions, parameters."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Comments and docstrings with their lines."""
    for token in tokenize.generate_tokens(io.StringIO(source_of(path)).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in nodes_of(path):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node, clean=False)
            yield from [(node.body[0].lineno, text)] if text else []


def test_no_name_contains_a_retired_word() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in CODE
        for name in sorted(set(names(nodes_of(path))))
        if name not in PUBLISHED and words(name) & RETIRED_IN_NAMES
    ]
    assert not found, "\n".join(found)


def test_the_names_of_tests_state_behaviour() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in sorted(set(names(nodes_of(path))))
        if name.startswith("test_") and RETIRED_IN_TEST_NAMES.search(name)
    ]
    assert not found, "\n".join(found)


def test_comments_and_docstrings_use_standard_terms() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {match[0]}"
        for path in CODE
        for line, text in prose(path)
        for match in RETIRED_IN_PROSE.finditer(text)
    ]
    assert not found, "\n".join(found)


def test_texts_for_users_use_standard_terms() -> None:
    """Logs, problems and the descriptions of the API are literals of the code."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {match[0]}"
        for path in CODE
        if path.relative_to(ROOT).parts[0] != "tests"
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for match in RETIRED_IN_PROSE.finditer(node.value)
    ]
    assert not found, "\n".join(found)


def test_documents_use_standard_terms() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match[0]}"
        for path in DOCUMENTS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for match in RETIRED_IN_PROSE.finditer(line)
    ]
    assert not found, "\n".join(found)
