"""Time that passes only while everybody sleeps: threads run one at a time, the one that wakes first goes first."""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Sequence
from random import Random

START = 1_795_176_000.0  # 2026-11-20, noon UTC


class SimulatedTime:
    """A clock, and the sleep that moves it. Sleepers wake up to `late_s` late, as on a busy machine."""

    def __init__(self, *, late_s: float = 0.0, seed: int = 1) -> None:
        self._now = START
        self._sleepers: list[tuple[float, int, threading.Semaphore]] = []
        self._number = 0
        self._idle = threading.Semaphore(0)
        self._own = threading.local()
        self._random = Random(seed)
        self._late_s = late_s

    def now(self) -> float:
        return self._now

    def jitter(self) -> float:
        return self._random.random()

    def sleep(self, seconds: float) -> None:
        self.pass_by(seconds + self._late_s * self._random.random())

    def pass_by(self, seconds: float) -> None:
        """What takes its time and is not late: a network."""
        self._wait_until(self._now + max(seconds, 0.0))
        self._idle.release()
        self._own.wake.acquire()

    def _wait_until(self, moment: float) -> None:
        self._number += 1
        heapq.heappush(self._sleepers, (moment, self._number, self._own.wake))

    def run(self, workers: Sequence[Callable[[], None]]) -> None:
        """Start all at the same moment and come back when all are done; the first fault is raised."""
        faults: list[BaseException] = []
        threads = [threading.Thread(target=self._work, args=(worker, faults), daemon=True) for worker in workers]
        for thread in threads:
            thread.start()
            self._idle.acquire()  # it has put itself among the sleepers
        while self._sleepers:
            moment, _, wake = heapq.heappop(self._sleepers)
            self._now = max(self._now, moment)
            wake.release()
            self._idle.acquire()  # it sleeps again, or is done
        for thread in threads:
            thread.join(5)
        if faults:
            raise faults[0]

    def _work(self, worker: Callable[[], None], faults: list[BaseException]) -> None:
        self._own.wake = threading.Semaphore(0)
        try:
            self.sleep(0.0)
            worker()
        except BaseException as error:
            faults.append(error)
        finally:
            self._idle.release()
