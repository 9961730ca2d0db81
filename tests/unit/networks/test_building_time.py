"""`timeout_ms` holds for a network whatever takes the time: also when it is the merging of long lists."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from shared.networks import build
from shared.networks.view import View
from shared.query.question import Links, Lookup
from tests.unit.networks.literature import Literature


class SlowLiterature:
    """A literature whose records take the time to merge, by the clock that the network is built by."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, merging_s: float) -> None:
        self.literature = Literature({"a": "bc", "b": "de", "c": "fg"})
        self.merged = 0

        def merge(*found: Any) -> View:
            self.merged += 1
            self.literature.clock.sleep(merging_s)
            return View(*found)

        monkeypatch.setattr(build, "View", merge)

    def legs(self) -> Counter[type]:
        return Counter(type(leg.question) for leg, _ in self.literature.legs)


def test_no_further_step_begins_when_merging_has_used_up_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = SlowLiterature(monkeypatch, merging_s=6.0)
    built = slow.literature.build("a", depth=2, timeout_ms=10_000)
    assert slow.merged == 2  # the seed, and its lists
    assert slow.legs() == {Lookup: 1, Links: 2}
    assert built.search_time_ms == pytest.approx(12_200, abs=300)
    assert [node.key[-1] for node in built.network.nodes] == ["a", "b", "c"]
    assert built.legs["complete"] is False
    assert [hint["reason"] for hint in built.hints] == ["out_of_time"]
    assert built.truncated == {"nodes": 0, "not_expanded": 2, "only_text": 0}


def test_lists_that_came_too_late_to_be_merged_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = SlowLiterature(monkeypatch, merging_s=10.0)
    built = slow.literature.build("a", timeout_ms=9_000)
    assert (slow.merged, slow.legs()) == (1, {Lookup: 1})
    assert [node.key[-1] for node in built.network.nodes] == ["a"]
    assert (built.legs["complete"], [hint["reason"] for hint in built.hints]) == (False, ["out_of_time"])


def test_a_network_within_its_time_has_no_such_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = SlowLiterature(monkeypatch, merging_s=1.0)
    built = slow.literature.build("a", depth=2, timeout_ms=20_000)
    assert (slow.merged, built.legs["complete"], built.hints) == (4, True, [])
    assert len(built.network.nodes) == 7
