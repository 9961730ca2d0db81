"""The shared state of one provider: its stored form, and its public status."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from shared.rate_limits.budget import DAY_S, Budget
from shared.rate_limits.circuit_breaker import Circuit, Reason
from shared.rate_limits.limits import Limits
from shared.rate_limits.outage import ProcessEntry
from shared.rate_limits.state import ProviderState, public_status
from shared.rate_limits.stored_state import state_from_json, state_to_json

NOON = 1_795_176_000.0  # 2026-11-20
MIDNIGHT = 1_795_219_200.0
THREE = Limits(requests=3, window_s=1.0)
ONE_AT_ONCE = Limits(requests=1, window_s=3.0, concurrency=1)

FULL = ProviderState(
    Budget(
        permits=tuple(NOON + number / 7 for number in range(100)), in_flight={f"{n:036}": NOON + n for n in range(10)},
        not_before=NOON, probe_at=NOON + 3600, day=20_777, requests_today=12, header_rate=3.0, header_concurrency=3,
        headers_at=NOON, credits_left=7, credits_a_day=1000, credits_until=MIDNIGHT,
    ),
    Circuit(open_until=NOON + 30, open_s=30.0, reason=Reason.OUTAGE, probe_until=NOON + 40),
    {f"{n:08x}": ProcessEntry(n, NOON + n / 100, NOON + 3.25) for n in range(10)},
)  # fmt: skip


@pytest.mark.parametrize("state", [ProviderState(), FULL], ids=["fresh", "full"])
def test_a_state_survives_its_json_and_stays_small(state: ProviderState) -> None:
    text = json.dumps(state_to_json(state), separators=(",", ":"))
    assert state_from_json(json.loads(text), NOON) == state
    assert len(text) < 4000


def test_an_item_of_an_earlier_version_is_read_and_its_keys_are_still_written() -> None:
    written = state_to_json(FULL)
    assert set(written["budget"]) == {
        "turns", "holds", "not_before", "day", "asked", "told_rate", "told_concurrency", "told_at", "credits_left",
        "credits_a_day", "credits_until", "probe_at",
    }  # fmt: skip
    assert set(written["circuit"]) == {"failures", "causes", "open_until", "rest_s", "reason", "probe_until"}
    earlier = {"budget": {**written["budget"]}, "circuit": written["circuit"]}
    del earlier["budget"]["probe_at"]
    assert state_from_json(earlier, NOON) == replace(FULL, budget=replace(FULL.budget, probe_at=0.0), processes={})


def test_an_unused_provider_is_reported_as_closed_and_free() -> None:
    assert public_status(ProviderState(), ONE_AT_ONCE, NOON) == {
        "circuit": {"state": "closed", "reason": None, "retry_after_s": None},
        "budget": {
            "requests": 1, "window_s": 3.0, "left_now": 1, "concurrency": 1, "under_way": 0, "credits_left": None,
            "credits_reset_at": None,
        },
        "last_hour": [],
    }  # fmt: skip


def test_used_and_remaining_limits_are_reported() -> None:
    shown = public_status(FULL, THREE, NOON)
    assert shown["circuit"] == {"state": "open", "reason": "outage", "retry_after_s": 30.0}
    assert shown["budget"]["left_now"] == 0
    assert shown["budget"]["under_way"] == 9
    assert (shown["budget"]["credits_left"], shown["budget"]["credits_reset_at"]) == (7, "2026-11-21T00:00:00Z")
    assert json.loads(json.dumps(shown)) == shown


def test_a_daily_allowance_is_reported_as_credits() -> None:
    budget = Budget(permits=(NOON,), day=int(NOON // DAY_S), requests_today=1)
    shown = public_status(ProviderState(budget), replace(THREE, a_day=100), NOON)["budget"]
    assert (shown["credits_left"], shown["credits_reset_at"], shown["left_now"]) == (99, "2026-11-21T00:00:00Z", 2)
