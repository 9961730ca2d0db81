"""Reads the query language.

Grammar (operators in capitals; consecutive words are one leaf, adjacent items are joined by AND):

    any  = all {"OR" all}
    all  = item {["AND"] item | ("AND NOT" | "ANDNOT" | "NOT") item}
    item = term | term "[" tag "]" | name ":" term | name ":[" range "]" | name ":" "(" any ")" | "(" any ")"
         | "(" any ")" "[" tag "]"
    term = words | '"' phrase '"'

A text is an expression only if it has an operator, a phrase or a field tag; parentheses in any other text are blanks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from shared.bibliography.stop_words import FUNCTION_WORDS
from shared.bibliography.text import fold
from shared.errors import Unprocessable
from shared.query.field_tags import Field, TagSyntax, prefix_field, pubmed_field
from shared.query.pubmed_tags import tagged, words_before
from shared.query.syntax import OPERATORS, RENDERED_DEPTH, All, AnyOf, Node, Phrase, Tagged, Words, tidy

# A prefix stands at once before what it names: `TITLE:"…"`, but not in `Alzheimer: a review`.
_TOKEN = re.compile(r'([A-Za-z_]{2,20}):(?=[^\s:)])|"([^"]*)"|([()])|\[([^\[\]"()]{1,60})\]|([^\s()"\[\]]+)|[\[\]]')
# PubMed's website writes a range of dates as two tagged terms.
_TAGGED_RANGE = re.compile(
    r'(?<![\w/:"])"?([12][\d/]{3,9})"?\[([A-Za-z -]{2,25})\] ?: ?"?([\d/]{4,10})"?\[[A-Za-z -]{2,25}\]'
)
_OPERANDS = re.compile(rf"(?<![^\s()])(?:{'|'.join(OPERATORS)})(?![^\s()])|[()]")
_BRACKETS = re.compile(r"[()\[\]{}]")
_INITIAL = re.compile(r"_(?=[^\W\d_]{1,2}$)")  # arXiv's `bengio_y`
NO_LETTER = "the query holds no letter or digit to search for"
_OTHER_OPERATORS = {"ANDNOT": "NOT"}


@dataclass(frozen=True, slots=True)
class _Prefix:
    name: str  # before a colon


@dataclass(frozen=True, slots=True)
class _Bracket:
    text: str  # in square brackets


_Token = str | Phrase | _Prefix | _Bracket


def check_depth(text: str, most: int) -> None:
    """Raises Unprocessable if a text nests its parentheses deeper than `most`."""
    if _depth(_tokens(tidy(text))) > most:
        raise _wrong(f"parentheses are nested more than {most} deep; write fewer of them")


def parse(text: str) -> Node:
    """Parse a query. Raises Unprocessable with what is wrong and how to correct it."""
    text = tidy(text)
    tokens = _tokens(text)
    if not is_expression(text, tokens):
        node: Node = Words(" ".join(_BRACKETS.sub(" ", text).split()))
        rest: Sequence[_Token] = []
    else:
        check_depth(text, RENDERED_DEPTH)
        node, rest = _any(tokens)
    if rest:
        raise _wrong("a closing parenthesis has no opening one")
    found = _with_letters(node)
    if found is None:
        raise _wrong(NO_LETTER)
    return found


def _with_letters(node: Node) -> Node | None:
    """The tree without terms that have no letter or digit, which no source can search for; None if none is left."""
    match node:
        case Words(text):
            words = " ".join(word for word in text.split() if fold(word))
            return Words(words) if words else None
        case Phrase(text) | Tagged(text=text):
            return node if fold(text) else None
        case All(of, none_of):
            wanted, excluded = _all_with_letters(of), _all_with_letters(none_of)
            return (wanted[0] if len(wanted) == 1 and not excluded else All(wanted, excluded)) if wanted else None
        case AnyOf(of):
            either = _all_with_letters(of)
            return AnyOf(either) if len(either) > 1 else either[0] if either else None
    return None


def _all_with_letters(nodes: Sequence[Node]) -> tuple[Node, ...]:
    return tuple(part for node in nodes if (part := _with_letters(node)) is not None)


def is_expression(text: str, tokens: Sequence[_Token] | None = None) -> bool:
    """Whether a text has an operator, a phrase or a field tag. A title typed in capitals has no operators."""
    tokens = _tokens(tidy(text)) if tokens is None else tokens
    if any(not isinstance(token, str) for token in tokens):
        return True
    if not any(token in OPERATORS for token in tokens):
        return False
    return not (text.isupper() and any(map(_is_phrase_of_sentence, _OPERANDS.split(tidy(text)))))


def _is_phrase_of_sentence(text: str) -> bool:
    """Whether several words have one of grammar; one word alone is an acronym: `ALL OR AML`."""
    words = text.casefold().split()
    return len(words) > 1 and not FUNCTION_WORDS["en"].isdisjoint(words)


def _wrong(message: str) -> Unprocessable:
    return Unprocessable.field("query", message)


@lru_cache(maxsize=64)  # several steps of reading a query ask whether one text is an expression
def _tokens(text: str) -> Sequence[_Token]:
    """The tokens; what only looks like a tag is words: `[18F]FDG`, `Alzheimer:a`."""
    tokens: list[_Token] = []
    for found in _TOKEN.finditer(_TAGGED_RANGE.sub(r"\1:\3[\2]", text)):
        prefix, phrase, mark, bracket, word = found.groups()
        if prefix and prefix_field(prefix):
            tokens.append(_Prefix(prefix))
        elif bracket and (pubmed_field(bracket) or (tokens and isinstance(tokens[-1], _Prefix))):
            tokens.append(_Bracket(bracket))
        elif phrase is not None and phrase.strip():
            tokens.append(Phrase(phrase.strip()))
        elif text_of := prefix or bracket or mark or word:
            tokens += [_OTHER_OPERATORS.get(part, part) for part in text_of.split()]
    return tuple(tokens)


def _depth(tokens: Sequence[_Token]) -> int:
    """The most parentheses that are open at once."""
    return max(accumulate({"(": 1, ")": -1}.get(str(it), 0) for it in tokens), default=0)


def _any(tokens: Sequence[_Token]) -> tuple[Node, Sequence[_Token]]:
    node, tokens = _all(tokens)
    found = [node]
    while tokens and tokens[0] == "OR":
        if not tokens[1:] or tokens[1] == ")":
            raise _wrong("OR needs a term on both sides")
        node, tokens = _all(tokens[1:])
        found.append(node)
    return (found[0] if len(found) == 1 else AnyOf(tuple(found))), tokens


def _all(tokens: Sequence[_Token]) -> tuple[Node, Sequence[_Token]]:
    wanted: list[Node] = []
    excluded: list[Node] = []
    while tokens and tokens[0] not in ("OR", ")"):
        if tokens[0] == "AND":
            if not wanted and not excluded:
                raise _wrong("AND needs a term on both sides")
            tokens = tokens[1:]
            if not tokens or tokens[0] in ("AND", "OR", ")"):
                raise _wrong("AND needs a term on both sides")
        into = wanted
        if tokens[0] == "NOT":
            into, tokens = excluded, tokens[1:]
        node, tokens = _item(tokens)
        into.append(node)
    if not wanted:
        raise _wrong("OR, NOT and parentheses need a positive term: write `term NOT unwanted`, `one OR other`")
    return (wanted[0] if len(wanted) == 1 and not excluded else All(tuple(wanted), tuple(excluded))), tokens


def _item(tokens: Sequence[_Token]) -> tuple[Node, Sequence[_Token]]:
    if not tokens or tokens[0] in (*OPERATORS, ")"):
        raise _wrong("an operator needs a term after it")
    first = tokens[0]
    if isinstance(first, _Prefix):
        return _prefixed(first.name, tokens[1:])
    if isinstance(first, Phrase):
        return _with_tag(first, tokens[1:])
    if isinstance(first, _Bracket):
        raise _wrong(f"the field tag [{first.text[:40]}] needs a term before it")
    if first == "(":
        node, rest = _any(tokens[1:])
        if not rest:
            raise _wrong("a parenthesis is not closed")
        tag = rest[1] if rest[1:] else None
        if isinstance(tag, _Bracket):  # of each of its terms, as people mean it
            return _with_terms(node, lambda term: tagged(term, tag.text)), rest[2:]
        return node, rest[1:]
    words: list[str] = []
    while tokens and isinstance(tokens[0], str) and tokens[0] not in (*OPERATORS, "(", ")"):
        words.append(tokens[0])
        tokens = tokens[1:]
    return _with_tag(Words(" ".join(words)), tokens)


def _with_tag(term: Words | Phrase, tokens: Sequence[_Token]) -> tuple[Node, Sequence[_Token]]:
    """The term, with the PubMed tag that may follow it."""
    tag = tokens[0] if tokens else None
    if not isinstance(tag, _Bracket):
        return term, tokens
    before = words_before(term.text, tag.text) if isinstance(term, Words) else ""
    if before:  # they are a term of their own: `stroke review[pt]`
        return Words(before), [*term.text.removeprefix(before).split(), *tokens]
    return tagged(term, tag.text), tokens[1:]


def _prefixed(name: str, tokens: Sequence[_Token]) -> tuple[Node, Sequence[_Token]]:
    """What follows `name:`: a word, a phrase, a range in square brackets, or a group whose terms all get the tag."""
    found = prefix_field(name)
    if not tokens or tokens[0] in (*OPERATORS, ")") or found is None:
        raise _wrong(f"{name}: needs a term after it")
    syntax, field = found
    first, rest = tokens[0], tokens[1:]
    if first == "(":
        node, rest = _item(tokens)
        return _with_terms(node, lambda term: _in_field(term, name, syntax, field)), rest
    if isinstance(first, _Bracket):
        return Tagged(field, first.text, f"{name}:[{first.text}]", syntax), rest
    if isinstance(first, Phrase):
        return Tagged(field, first.text, f'{name}:"{first.text}"', syntax, phrase=True), rest
    if isinstance(first, _Prefix):
        raise _wrong(f"{name}: needs a term after it")
    text = _INITIAL.sub(", ", first).replace("_", " ") if field == "author" else first
    return Tagged(field, text, f"{name}:{first}", syntax), rest


def _with_terms(node: Node, written: Callable[[Words | Phrase], Node]) -> Node:
    """The tree with each term that has no tag in another form."""
    match node:
        case Words() | Phrase():
            return written(node)
        case All(of, none_of):
            return All(*(tuple(_with_terms(it, written) for it in part) for part in (of, none_of)))
        case AnyOf(of):
            return AnyOf(tuple(_with_terms(it, written) for it in of))
    return node


def _in_field(term: Words | Phrase, name: str, syntax: TagSyntax, field: Field) -> Node:
    if isinstance(term, Phrase):
        return Tagged(field, term.text, f'{name}:"{term.text}"', syntax, phrase=True)
    parts = [Tagged(field, word, f"{name}:{word}", syntax) for word in term.text.split()]
    return parts[0] if len(parts) == 1 else All(tuple(parts))
