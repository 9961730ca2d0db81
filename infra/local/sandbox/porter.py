"""Porter's stemmer for English: `relational` -> `relat`.

M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, which Lucene's English analyser uses.
"""

from __future__ import annotations

import re
from functools import cache

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "abli": "able", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip
_ENGLISH_WORD = re.compile(r"[a-z]{3,}")


@cache
def stem(word: str) -> str:
    """Return the stem of a word in lower case; a word with other characters than a to z is its own stem."""
    if not _ENGLISH_WORD.fullmatch(word):
        return word
    word = _without_inflection(_singular(word))
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = f"{word[:-1]}i"
    word = _replaced(_replaced(word, _STEP_2), _STEP_3)
    return _tidied(_without_suffix(word))


def _shape(text: str) -> str:
    """Return runs of consonants and vowels as `c` and `v`; a `y` after a consonant is a vowel."""
    marks = ""
    for place, letter in enumerate(text):
        vowel = letter in "aeiou" or (letter == "y" and place > 0 and marks[-1] == "c")
        marks += "v" if vowel else "c"
    return marks


def _measure(text: str) -> int:
    """Count the vowel-consonant pairs: m in Porter's [C](VC)^m[V]."""
    return _shape(text).replace("vc", "|").count("|")


def _has_vowel(text: str) -> bool:
    return "v" in _shape(text)


def _ends_cvc(text: str) -> bool:
    return _shape(text)[-3:] == "cvc" and text[-1] not in "wxy"


def _singular(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_inflection(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    ending = next((it for it in ("ed", "ing") if word.endswith(it) and _has_vowel(word[: -len(it)])), None)
    if ending is None:
        return word
    word = word[: -len(ending)]
    if word.endswith(("at", "bl", "iz")) or (_measure(word) == 1 and _ends_cvc(word)):
        return f"{word}e"
    doubled = len(word) > 1 and word[-1] == word[-2] and _shape(word)[-1] == "c"
    return word[:-1] if doubled and word[-1] not in "lsz" else word


def _replaced(word: str, endings: dict[str, str]) -> str:
    """Replace the longest ending if a measured stem is left before it."""
    found = max((it for it in endings if word.endswith(it)), key=len, default=None)
    if found is None or not _measure(word[: -len(found)]):
        return word
    return word[: -len(found)] + endings[found]


def _without_suffix(word: str) -> str:
    found = max((it for it in _STEP_4 if word.endswith(it)), key=len, default=None)
    if found is None:
        return word
    rest = word[: -len(found)]
    allowed = _measure(rest) > 1 and (found != "ion" or rest.endswith(("s", "t")))
    return rest if allowed else word


def _tidied(word: str) -> str:
    """Drop a final `e` and one of a final `ll`."""
    if word.endswith("e") and (_measure(word[:-1]) > 1 or (_measure(word[:-1]) == 1 and not _ends_cvc(word[:-1]))):
        word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
