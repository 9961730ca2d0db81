"""The share of a provider's limits that one process may use while it cannot reach the shared state: it fails closed.

Whatever a provider allows is counted in units: permit slots (one every `spacing_s / requests` seconds since 1970),
connections (0, 1, …) and the requests left today. During an outage a process may use the units

    unit ≡ place  (mod `of`),   of = min(smallest power of two > highest known place, largest one <= 10 * requests)

where `place` is the smallest number that no other process had when this one first wrote the shared state. So, without
communication, P processes use P / of of the units together: all of them if P is a power of two, else more than half.
The throughput is lower, because a process misses its slots while it tries to reach the table: in the simulation, five
processes at 3 requests/s use 39 % of the declared rate. Powers of two make it safe for two processes to know different
numbers of processes: their residue classes are disjoint or, only if one does not know the other, nested; and a process
that may be unknown to another has no place yet (see below). The second bound on `of` gives each process at least one
slot in ten windows, however many processes there are.

Bound, for P places and U processes without one: no window holds more than requests * ceil(P / of_max) + U requests
while no process reaches the state, where 5 * requests < of_max <= 10 * requests; that is the declared rate for up to
5 * requests processes. While only some reach it, these may add the declared rate (they do not see the permits of the
others). The first slot is one window after the failure, so that permits from before it count as well. Concurrency:
never more than the limit, plus requests that were in flight at the failure. The day: never more than the allowance,
plus the requests of others since a process last read the state. A process that knows of no other one keeps all limits.

A process has no place (it assumes ASSUMED_PROCESSES, and no connection) if it has not written the state within VIEW_S,
if a process that it knows may not know it, because that one has not written since this one joined, or if the table
throttles it: the others may reach the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from zlib import crc32

from shared.rate_limits.limits import Limits

VIEW_S = 60.0  # seconds after its last write during which a process relies on the entries of the others
KEEP_S = 80.0  # an entry outlives its process's view by a leg's deadline and by differences between clocks
MAX_PROCESSES = 64  # entries in the shared state: further processes have no place
ASSUMED_PROCESSES = 64  # assumed by a process without a place; a provider usually has fewer
LONGEST_CYCLE_WINDOWS = 10
QUIET_S = 1.0  # after the failure, besides one window: a permit is used so long after the state was read, at most
RETRY_AFTER_S = 5.0
REASON = "the state of its rate limit cannot be read"
_TICK_S = 0.01  # resolution of the moments below


@dataclass(frozen=True, slots=True)
class ProcessEntry:
    """A process in the shared state: its place, when it joined and when it last wrote, in epoch seconds.

    The moments are logical: a process that joins is later than all writes before, one that writes is not earlier than
    all entries that it has read. So `seen < since` of another entry means: has not written since the other joined.
    """

    place: int
    since: float
    seen: float


Processes = Mapping[str, ProcessEntry]


def check_in(processes: Processes, process_id: str, now: float) -> Processes:
    """The entries with this process seen now, without expired ones. A process beyond MAX_PROCESSES gets no entry."""
    known = {other: entry for other, entry in processes.items() if abs(now - entry.seen) < KEEP_S}
    latest = max((entry.seen for entry in known.values()), default=0.0)
    if own := known.get(process_id):
        known[process_id] = replace(own, seen=max(round(now, 2), latest))
    elif len(known) < MAX_PROCESSES:
        taken = {entry.place for entry in known.values()}
        place = next(number for number in range(MAX_PROCESSES) if number not in taken)
        joined = max(round(now, 2), round(latest + _TICK_S, 2))
        known[process_id] = ProcessEntry(place, joined, joined)
    return known


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The units ≡ `place` (mod `of`) of every limit, during an outage that began at `since`."""

    process_id: str
    place: int
    of: int
    has_connections: bool
    since: float
    sent_before: int  # of the day's requests, as the shared state last said

    def count(self, units: int) -> int:
        """How many of so many units are this process's."""
        return len(range(self.place, units, self.of))

    def connections(self, limits: Limits) -> int | None:
        """This process's connections; None without a limit."""
        if limits.concurrency is None:
            return None
        return self.count(limits.concurrency) if self.has_connections else 0

    def a_day(self, limits: Limits) -> int | None:
        """The day's allowance such that what is left of it at the failure is divided."""
        if limits.a_day is None:
            return None
        return self.sent_before + self.count(max(limits.a_day - self.sent_before, 0))

    def next_slot(self, limits: Limits, earliest: float, last: float) -> float:
        """The first of this process's slots from `earliest` on that is not the slot of its `last` permit."""
        interval_s = limits.spacing_s / limits.requests
        quiet_until = self.since + limits.spacing_s + QUIET_S
        slot = ceil(max(earliest, quiet_until, last + interval_s / 2) / interval_s - 1e-9)
        return (slot + (self.place - slot) % self.of) * interval_s


def share_of(
    processes: Processes, process_id: str, limits: Limits, *, since: float, now: float, sent_before: int
) -> Share | None:
    """The share of a process by the entries that it read last; None for the only process, which has all limits."""
    of_max = 1 << ((LONGEST_CYCLE_WINDOWS * limits.requests).bit_length() - 1)
    if (own := processes.get(process_id)) and has_place(processes, process_id, now):
        if len(processes) == 1:
            return None
        of = min(1 << max(entry.place for entry in processes.values()).bit_length(), of_max)
        place, has_connections = own.place % of, own.place < of
    else:
        of = min(ASSUMED_PROCESSES, of_max)
        place, has_connections = crc32(process_id.encode()) % of, False
    return Share(
        process_id=process_id,
        place=place,
        of=of,
        has_connections=has_connections,
        since=since,
        sent_before=sent_before,
    )


def has_place(processes: Processes, process_id: str, now: float) -> bool:
    """Whether this process knows every process that may rely on a place, and is known to them."""
    own = processes.get(process_id)
    if own is None or now - own.seen > VIEW_S:
        return False
    return all(other.seen >= own.since for other in processes.values())
