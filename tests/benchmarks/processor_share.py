"""The share of a processor that Lambda gives a function, on this machine: a cgroup with a quota.

A function with 1,769 MB has one processor, and a smaller one its part of that:
https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html. The quota is given by periods of 20 ms.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WHOLE_MB = 1769
PERIOD_US = 20_000
_VERSION_1, _VERSION_2 = Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")


@contextmanager
def group_with(memory_mb: int) -> Iterator[Path | None]:
    """The file to which a process writes its id to be limited; None if this machine allows no cgroup."""
    quota_us = round(PERIOD_US * min(memory_mb / WHOLE_MB, 1.0))
    is_first = (_VERSION_1 / "cpu.cfs_quota_us").exists()
    group = (_VERSION_1 if is_first else _VERSION_2) / f"cold-start-{os.getpid()}-{memory_mb}"
    try:
        group.mkdir()
        if is_first:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (group / "cpu.cfs_quota_us").write_text(str(quota_us))
        else:
            (group / "cpu.max").write_text(f"{quota_us} {PERIOD_US}")
    except OSError:
        yield None
        return
    try:
        yield group / "cgroup.procs"
    finally:
        group.rmdir()
