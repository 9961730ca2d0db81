"""Time limits for tests of failing sources: a busy machine gets a longer one, so that only the fault decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

HANG_MS = 60_000  # a source that hangs: for longer than every time limit
TIMEOUTS_MS = (3_000, 8_000, 24_000)
CUT_SHORT = ("timeout", "skipped_overload")


def with_enough_time(ask: Callable[[int], tuple[int, Any]], provider: str, outcome: str) -> Any:
    """The first answer that shows what the fault did and not how busy the machine was.

    `ask` sends the request with this `timeout_ms` and returns the status and the answer; `outcome` is what `provider`
    must report. The request is sent again with more time if that report is missing, if any other leg ran out of time,
    or if all did. AssertionError if the last answer is a problem.
    """
    for timeout_ms in TIMEOUTS_MS:
        status, answer = ask(timeout_ms)
        outcomes = {name: report["outcome"] for name, report in answer.get("providers", {}).items()}
        cut_short = {name for name, found in outcomes.items() if found in CUT_SHORT}
        if provider in outcomes and cut_short <= ({provider} if outcome in CUT_SHORT else set()):
            break
    assert status == 200, answer
    return answer


def with_time_to_begin(ask: Callable[[int], tuple[int, Any]]) -> tuple[int, Any]:
    """The first problem in which every source was queried before its time ended, or else the last one."""
    for timeout_ms in TIMEOUTS_MS:
        status, problem = ask(timeout_ms)
        if not any(fault["message"].startswith("skipped_overload") for fault in problem["errors"]):
            break
    return status, problem
