"""What stands beside the names of persons, as parts of regular expressions: initials, and the words for further people.

Sources of these words: BibTeX (`and others`), and `et-al` and `and others` in the locales of CSL, the Citation Style
Language.
"""

from __future__ import annotations

# Latin with all its accents, Greek, Cyrillic and Armenian; other scripts have no capitals, or no names with initials.
_ALPHABETS = (range(0x41, 0x590), range(0x1E00, 0x2000))
# `[^\W\d_a-z]` would be `à`, `и` and `山` as well, which are words.
CAPITAL = f"[{''.join(letter for letters in _ALPHABETS for letter in map(chr, letters) if letter.isupper())}]"
# One initial, with what joins it to the next: `J`, `Ö.`, `Ж. `, `J.-`. How many are read depends on the text.
INITIAL = rf"{CAPITAL}\.?[ \u2010\u2011-]?"

# Further people, without a dot behind. Latin means nothing else in any text: `et al`, `et. al`, `et alii`.
ET_AL = r"\bet\.?\s?al(?:i[ai]|iae)?\b"
_COLLEAGUES = r"(?:\band|&)\s(?:colleagues|co-?workers|co-?authors)\b"
# In a list of names alone; titles and queries have such words as well: `Measles and others`.
OTHERS = (
    rf"(?:{ET_AL}|{_COLLEAGUES}|(?:\band|&)\sothers\b"
    r"|\b(?:und andere|en anderen|y otros|et autres|e altri|e outros|i altres)\b)"
)
# In print alone, before a sign or a blank: callers who type small letters may mean initials by `u. a.`.
OTHERS_IN_PRINT = (
    rf"(?:{_COLLEAGUES}"
    r"|(?:\b(?:i wsp|i sur|[ye] cols?|et coll|und Mitarb(?:eiter)?|m\.\s?fl|ve ark|и др)|&\s?al)\b(?=[.,:;(\s]|$)"
    r"|\[[ue]\.\s?a\.\]|\b[ue]\.\s?a\.(?=[\s:,(])|(?:ほか|他)(?=\s?[:,.(“]|\s[^\W\d_]|$))"
)
