"""DOIs as copied from PDFs and web pages, over HTTP: with blanks and line breaks inside them, or marks behind them.

A DOI with the ending of its file is the name of a download: `10.7554/eLife.20391.pdf`.
"""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.references.test_resolve_forms import resolved

ASTROCYTES, SPLICING, MICROGLIA = "10.1038/nature21029", "10.1016/j.cell.2018.12.015", "10.1186/1750-1326-8-19"
TITLE = "Neurotoxic reactive astrocytes are induced by activated microglia"
NAMES = "Liddelow SA, Guttenplan KA, Clarke LE."
ALONE = [
    ("10.1038/nature 21029", ASTROCYTES),
    ("10 . 1038 / nature21029", ASTROCYTES),
    ("10.1038/ nature21029", ASTROCYTES),
    ("doi:10.1038/nat\nure21029", ASTROCYTES),
    ("https://doi.org/10.1038/ nature21029", ASTROCYTES),
    ("doi: 10.1016/j.cell. 2018.12.015", SPLICING),
    ("10.1186/1750-1326-8-\n19", MICROGLIA),
    ("doi: 10.1186/\n    1750-1326-8-19", MICROGLIA),
    ("10.1038/nature21029.pdf", ASTROCYTES),
    ("doi:10.1038/nature21029/full.pdf", ASTROCYTES),
    ("10.1016/j.cell.2018.12.015.html", SPLICING),
    (f"{NAMES} {TITLE}. Nature 2017. 10.1038/nature21029.pdf", ASTROCYTES),
]


@pytest.mark.parametrize(("text", "doi"), ALONE)
def test_a_doi_with_a_blank_in_it_names_its_paper(running: Machine, text: str, doi: str) -> None:
    (entry,) = resolved(running, text)
    assert (entry["status"], entry["paper"]["doi"], entry["differs"]) == ("matched", doi, [])


@pytest.mark.parametrize("doi", ["10.1038/nature 21029", "10 . 1038 / nature21029", "10.1038/\nnature21029"])
def test_a_doi_with_a_blank_behind_its_title_agrees(running: Machine, doi: str) -> None:
    (entry,) = resolved(running, f"{NAMES} {TITLE}. Nature. 2017;541:481-487. doi: {doi}")
    assert (entry["status"], entry["differs"], "id" in entry["agrees"]) == ("matched", [], True)
    assert entry["fields"]["doi"] == {"verdict": "agrees", "cited": ASTROCYTES, "found": ASTROCYTES}


def test_a_doi_with_a_blank_that_is_another_papers_is_a_mismatch(running: Machine) -> None:
    line = f"Guerreiro R. TREM2 variants in Alzheimer's disease. N Engl J Med 2013;368:117. doi:{ASTROCYTES}"
    for text in (line, line.replace("nature21029", "nature 21029")):
        (entry,) = resolved(running, text)
        assert (entry["status"], entry["named_by_id"]["doi"]) == ("mismatched", ASTROCYTES)


def test_a_doi_is_read_no_further_than_the_sources_know_it(running: Machine) -> None:
    """Behind a whole DOI, volume and pages are not part of it; where no reading is known, the text alone counts."""
    whole, unknown = resolved(
        running,
        f"{NAMES} {TITLE}. doi:{ASTROCYTES} 2017;541",
        f"{NAMES} {TITLE}. Nature 2017. doi:10.1038/natrue 21029",
    )
    assert (whole["status"], whole["fields"]["doi"]["cited"]) == ("matched", ASTROCYTES)
    assert (unknown["status"], unknown["differs"]) == ("matched", ["id"])
    assert unknown["fields"]["doi"]["cited"] == "10.1038/natrue"


def test_a_doi_that_is_confirmed_costs_no_other_reading(running: Machine) -> None:
    text = f"{NAMES} {TITLE}. doi:{ASTROCYTES} 2017;541"
    assert running.sandbox
    before = len(running.sandbox.requests)
    resolved(running, text, fresh=True)
    asked = [str(request) for request in running.sandbox.requests[before:]]
    assert any("nature21029" in request for request in asked)
    assert not any("nature210292017" in request for request in asked)


@pytest.mark.parametrize(
    "doi",
    [
        f"{ASTROCYTES}?utm_source=x&utm_medium=y",
        f"{ASTROCYTES}</a>",
        f'<a href="https://doi.org/{ASTROCYTES}">{ASTROCYTES}</a>',
        f"{ASTROCYTES}.",
        f"({ASTROCYTES}).",
        f"{ASTROCYTES}]",
        "10.1038/nature 21029",
    ],
)
def test_marks_behind_the_doi_of_a_field_are_no_difference(running: Machine, doi: Any) -> None:
    by_field, by_line = resolved(running, {"title": TITLE, "doi": doi}, f"doi:{doi}")
    for entry in (by_field, by_line):
        assert (entry["status"], entry["differs"]) == ("matched", [])
        assert entry["fields"].get("doi", {}).get("cited", ASTROCYTES) == ASTROCYTES
