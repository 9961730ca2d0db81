"""Several ids in one text: where each ends, and that a DOI keeps its commas."""

from __future__ import annotations

import pytest

from shared.bibliography.paper_ids import ids_of


@pytest.mark.parametrize(
    "text",
    [
        "10.1000/a,b",
        "10.1000/a,b,c",
        "10.1000/a,2019",
        "doi: 10.1000/a,b",
        "PMID: 123",
        "https://doi.org/10.1000/a,b",
        "10.1641/0006-3568(2001)051[0933:T]2.0.CO;2",
    ],
)
def test_one_id_stays_whole_with_its_commas_and_blanks(text: str) -> None:
    assert ids_of(text) == (text,)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("10.1098/rsif.2017.0387,PMID:36107206", ("10.1098/rsif.2017.0387", "PMID:36107206")),
        ("10.1000/a,10.1000/b", ("10.1000/a", "10.1000/b")),
        ("PMID:1,10.1000/a,b,PMC12", ("PMID:1", "10.1000/a,b", "PMC12")),
        ("10.1000/a,b 10.1000/c,d", ("10.1000/a,b", "10.1000/c,d")),
        ("10.1000/a,b, PMID:3", ("10.1000/a,b", "PMID:3")),
        ("doi: 10.1000/a,PMID:3", ("doi: 10.1000/a", "PMID:3")),
        ("PMID:1, 36107206 nothing", ("PMID:1", "36107206", "nothing")),
        (" , ", ()),
        ("PMID: 123; PMID: 456", ("PMID: 123", "PMID: 456")),
        ("PMID: 123, PMID: 456", ("PMID: 123", "PMID: 456")),
        ("corpus id: 12345, corpus id 555", ("corpus id: 12345", "corpus id 555")),
        ("PMID: 123, doi: 10.1000/a,b;\n10.1000/c,PMC12;", ("PMID: 123", "doi: 10.1000/a,b", "10.1000/c", "PMC12")),
        ("10.1084/jem.20212479,29618526", ("10.1084/jem.20212479", "29618526")),
        ("10.1084/jem.20212479;PMID:29618526", ("10.1084/jem.20212479", "PMID:29618526")),
        ("10.1641/0006-3568(2001)051[0933:T]2.0.CO;2;PMID:1", ("10.1641/0006-3568(2001)051[0933:T]2.0.CO;2", "PMID:1")),
    ],
)
def test_an_id_ends_at_a_comma_or_semicolon_if_another_id_follows(text: str, ids: tuple[str, ...]) -> None:
    assert ids_of(text) == ids


def test_a_text_of_more_ids_than_any_request_takes_is_only_counted() -> None:
    assert len(ids_of("10.1000/a,b," * 1_000)) == 2_000
