"""`timeout_ms` holds for a list of references or citations also when merging takes the time."""

from __future__ import annotations

from typing import Any

import pytest

from shared.papers.links import legs as link_legs
from shared.papers.links.merging import merge_listings
from tests.unit.papers.known_papers import Sources
from tests.unit.papers.test_links import ask, sources


def slow_sources(monkeypatch: pytest.MonkeyPatch, merging_s: float) -> Sources:
    """Merging a list takes so many seconds, by the clock of the request."""
    providers = sources()

    def merge(*given: Any) -> Any:
        providers.clock.sleep(merging_s)
        return merge_listings(*given)

    monkeypatch.setattr(link_legs, "merge_listings", merge)
    return providers


def test_records_are_not_requested_when_merging_has_used_up_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = sources()
    whole = ask(quick)
    providers = slow_sources(monkeypatch, merging_s=21.0)
    answer = ask(providers)
    assert len(providers.queries) < len(quick.queries)
    assert answer["search_time_ms"] < 25_000
    assert answer["total_count"] >= whole["total_count"]  # two ids of one paper are not known to be of one
    assert (answer["complete"], "out_of_time" in {hint["reason"] for hint in answer["hints"]}) == (False, True)
    assert providers.result_sets.fresh_s == [0.0]  # the next caller gets all


def test_a_list_is_not_merged_again_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    providers = slow_sources(monkeypatch, merging_s=9.0)
    answer = ask(providers, timeout_ms=10_500)
    assert answer["search_time_ms"] < 12_000
    assert answer["complete"] is False


def test_a_list_within_its_time_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = ask(slow_sources(monkeypatch, merging_s=1.0))
    assert answer["complete"] is True
    assert "out_of_time" not in {hint["reason"] for hint in answer["hints"]}
