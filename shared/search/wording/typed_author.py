"""Queries that are an author's name, alone or beside a subject: the filter `author` finds papers by that person.

`Colonna M`, `M. Colonna TREM2`, `Jumper J, Evans R` and `Marco Colonna` have the form of names, as `Vitamin D` and
`Gene Ontology` have. They are names if a paper that was found has the family name among its authors, and none has it in
its title or abstract; where nothing was found, a form with initials is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from shared.bibliography.name_patterns import initials
from shared.bibliography.text import fold
from shared.query.understanding import understand
from shared.search.wording.pasted_reference import is_family_name

if TYPE_CHECKING:
    from shared.answers.search import Hint

MOST_WORDS = 12
_INITIALS = re.compile(initials(3))
_DIVIDED = re.compile(r"\s?(?:[,;&]|\band\b)\s?")
Texts = Callable[[], Iterable[str]]  # a text for each paper found, or a name for each of its authors


class TypedAuthor(NamedTuple):
    """Who a query names, with `;` between several people, and the subject beside the name."""

    author: str
    query: str
    families: tuple[str, ...]
    has_initials: bool = True


def author_hints(wordings: Sequence[str], texts: Texts, people: Texts) -> list[Hint]:
    """A hint if a single wording may be an author's name.

    `texts`: the titles and abstracts of the papers found; `people`: their authors. Both are only read for such a form.
    """
    found = _name_in(wordings)
    if not found or not _is_meant(found, texts, people):
        return []
    names = found.author.replace(";", " and ")
    message = f"If you mean papers by {names}, search with `author`: `next_actions` has the call."
    return [{"reason": "author", "message": message}]


def author_named(wordings: Sequence[str], hints: Iterable[Hint]) -> TypedAuthor | None:
    """The author whom a hint of `author_hints` names, and the subject beside the name."""
    return _name_in(wordings) if any(it["reason"] == "author" for it in hints) else None


def _is_meant(found: TypedAuthor, texts: Texts, people: Texts) -> bool:
    said = [fold(text) for text in texts()]
    if not said:
        return found.has_initials
    names = {word for name in people() for word in fold(name).split()}
    families = [fold(family) for family in found.families]
    known = all(word in names for family in families for word in family.split())
    return known and not any(f" {family} " in f" {text} " for family in families for text in said)


def _name_in(wordings: Sequence[str]) -> TypedAuthor | None:
    if len(wordings) != 1 or len(wordings[0].split()) > MOST_WORDS or understand(wordings[0]).kind == "expression":
        return None
    return _with_initials(wordings[0]) or _in_full(wordings[0])


def _with_initials(text: str) -> TypedAuthor | None:
    people = [part.split() for part in _DIVIDED.split(text) if part]
    families = [_family(words) for words in people]
    if len(people) > 1 and all(families):
        return TypedAuthor(";".join(map(" ".join, people)), "", tuple(filter(None, families)))
    words = [word.strip(",;") for word in text.split()]
    for name, rest in ((words[:2], words[2:]), (words[-2:], words[:-2])):
        if family := _family(name):
            return TypedAuthor(" ".join(name), " ".join(rest), (family,))
    return None


def _in_full(text: str) -> TypedAuthor | None:
    words = text.split()
    named = len(words) == 2 and all(is_family_name(word) and len(word) > 2 for word in words)
    return TypedAuthor(" ".join(words), "", (words[-1],), has_initials=False) if named else None


def _family(words: Sequence[str]) -> str | None:
    """The family name, if these are one and initials, in either order."""
    if len(words) != 2:
        return None
    orders = (words, words[::-1])
    return next((it for it, initials in orders if is_family_name(it) and _INITIALS.fullmatch(initials)), None)
