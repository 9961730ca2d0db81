"""No text makes a source answer "bad request", and every expression that leaves is one by the source's own grammar."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.ways_of_asking.capture import Service, service
from tests.ways_of_asking.checks import not_understood
from tests.ways_of_asking.way import Way

SIGNS = '"()[]{}|&!^~*?:;/\\+-<>=%#@$_.,’“”'
PIECES = st.one_of(
    st.sampled_from(
        ("tau", "microglia", "AND", "OR", "NOT", "and", "the", "TREM2", "β", "ti:", "TITLE:", "[tiab]", "10.1/x")
    ),
    st.text(st.sampled_from(SIGNS), min_size=1, max_size=3),
    st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=4),
)


@pytest.fixture(scope="module")
def running() -> Iterator[Service]:
    with service() as started:
        yield started


@pytest.mark.slow
@example(pieces=["ti:", ";", "AND"], blank="")
@example(pieces=["tau", "[tiab]", "-", "AND"], blank="")
@example(pieces=["tau", "*"], blank="")
@settings(max_examples=150)
@given(pieces=st.lists(PIECES, min_size=1, max_size=7), blank=st.sampled_from((" ", "")))
def test_every_source_understands_what_is_sent_for_any_text(running: Service, pieces: list[str], blank: str) -> None:
    asked = running.ask(Way(typed=blank.join(pieces)[:400] or "x", why="any text"))
    assert asked.status in (200, 400, 422)
    assert not_understood(asked) == []
