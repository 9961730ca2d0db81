"""When a request reached this machine, by the kernel: a busy sandbox reads it later than a source would count it.

https://docs.kernel.org/networking/timestamping.html (SO_TIMESTAMPING, software time stamps of what was received)
"""

from __future__ import annotations

import io
import socket
import struct
import sys
import time
from wsgiref.types import WSGIEnvironment

from werkzeug.serving import WSGIRequestHandler

ARRIVED = "sandbox.arrived"  # in the environment of a request: seconds of the monotonic clock
_SO_TIMESTAMPING, _RX_SOFTWARE, _SOFTWARE = 37, 1 << 3, 1 << 4  # of Linux; the module `socket` does not name them
_TIMESPEC = struct.Struct("@ll")  # the first of three is that of the software


def stamp_arrivals(listening: socket.socket) -> None:
    """Let the kernel stamp what its connections receive; other systems than Linux do not know how."""
    if sys.platform == "linux":
        listening.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPING, _RX_SOFTWARE | _SOFTWARE)


class _StampedInput(io.RawIOBase):
    """What a connection receives; `arrived` is the moment of the first bytes since it was None."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self.arrived: float | None = None

    def readable(self) -> bool:
        """As a stream says that it can be read."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer with what is there; 0 at the end."""
        size, ancillary, *_ = self._connection.recvmsg_into([buffer], socket.CMSG_SPACE(3 * _TIMESPEC.size))
        if self.arrived is None and size:
            self.arrived = min(map(_moment, ancillary), default=time.monotonic())
        return size


def _moment(stamp: tuple[int, int, bytes]) -> float:
    """The monotonic time of a time stamp of the kernel, which has the time of day."""
    seconds, nanoseconds = _TIMESPEC.unpack_from(stamp[2])
    ago = time.time() - seconds - nanoseconds / 1e9
    return time.monotonic() - float(ago)


class StampedRequestHandler(WSGIRequestHandler):
    """Tells each request's environment when it arrived."""

    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        """Read the connection with its time stamps."""
        super().setup()
        self.rfile.close()
        self._input = _StampedInput(self.connection)
        self.rfile = io.BufferedReader(self._input)

    def handle_one_request(self) -> None:
        """One of those that a connection carries."""
        self._input.arrived = None
        super().handle_one_request()

    def make_environ(self) -> WSGIEnvironment:
        """The environment of the request that was read."""
        return super().make_environ() | {ARRIVED: self._input.arrived or time.monotonic()}
