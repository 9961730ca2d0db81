"""A command of `python -m infra.local`, run in this process: what a process of its own would print and return."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from infra.local.__main__ import main
from shared.aws.runtime.observability import logger

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Shown:
    """The exit status and the two streams."""

    returncode: int
    stdout: str
    stderr: str


def run_command(*arguments: str, where: Path = ROOT, variables: Mapping[str, str] | None = None) -> Shown:
    """Run it in the folder `where`, with these variables in the environment, which is put back afterwards."""
    out, err = StringIO(), StringIO()
    with (
        patch.dict(os.environ, variables or {}),
        contextlib.chdir(where),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        _log_to(err),
    ):
        status = main(list(arguments))
    return Shown(status, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def _log_to(stream: StringIO) -> Iterator[None]:
    """The logger took stderr as it was when it was made."""
    handlers = [it for it in logging.getLogger(logger.service).handlers if isinstance(it, logging.StreamHandler)]
    before = [(it, it.setStream(stream)) for it in handlers]
    try:
        yield
    finally:
        for handler, stream_before in before:
            if stream_before is not None:
                handler.setStream(stream_before)
