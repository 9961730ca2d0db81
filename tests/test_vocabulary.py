"""Names and prose use the field's standard terms: words that were retired do not come back.

The glossary in CONTRIBUTING.md has the terms that this project defines for itself.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from tests.source_tree import CODE, DOCUMENTS, ROOT, TESTS, name_of, nodes_of, prose, require_none

FILES = [*CODE, *TESTS, *(ROOT / "client").rglob("*.py")]
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


def words(name: str) -> set[str]:
    """The words of an identifier, and its pairs of words."""
    parts = [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]
    return {*parts, *(f"{first}_{second}" for first, second in pairwise(parts))}


def names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Every name that a module gives: to what it defines or imports, to attributes, parameters and variables."""
    for node in nodes:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.alias(asname=str(name)) | ast.ExceptHandler(name=str(name)):
                yield name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name


def test_no_file_or_folder_has_a_retired_word_in_its_name() -> None:
    require_none(
        name_of(path) for path in CODE if any(words(part) & RETIRED_IN_NAMES for part in path.relative_to(ROOT).parts)
    )


def test_no_name_contains_a_retired_word() -> None:
    require_none(
        f"{name_of(path)}: {name}"
        for path in FILES
        for name in sorted(set(names(nodes_of(path))))
        if name not in PUBLISHED and words(name) & RETIRED_IN_NAMES
    )


def test_the_names_of_tests_state_behaviour() -> None:
    require_none(
        f"{name_of(path)}: {name}"
        for path in TESTS
        if path.name.startswith("test_")
        for name in sorted(set(names(nodes_of(path))))
        if name.startswith("test_") and RETIRED_IN_TEST_NAMES.search(name)
    )


def test_comments_and_docstrings_use_standard_terms() -> None:
    require_none(
        f"{name_of(path)}:{line}: {match[0]}"
        for path in FILES
        for line, text in prose(path)
        for match in RETIRED_IN_PROSE.finditer(text)
    )


def test_texts_for_users_use_standard_terms() -> None:
    """Logs, problems and the descriptions of the API are literals of the code."""
    require_none(
        f"{name_of(path)}:{node.lineno}: {match[0]}"
        for path in FILES
        if path not in TESTS
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for match in RETIRED_IN_PROSE.finditer(node.value)
    )


def test_documents_use_standard_terms() -> None:
    require_none(
        f"{name_of(path)}:{number}: {match[0]}"
        for path in DOCUMENTS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for match in RETIRED_IN_PROSE.finditer(line)
    )
