"""Time that costs nothing, for code that blocks: real threads, exactly one of which runs, on a clock that jumps.

A task that sleeps or waits is suspended; the task that wakes first runs next, of several the one suspended first.
The same tasks give the same run. A lock must not be held while sleeping: a task that wants it would block for real.
"""

from __future__ import annotations

import heapq
import math
import random
import threading
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, TypeVar

START = datetime(2026, 11, 20, 6, 0, tzinfo=UTC)
START_S = START.timestamp()
REAL_S = 60.0  # a step that takes longer in real time is blocked by something other than this clock

T = TypeVar("T")


class Deadlock(AssertionError):
    """A task sleeps forever, and no other task is left to wake it."""


class Runaway(AssertionError):
    """The tasks took more steps than allowed."""


class Blocked(AssertionError):
    """A thread waits for something that is not of this clock."""


class Vanished(BaseException):
    """The process that this thread belonged to is dead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What one process does, from a moment on; at `dies_at` it vanishes, with every thread that it began."""

    work: Callable[[], Any]
    at: float = 0.0
    dies_at: float = math.inf


@dataclass(eq=False, slots=True)
class _Thread:
    work: Callable[[], None]
    dies_at: float
    dead: bool = False
    woken: int = 0  # how often; an alarm set for an earlier sleep has no effect
    baton: threading.Lock | None = None  # None until it begins


def _held_lock() -> threading.Lock:
    """To wait for until another task releases it; much faster than a semaphore."""
    lock = threading.Lock()
    lock.acquire()
    return lock


class Clock:
    """The clock, and the threads that run on it; it serves as `shared.legs.leg.Threads`."""

    def __init__(self, *, seed: int = 1, max_steps: int = 1_000_000) -> None:
        self.jitter = random.Random(seed).random
        self._coin = random.Random(seed).random
        self._steps_left = max_steps
        self._us = 0  # whole microseconds, so that moments add up
        self._alarms: list[tuple[int, int, _Thread, int]] = []
        self._order = count()
        self._begun: dict[_Thread, None] = {}
        self._running = _Thread(lambda: None, math.inf)
        self._handed_back = _held_lock()

    def now(self) -> datetime:
        return START + timedelta(microseconds=self._us)

    def time(self) -> float:
        """Now, in epoch seconds."""
        return self.now().timestamp()

    def monotonic(self) -> float:
        return self._us / 1_000_000

    def run(self, tasks: Iterable[Task]) -> list[Future[Any]]:
        """Until all have ended, and whatever they left running too. Raises Deadlock, Runaway or Blocked."""
        ends = [self._begin(task.work, task.at, task.dies_at) for task in tasks]
        self._hand_on()
        self._until_handed_back()
        stuck, steps_left = sum(not end.done() for end in ends), self._steps_left
        self._steps_left = 0  # tasks that are woken now wake no others
        for thread in list(self._begun):
            thread.dead = True
            self._hand_to(thread)
            self._until_handed_back()
        self._steps_left = steps_left
        if stuck or not steps_left:
            raise (Deadlock if steps_left else Runaway)(f"{stuck} of {len(ends)} tasks have not ended by {self.now()}")
        return ends

    def sleep(self, seconds: float) -> None:
        """Lay down the thread that runs; with `math.inf`, for ever."""
        me = self._running
        assert me.baton, "only a task can sleep"
        if not me.dead:
            self._wake(me, me.woken, seconds)
            self._hand_on()
            me.baton.acquire()
        if me.dead or self.monotonic() >= me.dies_at:
            raise Vanished

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Begin, before or after the one who submits goes on; what is begun dies with the process that began it."""
        future = self._begin(work, self.monotonic(), self._running.dies_at)
        if self._running.baton and self._coin() < 0.5:
            self.sleep(0.0)
        return future

    def wait(self, begun: Collection[Future[Any]], seconds: float) -> None:
        """Until one of them has ended, or the time is over."""
        if any(future.done() for future in begun):
            return
        me = self._running
        this_sleep = me.woken
        for future in begun:
            future.add_done_callback(lambda _: self._wake(me, this_sleep, 0.0))
        self.sleep(seconds)

    def _begin(self, work: Callable[[], T], at: float, dies_at: float) -> Future[T]:
        future: Future[T] = Future()

        def body() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work())
                except BaseException as error:  # raised for the caller that reads the result
                    future.set_exception(error)

        self._wake(_Thread(body, dies_at), 0, at - self.monotonic())
        return future

    def _wake(self, thread: _Thread, sleep: int, seconds: float) -> None:
        """Wake a thread after so many seconds from this sleep of its, if it is still in it."""
        seconds = min(seconds, thread.dies_at - self.monotonic())
        if seconds < math.inf:
            # However short, a sleep takes time: who waits for a moment between two ticks would never reach it.
            us = max(math.ceil(round(seconds * 1_000_000, 3)), int(seconds > 0))
            heapq.heappush(self._alarms, (self._us + us, next(self._order), thread, sleep))

    def _hand_on(self) -> None:
        """To the one that wakes next; back to `run` when there is none."""
        while self._alarms and self._steps_left:
            us, _, thread, sleep = heapq.heappop(self._alarms)
            if thread.woken == sleep:
                self._us = us
                self._steps_left -= 1
                self._hand_to(thread)
                return
        self._handed_back.release()

    def _hand_to(self, thread: _Thread) -> None:
        thread.woken += 1
        self._running = thread
        if thread.baton:
            thread.baton.release()
        else:
            thread.baton = _held_lock()
            self._begun[thread] = None
            threading.Thread(target=self._live, args=(thread,), daemon=True).start()

    def _live(self, thread: _Thread) -> None:
        thread.work()
        del self._begun[thread]
        self._hand_on()

    def _until_handed_back(self) -> None:
        before = -1
        while not self._handed_back.acquire(timeout=REAL_S):
            if self._steps_left == before:
                raise Blocked(f"a thread did not come back, at {self.now()}")
            before = self._steps_left
