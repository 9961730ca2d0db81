"""Ways in which an HTTP source can be slow or endless: what it sends after it has received a request.

A way yields bytes to send, and numbers: seconds in which it sends nothing. When it ends, the source stays silent with
the connection open.
"""

from __future__ import annotations

import gzip
import itertools
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

PAUSE_S = 0.05
Pieces = Iterable[bytes | float]

OK = b"HTTP/1.1 200 OK\r\n"
JSON = OK + b"Content-Type: application/json\r\n"
CHUNKED = JSON + b"Transfer-Encoding: chunked\r\n\r\n"
LONG = JSON + b"Content-Length: 1000000000000\r\n\r\n"
_EMPTY_BLOCK = b"\x00\x00\x00\xff\xff"  # of deflate: stored, of no bytes (RFC 1951, 3.2.4)
_GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # RFC 1952, 2.3


@dataclass(frozen=True, slots=True)
class Way:
    """`respond` gets the path that was requested and yields the pieces of the response; `outcome` is that of the leg.

    `evidence`: the circuit breaker counts it as a failure, however short the leg's time. Of the others it counts those
    that time out, if they had five seconds, and never those that end in a bad response: these are complete and wrong.
    """

    respond: Callable[[str], Pieces]
    outcome: str = "timeout"
    evidence: bool = False
    reads: bool = True  # the request, before it answers
    complete: bool = False  # each answer ends, so that the connection may be kept, and the next request is answered
    scheme: str = "http"


def drip(start: bytes, piece: bytes) -> Callable[[str], Pieces]:
    """The start, then the piece again and again, with pauses."""

    def respond(_: str) -> Iterator[bytes | float]:
        yield start
        while True:
            yield piece
            yield PAUSE_S

    return respond


