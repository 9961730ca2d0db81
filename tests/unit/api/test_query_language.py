"""The table of the query language is the same in the README and in the API's description."""

from __future__ import annotations

from pathlib import Path

from shared.api.openapi import DESCRIPTION
from shared.api.query_language import QUERY_LANGUAGE

README = Path(__file__).parents[3] / "README.md"


def test_the_readme_and_the_description_have_the_one_table() -> None:
    assert QUERY_LANGUAGE in README.read_text("utf-8")
    assert QUERY_LANGUAGE in DESCRIPTION
