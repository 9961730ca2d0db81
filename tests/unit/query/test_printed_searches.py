"""Searches as the histories of PubMed and the Web of Science print them: their filters are terms."""

from __future__ import annotations

import pytest

from shared.query.printed_searches import read_printed
from shared.query.understanding import understand


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            'Search: "tau" AND mice Filters: Review, from 2015 - 2020 Sort by: Most Recent',
            '("tau" AND mice) AND PUB_TYPE:"review" AND PUB_YEAR:[2015 TO 2020]',
        ),
        (
            "Search: tau Filters: Meta-Analysis, Review, Adult: 19+ years, from 2015/1/1 - 3000/12/12",
            '(tau) AND (PUB_TYPE:"meta-analysis" OR PUB_TYPE:"review") AND PUB_YEAR:[2015 TO 2099]',
        ),
        (
            "tau Filters: Free full text, Humans, English",
            "(tau) AND free full text[sb] AND humans[Filter] AND LANG:english",
        ),
        ("Search: tau Filters: in the last 5 years", '(tau) AND "last 5 years"[dp]'),
        ("Search: tau OR mice Filters: Review, in the last 5 years", '(tau OR mice) AND PUB_TYPE:"review"'),
        ("Search: tau Sort by: Most Recent", "tau"),
        (
            "tau (Topic) and mice (Title) and 2019 or 2020 (Publication Years) and Article (Document Types)",
            "TS=(tau) AND TI=(mice) AND PY=(2019 or 2020) AND DT=(Article)",
        ),
        (
            "TOPIC: (tau) AND TITLE: (mice) Refined by: DOCUMENT TYPES: (REVIEW) Timespan: 2015-2020. "
            "Indexes: SCI-EXPANDED, SSCI.",
            "TS=(tau) AND TI=(mice) AND DT=(REVIEW) AND PY=(2015-2020)",
        ),
        ("TS=(tau) Timespan: All years. Indexes: SSCI", "TS=(tau)"),
        ("TS=(tau OR mice) and Review Article (Document Types)", "TS=(tau OR mice) AND DT=(Review Article)"),
    ],
)
def test_filters_beside_a_search_are_terms(text: str, read: str) -> None:
    assert read_printed(text)[0] == read


@pytest.mark.parametrize(
    "text",
    [
        "Kalman Filters: theory and practice", "Water Filters: from 2015 to 2020", "Search engines: a review",
        "Search: theory and practice", "Emma (Title)", "Timespan: 2015-2020",
        "A study (Topic) of x (Title)", "How to Sort by: bubbles",
    ],
)  # fmt: skip
def test_titles_with_such_words_stay_whole(text: str) -> None:
    assert read_printed(text) == (text, [])


def test_a_filter_without_an_equal_is_named() -> None:
    assert "the filter Adult: 19+ years left out" in understand("Search: tau Filters: Review, Adult: 19+ years").notes
