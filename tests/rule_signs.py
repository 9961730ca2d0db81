"""What reveals that code decides a bibliographic rule: its literals, lists of words, comparisons."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

CONDITIONS = {"month", "isprintable"}


def docstrings(module: ast.Module) -> set[int]:
    """The nodes of all docstrings: they may mention a literal."""
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    first = (node.body[0] for node in ast.walk(module) if isinstance(node, holders) and node.body)
    return {id(statement.value) for statement in first if isinstance(statement, ast.Expr)}


@cache
def texts(module: ast.Module) -> tuple[str, ...]:
    """The literals, also characters that are given by their number, and conditions of dates and of characters."""
    return tuple(_texts(module))


def _texts(module: ast.Module) -> Iterator[str]:
    docs = docstrings(module)
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value
        elif isinstance(node, ast.Constant) and isinstance(node.value, int) and 0x2000 <= node.value <= 0xFEFF:
            yield chr(node.value)
        elif isinstance(node, ast.Compare | ast.BoolOp | ast.comprehension) and attributes_of(node) & CONDITIONS:
            yield ast.unparse(node).strip()


def attributes_of(node: ast.AST) -> set[str]:
    return {it.attr for it in ast.walk(node) if isinstance(it, ast.Attribute)}


def word_lists(module: ast.Module) -> Iterator[set[str]]:
    """Sets, lists, tuples, keys of words, the options of expressions, and texts of words, which may be split."""
    for node in ast.walk(module):
        if isinstance(node, ast.Set | ast.List | ast.Tuple | ast.Dict):
            items = node.keys if isinstance(node, ast.Dict) else node.elts
            yield {it.value.lower() for it in items if isinstance(it, ast.Constant) and isinstance(it.value, str)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if re.fullmatch(r"[a-z\s]+", node.value):
                yield set(node.value.split())
            yield {f"{it}|" for it in re.findall(r"(?:^|[|(:])([a-z]+)(?=[|)]|$)", node.value.lower())}


STOP_WORDS = {"a", "an", "the", "of", "and", "in", "for", "on", "to"}
WORDS_OF_GROUPS = {
    "group", "team", "network", "consortium", "committee", "alliance", "agency", "society", "foundation",
    "collaboration", "investigators", "trial", "study",
}  # fmt: skip


def is_stop_list(words: set[str]) -> bool:
    """Options of an expression are not counted: grammars of queries and of printed titles consist of such words."""
    return len(STOP_WORDS & words) >= 4


def is_group_list(words: set[str]) -> bool:
    return len(WORDS_OF_GROUPS & {it.rstrip("|") for it in words}) >= 2


def compared_journals(module: ast.Module) -> list[str]:
    """`a.journal.lower() == b.journal.lower()`, `ratio(a.journal, b.journal)`, and of variables that were set so."""
    bodies: list[ast.AST] = [module, *(it for it in ast.walk(module) if isinstance(it, ast.FunctionDef))]
    sets = [(body, _journals_in(body) if body is not module else set[str]()) for body in bodies]
    found = {id(node): node for body, journals in sets for node in ast.walk(body) if _compares(node, journals)}
    return [ast.unparse(node) for node in found.values()]


def _compares(node: ast.AST, journals: set[str]) -> bool:
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
    else:
        sides = list(node.args) if isinstance(node, ast.Call) else []
    return sum(_is_journal(side, journals) for side in sides) > 1


def _is_journal(side: ast.expr, journals: set[str]) -> bool:
    return getattr(side, "id", None) in journals or not attributes_of(side).isdisjoint(("journal", "venue"))


def _journals_in(body: ast.AST) -> set[str]:
    """The variables of a function that are set to journals."""
    set_to = [(it.targets[0], it.value) for it in ast.walk(body) if isinstance(it, ast.Assign)]
    pairs = [
        pair
        for target, value in set_to
        for pair in (
            zip(target.elts, value.elts, strict=False)
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            else [(target, value)]
        )
    ]
    return {it.id for it, value in pairs if isinstance(it, ast.Name) and attributes_of(value) & {"journal", "venue"}}
