"""Reads `and`, `or`, `not` in small letters as operators, where the text around them shows that they are.

    "innate immunity" and "adaptive immunity"      between phrases, groups, tagged terms and fields
    "knee" and/or "hip"                            means OR
    TITLE:tau or mice, (stroke or tau) AND mice    `or` and `not` between words, beside an operator or a field
    (stroke or tau) and mice, nurs* or midwi*      beside alternatives in parentheses, or a truncated word
    stroke not mice[tiab]                          the same: the tag is that of the words behind the operator
    stroke AND mice or rats                        a group: stroke AND (mice OR rats)

Words of grammar, or the signs of a sentence, between two marks show that the small words there are words: `to be or not
to be[ti]`. An `and` between words stays one, which many terms hold (`head and neck cancer[tiab]`) and no search needs.
PubMed's manual asks for capitals, which many people leave out, and of which some devices write the first alone (`Or`).
"""

from __future__ import annotations

import re

from shared.bibliography.stop_words import FUNCTION_WORDS
from shared.query.field_tags import Field, prefix_field, pubmed_field
from shared.query.parser import is_expression
from shared.query.syntax import OPERATORS

_OPERATOR = re.compile(r"(?<!\S)(and not|and/or|and|or|not)(?!\S)(?! (?:otherwise|elsewhere) )", re.I)
# A phrase, Embase's among them (`'heart attack'/exp`), a bracket, a parenthesis or an operator.
_MARK = re.compile(r"""("[^"]*"|(?<![\w'])'[^'"]{2,120}'(?=[/:])|\[[^\[\]]*\]|[()]|(?<!\S)(?:AND|OR|NOT)(?!\S))""")
_GRAMMAR = FUNCTION_WORDS["en"].difference(("and", "or", "not"))
_ENDS = frozenset((*OPERATORS, "(", ")", ""))
_OF_A_SENTENCE = re.compile(r"[:;.?!](?=\s|$)")
_FIELD = re.compile(r"([A-Za-z_]{2,20}):(?=[^\s:])")
_GROUP = re.compile(r"\([^()]*\)")
# Alternatives with an operator or nothing at each side: `(stroke or tau) and mice`, `(stroke or tau)`.
_ALTERNATIVES = re.compile(
    r"(?:^\(+[^()]+ or [^()]+\)+$"
    r"|^\([^()]+ or [^()]+\) (?:and|or|not) \S|(?<=\S )(?:and|or|not) \([^()]+ or [^()]+\)(?: (?:and|or|not) \S|$))",
    re.I,
)
_TRUNCATED = re.compile(r"(?<![\w*-])[^\W\d_][\w-]*[^\W\d_]{3}\*(?!\w)")


def read_small_operators(text: str) -> tuple[str, list[str]]:
    """The text with its small operators in capitals, and a note if it has any."""
    read = _read_once(text)
    if read != text:
        read = _read_once(read)  # now it is an expression: `(tau or abeta) and (mice or rats)`
    return read, ["and, or, not beside a phrase, a field or an operator as AND, OR, NOT"] if read != text else []


def _read_once(text: str) -> str:
    pieces = _MARK.split(text)
    is_sentence = not _is_clear(_GROUP.sub(" ", text))
    is_syntax = is_expression(text.replace('"', " "))
    is_syntax = is_syntax or bool(not is_sentence and (_TRUNCATED.search(text) or _ALTERNATIVES.search(text)))
    for place in range(0, len(pieces), 2):
        before, behind = pieces[place - 1] if place else "", "".join(pieces[place + 1 : place + 2])
        is_joined = before == ")" and behind == "(" and is_sentence and not is_syntax  # `of (R) and (S) forms`
        if not is_joined:
            pieces[place] = _with_capitals(pieces[place], before, behind, is_syntax=is_syntax)
    return "".join(pieces)


def _is_clear(text: str) -> bool:
    """Whether a text has no word of grammar and no sign of a sentence. The last `a` of words is no article."""
    words = (part.strip().casefold().removesuffix(" a").split() for part in _OPERATOR.split(text)[::2])
    return not _OF_A_SENTENCE.search(text) and all(map(_GRAMMAR.isdisjoint, words))


def _with_capitals(text: str, before: str, behind: str, *, is_syntax: bool) -> str:
    """The words between two marks with their operators in capitals, in a group if they are alternatives beside one."""
    parts = _OPERATOR.split(text)
    is_clear = _is_clear(text)
    for place in range(1, len(parts), 2):
        left, right = parts[place - 1].strip() or before * (place == 1), parts[place + 1].strip()
        right = right or behind * (place == len(parts) - 2)
        if left and right and _is_operator(parts[place], left, right, is_clear=is_clear, is_syntax=is_syntax):
            parts[place] = "OR" if "/" in parts[place] else parts[place].upper()
    read = "".join(parts)
    if "OR" in parts[1::2] and not {before, behind}.isdisjoint(OPERATORS) and {before, behind} <= _ENDS:
        return f"{read[: len(read) - len(read.lstrip())]}({read.strip()}){read[len(read.rstrip()) :]}"
    return read


def _is_operator(word: str, left: str, right: str, *, is_clear: bool, is_syntax: bool) -> bool:
    """Whether one of the words is an operator between what stands at its sides: words, or a mark."""
    if right in (")", *OPERATORS) or left == "(" or (left in OPERATORS and word.casefold() != "not") or right[0] == "[":
        return False
    tag, field = _tag(left), _FIELD.match(right)
    is_between = (left == ")" or left[-1] in "\"'" or tag is not None) and right[0] in "(\"'"
    if is_between or tag or (field and prefix_field(field[1])):
        return True
    is_beside_phrase = left[-1] == '"' or right[0] == '"'
    if word.casefold() == "and":
        return is_beside_phrase or (left == ")" and is_syntax and is_clear)
    return is_clear and (is_syntax or is_beside_phrase)


def _tag(mark: str) -> Field | None:
    """The field of one of PubMed's tags; None of any other mark, and of words."""
    return pubmed_field(mark[1:-1]) if mark[0] == "[" else None
