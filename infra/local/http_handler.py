"""HTTP/1.1 for a WSGI application, over connections that are kept open.

werkzeug's own handler closes each connection, since the application may leave part of a body unread; here a body is
read before the application runs. An open connection saves each request a thread, and a wait of ten milliseconds.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from traceback import format_exc
from typing import Any

from werkzeug.serving import WSGIRequestHandler


class KeepAliveHandler(WSGIRequestHandler):
    """Answers the requests of one connection, one after the other."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # the head and the body of an answer in one write
    disable_nagle_algorithm = True

    def run_wsgi(self) -> None:
        """Answer one request; the connection is closed after one whose end is unknown."""
        if self.headers.get("Expect", "").lower().strip() == "100-continue":
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            self.wfile.flush()
        environ = self.make_environ()
        try:
            body = self._body(environ)
        except (ValueError, OSError):  # a length that is not a number, a broken chunk
            self.close_connection = True
            self.send_error(400)
            return
        environ |= {"wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body)), "wsgi.input_terminated": True}
        try:
            answer = _called(self.server.app, environ)
        except Exception:
            self.close_connection = True
            self.log("error", "an answer failed:\n%s", format_exc())
            self.send_error(500)
            return
        self._answer(*answer)

    def _body(self, environ: dict[str, Any]) -> bytes:
        if environ.get("wsgi.input_terminated"):  # chunked
            return bytes(environ["wsgi.input"].read())
        length = int(environ.get("CONTENT_LENGTH") or 0)
        if length < 0:
            raise ValueError("a negative length")
        body = bytes(self.rfile.read(length))
        if len(body) < length:
            raise ConnectionError("the body was cut off")
        return body

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
        self.end_headers()
        if self.command != "HEAD" and code not in ("204", "304"):
            self.wfile.write(body)
        self.wfile.flush()


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
