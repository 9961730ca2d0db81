"""Writes PDF files from text that has a place, a size and a weight; it is no more than the sandbox and tests need.

Two fonts of the standard fourteen, with the widths of Helvetica's glyphs; ISO 32000-2, annex D, has the encoding.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

WIDTH, HEIGHT = 612.0, 792.0  # of a page, in points
FI, FL = "\x01", "\x02"  # the bytes of two ligatures
# Of the bytes 32 to 126, in thousandths of the font size.
_WIDTHS = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, *[556] * 10, 278, 278, 584, 584,
    584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611,
    722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
]  # fmt: skip
_OTHER_WIDTH = 556
_FONT = (
    "<< /Type /Font /Subtype /Type1 /BaseFont /{} /FirstChar 0 /LastChar 255 /Widths [{}] "
    "/Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [1 /fi /fl] >> >>"
)
_RESOURCES = "<< /Font << /F1 1 0 R /F2 2 0 R >> {} >>"


def width_of(text: str, size: float) -> float:
    """How wide a text is, in points."""
    return sum(_glyph_width(byte) for byte in encoded(text)) * size / 1000


def _glyph_width(byte: int) -> int:
    return _WIDTHS[byte - 32] if 32 <= byte < 127 else _OTHER_WIDTH


def encoded(text: str) -> bytes:
    """The bytes of a text in the fonts' encoding, with ligatures for `fi` and `fl`."""
    return text.replace("fi", FI).replace("fl", FL).encode("cp1252", "replace")


def shown(text: str) -> str:
    """A string of a content stream."""
    return f"<{encoded(text).hex()}>"


@dataclass(slots=True)
class PdfPage:
    """The operators of a page, in the order in which they are written."""

    operators: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, text: str, size: float = 10.0, *, bold: bool = False, before: str = "") -> None:
        """Show a line whose baseline begins at `x`, `y`; `before` has operators of its state."""
        font = "F2" if bold else "F1"
        self.operators.append(f"q BT {before} /{font} {size:g} Tf 1 0 0 1 {x:.2f} {y:.2f} Tm {shown(text)} Tj ET Q")

    def words(self, x: float, y: float, words: Iterable[str], size: float, width: float) -> None:
        """Show a justified line as TeX does: one operator, without blanks, with a number between the words."""
        parts = list(words)
        free = width - sum(width_of(word, size) for word in parts)
        gap = free / max(1, len(parts) - 1) * 1000 / size
        inside = f" {-gap:.0f} ".join(shown(word) for word in parts)
        self.operators.append(f"BT /F1 {size:g} Tf {x:.2f} {y:.2f} Td [{inside}] TJ ET")


def pdf_of(
    pages: Iterable[PdfPage], *, resources: str = "", objects: Mapping[int, bytes] | None = None, trailer: str = ""
) -> bytes:
    """The file. `objects` are further ones by number, from 1000 on; `resources` and `trailer` are more entries."""
    widths = " ".join(str(_glyph_width(byte)) for byte in range(256))
    written: dict[int, bytes] = {
        1: _FONT.format("Helvetica", widths).encode(),
        2: _FONT.format("Helvetica-Bold", widths).encode(),
        3: b"<< /Type /Catalog /Pages 4 0 R >>",
    }
    kids = []
    for number, page in enumerate(pages):
        at = 10 + 2 * number
        kids.append(f"{at} 0 R")
        box = f"/MediaBox [0 0 {WIDTH:g} {HEIGHT:g}]"
        entries = f"/Type /Page /Parent 4 0 R {box} /Contents {at + 1} 0 R /Resources {_RESOURCES.format(resources)}"
        written[at] = f"<< {entries} >>".encode()
        written[at + 1] = stream(" ".join(page.operators).encode())
    written[4] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    return file_of({**written, **(objects or {})}, trailer)


def stream(content: bytes, entries: str = "") -> bytes:
    """A compressed stream."""
    packed = zlib.compress(content, 9)
    head = f"<< /Length {len(packed)} /Filter /FlateDecode {entries} >>".encode()
    return head + b"\nstream\n" + packed + b"\nendstream"


def file_of(objects: Mapping[int, bytes], trailer: str = "") -> bytes:
    """A file with these objects, of which 3 is the catalogue."""
    body = bytearray(b"%PDF-1.7\n")
    places: dict[int, int] = {}
    for number, content in sorted(objects.items()):
        places[number] = len(body)
        body += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    start = len(body)
    body += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in places.items():
        body += f"{number} 1\n{place:010d} 00000 n \n".encode()
    body += f"trailer\n<< /Size {max(objects) + 1} /Root 3 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(body)
