"""What stands beside the names of persons, as parts of regular expressions: initials, and the words for further people.

Sources of these words: BibTeX (`and others`), and `et-al` and `and others` in the locales of CSL, the Citation Style
Language.
"""

from __future__ import annotations

# Latin with all its accents, Greek, Cyrillic and Armenian; other scripts have no capitals, or no names with initials.
_ALPHABETS = (range(0x41, 0x590), range(0x1E00, 0x2000))
# `[^\W\d_a-z]` would be `à`, `и` and `山` as well, which are words.
CAPITAL = f"[{''.join(letter for letters in _ALPHABETS for letter in map(chr, letters) if letter.isupper())}]"
# One initial, with what joins it to the next: `J`, `Ö.`, `Ж. `, `J.-`.
_INITIAL = rf"{CAPITAL}\.?[ \u2010\u2011-]?"

# Further people, without a dot behind. Latin means nothing else in any text: `et al`, `et. al`, `et alii`.
_LATIN = r"et\.?\s?al(?:i[ai]|iae)?"
ET_AL = rf"\b{_LATIN}\b"
_TOGETHER = "(?:colleagues|co-?workers|co-?authors)"
# In a list of names alone; titles and queries have such words as well: `Measles and others`. The first
# letter is looked at before the words, for speed.
OTHERS = (
    rf"(?:(?:\b(?=[aeiuy])(?:{_LATIN}|and\s(?:others|{_TOGETHER})"
    rf"|und andere|en anderen|y otros|et autres|e altri|e outros|i altres)|&\s(?:others|{_TOGETHER}))\b)"
)
# In print alone, before a sign or a blank: callers who type small letters may mean initials by `u. a.`.
OTHERS_IN_PRINT = (
    rf"(?:\b(?=[aeéimouvysșşит])(?:and\s{_TOGETHER}\b"
    r"|(?:i wsp|i sur|[ye] cols?|et coll|und Mitarb(?:eiter)?|m\.\s?fl|ve ark|и др"
    r"|[ée]s mtsai|và cs|og flere|[sșş]i colab|и соавт|та ін)\b(?=[.,:;(\s]|$)"
    r"|(?:a kol|i in|ym|vd|in sod|e altri)\.(?=[\s,:;(\]]|$)"
    r"|[ue]\.\s?a\.(?=[\s:,(]))"
    rf"|&\s{_TOGETHER}\b|&\s?al\b(?=[.,:;(\s]|$)"
    r"|\[[ue]\.\s?a\.\]|(?:ほか|他)(?=\s?[:,.(“]|\s[^\W\d_]|$))"
)


def initials(most: int) -> str:
    """An expression for one to `most` initials of one person; how many are read depends on the text."""
    return f"(?:{_INITIAL}){{1,{most}}}"
