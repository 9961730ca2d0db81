"""The command `serve`: the HTTP API on loopback, in one process or in several."""

from __future__ import annotations

import os
import socket
import threading
from contextlib import closing, nullcontext

from infra.local.service import new_sandbox
from infra.local.show import console, progress

BACKLOG = 512
MAX_PROCESSES = 8
PORTS = range(65_536)
OTHER_PORT = 8081  # an example


def default_processes() -> int:
    """One for each processor that this process may use, at most MAX_PROCESSES."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(available, MAX_PROCESSES)


def serve(port: int, *, sandbox: bool, processes: int) -> int:
    """Serve until interrupted; returns the exit status, which is 2 for a port that cannot be used."""
    try:
        listening = _listening(port)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else error
        advice = f"choose another, as in --port {OTHER_PORT} or make serve PORT={OTHER_PORT}"
        console(stderr=True).print(f"error: the port {port} cannot be used: {reason}; {advice}", markup=False)
        return 2
    with closing(listening):
        try:
            if processes == 1:
                _serve_here(listening, sandbox=sandbox)
            else:
                _serve_in_workers(listening, processes, sandbox=sandbox)
        except KeyboardInterrupt:
            return 0
    return 0


def _listening(port: int) -> socket.socket:
    """A socket on loopback. Raises OSError if the port is taken, is not allowed, or does not exist."""
    if port not in PORTS:
        raise OSError(f"ports are {PORTS[0]} to {PORTS[-1]}")
    listening = socket.create_server(("127.0.0.1", port), backlog=BACKLOG)
    listening.set_inheritable(True)
    return listening


def _serve_here(listening: socket.socket, *, sandbox: bool) -> None:
    from werkzeug.serving import make_server

    from infra.local.gateway import AccessLog, application
    from infra.local.machine import machine

    host, port = listening.getsockname()
    with (
        machine(sandbox=new_sandbox() if sandbox else None) as running,
        running.writing(),
        running.schedules().running(),
    ):
        server = make_server(
            host, port, application(running), threaded=True, request_handler=AccessLog, fd=listening.fileno()
        )
        _announce(port, "one process", sandbox=sandbox)
        try:
            server.serve_forever()
        finally:
            server.server_close()


def _serve_in_workers(listening: socket.socket, processes: int, *, sandbox: bool) -> None:
    from infra.local.aws_server import answering_other_processes
    from infra.local.worker_processes import SandboxProcess, workers

    with progress(f"starting {processes} processes …") as status_line:
        services = SandboxProcess() if sandbox else nullcontext()  # it starts while this process imports the functions
        from infra.local.machine import machine

        with (
            services as sandbox_urls,
            machine(sandbox=None, sandbox_urls=sandbox_urls) as running,
            answering_other_processes() as aws,
            workers(listening, aws, processes),
            running.completing(),
            running.schedules().running(),
        ):
            status_line.stop()
            _announce(listening.getsockname()[1], f"{processes} processes", sandbox=sandbox)
            threading.Event().wait()


def _announce(port: int, where: str, *, sandbox: bool) -> None:
    from functions.public_pages.page import BUILT

    upstream = "the sandbox" if sandbox else "the live APIs"
    address = f"http://127.0.0.1:{port}"
    page = f"\nthe page for people: {address}/" if BUILT.is_dir() else ""
    note = f"serving on {address} with {upstream}, in {where}; stop with Ctrl-C{page}"
    console(stderr=True).print(note, markup=False)
