"""Reads a PDF in a process of its own, which is bounded in memory and time and has no credentials in its environment.

    parent                          child
    the file on its standard input  lowers its own limits, then reads the file with pypdf
    ends it at the deadline         stops between two pages before that; what it has read is an answer
                                    {"pages": {"1": [run, …]}, "is_cut": …} or {"unreadable": "…"} on standard output

A parser of a hostile file may need any amount of either: a process that has its limit ends, and the function goes on.
Limits: https://docs.python.org/3/library/resource.html.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable

from shared.full_texts.pdf_pages import TOO_LONG, PdfPages, TextRun, UnreadablePdf

MAX_CPU_S = 10
MAX_MEMORY_BYTES = 900_000_000
LEAST_S = 0.01  # a timer of no time does not run
OWN_PART = 0.75  # of the time, in which the child reads pages; the rest is for its start and its answer
OWN_S = 0.8 * MAX_CPU_S  # at most
_CHILD = "from shared.full_texts.pdf_process import main; main()"


def read_pages_apart(body: bytes, seconds: float) -> PdfPages:
    """The pages of a PDF, read within so many seconds. Raises UnreadablePdf."""
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(  # noqa: S603  no argument and no shell
            [sys.executable, "-s", "-c", _CHILD, str(max(min(OWN_PART * seconds, OWN_S), LEAST_S))],
            input=body,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=max(seconds, 0.0),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UnreadablePdf(TOO_LONG) from error
    if done.returncode != 0:
        raise UnreadablePdf("takes more memory or time to read than is given to it")
    answer = json.loads(done.stdout)
    if reason := answer.get("unreadable"):
        raise UnreadablePdf(str(reason))
    found = PdfPages(is_cut=bool(answer["is_cut"]))
    for number, runs in answer["pages"].items():
        found.pages[int(number)] = [TextRun(*run) for run in runs]
    return found


def main() -> None:
    """The child: see the top of this file."""
    lower_limits()
    is_over = timer(float(sys.argv[1]))
    from shared.full_texts.pdf_runs import read_pages  # pypdf is imported by the child alone

    try:
        found = read_pages(sys.stdin.buffer.read(), is_over)
        answer: dict[str, object] = {"pages": found.pages, "is_cut": found.is_cut}
    except UnreadablePdf as error:
        answer = {"unreadable": str(error)}
    sys.stdout.write(json.dumps(answer))


def timer(seconds: float) -> Callable[[], bool]:
    """Whether so many seconds are over, from now on."""
    over: list[int] = []
    signal.signal(signal.SIGALRM, lambda number, _: over.append(number))
    signal.setitimer(signal.ITIMER_REAL, seconds)
    return lambda: bool(over)


def lower_limits() -> None:
    """Bound what this process may use from now on."""
    import resource  # not on Windows, where nothing but the child needs it

    bounds = {
        resource.RLIMIT_CPU: MAX_CPU_S,
        resource.RLIMIT_AS: MAX_MEMORY_BYTES,
        resource.RLIMIT_FSIZE: 0,  # no file is written
        resource.RLIMIT_CORE: 0,
    }
    for kind, bound in bounds.items():
        _, highest = resource.getrlimit(kind)
        allowed = bound if highest == resource.RLIM_INFINITY else min(bound, highest)
        resource.setrlimit(kind, (allowed, allowed))
