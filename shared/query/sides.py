"""The sides of OR in an expression, and its groups in parentheses, by their places in the text."""

from __future__ import annotations

import re

from shared.query.syntax import OPERATORS

_SIGN = re.compile(r'"[^"]*"|[()]|(?<![^\s()"\]])(?:AND|OR|NOT)(?![^\s()"])')
_MARK = re.compile(r'"[^"]*"|[()]|(?<![^\s()"\]])OR(?![^\s()"])')


def sides_of(text: str) -> list[str]:
    """What stands between the ORs that are in no parentheses; the whole text if there is none."""
    sides, start = list[str](), 0
    for mark, at in _outer_marks(text):
        if mark == "OR":
            sides.append(text[start:at].strip())
            start = at + len(mark)
    return [*sides, text[start:].strip()]


def has_sides(text: str) -> bool:
    """Whether an OR stands in no parentheses."""
    return any(mark == "OR" for mark, _ in _outer_marks(text))


def groups_of(text: str) -> list[tuple[int, int]]:
    """Where the outer parentheses begin and end; those that are not closed are none."""
    groups, start = list[tuple[int, int]](), 0
    for mark, at in _outer_marks(text):
        if mark == "(":
            start = at
        elif mark == ")":
            groups.append((start, at + 1))
    return groups


def _outer_marks(text: str) -> list[tuple[str, int]]:
    """The operators that are in no parentheses, and the outer parentheses themselves, each with its place."""
    marks, depth = list[tuple[str, int]](), 0
    for found in _MARK.finditer(text):
        mark = found[0]
        if mark == ")":
            if not depth:  # it closes nothing, and hides nothing behind it
                continue
            depth -= 1
        if depth == 0 and mark[0] != '"':
            marks.append((mark, found.start()))
        depth += mark == "("
    return marks


def start_of_group(text: str) -> int:
    """Where the group begins that the last sign of a text closes; 0 if none does."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return 0


def with_closed_groups(text: str) -> tuple[str, list[str]]:
    """An expression whose last groups are not closed, or closed once too often at its end, as it must be meant.

    `((a OR b) AND (c OR d)` is closed at its end, wherever the parenthesis was forgotten. `(a OR b AND c` has two
    meanings, and stays as it is.
    """
    open_groups: list[set[str]] = []
    for found in _SIGN.finditer(text):
        if found[0] == "(":
            open_groups.append(set())
        elif found[0] == ")" and open_groups:
            open_groups.pop()
        elif found[0] == ")":
            if text[found.start() :].strip(")"):
                return text, []
            return text[: found.start()], ["a parenthesis at the end that closes nothing left out"]
        elif open_groups and found[0] in OPERATORS:
            open_groups[-1].add("OR" if found[0] == "OR" else "AND")
    if not open_groups or any(len(operators) > 1 for operators in open_groups):
        return text, []
    return text + ")" * len(open_groups), ["a parenthesis that is not closed as closed at the end"]
