"""What stands beside the names of persons, as parts of regular expressions: initials."""

from __future__ import annotations

# Latin with all its accents, Greek, Cyrillic and Armenian; other scripts have no capitals, or no names with initials.
_ALPHABETS = (range(0x41, 0x590), range(0x1E00, 0x2000))
# `[^\W\d_a-z]` would be `à`, `и` and `山` as well, which are words.
CAPITAL = f"[{''.join(letter for letters in _ALPHABETS for letter in map(chr, letters) if letter.isupper())}]"
# One initial, with what joins it to the next: `J`, `Ö.`, `Ж. `, `J.-`. How many are read depends on the text.
INITIAL = rf"{CAPITAL}\.?[ \u2010\u2011-]?"
