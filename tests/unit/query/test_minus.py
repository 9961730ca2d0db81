"""A minus excludes what is behind it where that is clear, as search engines read it."""

from __future__ import annotations

import pytest

from shared.query.foreign_syntax import read_foreign
from shared.query.search_signs import suggested, with_not
from shared.query.understanding import understand


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("(tau OR mice) -rats", "(tau OR mice) NOT rats"),
        ("tau AND -rats", "tau AND NOT rats"),
        ('tau AND (mice -"old rats")', 'tau AND (mice NOT "old rats")'),
        ("tau OR -rats", "(tau) NOT rats"),
        ("mice AND (tau OR -rats OR APOE)", "mice AND ((tau OR APOE) NOT rats)"),
        ("tau OR -rats AND mice", "tau OR NOT rats AND mice"),
        ("tau AND mice -rats APOE", "tau AND mice NOT (rats) APOE"),
        ("tau AND -(mice OR rats)", "tau AND NOT (mice OR rats)"),
        ("-rats AND tau", "NOT rats AND tau"),
        ("leukemia -ALL", "leukemia NOT ALL"),
        ("evidence -based medicine AND mice", "evidence -based medicine AND mice"),
        ("TNF -alpha AND mice", "TNF -alpha AND mice"),
        ("tau AND T -cells", "tau AND T -cells"),
    ],
)
def test_a_minus_beside_operators_excludes_where_it_stands(text: str, read: str) -> None:
    assert read_foreign(text).text == read


@pytest.mark.parametrize(("text", "read"), [
    ("tau -(mice or rats)", "tau NOT (mice OR rats)"),
    ("tau -(mice)", "tau NOT (mice)"),
    ("tau (APOE -mice) cells", "tau (APOE NOT mice) cells"),
    ("allintitle: tau APOE -mice", "TITLE:(tau APOE NOT mice)"),
    ('intitle:"tau" -intitle:"old mice"', 'TITLE:"tau" NOT TITLE:"old mice"'),
    ("tau +APOE -mice", "tau +APOE NOT mice"),
    ("tau -mice, -rats", "tau, NOT mice NOT rats"),
    ("health -related quality of life", "health -related quality of life"),
    ("-omics of tau", "-omics of tau"),
    ("quality -of-life of mice", "quality -of-life of mice"),
    ("tau -in-vitro", "tau NOT in-vitro"),
    ("decision -making in mice", "decision -making in mice"),
    ("tau ( -mice) cells", "tau ( -mice) cells"),
    ("tau -(a review)", "tau -(a review)"),
    ("poly -(CH2CH2O)n- films", "poly -(CH2CH2O)n- films"),
])  # fmt: skip
def test_a_minus_excludes_groups_fields_and_within_parentheses(text: str, read: str) -> None:
    assert read_foreign(text).text == read


def test_a_minus_behind_years_excludes() -> None:
    assert understand("tau 2019..2021 -plant").node == understand("tau AND PUB_YEAR:[2019 TO 2021] NOT plant").node


@pytest.mark.parametrize(("text", "better"), [
    ("-mice tau", "tau NOT mice"),
    ("tau \u2013mice", "tau NOT mice"),
    ("tau \u2212mice", "tau NOT mice"),
    ("tau -related disease", "tau disease NOT related"),
    ("tau \u2013 mice", None),
    ("tau 2010\u20132015", None),
    ("-in-vitro", None),
])  # fmt: skip
def test_for_an_unclear_minus_a_query_with_not_is_suggested(text: str, better: str | None) -> None:
    assert (read_foreign(text).text, suggested(text)) == (text, better)


@pytest.mark.parametrize(("text", "better"), [
    ("TREM2 but not in mice", "TREM2 NOT mice"),
    ("old mice, excluding rats", "(old mice) NOT rats"),
    ("tau except in aged mice", "tau NOT (aged mice)"),
    ("effects of tau but not mice", None),
    ("tau but not in mice that are old", None),
])  # fmt: skip
def test_for_words_that_exclude_a_query_with_not_is_suggested(text: str, better: str | None) -> None:
    assert with_not(text) == better
