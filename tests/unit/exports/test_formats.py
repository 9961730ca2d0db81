"""Which format an Accept header chooses."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.exports.formats import FORMATS, format_for, negotiated
from tests.growth import MOST, growth
from tests.unit.exports.exported_results import result

OFFERED = ["application/json", *(it.media_type for it in FORMATS.values())]


def chosen(accept: str | None) -> str | None:
    found = format_for(accept)
    return found.name if found else None


def test_each_format_has_a_type_an_extension_and_a_writer() -> None:
    assert {name: it.extension for name, it in FORMATS.items()} == {
        "markdown": "md", "bibtex": "bib", "ris": "ris", "csl-json": "json", "csv": "csv",
    }  # fmt: skip
    assert all(it.write([result()]) for it in FORMATS.values())
    assert len({it.write([result()])[:9] for it in FORMATS.values()}) == len(FORMATS)


@pytest.mark.parametrize(("name", "lines"), [("markdown", 2), ("bibtex", 0), ("ris", 0), ("csl-json", 1), ("csv", 1)])
def test_no_results_are_an_export_too(name: str, lines: int) -> None:
    assert len(FORMATS[name].write([]).splitlines()) == lines


@pytest.mark.parametrize(
    ("accept", "name"),
    [
        ("text/markdown", "markdown"),
        ("application/x-bibtex", "bibtex"),
        ("APPLICATION/X-Research-Info-Systems", "ris"),
        ("application/vnd.citationstyles.csl+json", "csl-json"),
        ("text/csv;header=present", "csv"),
        ("text/csv; charset=UTF-8", "csv"),
        ("text/csv;header=absent", None),
        ("text/html, application/json", None),
        ("text/html, text/csv;q=0.1", "csv"),
        ("application/x-bibtex;q=0.5, text/csv;q=0.9, */*;q=0.1", "csv"),
        ("text/*", "markdown"),
        ("text/*, text/markdown;q=0", "csv"),
        ("text/*;q=0.3, text/csv;q=0.2, text/markdown;q=0.1", "csv"),
        ("text/markdown;q=0.2, text/markdown;variant=GFM;q=0, application/x-bibtex;q=0.1", "bibtex"),
        ("text/csv;q=0", None),
        ("*/*;q=0", None),
        ("*/*", "markdown"),
        ("", "markdown"),
        (None, "markdown"),
        ("text/csv;q=2, application/x-bibtex", "bibtex"),
        ('text/html;level="1,2", text/csv', "csv"),
        ('text/csv;header="present"', "csv"),
        (",, text/csv ,", "csv"),
        ("text/csv ; q=0.5 ; ext=1", "csv"),
        ("*/csv", "markdown"),
        ("nonsense", "markdown"),
    ],
)
def test_the_header_chooses(accept: str | None, name: str | None) -> None:
    assert chosen(accept) == name


def test_the_first_offer_wins_among_equals() -> None:
    assert negotiated("*/*", OFFERED) == "application/json"
    assert negotiated("text/csv, application/json", OFFERED) == "application/json"
    assert negotiated("text/csv, application/json;q=0.9", OFFERED) == FORMATS["csv"].media_type
    assert negotiated("*/*", []) is None


def test_an_offer_must_be_a_media_type() -> None:
    with pytest.raises(ValueError, match="'csv' is not a media type"):
        negotiated("*/*", ["csv"])


@given(st.text(max_size=60) | st.text('text/csvq=;,*" .01\\', max_size=60))
def test_any_header_is_read(accept: str) -> None:
    assert negotiated(accept, OFFERED) in (*OFFERED, None)


@pytest.mark.parametrize(
    "accept",
    [
        lambda size: "a/b" + "; " * size + "!/", lambda size: 'a/b;x="' * (size // 4),
        lambda size: "a/b;" + "\t ;" * size + "é", lambda size: '"' * (2 * size), lambda size: "a/b," * (size // 2),
    ],
    ids=["spaces", "open quotes", "tabs", "quotes", "many types"],
)  # fmt: skip
def test_a_header_made_to_be_slow_takes_no_longer_than_its_length(accept: Callable[[int], str]) -> None:
    assert growth(lambda size: negotiated(accept(size), OFFERED), 4000) < MOST
