"""A debate is watched: what becomes of the papers that it cites is reported to its owner, once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.integration.saved_searches.watching import (
    CONCERN,
    CORRECTED,
    EARLIER,
    NONE,
    RETRACTED,
    Watching,
    marked,
    watching,
)

AT_START = ("retracted", str(EARLIER.doi), True)


@pytest.fixture
def debate() -> Iterator[Watching]:
    with watching() as made:
        yield made


def test_a_paper_that_was_retracted_before_is_reported_by_the_first_run(debate: Watching) -> None:
    saved = debate.watch()
    report = debate.run(saved)
    assert report["events"] == {**NONE, "retracted": 1}
    assert (report["first_run"], report["complete"]) == (True, True)
    assert report["papers"] == {
        "cited": 6, "looked_up": 6, "not_found": 0, "unanswered": 0, "left": 0, "left_out": 0,
    }  # fmt: skip
    assert debate.reported(saved) == [AT_START]


def test_each_change_of_a_cited_paper_is_reported_once(debate: Watching) -> None:
    saved = debate.watch()
    debate.run(saved)
    debate.on(1, marked(RETRACTED, "retracted"), marked(CORRECTED, "corrected"), marked(CONCERN, "concern"))
    assert debate.run(saved)["events"] == {**NONE, "retracted": 1, "corrected": 1, "expression_of_concern": 1}
    for day in (2, 3):
        debate.on(day)
        assert debate.run(saved)["events"] == NONE
    assert debate.reported(saved) == sorted(
        [
            AT_START,
            ("retracted", str(RETRACTED.doi), False),
            ("corrected", str(CORRECTED.doi), False),
            ("expression_of_concern", str(CONCERN.doi), False),
        ]
    )
