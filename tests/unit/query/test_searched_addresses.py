"""Addresses of pages of results: the search, its years, and what of it is not read."""

from __future__ import annotations

import pytest

from shared.query.searched_addresses import searched_at
from shared.query.understanding import understand

PUBMED, SCHOLAR = "https://pubmed.ncbi.nlm.nih.gov/?term=", "https://scholar.google.com/scholar?hl=en&q="


@pytest.mark.parametrize(
    ("address", "searched"),
    [
        (f"{PUBMED}TREM2+microglia", "TREM2 microglia"),
        (f"{PUBMED}TREM2+OR+APOE&filter=years.2015-2020", "(TREM2 OR APOE) AND PUB_YEAR:[2015 TO 2020]"),
        (f"{SCHOLAR}TREM2&as_ylo=2016", "(TREM2) AND PUB_YEAR:[2016 TO 2099]"),
        (f"{SCHOLAR}TREM2&as_ylo=2016&as_yhi=2018", "(TREM2) AND PUB_YEAR:[2016 TO 2018]"),
        (f"{SCHOLAR}TREM2&as_ylo=&as_yhi=", "TREM2"),
        (f"{PUBMED}27797938&filter=years.2015-2020", "27797938"),
        ("https://example.org/article/1735914", ""),
    ],
)
def test_the_search_of_a_page_of_results_has_its_years(address: str, searched: str) -> None:
    assert searched_at(address) == (searched, [])


def test_filters_that_are_not_read_are_named() -> None:
    (note,) = understand(f"{PUBMED}TREM2&filter=pubt.review&filter=lang.english").notes
    assert note.endswith("as its search: TREM2; left out: pubt.review, lang.english")
