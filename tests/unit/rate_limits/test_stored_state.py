"""No stored value closes a provider for good, and none makes its status unreadable."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from shared.rate_limits.budget import Budget, Grant, PermitRequest, decide
from shared.rate_limits.circuit_breaker import Cause, Circuit, Failure, Reason, open_for
from shared.rate_limits.limits import Limits
from shared.rate_limits.outage import ProcessEntry
from shared.rate_limits.state import ProviderState, VersionedState, public_status
from shared.rate_limits.stored_state import state_from_json, state_to_json
from tests.unit.rate_limits.rate_limiter_setup import SimulatedProvider
from tests.virtual_time import START_S

NOON = 1_795_176_000.0  # 2026-11-20
HOUR_S = 3_600.0
LIMITS = Limits(requests=3, window_s=1.0, concurrency=2)
IN_2083, BEYOND_9999 = 3_591_000_000.0, 400_000_000_000.0
FULL = ProviderState(
    Budget(
        permits=(NOON - 9, NOON - 8), in_flight={"a": NOON + 9}, not_before=NOON - 1, probe_at=NOON + 9, day=20_777,
        requests_today=12, header_rate=3.0, header_concurrency=3, headers_at=NOON - 9, credits_left=7,
        credits_a_day=1000, credits_until=NOON + 9,
    ),
    Circuit(
        failures=(Failure(NOON - 9, Cause("0a1b2c3d", "4e5f6a7b"), forbidden=True),), open_until=NOON - 9, open_s=30.0,
        reason=Reason.OUTAGE,
    ),
    {"a": ProcessEntry(0, NOON - 9, NOON - 8)},
)  # fmt: skip
PLACES = [(part, key) for part, fields in state_to_json(FULL).items() if part != "processes" for key in fields]
ODD = [
    IN_2083, BEYOND_9999, 1e300, -1e300, 10**400, float("nan"), float("inf"), -1, 0, 1.5, "7", "", True, None, [], {},
    [IN_2083], [None], {"b": IN_2083}, {"b": None},
]  # fmt: skip


def granted(state: ProviderState, now: float) -> bool:
    """Whether a caller may send a request now."""
    if open_for(state.circuit, now):
        return False
    request = PermitRequest(permit_id="new", limits=LIMITS, time_left=lambda: 15.0, scheduled=False)
    return isinstance(decide(state.budget, request, now=now, deadline=now + 15), Grant)


@pytest.mark.parametrize(("place", "value"), list(product(PLACES, ODD)), ids=lambda it: ascii(it)[:24])
def test_an_odd_value_is_refused_or_read_as_one_that_lets_requests_through(place: tuple[str, str], value: Any) -> None:
    data = json.loads(json.dumps(state_to_json(FULL)))
    part, key = place
    data[part][key] = value
    try:
        state = state_from_json(data, NOON)
    except (KeyError, TypeError, ValueError):
        return  # the store starts anew
    json.dumps(public_status(state, LIMITS, NOON), allow_nan=False)
    # An item that nobody writes is read again later, and the moments in it are then less far ahead.
    assert any(granted(state_from_json(data, NOON + later), NOON + later) for later in (0.0, HOUR_S / 2, HOUR_S))


CLOSED: list[Callable[[float], ProviderState]] = [
    lambda until: ProviderState(Budget(credits_left=0, credits_a_day=1000, credits_until=until)),
    lambda until: ProviderState(Budget(not_before=until)),
    lambda until: ProviderState(Budget(permits=(until,) * 6)),
    lambda until: ProviderState(Budget(in_flight={"a": until, "b": until})),
    lambda until: ProviderState(
        Budget(header_rate=1e-12, headers_at=until, permits=(START_S,), not_before=0.0, probe_at=until)
    ),
    lambda until: ProviderState(circuit=Circuit(open_until=until, open_s=until, reason=Reason.KEY_REFUSED)),
    lambda until: ProviderState(
        circuit=Circuit(open_until=START_S, open_s=30.0, reason=Reason.OUTAGE, probe_until=until)
    ),
]


@pytest.mark.parametrize("until", [IN_2083, BEYOND_9999], ids=["2083", "beyond 9999"])
@pytest.mark.parametrize(
    "closed", CLOSED, ids=["credits", "wait", "permits", "slots", "rate", "circuit", "circuit probe"]
)
def test_an_item_that_is_closed_for_years_is_open_and_healed(
    closed: Callable[[float], ProviderState], until: float
) -> None:
    provider = SimulatedProvider(LIMITS)
    item = json.loads(json.dumps(state_to_json(closed(until))))
    shown = public_status(state_from_json(item, START_S), LIMITS, START_S)
    assert shown["budget"]["credits_reset_at"] is None
    assert shown["circuit"]["state"] in ("closed", "half_open")
    provider.table.seen = VersionedState(state_from_json(item, START_S), 1)
    provider.run(lambda: provider.ask(provider.processes[0]))
    assert provider.arrived
    assert str(until) not in json.dumps(state_to_json(provider.table.seen.state))


def test_a_wait_of_a_day_survives_being_stored() -> None:
    day = replace(
        Budget(), not_before=NOON + 86_400.0, probe_at=NOON + HOUR_S, credits_left=0, credits_until=NOON + 86_400
    )
    stored = json.loads(json.dumps(state_to_json(ProviderState(day))))
    for behind_s in (0.0, 30.0):  # another machine's clock
        assert state_from_json(stored, NOON - behind_s).budget == day
