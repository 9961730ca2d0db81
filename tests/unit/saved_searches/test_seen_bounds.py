"""However large the records are, a paper's stored form fits into one item, and every valid id is stored."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import pytest

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, MergedPaper, Paper, RecordId, Version
from shared.saved_searches.seen import (
    MAX_BYTES,
    MAX_ID,
    MAX_STUBS,
    ReportedPaper,
    SeenSet,
    known_from_json,
    known_paper,
    known_to_json,
)
from tests.unit.records import merged, preprint, record

ITEM_BYTES = 400_000 - 1_000  # DynamoDB's limit, without keys and names
IDS = tuple(it.name for it in fields(Identifiers))


def paper(*records: Paper) -> MergedPaper:
    ids = tuple(RecordId(it.provider, 0, it.rank) for it in records)
    title = records[0].title
    return MergedPaper(key=title, citation_uri=None, title=title, records=records, record_ids=ids)


def stored(known: ReportedPaper) -> ReportedPaper:
    return known_from_json(known_to_json(known), known.number)


def filled(text: str, size: int, number: Any) -> str:
    """Of exactly so many bytes at most, each number's another."""
    return f"{number}{text * size}".encode()[:size].decode("utf-8", "ignore")


def largest(text: str, number: int) -> Paper:
    """A record of which everything is as large as is stored, or larger."""
    wide = text * 10_000
    linked = [
        Version(
            "preprint",
            doi=filled(text, MAX_BYTES, f"{number}-{it}-a"),
            pmid=filled(text, MAX_BYTES, f"{number}-{it}-b"),
            arxiv=filled(text, MAX_BYTES, f"{number}-{it}-c"),
            title=wide,
        )
        for it in range(30)
    ]
    titles = {"title": f"{number}{wide}", "alternative_titles": tuple(f"{number}{it}{wide}" for it in range(30))}
    plain = dict.fromkeys(("publication_date", "journal", "volume", "issue", "pages", "type"), wide)
    ids = Identifiers(**{name: filled(text, MAX_ID, number) for name in IDS})
    people = tuple(Author(f"{it}{wide}", f"{it}{wide}", f"{it}{wide}") for it in range(30))
    several: dict[str, Any] = {**titles, **plain, "ids": ids, "authors": people, "versions": tuple(linked)}
    return Paper(provider=f"p{number}", rank=1, author_count=10**9, year=2026, **several)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["\U0001d4c2", '"', "\\", "\x01", "x"], ids=["wide", "quotes", "slashes", "controls", "plain"]
)
def test_twelve_of_the_largest_records_fit_into_an_item(text: str) -> None:
    known = known_paper(paper(*(largest(text, number) for number in range(12))), 1)
    size = len(json.dumps(known_to_json(known), ensure_ascii=False).encode())
    assert size < ITEM_BYTES
    if text != "\x01":
        assert len(known.stubs) == MAX_STUBS and size > 100_000
    assert stored(known) == known


def test_ids_of_their_full_length_are_known_again_alone() -> None:
    (known,) = [stored(known_paper(paper(largest("x", 1)), 1))]
    for name in IDS[:6]:
        again = record("Glaciers of the north")
        ids = Identifiers(**{name: filled("x", MAX_ID, 1)})
        expected = [[]] if name == "doi" else [[known]]  # a DOI may stand for many: not under another title
        assert SeenSet([known]).matches([paper(replace(again, ids=ids))]) == expected
    for it in range(10):
        linked = replace(record("Glaciers"), ids=Identifiers(arxiv=filled("x", MAX_BYTES, f"1-{it}-c")))
        assert SeenSet([known]).matches([paper(linked)]) == [[known]]


def test_a_text_too_long_for_an_id_yields_none_and_not_a_prefix() -> None:
    long = "10.1000/" + "x" * MAX_ID
    first = record("Prime editing of the retina", "Herger, M", 2026, versions=preprint(doi=long, arxiv="2601.00001"))
    (stub,) = known_paper(paper(replace(first, ids=Identifiers(doi=long, pmid="7"))), 1).stubs
    assert stub.ids == Identifiers(pmid="7")
    assert stub.versions == (Version("preprint", arxiv="2601.00001"),)


def test_only_the_ids_of_another_version_are_stored() -> None:
    linked = (Version("published", "10.1000/9", "9", "2601.00009", "Its title", "Cell", "2026-01-01"),)
    (stub,) = known_paper(merged(replace(record("Prime editing"), versions=linked)), 1).stubs
    assert stub.versions == (Version("published", "10.1000/9", "9", "2601.00009"),)


def test_a_title_that_is_cut_is_known_again_and_lines_stay_words() -> None:
    long = "Prime editing\nof the retina and " + "𝓂 and глия " * 200
    before = record(long, "Herger, M", 2026)
    known = stored(known_paper(merged(before), 1))
    assert SeenSet([known]).matches([merged(record(long, "Herger, M", 2026))]) == [[known]]
    assert known.stubs[0].title.startswith("Prime editing of the retina")
