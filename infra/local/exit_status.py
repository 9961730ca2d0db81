"""How a command ends: its exit status, whatever ends it, and its output in UTF-8."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from infra.local.show import NO_ANSWER, WRONG_USAGE, console, show_problem
from shared.client.errors import ToolError

if TYPE_CHECKING:
    from shared.answers.service import Problem

INTERRUPTED = 130


def exit_status(run: Callable[[], int]) -> int:
    """Run a command, and return its own exit status or that of what ended it."""
    _write_utf_8()
    try:
        status = run()
        if sys.stdout:
            sys.stdout.flush()  # here: what fails later ends in a traceback
    except ToolError as error:
        return show_problem(cast("Problem", error.problem))  # the client's problem objects have the form of the API's
    except OSError as error:  # of a file that cannot be written, or of stdout
        if not error.filename:
            _drop_output()
        if not isinstance(error, BrokenPipeError):  # the reader of the pipe, such as `head`, has what it wanted
            named = f": {error.filename}" if error.filename else ""
            console(stderr=True).print(f"error: {error.strerror or error}{named}", markup=False)
        return WRONG_USAGE if error.filename else NO_ANSWER
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _write_utf_8() -> None:
    """Files and pipes get UTF-8, as JSON and the citation formats have to be; a terminal what it can show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _drop_output() -> None:
    """Otherwise Python writes what is left when it ends, and fails once more."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
