"""Imports once what each process of `several` needs; the processes are copies of the one that imports this module.

A process that starts anew takes 1.6 s of processor time, and the tests start 37. The original has no threads, so that a
copy holds no lock that nobody releases, and it opens a machine, which imports the functions and reads the descriptions
of the AWS services. What depends on a test's settings is made in the copy: its clients, and the functions again.
"""

from __future__ import annotations

import threading

from infra.local import machine as local_machine
from tests.processes import dynamodb_server, worker

__all__ = ["dynamodb_server", "worker"]

with local_machine.machine(sandbox=None):
    pass
local_machine._session.cache_clear()  # its clients know another address
if threading.active_count() > 1:
    raise RuntimeError(f"a process with threads cannot be copied: {threading.enumerate()}")
