"""The stored form of a provider's state: JSON, and read so that no stored value can close a provider for good.

An item may come from another version of this code, which accepted a header that stated the year 2083. A moment further
ahead than this code ever writes is read as if it had never been written, so the next request is sent and its response
corrects the item.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from shared.clock import MAX_WAIT_S
from shared.outcomes import Outcome
from shared.providers.header_numbers import MAX_CONNECTIONS, MAX_CREDITS
from shared.rate_limits.budget import PROBE_S, Budget
from shared.rate_limits.circuit_breaker import FAILURES, LONGEST_OPEN_S, Cause, Circuit, Failure, Reason
from shared.rate_limits.limits import MAX_WINDOW_REQUESTS, bounded_rate
from shared.rate_limits.outage import ProcessEntry
from shared.rate_limits.recent_hour import MOST, SLICE_S, SLICES, Hour, Slice, merged
from shared.rate_limits.state import ProviderState

# Attribute -> key in the stored JSON. The keys stay as they are: deployed versions read each other's items.
BUDGET_KEYS = {
    "permits": "turns", "in_flight": "holds", "not_before": "not_before", "probe_at": "probe_at", "day": "day",
    "requests_today": "asked", "header_rate": "told_rate", "header_concurrency": "told_concurrency",
    "headers_at": "told_at", "credits_left": "credits_left", "credits_a_day": "credits_a_day",
    "credits_until": "credits_until",
}  # fmt: skip
CIRCUIT_KEYS = {
    "open_until": "open_until", "open_s": "rest_s", "reason": "reason", "probe_until": "probe_until",
}  # fmt: skip
CAUSE_CHARS = 8  # of a digest of a question or request
AHEAD_S = 60.0  # what begins now ends within a leg, which has 15 s; the rest is for differences between clocks
_MOST = 1e15  # of any stored number: exact in a float


class _Credits(TypedDict, total=False):
    credits_left: int
    credits_a_day: int | None
    credits_until: float


class _HeaderLimits(TypedDict, total=False):
    header_rate: float | None
    header_concurrency: int | None
    headers_at: float


def state_to_json(state: ProviderState) -> dict[str, Any]:
    """JSON-ready data without any query, key or caller."""
    return {
        "budget": {key: getattr(state.budget, name) for name, key in BUDGET_KEYS.items()},
        "circuit": {
            **{key: getattr(state.circuit, name) for name, key in CIRCUIT_KEYS.items()},
            # Moments and causes in two lists, because earlier versions read the moments.
            "failures": [failure.at for failure in state.circuit.failures],
            "causes": [
                [failure.cause.question, failure.cause.request, failure.forbidden] for failure in state.circuit.failures
            ],
        },
        "hour": _hour_to_json(state.hour),
        "processes": {name: [entry.place, entry.since, entry.seen] for name, entry in state.processes.items()},
    }


def state_from_json(data: Mapping[str, Any], now: float) -> ProviderState:
    """The inverse of `state_to_json` at `now` (epoch seconds). Raises KeyError, TypeError or ValueError otherwise."""
    # Absent in items of earlier versions; these ignore and drop it.
    processes = _object(data.get("processes", {}))
    return ProviderState(
        budget=_budget(_object(data["budget"]), now),
        circuit=_circuit(_object(data["circuit"]), now),
        processes={name: _process(*entry) for name, entry in processes.items()},
        hour=_hour(data.get("hour"), now),
    )


def _budget(data: Mapping[str, Any], now: float) -> Budget:
    permits = sorted(moment for moment in map(_number, data["turns"]) if moment <= now + AHEAD_S)
    holds = {permit_id: _number(until) for permit_id, until in _object(data["holds"]).items()}
    return Budget(
        permits=tuple(permits[-2 * MAX_WINDOW_REQUESTS :]),
        in_flight={permit_id: until for permit_id, until in holds.items() if until <= now + AHEAD_S},
        not_before=_moment(data["not_before"], now + MAX_WAIT_S) or 0.0,
        probe_at=_moment(data.get("probe_at"), now + PROBE_S) or 0.0,  # absent in items of earlier versions
        day=int(_number(data["day"])),
        requests_today=int(_number(data["asked"])),
        **_header_limits(data, now),
        **_credits(data, now),
    )


def _header_limits(data: Mapping[str, Any], now: float) -> _HeaderLimits:
    at, rate, concurrency = _moment(data["told_at"], now), _optional(data["told_rate"]), data["told_concurrency"]
    if at is None:
        return {}
    connections = int(min(_optional(concurrency) or 0.0, MAX_CONNECTIONS))
    return {
        "header_rate": bounded_rate(rate) if rate is not None else None,
        "header_concurrency": connections if connections > 0 else None,
        "headers_at": at,
    }


def _credits(data: Mapping[str, Any], now: float) -> _Credits:
    left, a_day = _optional(data["credits_left"]), _optional(data["credits_a_day"])
    until = _moment(data["credits_until"], now + MAX_WAIT_S)
    if left is None or until is None:
        return {}
    return {
        "credits_left": int(min(max(left, 0.0), MAX_CREDITS)),
        "credits_a_day": int(min(max(a_day, 0.0), MAX_CREDITS)) if a_day is not None else None,
        "credits_until": until,
    }


def _circuit(data: Mapping[str, Any], now: float) -> Circuit:
    open_until, reason = data["open_until"], data["reason"]
    moments, causes = list(map(_number, data["failures"])), data.get("causes", [])
    if len(causes) != len(moments):  # written by an earlier version, which knows no causes
        causes = [("", "", False)] * len(moments)
    failures = [_failure(at, *cause) for at, cause in zip(moments, causes, strict=True) if at <= now + AHEAD_S]
    return Circuit(
        failures=tuple(failures[-FAILURES:]),
        # An open circuit that ends too late ends now: the next request is its probe.
        open_until=None if open_until is None else _moment(open_until, now + LONGEST_OPEN_S) or now,
        open_s=min(_number(data["rest_s"]), LONGEST_OPEN_S),
        reason=Reason(reason) if reason else None,
        probe_until=_moment(data["probe_until"], now),
    )


def _failure(at: float, question: object, request: object, forbidden: object) -> Failure:
    if not isinstance(question, str) or not isinstance(request, str):
        raise TypeError("not a cause of a stored state")
    return Failure(at, Cause(question[:CAUSE_CHARS], request[:CAUSE_CHARS]), forbidden is True)


def _hour_to_json(hour: Hour) -> list[object]:
    """The newest slice's number, then the requests of each slice backwards from it, and the same of each failure."""
    if not hour:
        return []
    newest = hour[-1].number
    outcomes = sorted({outcome for it in hour for outcome in it.failed})
    failed = {name: _backwards(newest, {it.number: it.failed.get(name, 0) for it in hour}) for name in outcomes}
    return [newest, _backwards(newest, {it.number: it.requests for it in hour}), *([failed] if failed else [])]