def flood(start: bytes, piece: bytes) -> Callable[[str], Pieces]:
    """The start, then the piece again and again, as fast as it is taken."""
    many = piece * (1 + 65_536 // len(piece))
    return lambda _: itertools.chain([start], itertools.repeat(many))


def once(*pieces: bytes | float) -> Callable[[str], Pieces]:
    return lambda _: pieces


def bytewise(whole: bytes) -> Callable[[str], Pieces]:
    return lambda _: itertools.chain.from_iterable((whole[n : n + 1], PAUSE_S) for n in range(len(whole)))


def redirect(location: bytes, after_s: float = 0.0) -> Callable[[str], Pieces]:
    """To this place; `*` is the path that was requested."""

    def respond(path: str) -> Iterator[bytes | float]:
        yield after_s
        where = location.replace(b"*", path.encode("ascii"))
        yield b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + where + b"\r\n\r\n"

    return respond


def _encoded(coding: bytes, body: bytes) -> bytes:
    return JSON + b"Content-Encoding: %s\r\nContent-Length: %d\r\n\r\n" % (coding, len(body)) + body


@cache
def _bomb(layers: int) -> bytes:
    """A gigabyte of zeros, compressed so many times; its checksum is wrong, but no reader should get that far."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    megabyte = packer.compress(bytes(1_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    packed = _GZIP_HEAD + megabyte * 1_000 + b"\x03\x00" + bytes(8)
    for _ in range(layers - 1):
        packed = gzip.compress(packed)
    return packed


def packed(coding: bytes, layers: int) -> Callable[[str], Pieces]:
    return lambda _: [_encoded(coding, _bomb(layers))]


def _gzipped(start: bytes) -> bytes:
    return JSON + b"Content-Encoding: gzip\r\n\r\n" + start


def unfinished(respond: Callable[[str], Pieces]) -> Way:
    """Headers that begin and do not end."""
    return Way(respond, evidence=True)


def unbounded(respond: Callable[[str], Pieces]) -> Way:
    """More than any answer may have, before its deadline."""
    return Way(respond, outcome="bad_response", evidence=True)


def not_http(respond: Callable[[str], Pieces]) -> Way:
    return Way(respond, outcome="unavailable", evidence=True)


def complete(respond: Callable[[str], Pieces]) -> Way:
    """An answer that ends, and cannot be used."""
    return Way(respond, outcome="bad_response", complete=True)


WAYS: dict[str, Way] = {
    # before an answer
    "silence": Way(once()),
    "never reads the request": Way(once(), reads=False),
    "one byte, then silence": unfinished(once(b"H")),
    "empty lines, dripping": not_http(drip(b"", b"\r\n")),
    "empty lines, in a flood": not_http(flood(b"", b"\r\n")),
    "handshake without an answer": Way(once(), scheme="https"),
    "handshake, dripping": Way(drip(b"\x16\x03\x03\x40\x00\x02", b"\x00"), scheme="https", reads=False),
    # status line
    "status line, byte by byte": unfinished(bytewise(OK * 9)),
    "reason phrase, dripping": unfinished(drip(b"HTTP/1.1 200 ", b"O")),
    "reason phrase, in a flood": unbounded(flood(b"HTTP/1.1 200 ", b"O")),
    # 1xx
    "100 Continue, dripping": unfinished(drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n")),
    "100 Continue, in a flood": unbounded(flood(b"", b"HTTP/1.1 100 Continue\r\n\r\n")),
    "102 Processing, dripping": unfinished(drip(b"", b"HTTP/1.1 102 Processing\r\n\r\n")),
    "103 Early Hints, dripping": unfinished(drip(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")),
    "103 Early Hints, in a flood": unbounded(
        flood(b"", b"HTTP/1.1 103 Early Hints\r\nLink: <" + b"a" * 8_000 + b">\r\n\r\n")
    ),
    "101 Switching Protocols": not_http(
        once(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
    ),
    # headers
    "header name, dripping": unfinished(drip(JSON, b"a")),
    "header value, dripping": unfinished(drip(JSON + b"X: ", b"a")),
    "header value, in a flood": unbounded(flood(JSON + b"X: ", b"a")),
    "header lines, dripping": unfinished(drip(JSON, b"X: a\r\n")),
    "header lines, in a flood": unbounded(flood(JSON, b"X: a\r\n")),
    "folded header lines, dripping": unfinished(drip(JSON + b"X: a\r\n", b" a\r\n")),
    "5,000 headers": unbounded(once(JSON + b"X: a\r\n" * 5_000 + b"Content-Length: 2\r\n\r\n{}")),
    "a header of 60,000 tabs": unbounded(
        once(JSON + b"X-Rate-Limit-Limit: 1" + b"\t" * 60_000 + b"!\r\nContent-Length: 2\r\n\r\n{}")
    ),
    # body
    "body that never comes": Way(once(LONG)),
    "body, dripping": Way(drip(LONG, b" ")),
    "body without a length, dripping": Way(drip(JSON + b"\r\n{", b'"a":1,')),
    "body, in a flood": unbounded(flood(LONG, b" ")),
    "body of an error, dripping": Way(drip(LONG.replace(b"200 OK", b"429 Slow"), b" ")),
    # chunks
    "chunk size, dripping": Way(drip(CHUNKED, b"0")),
    "chunk extension, dripping": Way(drip(CHUNKED + b"5;", b"a")),
    "chunk extension, in a flood": unbounded(flood(CHUNKED + b"5;", b"a")),
    "chunks of one byte, dripping": Way(drip(CHUNKED, b"1\r\n \r\n")),
    "chunks of one byte, in a flood": Way(flood(CHUNKED, b"1\r\n \r\n")),
    "chunks with long extensions, in a flood": Way(flood(CHUNKED, b"1;" + b"a" * 4_000 + b"\r\n \r\n")),
    "trailers, dripping": Way(drip(CHUNKED + b"2\r\n{}\r\n0\r\n", b"X: a\r\n")),
    "trailers, in a flood": unbounded(flood(CHUNKED + b"2\r\n{}\r\n0\r\n", b"X: a\r\n")),
    # codings
    "empty gzip blocks, dripping": Way(drip(_gzipped(_GZIP_HEAD), _EMPTY_BLOCK)),
    "empty gzip blocks, in a flood": unbounded(flood(_gzipped(_GZIP_HEAD), _EMPTY_BLOCK)),
    "gzip file name, dripping": Way(drip(_gzipped(b"\x1f\x8b\x08\x08" + bytes(6)), b"a")),
    "bytes after the end of gzip, in a flood": unbounded(flood(_gzipped(gzip.compress(b"{}")), b"more")),
    "gzip bomb": unbounded(packed(b"gzip", 1)),
    "gzip bomb in gzip": unbounded(packed(b"gzip, gzip", 2)),
    "three codings": complete(packed(b"gzip, gzip, gzip", 3)),
    "an unknown coding": complete(once(_encoded(b"br", b"{}"))),
    # redirects
    "redirect to itself": complete(redirect(b"*")),
    "redirect to itself, slowly": Way(redirect(b"*", 0.4), complete=True),
    "redirect to another host": complete(redirect(b"http://localhost:9/inner?token=hidden")),
    "redirect to a page without end": unbounded(redirect(b"/" + b"a/" * 30_000)),
}  # fmt: skip
