"""The words of a text as titles, names and journals are compared by them."""

from __future__ import annotations

import re
import unicodedata

from shared.bibliography.text import fold

_GREEK = {
    chr(code): unicodedata.name(chr(code)).rpartition(" ")[2].lower().replace("lamda", "lambda")
    for code in range(ord("α"), ord("ω") + 1)
}
# Letters that no decomposition takes apart, and signs that stand for words.
_LETTERS = {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "&": " and "}
_SPELLED = str.maketrans({**_GREEK, **_LETTERS})
_ASCII_WORDS = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128))
# Scripts written without blanks: each character is compared as a word.
UNSPACED = re.compile(r"([\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff])")


def words_of(text: str) -> list[str]:
    """The folded words of a text; Greek letters spelled out."""
    if text.isascii():
        return text.translate(_ASCII_WORDS).split()
    return UNSPACED.sub(r" \1 ", fold(text.casefold().translate(_SPELLED)).translate(_SPELLED)).split()
