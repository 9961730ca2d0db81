"""The tests of one kind of ways of asking; a module of tests names its KIND and imports them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from tests.ways_of_asking.capture import Asked
from tests.ways_of_asking.checks import wrong, wrong_answer
from tests.ways_of_asking.document import PATH, row, row_start
from tests.ways_of_asking.table import KINDS
from tests.ways_of_asking.way import SOURCES, Way

Ask = Callable[[Way], Asked]


def test_each_source_gets_what_its_documentation_calls_for(way: Way, ask: Ask) -> None:
    asked = ask(way)
    found = {source: reasons for source in SOURCES if (reasons := wrong(asked, source))}
    assert {source: reasons for source, reasons in found.items() if source not in way.not_yet} == {}
    assert set(way.not_yet) <= set(found), "what was not yet right is right now: remove it from `not_yet`"


def test_the_answer_has_the_right_papers_and_hints(way: Way, ask: Ask) -> None:
    assert wrong_answer(ask(way)) == []


def test_the_document_shows_the_requests_of_today(way: Way, ask: Ask) -> None:
    assert row(way, ask(way)) in _document(), "python -m tests.ways_of_asking.document writes it"


def test_the_document_has_all_ways_in_order(kind: str) -> None:
    lines = _document()
    starts = [row_start(way) for way in KINDS[kind]]
    head = lines.index("|---|---|---|", lines.index(f"## {kind}")) + 1
    shown = lines[head : head + len(starts)]
    assert all(line.startswith(start) for line, start in zip(shown, starts, strict=True))
    assert lines[head + len(starts) :][:1] in ([], [""]), "the table has further rows"


@cache
def _document() -> list[str]:
    return PATH.read_text(encoding="utf-8").splitlines()
