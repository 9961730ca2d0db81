"""A reader of arXiv's query grammar as its manual documents it, to check what the provider sends.

Manual: https://info.arxiv.org/help/api/user-manual.html#51-details-of-query-construction. It has prefixes, phrases in
double quotes, AND, OR, ANDNOT and parentheses, and says nothing of precedence. So this reader refuses an expression
whose meaning depends on it: operators of one pair of parentheses must all be AND or all OR, or one ANDNOT.
It shares no code with the provider or with the sandbox.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

PREFIXES = ("ti", "au", "abs", "co", "jr", "cat", "rn", "id", "all")
OPERATORS = ("AND", "OR", "ANDNOT")


@dataclass(frozen=True)
class Term:
    """A prefix and what follows it, without quotation marks."""

    prefix: str
    text: str


@dataclass(frozen=True)
class Joined:
    """Parts and the one operator between them."""

    operator: str
    parts: tuple[Tree, ...]


Tree = Term | Joined


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0

    def blanks(self) -> None:
        while self.text.startswith(" ", self.place):
            self.place += 1

    def until(self, ends: str) -> str:
        start = self.place
        while self.place < len(self.text) and self.text[self.place] not in ends:
            self.place += 1
        return self.text[start : self.place]

    def expect(self, sign: str) -> None:
        if not self.text.startswith(sign, self.place):
            raise ValueError(f"{sign!r} expected at {self.place} of {self.text!r}")
        self.place += len(sign)

    def chain(self) -> Tree:
        parts, operators = [self.operand()], set()
        while self.place < len(self.text) and self.text[self.place] != ")":
            self.expect(" ")
            operator = self.until(" ")
            if operator not in OPERATORS:
                raise ValueError(f"{operator!r} is not an operator in {self.text!r}")
            operators.add(operator)
            self.expect(" ")
            parts.append(self.operand())
        if not operators:
            return parts[0]
        if len(operators) > 1 or (operators == {"ANDNOT"} and len(parts) > 2):
            raise ValueError(f"the meaning depends on precedence: {self.text!r}")
        return Joined(operators.pop(), tuple(parts))

    def operand(self) -> Tree:
        if self.text.startswith("(", self.place):
            self.expect("(")
            found = self.chain()
            self.expect(")")
            return found
        prefix = self.until(": ()")
        self.expect(":")
        if prefix == "submittedDate":
            self.expect("[")
            minutes = self.until("]").split(" TO ")
            self.expect("]")
            if not all(len(minute) == 12 and minute.isdecimal() for minute in minutes) or len(minutes) != 2:
                raise ValueError(f"{minutes} is not a range of minutes")
            return Term(prefix, " ".join(minutes))
        if prefix not in PREFIXES:
            raise ValueError(f"{prefix!r} is not a prefix in {self.text!r}")
        if self.text.startswith('"', self.place):
            self.expect('"')
            text = self.until('"')
            self.expect('"')
        else:
            text = self.until(' ()"')
            if text in OPERATORS:
                raise ValueError(f"{text} is an operator in {self.text!r}")
        if not text.strip() or text[0] in "*?":
            raise ValueError(f"{prefix}: has no text in {self.text!r}")
        return Term(prefix, text)


def read(expression: str) -> Tree:
    """Read an expression. Raises ValueError for what the manual lacks or leaves open."""
    reader = _Reader(expression)
    found = reader.chain()
    if reader.place != len(expression):
        raise ValueError(f"too many closing parentheses in {expression!r}")
    return found


def holds(tree: Tree, has: Callable[[str, str], bool]) -> bool:
    """Whether the expression is true of a record that has a text in a prefix's field, or not."""
    if isinstance(tree, Term):
        return has(tree.prefix, tree.text)
    truths = [holds(part, has) for part in tree.parts]
    if tree.operator == "ANDNOT":
        return truths[0] and not truths[1]
    return all(truths) if tree.operator == "AND" else any(truths)
