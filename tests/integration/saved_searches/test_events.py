"""How events are stored: the baseline costs nothing unless it is requested, and no event is too large."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import pytest

from shared.aws.dynamodb.saved_searches import keys
from shared.aws.dynamodb.saved_searches.keys import event_item
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, Duplicate, MergedPaper, Retraction, RetractionStatus, Version
from shared.saved_searches.events import EVENT_SIZE
from shared.saved_searches.new_events import bounded
from shared.search.results import unranked
from shared.search.sizes.details import sized
from tests.integration.saved_searches.faults import Saved, around_calls, paper, saved_searches
from tests.integration.saved_searches.requests import add_events


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> Iterator[Saved]:
    with saved_searches(monkeypatch) as made:
        yield made


@pytest.fixture
def search_id(saved: Saved) -> str:
    """With three hundred papers of the first run, and among later ones a few more of that kind."""
    made = saved.save()
    add_events({"id": made}, range(1, 301), "baseline")
    add_events({"id": made}, range(301, 311))
    add_events({"id": made}, range(311, 316), "baseline")
    add_events({"id": made}, range(316, 318), "retracted")
    return made


def read(saved: Saved, search_id: str, **options: Any) -> list[int]:
    found = saved.wiring.SEARCHES.events(search_id, **options)
    return [event["number"] for event in found.events]


def items_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many items each query brings, from now on."""
    brought: list[int] = []

    def count(operation: str, arguments: dict[str, Any], call: Callable[[], Any]) -> Any:
        answer = call()
        if operation == "Query":
            brought.append(len(answer["Items"]))
        return answer

    around_calls(monkeypatch, count)
    return brought


def test_a_feed_without_the_baseline_does_not_read_it(
    saved: Saved, search_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought = items_read(monkeypatch)
    page = saved.call("GET", f"/{search_id}/new")
    assert [event["number"] for event in page["events"]] == [317, 316, *range(310, 300, -1)]
    assert sum(brought) == 12
    brought.clear()
    assert read(saved, search_id, types=["baseline"], limit=3) == [315, 314, 313]
    assert sum(brought) <= 305


def test_both_kinds_are_one_sequence_the_newest_first(saved: Saved, search_id: str) -> None:
    assert read(saved, search_id, limit=1_000) == list(range(317, 0, -1))
    assert read(saved, search_id, limit=4, types=["baseline", "retracted"]) == [317, 316, 315, 314]
    assert read(saved, search_id, above=299, below=318, limit=100) == list(range(317, 299, -1))
    assert read(saved, search_id, above=308, below=312) == [311, 310, 309]
    assert read(saved, search_id, above=317) == read(saved, search_id, above=5, below=6) == []


@pytest.mark.slow
@pytest.mark.parametrize("types", ["baseline,new_paper", "new_paper,now_published,retracted,baseline"])
def test_pages_of_both_kinds_have_every_event_once(saved: Saved, search_id: str, types: str) -> None:
    seen: list[int] = []
    cursor: Any = ""
    while cursor is not None:
        page = saved.call("GET", f"/{search_id}/new", types=types, limit="7", cursor=cursor)
        seen += [event["number"] for event in page["events"]]
        cursor = page["next_cursor"]
    expected = [it for it in range(317, 0, -1) if "retracted" in types or it < 316]
    assert seen == expected


def test_a_run_reports_its_start_even_if_it_crashed(saved: Saved) -> None:
    made = saved.create()
    assert made["last_started_at"] is None
    saved.papers = [paper(1)]

    def die() -> None:
        raise KeyboardInterrupt

    saved.meanwhile = die
    with pytest.raises(KeyboardInterrupt):
        saved.run(made["id"])
    page = saved.call("GET", f"/{made['id']}")
    assert (page["last_started_at"], page["last_run"]) == ("2026-11-22T06:00:00Z", None)


@pytest.mark.parametrize("text", ["\U0001d4c2", '"', "\x01"], ids=["four bytes", "escaped", "control"])
def test_an_event_of_the_largest_texts_fits_a_message_of_the_topic(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    most = 120_000  # less than these texts take
    monkeypatch.setattr(keys, "EVENT_BYTES", most)
    wide = text * 10_000
    linked = tuple(Version("preprint", f"{wide}{it}", wide, wide, wide, wide, wide) for it in range(30))
    ids = Identifiers(**{it.name: wide for it in fields(Identifiers)})
    texts: dict[str, Any] = dict.fromkeys(
        ("abstract", "tldr", "journal", "volume", "issue", "pages", "type", "language"), wide
    )
    huge = MergedPaper(
        key=wide, citation_uri=wide, title=wide, records=(), ids=ids, authors=(Author(wide, wide, wide),) * 30,
        versions=linked, retraction=Retraction(RetractionStatus.RETRACTED, wide, wide, wide),
        possible_duplicates=(Duplicate(wide, wide),) * 30, **texts,
    )  # fmt: skip
    about = {"at": "2026-11-22T06:00:00Z", "type": "baseline", "run_id": "r", "message": None}
    shown = bounded(sized(unranked(huge), EVENT_SIZE))
    event: Any = {**about, "key": bounded(wide), "preprint_key": bounded(wide), "paper": shown}
    assert len(json.dumps(event, ensure_ascii=False).encode()) > most
    item = event_item("0" * 20, event, 7)
    assert 30_000 < len(item["event"].encode()) <= most
    assert json.loads(item["event"])["id"] == "00000000000000000000-00000007"
