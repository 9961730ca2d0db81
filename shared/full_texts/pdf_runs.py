"""The text that a reader of a PDF sees, page by page: runs of text with their place, size and weight.

pypdf opens the file. What it would execute, fetch or attach (scripts, actions, forms to fill in, embedded files) is
never looked at: only the content of pages is. Text that readers do not see is left out, because it may give orders to
agents: without ink, white, transparent, tiny, off the page, or in a layer that is switched off. What a picture or a
shape covers is not noticed.
Source: ISO 32000-2, 7.7 (document structure), 8.10 (form XObjects), 8.11 (optional content), 9.4 (text objects).
"""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pypdf import PdfReader, apply_configuration
from pypdf.errors import PyPdfError
from pypdf.generic import ContentStream

from shared.full_texts.pdf_content import Bounds, Content
from shared.full_texts.pdf_pages import ENCRYPTED, TOO_LONG, PdfPages, TextRun, UnreadablePdf
from shared.full_texts.pdf_state import turned

MAX_PAGES = 300  # that are read
MAX_DECODED_BYTES = 20_000_000  # of one stream
MAX_WORK_BYTES = 60_000_000  # of one stream through all its filters
MAX_OPERANDS = 200_000  # of one stream, which takes pypdf seconds; a page of text has some thousands
MAX_OBJECTS = 20_000  # of the tree of pages, whose pages are all counted before the first is read
LIMITS: dict[str, object] = {
    "zlib_maximum_output_length": MAX_DECODED_BYTES,
    "lzw_maximum_output_length": MAX_DECODED_BYTES,
    "run_length_maximum_output_length": MAX_DECODED_BYTES,
    "array_based_stream_maximum_output_length": MAX_DECODED_BYTES,
    "stream_decoding_work_maximum_length": MAX_WORK_BYTES,
    "stream_parsing_work_maximum_count": MAX_OPERANDS,
    "page_tree_maximum_entries": MAX_OBJECTS,
    "disable_legacy_handling": True,
    "jbig2dec_binary": None,  # no other program is started
}
# What pypdf raises for broken files, beside its own errors.
BROKEN = (
    PyPdfError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, OSError,
    NotImplementedError, AssertionError,
)  # fmt: skip


def read_pages(body: bytes, is_over: Callable[[], bool] = lambda: False) -> PdfPages:
    """The runs of each page, until the time `is_over`.

    Raises UnreadablePdf for what is not a PDF, encrypted, or broken on every page.
    """
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it would log what others wrote
    with apply_configuration(None, **LIMITS):
        return _read(body, is_over)


def _read(body: bytes, is_over: Callable[[], bool]) -> PdfPages:
    try:
        reader = PdfReader(io.BytesIO(body), strict=False, xref_stream_maximum_entries=500_000)
        if reader.is_encrypted:
            raise UnreadablePdf(ENCRYPTED)
        count = len(reader.pages)
    except BROKEN as error:
        raise UnreadablePdf(f"cannot be read ({type(error).__name__})") from error
    found, bounds = PdfPages(is_cut=count > MAX_PAGES), Bounds()
    hidden = _hidden_layers(reader)
    for number in range(min(count, MAX_PAGES)):
        if bounds.are_reached or is_over():
            found.is_cut = True
            break
        try:
            found.pages[number + 1] = _runs(reader, reader.pages[number], bounds, hidden)
        except BROKEN:
            bounds.failures += 1
    found.is_cut = found.is_cut or bounds.are_reached or bounds.failures > 0
    if is_over() and not found.pages:
        raise UnreadablePdf(TOO_LONG)
    if bounds.failures and not any(found.pages.values()):
        raise UnreadablePdf("has no page that can be read within bounds")
    return found


def _runs(reader: PdfReader, page: Any, bounds: Bounds, hidden: frozenset[int]) -> Sequence[TextRun]:
    box = page.cropbox
    place, edges = turned(page.rotation, float(box.left), float(box.bottom), float(box.right), float(box.top))
    content = Content(reader, bounds, place, edges, hidden)
    raw = page.get("/Contents")
    if raw is not None:
        content.read(ContentStream(raw.get_object(), reader, "bytes"), page.get("/Resources"))
    return content.runs


def _hidden_layers(reader: PdfReader) -> frozenset[int]:
    """The object numbers of the optional content that is switched off by default."""
    try:
        properties: Mapping[str, Any] = reader.root_object["/OCProperties"].get_object()  # type: ignore[assignment]
        return frozenset(_numbers(properties["/D"].get_object().get("/OFF", ())))
    except BROKEN:
        return frozenset()


def _numbers(references: Any) -> Iterator[int]:
    yield from (it.idnum for it in references.get_object() if hasattr(it, "idnum"))
