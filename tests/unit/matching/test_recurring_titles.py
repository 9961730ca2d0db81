"""Pieces under a title that recurs: one paper only by a shared id or the whole citation.

`recurring_titles.tsv` contains records of pieces that we made up under 24 such titles; `piece` names the piece. Two
records of each first piece (`01a`) share its DOI. The other pieces under its title agree with it in volume, issue and
page of another journal, in the author, or in all that is known of them.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, Paper, RecordId
from shared.matching.clustering import cluster
from shared.matching.title_features import read_title
from tests.unit.records import record, same_paper

RECORDS = Path(__file__).with_name("recurring_titles.tsv")


def trap_set() -> list[tuple[str, Paper]]:
    """The name of the piece and the record, for each line of the file."""
    with RECORDS.open(encoding="utf-8", newline="") as lines:
        return [(row.pop("piece"), _record(row)) for row in csv.DictReader(lines, delimiter="\t")]


def _record(row: dict[str, str]) -> Paper:
    known: dict[str, Any] = {name: row[name] or None for name in ("journal", "volume", "issue", "pages")}
    ids: dict[str, Any] = {name: row[name] or None for name in ("doi", "pmid")}
    return replace(record(row["title"], row["authors"], int(row["year"]), provider=row["provider"], **ids), **known)


def pieces_joined(records: list[tuple[str, Paper]]) -> list[list[str]]:
    """The names of the pieces in each group of several records."""
    groups, _ = cluster((RecordId(paper.provider, number, 1), paper) for number, (_, paper) in enumerate(records))
    return sorted(sorted(records[number][0] for number in group) for group in groups if len(group) > 1)


@pytest.mark.parametrize("seed", range(5))
def test_pieces_under_one_title_are_one_paper_only_by_an_id(seed: int) -> None:
    records = trap_set()
    assert len(records) >= 60 and len({paper.title for _, paper in records}) >= 15
    Random(seed).shuffle(records)
    assert pieces_joined(records) == [[piece, piece] for piece in sorted({it for it, _ in records}) if piece[2] == "a"]


def test_pieces_under_one_title_stay_apart_whichever_source_has_them() -> None:
    records = [(piece, replace(paper, provider=f"source {n}")) for n, (piece, paper) in enumerate(trap_set())]
    assert {piece[2] for group in pieces_joined(records) for piece in group} == {"a"}


def test_pieces_without_ids_stay_apart_by_their_places() -> None:
    bare = [(piece, replace(paper, ids=Identifiers())) for piece, paper in trap_set()]
    assert [group for group in pieces_joined(bare) if len(set(group)) > 1] == []


EDITORIAL = record("Editorial", "Ikonen, Mari", 2003, "Journal of Coastal Geology 10:1-2", issue="1")


@pytest.mark.parametrize(
    "change",
    [{"volume": "11"}, {"issue": "2"}, {"pages": "3"}, {"year": 2004}, {"journal": "Annals of Plant Ecology"},
     {"authors": (Author(family="Hassan", given="Omar"),)}],
    ids=lambda change: next(iter(change)),
)  # fmt: skip
def test_pieces_of_one_title_that_differ_in_anything_stay_apart(change: dict[str, Any]) -> None:
    again = replace(EDITORIAL, provider="another")
    assert same_paper(EDITORIAL, again)
    assert not same_paper(EDITORIAL, replace(again, **change))


def test_the_pieces_of_a_column_stay_apart_in_one_volume() -> None:
    column = record("Gateways to trials", "Hassan, Omar", 2003, "Annals of Plant Ecology 10:53-76", issue="1")
    assert not same_paper(column, replace(column, provider="another", issue="2", pages="129-48"))
    assert same_paper(column, replace(column, provider="another", issue="2", pages=None))  # issues are often misread


def test_one_volume_and_page_of_two_journals_prove_nothing_under_any_title() -> None:
    title = "Sediment transport in shallow estuaries of the north"
    ours = record(title, "Ikonen, Mari", 2003, "Journal of Coastal Geology 10:1-9", doi="10.5555/a")
    assert not same_paper(ours, record(title, "Hassan, Omar", 2003, "Annals of Plant Ecology 10:1-9", doi="10.5555/b"))


@pytest.mark.parametrize(
    "title, generic",
    [("Poster Session II", True), ("Subject Index", True), ("Case reports", True), ("Calendar of events", True),
     ("Research highlights", True), ("Plenary lectures", True), ("Editor's choice", True), ("巻頭言", True),
     ("Case reports of uremic syndrome", False), ("Research on tides", False), ("Type II diabetes", False),
     ("Editor's notes, March 2010", True), ("Guest Editors’ Introduction", True), ("Vorwort der Herausgeber", True),
     ("Éditorial", True), ("Lettre de la rédaction", True), ("Carta al editor", True), ("编者按", True),
     ("От редакции", True), ("Introduction to the special issue on tides", False), ("Atypical uremic syndrome", False),
     ("On views and XML", False), ("A TSQL2 tutorial", False), ("糖尿病性網膜症", False)],
)  # fmt: skip
def test_a_title_recurs_when_it_names_no_subject(title: str, generic: bool) -> None:
    assert read_title(title).generic is generic
