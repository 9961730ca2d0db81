"""Greek letters and their names in words: indexes hold `Aβ42` or `Abeta42`, and people type either."""

from __future__ import annotations

import re
import unicodedata

_NAMES = {
    unicodedata.name(chr(code)).rpartition(" ")[2].lower().replace("lamda", "lambda"): chr(code)
    for code in range(ord("α"), ord("ω") + 1)
    if chr(code) not in "ςο"  # nobody writes an omicron: the name is a variant's
}
_LETTERS = {letter: name for name, letter in _NAMES.items()}
_SPELLED = str.maketrans(_LETTERS)
# A name as a part of its own: `beta-amyloid`, `TNF-alpha`, `alpha`.
_WHOLE = re.compile(rf"(?<![A-Za-z])({'|'.join(_NAMES)})(?![A-Za-z])", re.IGNORECASE)
# A name grown together with a symbol: `Abeta42`, `TGFbeta1`, `NFkappaB`. Other names are parts of common words (biota).
_GLUED = re.compile(r"(?i)\b([a-z]{1,5})(alpha|beta|gamma|delta|kappa|lambda|omega|sigma)([a-z]?\d{0,3})\b")

# The prefix of a unit (`μg/m3`, `μmol`) is not a letter that anybody spells out.
_MICRO = re.compile(r"\d*μ(?:g|m|l|s|mol|M|L|A|V|W|Pa|Sv|Ci|Hz)(?![^\W\d_])")


def spellings(word: str) -> tuple[str, ...]:
    """The word, and the same with its Greek letters spelled out, or with letters for their names. At most two."""
    text = unicodedata.normalize("NFC", word)
    if _MICRO.match(text):
        return (word,)
    if any(sign in _LETTERS for sign in text.casefold()):
        return tuple(dict.fromkeys((word, spelled(text))))
    other = _GLUED.sub(lambda found: found[1] + _NAMES[found[2].lower()] + found[3], _WHOLE.sub(_letter, text))
    return tuple(dict.fromkeys((word, other)))


def letter_of(name: str) -> str | None:
    """`beta` -> `β`; None if no letter has this name."""
    return _NAMES.get(name)


def spelled(text: str) -> str:
    """Greek letters replaced by their names: `TNF-α` -> `TNF-alpha`."""
    return text.translate(_SPELLED)


def _letter(found: re.Match[str]) -> str:
    return _NAMES[found[0].lower()]
