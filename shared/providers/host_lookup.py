"""Resolves host names within a time limit: the system's resolver has none that a caller could set."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future

Resolve = Callable[[str, int], Sequence[str]]  # host, port -> IP addresses; raises OSError or UnicodeError

_pending: dict[tuple[Resolve, str, int], Future[Sequence[str]]] = {}
_lock = threading.Lock()


def look_up(host: str, port: int) -> list[str]:
    """Resolve the host to IP addresses, in the system's order of preference. Raises OSError when there is none."""
    records = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in records))


def resolved_in_time(resolve: Resolve, host: str, port: int, seconds: float) -> Sequence[str]:
    """The addresses that `resolve` finds. Raises TimeoutError after `seconds`, else what `resolve` raises.

    A look-up cannot be stopped: it runs in a thread, which all callers that wait for the same host share, so that a
    resolver without an answer holds one thread for each host and not one for each request.
    """
    key = (resolve, host, port)
    with _lock:
        future = _pending.get(key)
        if future is None:
            future = _pending[key] = Future()
            threading.Thread(target=_run, args=(key, future), name="host look-up", daemon=True).start()
    try:
        return future.result(timeout=max(seconds, 0.0))
    except TimeoutError as error:
        if future.done():  # a resolver's own time-out is the same class
            raise OSError("the look-up ended without an answer") from error
        raise TimeoutError("the look-up did not end in time") from error


def is_address(host: str) -> bool:
    """Whether the host is an IP address, which needs no look-up."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _run(key: tuple[Resolve, str, int], future: Future[Sequence[str]]) -> None:
    resolve, host, port = key
    try:
        addresses = resolve(host, port)
    except BaseException as error:  # raised again in every thread that waits
        _remove(key)
        future.set_exception(error)
    else:
        _remove(key)
        future.set_result(addresses)


def _remove(key: tuple[Resolve, str, int]) -> None:
    with _lock:
        del _pending[key]
