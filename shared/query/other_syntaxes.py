"""Reads a query with the syntaxes of all other services, one after the other, and with its years."""

from __future__ import annotations

import re

from shared.bibliography.stop_words import FUNCTION_WORDS
from shared.query.computing_libraries import read_computing_libraries
from shared.query.ebsco_syntax import read_ebsco
from shared.query.embase_syntax import read_embase
from shared.query.filters_in_words import without_request
from shared.query.foreign_operators import read_foreign_operators
from shared.query.foreign_syntax import Reading, read_foreign
from shared.query.inner_wildcards import read_inner_wildcards
from shared.query.operators_as_words import with_operators_as_words
from shared.query.parser import is_expression
from shared.query.pasted_text import read_pasted
from shared.query.printed_searches import read_printed
from shared.query.proquest_syntax import read_proquest
from shared.query.search_history import read_history
from shared.query.search_labels import label_of_search
from shared.query.sides import with_closed_groups
from shared.query.syntax import OPERATORS, tidy, without_gaps
from shared.query.years_in_expressions import with_years

LONGEST_PHRASE = 10  # words; longer quotations beside other words are copied from a title
# `sepsis (tiab) AND mice`: names that are nothing but tags.
_TAG_IN_PARENTHESES = re.compile(r"(?<=[\w*\")]) \((tiab|title/abstract|all fields|mesh(?: terms)?|majr)\)(?!\w)", re.I)


def read_syntaxes(text: str) -> Reading:
    """A text in tidy form as this service writes it, with notes on how parts of it were read."""
    text, printed = read_printed(with_operators_as_words(text))
    label = label_of_search(text)
    read = _read(text.removeprefix(label))
    if label:
        read = (
            Reading(read.text, (f"{label.strip()} as a label", *read.notes)) if _is_search(read.text) else _read(text)
        )
    if not is_expression(read.text):
        return Reading(read.text, (*printed, *read.notes))
    text, closed = with_closed_groups(without_request(read.text))
    return with_years(Reading(text, (*printed, *read.notes, *closed)))


def _is_search(text: str) -> bool:
    """Whether a text is an expression, and not a sentence with a quotation: `a place of one's "own"`."""
    if is_expression(text.replace('"', " ")):
        return True
    words = " ".join(text.split('"')[::2]).casefold().split()
    return is_expression(text) and FUNCTION_WORDS["en"].isdisjoint(words)


def _without_first_operator(text: str) -> tuple[str, list[str]]:
    """A text without AND at its beginning, which has no term before it; before words alone it is a word, as in titles.

    So is an OR: `AND gate logic in bacteria`, `OR nurses and burnout`. Before one word, or before an expression, an OR
    is refused: without what stood before it, papers would be missing.
    """
    first, _, rest = text.partition(" ")
    if first not in ("AND", "OR") or not rest or rest.split(" ")[0] in OPERATORS or not is_expression(text):
        return text, []
    if not is_expression(rest) and (first == "AND" or " " in rest):
        return f"{first.lower()} {rest}", [f"{first} at the beginning as a word: it has no term before it"]
    if first == "OR":
        return text, []
    return rest, ["AND at the beginning left out: it has no term before it"]


def _read(text: str) -> Reading:
    """The text without syntax of other services, and without quotation marks that enclose no phrase.

    A quotation of LONGEST_PHRASE words and more beside other words is part of a title: `Corrigendum to "…" [J. 2021]`.
    """
    text, operators = read_foreign_operators(text)
    text, at_first = _without_first_operator(text)
    text, notes = read_history(text)
    if text.count('"') % 2:
        before, _, after = text.rpartition('"')
        text = tidy(f"{before} {after}")
        notes.append("a quotation mark that is not closed as a blank")
    quoted, words = text.split('"')[1::2], tidy(text.replace('"', " "))
    is_long = any(len(it.split()) > LONGEST_PHRASE for it in quoted)
    if is_long and text != f'"{words}"' and not is_expression(words):
        text = words
        notes.append("the marks of a long quotation as blanks")
    text, computing = read_computing_libraries(text)
    text, pasted = read_pasted(text)
    text = _TAG_IN_PARENTHESES.sub(r"[\1]", text) if is_expression(text) else text
    text, ebsco = read_ebsco(text)
    text, proquest = read_proquest(text)
    text, embase, fields = read_embase(text)
    text, spelled = read_inner_wildcards(text)
    read = read_foreign(text)
    foreign = (f"{fields.get(field, field)} {said}" for field, _, said in (it.partition(" ") for it in read.notes))
    said = (*operators, *at_first, *computing, *pasted, *notes, *ebsco, *proquest, *embase, *spelled, *foreign)
    return Reading(without_gaps(read.text) if ebsco or embase or proquest else read.text, said)
