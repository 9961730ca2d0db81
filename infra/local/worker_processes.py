"""`serve` in several processes: workers share one listening socket, one emulated AWS and one sandbox.

This process holds the tables and the queues and fires the schedules; each worker answers requests with all functions of
its own, and a process of low priority feeds the queues to their consumers: what nobody waits for yields to answers. A
process that dies is replaced. Each ends when this one does, however that ends.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from infra.local.lambda_hook import Handler
    from infra.local.machine import Machine

_SPAWN = get_context("spawn")  # a copy of a process that has threads may hold locks that nobody releases
STOP_S = 5
# A process, and the end of a pipe at which it reports that it is ready.
Started: TypeAlias = tuple[BaseProcess, Connection]
LOW_PRIORITY = 5  # of 19: a quarter of a processor that one answer wants as well


class SandboxProcess:
    """`infra.local.sandbox.server.Sandbox` in a process of its own, so that it does not compete with the functions.

    `running` has the process. One that dies is replaced, at the same address.
    """

    def __init__(self) -> None:
        self._started = _start(_run_sandbox, 0)  # it imports and indexes while this process does the same
        self._kept = ExitStack()
        self.running: list[BaseProcess] = []

    def __enter__(self) -> dict[str, str]:
        """Wait until it answers; returns the environment variables that direct the providers there."""
        _, ready = self._started
        base_urls: dict[str, str] = ready.recv()
        port = urlsplit(next(iter(base_urls.values()))).port
        self.running = self._kept.enter_context(_replaced([self._started], [partial(_start, _run_sandbox, port)]))
        return base_urls

    def __exit__(self, *exc: object) -> None:
        self._kept.close()


def _run_sandbox(started: Connection, port: int) -> None:
    from infra.local.sandbox.server import Sandbox

    _end_with_parent()
    with Sandbox(port=port) as sandbox:  # it reads SANDBOX_FAULTS
        started.send(sandbox.base_urls)
        threading.Event().wait()


@contextmanager
def workers(listening: socket.socket, aws_address: str, count: int) -> Iterator[list[BaseProcess]]:
    """So many workers answer what arrives at the socket; all of them are ready when the context begins.

    The last of the list feeds the queues; it may still be starting. One that dies is replaced, also in the list.
    """
    starts = [partial(_start, _run_worker, listening, aws_address)] * count
    starts.append(partial(_start, _run_consumers, aws_address))
    started = [start() for start in starts]
    for _, ready in started[:count]:
        ready.recv()
    with _replaced(started, starts) as running:
        yield running


@contextmanager
def _replaced(started: Sequence[Started], starts: Sequence[Callable[[], Started]]) -> Iterator[list[BaseProcess]]:
    """The processes; until the context ends, and they with it, one that dies is started again, also in the list."""
    running = [process for process, _ in started]
    readiness = [ready for _, ready in started]  # kept open: a process that cannot report that it is ready ends
    stop, stopped = _SPAWN.Pipe()

    def replace_the_dead() -> None:
        while stopped not in (ended := connection.wait([stopped, *(process.sentinel for process in running)])):
            for number, process in enumerate(running):
                if process.sentinel in ended:
                    running[number], readiness[number] = starts[number]()

    supervisor = threading.Thread(target=replace_the_dead, name="workers", daemon=True)
    supervisor.start()
    try:
        yield running
    finally:
        stop.send(True)
        supervisor.join()
        for process in running:
            _stop(process)


def _start(run: Callable[..., None], *arguments: object) -> Started:
    ready, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(target=run, args=(theirs, *arguments), name=run.__name__, daemon=True)
    process.start()
    return process, ready


def _run_worker(ready: Connection, listening: socket.socket, aws_address: str) -> None:
    from werkzeug.serving import make_server

    from infra.local.gateway import AccessLog, application

    _end_with_parent()
    host, port = listening.getsockname()
    server = make_server(
        host, port, application(_machine(aws_address)), threaded=True, request_handler=AccessLog, fd=listening.fileno()
    )
    ready.send(True)
    server.serve_forever()


def _run_consumers(ready: Connection, aws_address: str) -> None:
    _end_with_parent()
    functions = _machine(aws_address)
    os.nice(LOW_PRIORITY)
    with functions.feeding():
        ready.send(True)
        threading.Event().wait()


def _machine(aws_address: str) -> Machine:
    """The functions of this process, with the emulated AWS and the environment of the process that started it."""
    import boto3

    from infra.local.aws_server import forward_requests
    from infra.local.clients import ReusingSession
    from infra.local.handlers import import_handlers
    from infra.local.lambda_hook import invoke_locally
    from infra.local.machine import Machine
    from infra.local.resources import REGION

    functions: dict[str, Handler] = {}
    session = ReusingSession(REGION)
    forward_requests(session, aws_address)
    invoke_locally(session, functions)
    boto3.DEFAULT_SESSION = session
    functions.update(import_handlers())
    return Machine(functions, None)


def _end_with_parent() -> None:
    """End this process as soon as the parent has ended; Ctrl-C is for the parent, which then ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is None:
        raise RuntimeError("this is not a process of multiprocessing")

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def _stop(process: BaseProcess) -> None:
    process.terminate()
    process.join(STOP_S)
