"""Reads operators that are written in German, French, Spanish, Italian or Portuguese.

    (Diabetes ODER Adipositas) UND Bewegung       UND and ODER mean nothing else
    "tabac" ET "alcool"                           others stand between two phrases or groups
    diabetes Y (obesidad O sobrepeso)             or within a group and beside it, both of a language

ET, OU, Y, O and E alone are abbreviations and symbols: `essential tremor ET`, `vitamin E (tocopherol) and group O`,
`"blood group" O (ABO)`, `SL(2) E (8)`.
"""

from __future__ import annotations

import re

from shared.query.syntax import OPERATORS

_MEANT = {"UND NICHT": "NOT", "UND": "AND", "ODER": "OR", "ET": "AND", "OU": "OR", "Y": "AND", "E": "AND", "O": "OR"}
# A phrase, which is passed over, or an operator.
_GERMAN = re.compile(r'"[^"]*"|(?<=\S )(UND NICHT|UND|ODER)(?= [^\s)])')
# A letter only between two phrases, or two groups of words.
_BETWEEN_MARKS = re.compile(
    r'"[^"]*"|(?:(?<=[)"\]*] )(?=.. ["(])|(?<=["\]*] )(?=. ")|(?<=[^\W\d_]{4}\) )(?=. \([^\W\d_]{4}))'
    r'(ET|OU|Y|E|O)(?= ["(])'
)
_BETWEEN_WORDS = re.compile(r'"[^"]*"|(?<=[^\s(] )(ET|OU|Y|E|O)(?= [^\s)])')
_WITHIN_GROUP = re.compile(r"\([^()]*[^\s(] (?:ET|OU|Y|E|O) [^()]+\)")
_OF_ONE_LANGUAGE = ({"ET", "OU"}, {"Y", "O"}, {"E", "O"}, {"E", "OU"})


def read_foreign_operators(text: str) -> tuple[str, list[str]]:
    """A text in tidy form with these as AND, OR and NOT, and a note on each; a text in capitals is a title."""
    if text.isupper():
        return text, []
    form = _GERMAN
    if not any(form.findall(text)) and not any(word in OPERATORS for word in text.split()):
        found = set(_BETWEEN_WORDS.findall(text))
        is_pair = _WITHIN_GROUP.search(text) and any(pair <= found for pair in _OF_ONE_LANGUAGE)
        form = _BETWEEN_WORDS if is_pair else _BETWEEN_MARKS
    notes = dict.fromkeys(f"{word} as {_MEANT[word]}" for word in form.findall(text) if word)
    return form.sub(lambda it: _MEANT[it[1]] if it[1] else it[0], text), list(notes)
