"""Papers reported in one window of a run are known in the next as if all had been read anew."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.saved_searches.seen import ReportedPaper, SeenSet, known_paper, with_same_state
from tests.unit.matching.test_collection import some_record
from tests.unit.records import merge_records


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_reading_window_by_window_yields_the_same_known_papers_as_reading_at_once(seed: int) -> None:
    rng, known = Random(seed), dict[int, ReportedPaper]()
    seen = SeenSet(())
    for _ in range(5):
        papers = merge_records(some_record(rng) for _ in range(12))
        found = seen.matches(papers)
        assert found == SeenSet(rng.sample(list(known.values()), len(known))).matches(papers)
        for paper, matching in zip(papers, found, strict=True):
            before = [known[it.number] for it in matching]
            number = before[0].number if before else len(known) + 1
            changed = [it for it in with_same_state(known_paper(paper, number, before), before) if it not in before]
            known |= {it.number: it for it in changed}
            seen.update(changed)
    assert len(known) > 5


def test_under_another_name_earlier_events_do_not_count() -> None:
    (paper,) = merge_records([some_record(Random(1))])
    first = known_paper(paper, 1)
    seen = SeenSet([first])
    seen.update([ReportedPaper(number=1, key="k", stubs=(), published=True, retracted=False)])
    assert seen.matches([paper]) == [[]]
    seen.update([first])
    assert seen.matches([paper]) == [[first]]
