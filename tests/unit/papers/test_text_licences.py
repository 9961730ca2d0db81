"""Which licence a text has: its own statement, and what sources state of its copies where it has none."""

from __future__ import annotations

import pytest

from shared.bibliography.full_text import FullText
from shared.bibliography.paper import Location
from shared.papers.texts.sources import licence_of

COPIES = [Location(url="https://europepmc.org/articles/PMC5762154", license="cc-by")]


@pytest.mark.parametrize(
    ("own", "statement", "licence"),
    [
        (None, None, "cc-by"),
        ("cc-by-nc-4.0", "CC BY-NC 4.0", "cc-by-nc-4.0"),
        # A source's guess opens no text whose publisher reserves it, in words that name no known licence.
        (None, "All rights reserved. Figure 2 is reproduced under CC BY 4.0.", None),
        (None, "http://arxiv.org/licenses/assumed-1991-2003/", None),
    ],
)
def test_the_statement_of_the_text_counts_before_that_of_a_source(
    own: str | None, statement: str | None, licence: str | None
) -> None:
    text = FullText(format="jats", url=COPIES[0].url, sections=(), license=own, license_text=statement)
    assert licence_of(text, "pmcid:PMC5762154", COPIES) == licence
