"""Decompresses a body step by step: bounded memory, and a bounded ratio in every layer.

Codings: RFC 9110, 8.4.1. Only gzip is asked for; `deflate` (zlib, RFC 1950) is read as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shared.compression import UnreadableStream, inflater

ASKED_FOR = "gzip"
MAX_CODINGS = 2
STEP_BYTES = 64 * 1024  # of output at a time
# Deflate can pack a thousand to one; records of papers come to ten or twenty to one, and short bodies say nothing.
MAX_RATIO, FREE_BYTES = 200, 1_000_000


class Undecodable(Exception):
    """The body is not in the codings that its header states, or in ones that were not asked for."""


class TooCompressed(Exception):
    """The body grows more by decompression than any real one does."""


def decoded(pieces: Iterable[bytes], content_encoding: str) -> Iterator[bytes]:
    """The body in pieces of at most `STEP_BYTES` (if encoded at all). Raises Undecodable or TooCompressed."""
    stated = [name for part in content_encoding.lower().split(",") if (name := part.strip())]
    codings = [name for name in stated if name != "identity"]
    if len(codings) > MAX_CODINGS:
        raise Undecodable(f"{len(codings)} content codings, one over the other")
    for name in codings:
        if name not in ("gzip", "x-gzip", "deflate"):
            raise Undecodable("a content coding that was not asked for")
        pieces = _inflated(pieces)
    yield from pieces


def _inflated(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """One layer; what follows its end is ignored. Yields also what is empty, so that callers can look at the clock."""
    reading = inflater()
    taken = given = 0
    for piece in pieces:
        taken += len(piece)
        rest = piece
        while not reading.eof:
            try:
                output = reading.decompress(rest, STEP_BYTES)
            except UnreadableStream as error:
                raise Undecodable("bytes that are not compressed as stated") from error
            rest = reading.unconsumed_tail
            given += len(output)
            if given > FREE_BYTES and given > MAX_RATIO * (taken - len(rest)):
                raise TooCompressed(f"a body packed more than {MAX_RATIO} to one")
            yield output
            if not rest and len(output) < STEP_BYTES:
                break
    if taken and not reading.eof:
        raise Undecodable("a compressed body without its end")
