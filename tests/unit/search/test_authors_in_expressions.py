"""The author of an expression is checked as the filter `author` is: the family name, then initials."""

from __future__ import annotations

import pytest

from shared.bibliography.paper import Author, Paper
from shared.query.query import Query
from shared.search.filtering.expression_match import mentions

COLONNA = (Author(family="Colonna", given="Marco"),)


@pytest.mark.parametrize(
    ("typed", "holds"),
    [
        ("Colonna M[au] AND TREM2", True),
        ("Colonna[au] AND TREM2", True),
        ("Marco C[au] AND TREM2", False),
        ("Colonna G[au] AND TREM2", False),
        ("Colonn*[au] AND TREM2", None),
        ("TREM2 NOT Colonna M[au]", False),
        ("TREM2 NOT Marco C[au]", True),
    ],
)
def test_initials_behind_a_family_name_are_those_of_an_author(typed: str, holds: bool | None) -> None:
    paper = Paper(provider="pubmed", rank=1, title="TREM2", abstract="TREM2", authors=COLONNA)
    assert mentions(paper, Query(text=typed)) is holds
