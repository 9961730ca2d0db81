"""HTTP/1.1 for a WSGI application, over connections that are kept open.

werkzeug's own handler closes each connection, since the application may leave part of a body unread; here a body is
read before the application runs. An open connection saves each request a thread, and a wait of ten milliseconds.
"""

from __future__ import annotations

import io
import json
import re
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from traceback import format_exc
from typing import Any

from werkzeug.serving import WSGIRequestHandler

from shared.api.problems import HINTS, plain_problem

MAX_BODY_BYTES = 10_485_760  # of API Gateway
MAX_DIGITS = 18  # of a length; Python reads no number of some thousands
CHUNK_BYTES = 65_536
MAX_LINE_BYTES, MAX_TRAILERS = 8_192, 100
# What is still read of a request that is refused, so that its client can read why.
UNREAD_BYTES, UNREAD_S = 104_857_600, 5.0

_NOT_READ = "Send a request of HTTP/1.1; /openapi.json describes what each route takes."
_HINTS = {
    400: _NOT_READ,
    413: HINTS[413],
    414: "Send the fields in the body of a POST.",
    500: HINTS[500],
    505: _NOT_READ,
}  # of others, the server explains its reason


class KeepAliveHandler(WSGIRequestHandler):
    """Answers the requests of one connection, one after the other."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # the head and the body of an answer in one write
    disable_nagle_algorithm = True

    def run_wsgi(self) -> None:
        """Answer one request; the connection is closed after one whose end is unknown."""
        if self.headers.defects:  # all that follows such a line was left out, and may have the length of the body
            self.send_error(400, "a line of the headers is not a name, a colon and a value")
            return
        environ = self.make_environ()
        try:
            body = self._body()
        except (ValueError, OSError) as error:  # a length that is not a number, a broken chunk
            self.send_error(400, f"the body cannot be read: {error}")
            return
        if body is None:
            self._refuse_body()
            return
        environ |= {"wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body)), "wsgi.input_terminated": True}
        try:
            answer = _called(self.server.app, environ)
        except Exception:
            self.log("error", "an answer failed:\n%s", format_exc())
            self.send_error(500, "an internal error occurred")
            return
        self._answer(*answer)

    def handle_expect_100(self) -> bool:
        """Let a client send the body that it announces, unless that is too large (RFC 9110, 10.1.1)."""
        length = self.headers.get("Content-Length", "")
        if length.isdecimal() and _is_too_large(length):
            self._refuse_body()
            return False
        super().handle_expect_100()
        self.wfile.flush()
        return True

    def _refuse_body(self) -> None:
        self.send_error(413, f"the body has more than {MAX_BODY_BYTES} bytes")

    def _body(self) -> bytes | None:
        """The body; None for one that is too large. Raises ValueError and OSError."""
        codings = [it.strip().lower() for it in self.headers.get_all("Transfer-Encoding", [])]
        if codings not in ([], ["chunked"]) or (codings and "Content-Length" in self.headers):
            raise ValueError("Transfer-Encoding must be chunked, without Content-Length")  # its end would be a guess
        if codings:
            return self._chunks()
        lengths = {it.strip() for it in self.headers.get_all("Content-Length", [])} or {"0"}
        if len(lengths) > 1 or not (text := lengths.pop()).isdecimal():
            raise ValueError("Content-Length must be one number")
        if _is_too_large(text):
            return None
        return self._exactly(int(text))

    def _chunks(self) -> bytes | None:
        """The body in chunks, without their extensions and trailers (RFC 9112, 7.1); None for one that is too large."""
        parts = io.BytesIO()
        while size := _chunk_size(self._line()):
            if parts.tell() + size > MAX_BODY_BYTES:
                return None
            parts.write(self._exactly(size))
            if self._line():
                raise ValueError("a chunk is longer than it says")
        for _ in range(MAX_TRAILERS):
            if not self._line():
                return parts.getvalue()
        raise ValueError(f"it has more than {MAX_TRAILERS} trailers")

    def _line(self) -> bytes:
        line = bytes(self.rfile.readline(MAX_LINE_BYTES))
        if not line.endswith(b"\r\n"):
            raise ValueError("a line of its chunks does not end")
        return line.removesuffix(b"\r\n")

    def _exactly(self, count: int) -> bytes:
        read = bytes(self.rfile.read(count))
        if len(read) < count:
            raise ConnectionError("it is shorter than it says")
        return read

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer a request that no application sees with a problem object, and close the connection."""
        phrase = self.responses.get(code, ("Error", ""))[0]
        status_code = "internal_error" if code == 500 else "too_large" if code == 413 else "bad_request"
        hint = _HINTS.get(code, explain)
        problem = plain_problem(code, status_code, message or phrase, title=phrase, hint=hint)
        self.close_connection = True
        if self.request_version == "HTTP/0.9":  # also of what is no request line: such an answer has no headers
            self.request_version = self.protocol_version
        self._answer(f"{code} {phrase}", [("Content-Type", "application/problem+json")], json.dumps(problem).encode())
        self._read_rest()

    def _read_rest(self) -> None:
        """Read what the client still sends, within bounds: one that sends its whole body first reads no answer else.

        RFC 9112, 9.6, describes the end of such a connection.
        """
        until, left = time.monotonic() + UNREAD_S, UNREAD_BYTES
        with suppress(OSError):  # the client has closed it, or sends nothing more
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(UNREAD_S)
            while left > 0 and time.monotonic() < until and (part := self.rfile.read1(CHUNK_BYTES)):
                left -= len(part)

    def _answer(self, status: str, headers: Iterable[tuple[str, str]], body: bytes) -> None:
        code, _, reason = status.partition(" ")
        self.send_response(int(code), reason)
        length = str(len(body))
        for name, value in headers:
            if name.lower() not in ("content-length", "connection"):
                self.send_header(name, value)
            elif name.lower() == "content-length" and self.command == "HEAD":
                length = value  # of the body that GET has
        if code not in ("204", "304"):
            self.send_header("Content-Length", length)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD" and code not in ("204", "304"):
            self.wfile.write(body)
        self.wfile.flush()


def _chunk_size(line: bytes) -> int:
    size = line.partition(b";")[0].strip()
    if not re.fullmatch(rb"[0-9A-Fa-f]{1,16}", size):
        raise ValueError("a chunk does not begin with its size")
    return int(size, 16)


def _is_too_large(length: str) -> bool:
    return len(length) > MAX_DIGITS or int(length) > MAX_BODY_BYTES


def _called(application: Any, environ: dict[str, Any]) -> tuple[str, list[tuple[str, str]], bytes]:
    """The status, the headers and the body of the application's answer."""
    started: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:  # noqa: ARG001
        started[:] = [status, headers]

    parts = application(environ, start_response)
    try:
        body = b"".join(parts)
    finally:
        if hasattr(parts, "close"):
            parts.close()
    return started[0], started[1], body
