"""What an expression means, whatever language it was written in: a tree of terms, and when it is true of a paper.

Nothing of the service is used here, so that an error in it cannot hide itself.
"""

from __future__ import annotations

import itertools
import random
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MOST_WORDS_IN_ALL_CASES = 11  # 2 to this power are tried; of longer expressions a sample
SAMPLE = 2_000
_WORD = re.compile(r"[^\W_]+")
_GREEK = {
    letter: unicodedata.name(letter).rpartition(" ")[2].lower().replace("lamda", "lambda")
    for letter in map(chr, range(ord("α"), ord("ω") + 1))
}
_POSSESSIVE = re.compile(r"['’`]s\b", re.IGNORECASE)


class Malformed(ValueError):
    """An expression that the source's own grammar does not have."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word, or words that stand together (`phrase`), in a field ("" for the source's default)."""

    text: str
    field: str = ""
    phrase: bool = False


@dataclass(frozen=True, slots=True)
class And:
    """All of these."""

    of: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """One or more of these."""

    of: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Anything but this."""

    of: Node


Node = Term | And | Or | Not


def terms(node: Node, *, excluded: bool | None = None) -> Iterator[Term]:
    """The terms of a tree; only those (not) under a NOT if `excluded` says so."""

    def walk(part: Node, under: bool) -> Iterator[Term]:
        if isinstance(part, Term):
            if excluded is None or excluded is under:
                yield part
        elif isinstance(part, Not):
            yield from walk(part.of, not under)
        else:
            for child in part.of:
                yield from walk(child, under)

    return walk(node, False)


def tokens(text: str) -> tuple[str, ...]:
    """The words of a text as all engines would compare them: no case, no accents, Greek letters by name, no `'s`."""
    folded = _POSSESSIVE.sub("", unicodedata.normalize("NFKC", text)).casefold().replace("ς", "σ")
    folded = "".join(_GREEK.get(sign, sign) for sign in folded)
    plain = (sign for sign in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(sign))
    return tuple(_WORD.findall(unicodedata.normalize("NFC", "".join(plain))))


def has_text(term: str) -> bool:
    """Whether a term has a letter or digit, without which engines have nothing to look for."""
    return any(sign.isalnum() for sign in term)


def compounds(typed: str) -> frozenset[tuple[str, ...]]:
    """The words of a text that consist of several tokens, like `off-target`, with their parts of two tokens or more."""
    found = [tokens(word) for word in typed.split()]
    return frozenset(
        whole[first:last] for whole in found for first in range(len(whole)) for last in range(first + 2, len(whole) + 1)
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """How terms become variables: a phrase is one, unless it is a compound word of what was typed, or `loose`."""

    compounds: frozenset[tuple[str, ...]] = frozenset()
    loose: bool = False

    def variables(self, term: Term) -> tuple[str, ...]:
        """What must be true of a paper for a term to be in it."""
        words = tokens(term.text)
        wildcard = term.text.rstrip('" )').endswith("*") and not term.phrase
        if wildcard and words:
            return (*words[:-1], f"{words[-1]}*")
        if term.phrase and len(words) > 1 and not self.loose and words not in self.compounds:
            return (" ".join(words),)
        return words

    def holds(self, node: Node, true: frozenset[str]) -> bool:
        """Whether a paper of which these variables are true matches."""
        match node:
            case Term():
                return all(name in true for name in self.variables(node))
            case And(of):
                return all(self.holds(part, true) for part in of)
            case Or(of):
                return any(self.holds(part, true) for part in of)
            case Not(part):
                return not self.holds(part, true)

    def all_variables(self, *nodes: Node) -> list[str]:
        """Every variable of some trees, sorted."""
        return sorted({name for node in nodes for term in terms(node) for name in self.variables(term)})

    def required(self, node: Node) -> frozenset[str]:
        """The variables without which nothing matches although all others are true."""
        every = frozenset(self.all_variables(*terms(node, excluded=False)))
        return frozenset(name for name in every if not self.holds(node, every - {name}))

    def difference(self, first: Node, second: Node) -> frozenset[str] | None:
        """The variables of a paper that matches only one of two expressions; None if they mean the same."""
        names = self.all_variables(first, second)
        cases = _cases(names)
        return next((case for case in cases if self.holds(first, case) is not self.holds(second, case)), None)


def _cases(names: Sequence[str]) -> Iterator[frozenset[str]]:
    if len(names) <= MOST_WORDS_IN_ALL_CASES:
        for values in itertools.product((True, False), repeat=len(names)):
            yield frozenset(itertools.compress(names, values))
        return
    chance = random.Random(1)
    for _ in range(SAMPLE):
        share = chance.choice((0.3, 0.5, 0.8, 0.95))
        yield frozenset(name for name in names if chance.random() < share)


def conjunction(parts: Sequence[Node]) -> Node:
    """All of these; one alone stays as it is."""
    return parts[0] if len(parts) == 1 else And(tuple(parts))
