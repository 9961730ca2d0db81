"""The tests of one kind of ways of asking; a module of tests names its KIND and imports them."""

from __future__ import annotations

from collections.abc import Callable

from tests.ways_of_asking.capture import Asked
from tests.ways_of_asking.checks import wrong, wrong_answer
from tests.ways_of_asking.document import PATH, section
from tests.ways_of_asking.way import SOURCES, Way

Ask = Callable[[Way], Asked]


def test_each_source_gets_what_its_documentation_calls_for(way: Way, ask: Ask) -> None:
    asked = ask(way)
    found = {source: reasons for source in SOURCES if (reasons := wrong(asked, source))}
    assert {source: reasons for source, reasons in found.items() if source not in way.not_yet} == {}
    assert set(way.not_yet) <= set(found), "what was not yet right is right now: remove it from `not_yet`"


def test_the_answer_has_the_right_papers_and_hints(way: Way, ask: Ask) -> None:
    assert wrong_answer(ask(way)) == []


def test_the_document_shows_the_requests_of_today(kind: str, ask: Ask) -> None:
    assert section(kind, ask) in PATH.read_text(encoding="utf-8"), "python -m tests.ways_of_asking.document writes it"
