"""The fonts of a PDF's resources: which characters the bytes of a string are, and how wide they are.

pypdf reads encodings, ToUnicode maps and widths. What a glyph looks like is not known: a font may say of a glyph that
it is another character than it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pypdf.errors import PyPdfError
from pypdf.generic._font import Font

_BOLD = re.compile(r"bold|black|heavy|demi|medi\b|cmbx|cmb\d|sfbx|,b|-b$", re.IGNORECASE)
BOLD_WEIGHT = 600  # of 100 to 900
_LIGATURES = {
    0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st", 0xAD: "-",
}  # fmt: skip
MAX_CHARACTERS = 20  # that one glyph stands for


@dataclass(frozen=True, slots=True)
class Glyph:
    """One glyph of a string. `text` is empty if it is not known; `width` is in units of the font size."""

    text: str
    width: float
    is_blank_byte: bool  # the one-byte code 32, to which word spacing applies


@dataclass(slots=True)
class PdfFont:
    """A font; without a font that can be read no glyph is known."""

    font: Font | None
    is_bold: bool = False
    _known: dict[int, Glyph] = field(default_factory=dict)  # of one-byte codes

    def glyphs(self, string: bytes) -> Iterator[Glyph]:
        """The glyphs of a string in their order."""
        font = self.font
        if font is None:
            return
        if isinstance(font.encoding, str):
            try:
                codes = string.decode(font.encoding, "surrogatepass")
            except (UnicodeDecodeError, LookupError):
                codes = string.decode("utf-16-be", "replace")
            for code in codes:
                yield Glyph(_text(font, code), _width(font, code), False)
            return
        for byte in string:
            glyph = self._known.get(byte)
            if glyph is None:
                raw = chr(byte)
                glyph = Glyph(_text(font, font.encoding.get(byte, raw)), _width(font, raw), byte == 32)
                self._known[byte] = glyph
            yield glyph


def font_of(resource: Any) -> PdfFont:
    """The font of a resource. A broken one has no glyphs that are known."""
    try:
        font = Font.from_font_resource(resource)
    except (PyPdfError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        return PdfFont(None)
    if "/ToUnicode" not in resource and str(resource.get("/Encoding")).startswith("/Identity"):
        return PdfFont(None)  # its codes are numbers of glyphs, of which nothing says what they show
    weight = font.font_descriptor.weight
    is_heavy = isinstance(weight, int | float) and float(weight) >= BOLD_WEIGHT
    name = font.name.partition("+")[2] or font.name
    return PdfFont(font if font.interpretable else None, is_heavy or bool(_BOLD.search(name)))


def _text(font: Font, code: str) -> str:
    found = font.character_map.get(code, code)
    text = found if isinstance(found, str) else ""
    if len(text) > 1 and (text.startswith("/") or len(text) > MAX_CHARACTERS):  # the name of a glyph
        return ""
    return "".join(sign for sign in text.translate(_LIGATURES) if sign.isprintable() or sign.isspace())


def _width(font: Font, code: str) -> float:
    width = font.character_widths.get(code, font.character_widths.get("default", 500))
    return min(max(float(width), 0.0), 10_000.0) / 1000 if isinstance(width, int | float) else 0.5
