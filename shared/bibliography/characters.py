"""Invisible characters, in named sets; each use joins the sets it needs.

Sources: Unicode 16, chapter 23 (special areas and format characters) and UAX #9, section 2 (directional formatting).
"""

from __future__ import annotations

from collections.abc import Iterator


def _span(first: int, last: int) -> frozenset[str]:
    return frozenset(map(chr, range(first, last + 1)))


CONTROLS = _span(0x00, 0x1F) | _span(0x7F, 0x9F)  # C0, DEL and C1, line breaks and tabs among them
SEPARATORS = _span(0x2028, 0x2029)  # of lines and paragraphs
# What turns the direction of text: Arabic letter mark, marks, embeddings and overrides, isolates.
DIRECTIONS = frozenset("\u061c\u200e\u200f") | _span(0x202A, 0x202E) | _span(0x2066, 0x2069)
# Without width and without meaning in running text: soft hyphen, Mongolian vowel separator, zero-width space, word
# joiner, invisible operators of mathematics, byte order mark.
ZERO_WIDTH = frozenset("\u00ad\u180e\u200b\ufeff") | _span(0x2060, 0x2064)
# Of these, where a line may break between two words: Thai, Khmer and web pages have it in place of a blank.
BREAKS = frozenset("\u200b")
BYTE_ORDER_MARK = "\ufeff"  # before a text, where it says the text's encoding
# The same, but Persian, the Indic scripts and emoji are spelled with them: dropped only where ids are read.
JOINERS = frozenset("\u200c\u200d")
# Letters by their category, which show nothing: they stand for a missing part of a Hangul syllable.
FILLERS = frozenset("\u115f\u1160\u3164\uffa0")
VARIATIONS = _span(0xFE00, 0xFE0F)  # choose a glyph for the character before them
OBSOLETE = _span(0x2065, 0x2065) | _span(0x206A, 0x206F) | _span(0xFFF9, 0xFFFB)  # unassigned, deprecated, annotations
NONCHARACTERS = _span(0xFFFE, 0xFFFF)  # which XML does not allow
SURROGATES = _span(0xD800, 0xDFFF)  # halves of characters, which no encoding may hold
# Copies of ASCII without a glyph, and 240 more choices of a glyph: either can hide whole sentences in a text.
TAGS = _span(0xE0000, 0xE007F)
MORE_VARIATIONS = _span(0xE0100, 0xE01EF)

INVISIBLE = ZERO_WIDTH | DIRECTIONS  # no reader sees them and no comparison should
UNSEEN = INVISIBLE | OBSOLETE | TAGS | MORE_VARIATIONS  # what is dropped from others' texts


def pattern_of(characters: frozenset[str]) -> str:
    r"""The inside of a character class, in ASCII, for Python and, below U+10000, JSON Schema: `\x00-\x1f\u00ad`."""
    return "".join(
        _escaped(first) + ("-" if last > first + 1 else "") + (_escaped(last) if last > first else "")
        for first, last in _ranges(characters)
    )


def _ranges(characters: frozenset[str]) -> Iterator[tuple[int, int]]:
    codes = sorted(map(ord, characters))
    first = 0
    for place, code in enumerate(codes):
        if place + 1 == len(codes) or codes[place + 1] != code + 1:
            yield codes[first], code
            first = place + 1


def _escaped(code: int) -> str:
    return f"\\x{code:02x}" if code < 0xA0 else f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
