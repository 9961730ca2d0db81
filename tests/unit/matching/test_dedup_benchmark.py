"""The benchmark's adapter translates formats: names, DOIs, and which records may come from one answer."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from tests.benchmarks.dedup import groups_of, records_of


def row(number: int, title: str, **values: Any) -> dict[str, Any]:
    empty = dict.fromkeys(("journal", "volume", "issue", "pages", "doi", "pmid", "abstract", "type", "source"), "")
    return {"id": f"x{number}", "title": title, "authors": [], "year": 2010, **empty, **values}


@pytest.mark.parametrize(
    "name, family, given",
    [("Surname, A. B.", "Surname", "A. B."), ("de Jorge E. G.", "de Jorge", "E. G."), ("A. Surname", "Surname", "A."),
     ("Surname", "Surname", None), ("v aguilera", "aguilera", "v")],
)  # fmt: skip
def test_a_name_is_read_in_the_order_that_the_source_had(name: str, family: str, given: str | None) -> None:
    ((_, paper),) = records_of([row(1, "Title", authors=[name])])
    (author,) = paper.authors
    assert (author.family, author.given) == (family, given)


@pytest.mark.parametrize(
    "doi", ["http://dx.doi.org/10.1210/en.2012-1855", "Doi 10.1210/EN.2012-1855", "10.1210%2Fen.2012-1855"]
)
def test_a_doi_is_found_in_what_the_export_wrote(doi: str) -> None:
    ((_, paper),) = records_of([row(1, "Title", doi=doi)])
    assert paper.ids.doi == "10.1210/en.2012-1855"


def test_a_database_that_repeats_titles_was_searched_more_than_once() -> None:
    once = [row(number, f"Title {number}", source="dblp") for number in range(40)]
    twice = [row(number, f"Title {number // 2}", source="embase") for number in range(40)]
    unknown = [row(number, f"Title {number}") for number in range(3)]
    answers: defaultdict[str, set[int]] = defaultdict(set)
    for record_id, _ in records_of([*once, *twice, *unknown]):
        answers[record_id.provider].add(record_id.answer)
    counts = {name: len(numbers) for name, numbers in answers.items()}
    assert (counts.pop("dblp"), counts.pop("embase")) == (1, 40)
    assert len(counts) == 3


def test_groups_are_lists_of_the_datasets_ids() -> None:
    rows = [row(1, "Ice", pmid="7"), row(2, "Fire"), row(3, "Snow", pmid="7")]
    assert list(groups_of(rows, records_of(rows))) == [["x1", "x3"]]
