"""Any searches at any moments: each is answered in time, and no leg has two askers at once."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.outcomes import Outcome
from shared.providers.provider import LEG_TIMEOUT_S
from tests.unit.legs.leg_dependencies import Shared, empty, failing, found, in_sequence, leg, unavailable
from tests.virtual_time import Clock, Task, Vanished

SEARCH = st.fixed_dictionaries(
    {
        "at": st.floats(0, 25),
        "legs": st.lists(st.sampled_from(["arxiv/a", "arxiv/b", "openalex/a"]), min_size=1, max_size=4),
        "seconds": st.floats(0.75, 24),
        "lives_s": st.sampled_from([math.inf, math.inf, math.inf, 0.2, 1.5, 4.0]),
        "fresh": st.booleans(),
        "scheduled": st.booleans(),
    }
)
ANSWER = st.tuples(
    st.floats(0, LEG_TIMEOUT_S + 5),
    st.sampled_from([found, found, empty, unavailable, lambda leg: failing(leg, Outcome.SKIPPED_BUDGET)]),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(SEARCH, min_size=1, max_size=15), st.lists(ANSWER, min_size=1), st.sampled_from([0.0, 0.003, 0.05]))
def test_every_search_is_answered_in_time_and_no_leg_has_two_concurrent_requests(
    searches: list[dict[str, Any]], answers: list[tuple[float, Any]], cache_s: float
) -> None:
    clock = Clock(max_steps=20_000)
    shared = Shared(clock, in_sequence(clock, *answers), cache_s=cache_s)
    tasks, sent_legs = [], []
    for number, it in enumerate(searches):
        legs = [leg(text, provider) for provider, text in (name.split("/") for name in it["legs"])]
        how = {name: it[name] for name in ("seconds", "fresh", "scheduled")}
        work = shared.search(*legs, owner=str(number), **how)
        tasks.append(Task(work=work, at=it["at"], dies_at=it["at"] + it["lives_s"]))
        sent_legs.append([leg.provider for leg in legs])
    for number, (end, it) in enumerate(zip(clock.run(tasks), searches, strict=True)):
        if isinstance(end.exception(), Vanished):
            shared.ended[str(number)] = it["at"] + it["lives_s"]
        else:
            assert [answer.reply.provider for answer in end.result()] == sent_legs[number]
            # A cache that is slow may begin its last requests just before the deadline: one look, four renewals.
            assert shared.ended[str(number)] <= it["at"] + it["seconds"] + 5 * cache_s + 1e-5
    _no_leg_is_sent_twice(shared)


def _no_leg_is_sent_twice(shared: Shared) -> None:
    """Of each leg, one asker's life ends (answered, past its deadline or dead) before the next begins."""
    lives: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for it in shared.sent:
        key = it.leg.provider, it.leg.question.cache_key()
        lives.setdefault(key, []).append((it.started, min(it.ended, shared.ended[it.owner])))
    for of_leg in lives.values():
        assert all(before[1] <= after[0] for before, after in pairwise(sorted(of_leg)))
