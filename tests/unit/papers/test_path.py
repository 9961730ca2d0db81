"""Where the id of a paper ends in a path, and what follows it begins."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from shared.papers.path import id_and_part

LANCET = "https://www.thelancet.com/journals/lancet/article/PIIS0140-6736(20)31180-6"
SIMILAR = "https://europepmc.org/article/MED/36107206/similar"
CITATIONS = "https://ieeexplore.ieee.org/document/1/citations"
AJOG = "https://www.ajog.org/article/S0002-9378(20)30001-1/fulltext"
SCIENCE_DIRECT = "https://www.sciencedirect.com/science/article/pii/S0092867417305780"
NATURE = "https://www.nature.com/articles/s41586-020-2649-2"


def encoded(text: str) -> str:
    return quote(text, safe="")


@pytest.mark.parametrize(("path", "name", "part"), [
    ("10.1000/x", "10.1000/x", ""),
    ("10.1000/x/references", "10.1000/x", "references"),
    ("10.1000%2Fx/Citations/", "10.1000/x", "citations"),
    ("10.1000%2Fx%2Freferences", "10.1000/x/references", ""),
    (encoded(f"{LANCET}/fulltext"), f"{LANCET}/fulltext", ""),
    (encoded(f"{LANCET}/fulltext") + "/fulltext", f"{LANCET}/fulltext", "fulltext"),
    (encoded(f"{LANCET}/fulltext") + "/similar", f"{LANCET}/fulltext", "similar"),
    (encoded(LANCET) + "/fulltext", LANCET, "fulltext"),
    (encoded(SIMILAR), SIMILAR, ""),
    (encoded(CITATIONS), CITATIONS, ""),
    # Written with their slashes.
    (f"{LANCET}/fulltext", f"{LANCET}/fulltext", ""),
    (f"{LANCET}/fulltext/fulltext", f"{LANCET}/fulltext", "fulltext"),
    (f"{LANCET}/fulltext/references", f"{LANCET}/fulltext", "references"),
    (f"{LANCET}/references", LANCET, "references"),
    (AJOG, AJOG, ""),
    (quote(LANCET, safe="/") + "/fulltext", f"{LANCET}/fulltext", ""),
    (f"{NATURE}/fulltext", NATURE, "fulltext"),
    (f"{SCIENCE_DIRECT}/fulltext", SCIENCE_DIRECT, "fulltext"),
])  # fmt: skip
def test_an_encoded_slash_is_part_of_the_id(path: str, name: str, part: str) -> None:
    assert id_and_part(path) == (name, part)
