"""A query as a tree that each provider renders: words, "phrases", tagged terms, AND, OR, NOT.

The parser (`shared.query.parser`) and all that walks a tree are recursive, so parentheses are nested MAX_DEPTH deep at
most.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html.entities import html5

from shared.bibliography.characters import BREAKS, CONTROLS, FILLERS, INVISIBLE, NONCHARACTERS, pattern_of
from shared.bibliography.text import plain_text
from shared.errors import UnsupportedFilter
from shared.query.field_tags import FILTER_FIELDS, Field, TagSyntax
from shared.query.numbered_lines import with_numbered_lines


@dataclass(frozen=True, slots=True)
class Words:
    """Free words: the provider decides how they match."""

    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand together in this order."""

    text: str


@dataclass(frozen=True, slots=True)
class All:
    """Every one of `of`, and none of `none_of`."""

    of: tuple[Node, ...]
    none_of: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of `of`."""

    of: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Tagged:
    """A term that must occur in one field. `written` is the term with its tag, in the syntax it was written in."""

    field: Field
    text: str
    written: str
    syntax: TagSyntax
    phrase: bool = False


Leaf = Words | Phrase | Tagged
Node = Leaf | All | AnyOf

# A place for a line to break within an identifier or an address divides no words.
_BREAK = re.compile(rf"(?<=[^\s!-/:-@\[-`{{-~])[{pattern_of(BREAKS)}]+(?=[^\s!-/:-@\[-`{{-~])")
_ADDRESS = re.compile(r"(?:.{0,20}[^\w.])?10\.[0-9]{4}|.{0,20}://|.{0,10}www\.", re.DOTALL)
_INVISIBLE = re.compile(f"[{pattern_of(INVISIBLE | FILLERS)}]")
# No text holds them, and some engines refuse a request with one. They part words, as the line breaks among them do.
# Characters for private use are a font's own; this service's readers use some of them as marks of their own.
_UNWRITABLE = re.compile(f"[{pattern_of(CONTROLS | NONCHARACTERS)}\ue000-\uf8ff]")
# A word that the end of a line divides, as in text copied from a page; the hyphen of `state-of-the-art` stays.
_DIVIDED = re.compile(r"(?<![\w-])([^\W\d_]{2,})[-\u2010]\s*\n\s*(?!and\b|or\b)(?=[^\W\d_A-Z]{2})")
_AT_A_HYPHEN = re.compile(r"(?<=\w)[-\u2010]\s*\n\s*(?!and\b|or\b)(?=\w)")
_QUOTES = str.maketrans({"\u2010": "-", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'"})
_APOSTROPHES = str.maketrans("´ʼ", "''")  # NFKC has a blank with an accent for the first
# A list without blanks, which an engine would read as one word or a phrase; `N,N-dimethyl` is a word.
_LIST = re.compile(r"(?<!\S)[^\W\d_]{2,}(?:[,;][^\W\d_]{2,})+(?!\S)")
# Quotation marks of two signs, as in LaTeX and the text of some PDF files; `3''` and `f''(x)` are others.
_DOUBLED = re.compile(r"(?<![\w'`])(?:''|``)(?=[^\s'`])([^\"`]{2,120}?)(?<=\S)''(?![\w'])")
_EMPTY = re.compile(r"\( *\)")
_DANGLING = re.compile(r"(?<!\S)(?:AND|OR|NOT)(?= (?:AND|OR)(?!\S)| ?\)| ?$)|(?:(?<=^)|(?<=\())(?:AND|OR)(?!\S)")
OPERATORS = ("AND", "OR", "NOT")
MAX_DEPTH = 50  # of the parentheses that a caller writes
# `render` writes at most two for each of these (`a OR b (…)` -> `a OR (b AND (…))`), and a few around the whole.
RENDERED_DEPTH = 3 * MAX_DEPTH


# `TREM2&microglia`, where a browser would read `&micro` as a sign; `R&D` is a word.
_NO_ENTITY = re.compile(rf"(?<=\w)&(?=(?:{'|'.join(it for it in html5 if not it.endswith(';'))}))(?!\w{{1,31}};)")


def tidy(text: str) -> str:
    """Compatible characters in one form, straight quotes, single spaces: the text as it is sent upstream.

    Raised and lowered digits stay as they are: `CO₂` and `10⁹` mean something to the engines. Markup and invisible
    characters that came along from a web page are not part of it.
    """
    if not text.isascii():
        text = _with_blanks_at_breaks(text)
    if "\n" in text:
        text = with_numbered_lines(_AT_A_HYPHEN.sub("-", _DIVIDED.sub(r"\1", text)))
    if "<" in text or "&" in text:  # it joins the lines
        text = plain_text(_NO_ENTITY.sub(" & ", text)) or ""
    if not text.isascii():
        text = _INVISIBLE.sub("", text).translate(_APOSTROPHES)
        signs = (sign if _is_raised(sign) else unicodedata.normalize("NFKC", sign) for sign in text)
        text = unicodedata.normalize("NFC", "".join(signs)).translate(_QUOTES)
    if "''" in text:
        text = _DOUBLED.sub(r'"\1"', text)
    text = " ".join(_UNWRITABLE.sub(" ", text).split())
    return _LIST.sub(lambda it: re.sub("[,;]", r"\g<0> ", it[0]), text) if "," in text or ";" in text else text


def _with_blanks_at_breaks(text: str) -> str:
    """A blank where a place for a line to break is all that divides two words."""
    if not _BREAK.search(text):
        return text
    return " ".join(piece if _ADDRESS.match(piece) else _BREAK.sub(" ", piece) for piece in text.split(" "))


def without_gaps(text: str) -> str:
    """The text without empty parentheses, and without operators that have lost a term."""
    before = None
    while before != text:
        before, text = text, _DANGLING.sub("", _EMPTY.sub("", " ".join(text.split())))
        text = text.replace("( ", "(").replace(" )", ")").strip()
    return text


def _is_raised(sign: str) -> bool:
    return unicodedata.decomposition(sign).startswith(("<super>", "<sub>"))


def normalise(text: str) -> str:
    """The form in which two spellings of one query are equal: tidy, case-folded except the operators."""
    parts = re.split(r'("[^"]*"|\s+|[()])', unicodedata.normalize("NFKC", tidy(text)))
    return "".join(part if part in OPERATORS else part.casefold() for part in parts)


def leaves(node: Node, *, excluded: bool = False) -> Iterator[Leaf]:
    """The terms that are wanted; with `excluded`, those under a NOT instead."""
    if isinstance(node, Words | Phrase | Tagged):
        if not excluded:
            yield node
        return
    for part in node.of:
        yield from leaves(part, excluded=excluded)
    if excluded and isinstance(node, All):
        for part in node.none_of:
            yield from leaves(part)


def plain(node: Node) -> str:
    """The wanted words in order, for an API without operators; without dates, types and other filters by tag."""
    texts = (leaf.text for leaf in leaves(node) if not (isinstance(leaf, Tagged) and leaf.field in FILTER_FIELDS))
    return " ".join(texts)


def is_truncated_phrase(leaf: Leaf) -> bool:
    """Whether a term is a phrase with a wildcard in it, which most engines do not have: `"amyloid plaq*"`."""
    return "*" in leaf.text and (isinstance(leaf, Phrase) or (isinstance(leaf, Tagged) and leaf.phrase))


def has_truncated_phrase(node: Node) -> bool:
    """Whether any term of the query is one, wanted or excluded."""
    return any(map(is_truncated_phrase, (*leaves(node), *leaves(node, excluded=True))))


def has_operators(node: Node) -> bool:
    """Whether the query is more than free words."""
    return not isinstance(node, Words)


def render(
    node: Node,
    *,
    words: Callable[[str], str | None],
    phrase: Callable[[str], str | None],
    tagged: Callable[[Tagged], str | None] | None = None,
    and_: str = " AND ",
    or_: str = " OR ",
    not_: str = " NOT ",
) -> str:
    """The tree in an API's own syntax: leaves by the functions, joined by the three operators.

    They return None for a term that the API cannot express, which is left out; without `tagged`, a term is
    rendered as its words, and a filter by tag is left out. Raises UnsupportedFilter if nothing is left.
    """

    def leaf_of(part: Leaf) -> str | None:
        if isinstance(part, Words):
            return words(part.text)
        if isinstance(part, Phrase):
            return phrase(part.text)
        if tagged:
            return tagged(part)
        return None if part.field in FILTER_FIELDS else phrase(part.text) if part.phrase else words(part.text)

    def write(part: Node, nested: bool) -> str | None:
        if isinstance(part, Words | Phrase | Tagged):
            return leaf_of(part)
        written = [text for child in part.of if (text := write(child, True)) is not None]
        if not written:
            return None
        text = (and_ if isinstance(part, All) else or_).join(written)
        excluded = [write(child, True) for child in part.none_of] if isinstance(part, All) else []
        text += "".join(not_ + other for other in excluded if other is not None)
        return f"({text})" if nested and (len(written) > 1 or excluded) else text

    if (text := write(node, False)) is None:
        raise UnsupportedFilter("the source cannot search by any of the query's field tags")
    return text