def _backwards(newest: int, counts: Mapping[int, int]) -> list[int]:
    oldest = min((number for number, count in counts.items() if count), default=newest)
    return [counts.get(number, 0) for number in range(newest, oldest - 1, -1)]


def _hour(stored: object, now: float) -> Hour:
    """The counts; none if they cannot be read: nothing depends on them but what people see."""
    try:
        return _hour_from_json(*stored) if isinstance(stored, list) and stored and stored[0] <= _latest(now) else ()
    except (TypeError, ValueError, KeyError):
        return ()


def _latest(now: float) -> float:
    return (now + AHEAD_S) // SLICE_S


def _hour_from_json(newest: object, requests: object, failed: object = None) -> Hour:
    number = int(_number(newest))
    sent = [Slice(number - age, _count(it)) for age, it in enumerate(_list(requests))]
    failures = [
        Slice(number - age, 0, {Outcome(name): _count(it)})
        for name, counts in _object(failed or {}).items()
        for age, it in enumerate(_list(counts))
        if it
    ]
    return merged(tuple(sent), tuple(failures))


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError("not a list of a stored state")
    return value[:SLICES]


def _count(value: object) -> int:
    return int(min(max(_number(value), 0), MOST))


def _process(place: object, since: object, seen: object) -> ProcessEntry:
    return ProcessEntry(int(_number(place)), _number(since), _number(seen))


def _moment(value: object, latest: float) -> float | None:
    """A moment that this code can have written; None if it is absent or later."""
    moment = _optional(value)
    return moment if moment is not None and moment <= latest + AHEAD_S else None


def _optional(value: object) -> float | None:
    return None if value is None else _number(value)


def _number(value: object) -> float:
    """A finite number. Raises ValueError for anything else; NaN and Infinity can be read from JSON."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -_MOST <= value <= _MOST:
        raise ValueError("not a number of a stored state")
    return value


def _object(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError("not an object of a stored state")
    return value
