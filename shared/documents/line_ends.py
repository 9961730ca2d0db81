"""Lines that end in CR alone, as old editors of the Mac write them: read as lines, and written back as they were.

A CR and an LF have the same length, so that every position holds for both texts.
"""

from __future__ import annotations

import re
from dataclasses import replace

from shared.documents.document import Document

_CR_ALONE = re.compile(r"\r(?!\n)")


def with_line_feeds(text: str) -> str:
    """The text with an LF in place of each CR that stands alone."""
    return text if text.count("\r") == text.count("\r\n") else _CR_ALONE.sub("\n", text)


def in_text(document: Document, text: str) -> Document:
    """The document with its entries as they stand in this text, which has other ends of lines."""
    entries = tuple(replace(entry, raw=text[entry.start : entry.end]) for entry in document.entries)
    return replace(document, text=text, entries=entries)


def as_in(text: str, written: str) -> str:
    """What is written into a text with the ends of its lines, if those are CR alone."""
    return written if "\n" in text or "\r" not in text else written.replace("\n", "\r")
