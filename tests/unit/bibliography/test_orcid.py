"""ORCID iDs; the examples are those of ORCID's page on the structure of the identifier."""

from __future__ import annotations

import pytest

from shared.bibliography.orcid import find_orcids, read_orcid


@pytest.mark.parametrize(
    "text",
    ["0000-0002-1825-0097", "https://orcid.org/0000-0002-1825-0097", "orcid.org/0000-0002-1825-0097/",
     "ORCID: 0000-0002-1825-0097", "ORCID iD 0000-0002-1825-0097"],
)  # fmt: skip
def test_every_form_is_read(text: str) -> None:
    assert read_orcid(text) == "0000-0002-1825-0097"


def test_the_last_character_may_be_an_x() -> None:
    assert read_orcid("0000-0002-1694-233x") == "0000-0002-1694-233X"


@pytest.mark.parametrize("text", ["0000-0002-1825-0098", "0000-0002-1694-2330", "0000 0002 1825 0097", "10.1000/x"])
def test_another_number_is_none(text: str) -> None:
    assert read_orcid(text) is None


def test_each_one_in_a_text_is_found_with_its_address() -> None:
    text = "CRISPR https://orcid.org/0000-0002-1825-0097 or 0000-0002-1694-233X"
    assert [orcid for _, orcid in find_orcids(text)] == ["0000-0002-1825-0097", "0000-0002-1694-233X"]
