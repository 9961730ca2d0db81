"""The years that people type beside their words: which filter they mean, and what is left to search for."""

from __future__ import annotations

import pytest

from shared.errors import Unprocessable
from shared.query.filters_in_words import filters_in_words
from shared.query.sides import groups_of, has_sides, sides_of
from shared.query.syntax import All, AnyOf, Tagged, Words
from shared.query.understanding import understand
from shared.query.years_in_words import years_in_words

TODAY = "2026-11-23T09:00:00Z"
# What is typed behind or before `TREM2`, and the first and last year that it means.
TYPED: list[tuple[str, str | None, str | None]] = [
    ("since 2019", "2019", None), ("ever since 2019", "2019", None), ("published since 2019", "2019", None),
    ("from 2019 on", "2019", None), ("from 2019 onwards", "2019", None), ("2019 onwards", "2019", None),
    ("2019 and later", "2019", None), ("2019 or newer", "2019", None), ("2019-present", "2019", None),
    ("2019 – today", "2019", None), ("2019 to present", "2019", None), ("from 2019 to date", "2019", None),
    ("starting in 2019", "2019", None), ("no earlier than 2019", "2019", None), ("not before 2019", "2019", None),
    (">= 2019", "2019", None), ("≥2019", "2019", None), ("> 2018", "2019", None), ("2019+", "2019", None),
    ("after 2018", "2019", None), ("later than 2018", "2019", None), ("newer than 2018", "2019", None),
    ("until 2015", None, "2015"), ("up to 2015", None, "2015"), ("no later than 2015", None, "2015"),
    ("2015 or earlier", None, "2015"), ("<= 2015", None, "2015"), ("< 2015", None, "2014"),
    ("before 2015", None, "2014"), ("prior to 2015", None, "2014"), ("published before 2015", None, "2014"),
    ("2015-2020", "2015", "2020"), ("2015–2020", "2015", "2020"), ("in 2015 – 2020", "2015", "2020"),
    ("2015 to 2020", "2015", "2020"), ("from 2020 to 2015", "2015", "2020"), ("from 2015 until 2020", "2015", "2020"),
    ("(2015-2020)", "2015", "2020"), ("(2015 – 2020)", "2015", "2020"), ("(since 2019)", "2019", None),
    ("between 2015 and 2020", "2015", "2020"), ("between the years 2015 and 2020", "2015", "2020"),
    ("published in 2019", "2019", "2019"), ("published 2019", "2019", "2019"),
    ("last 5 years", "2021", None), ("past five years", "2021", None), ("in the last 10 years", "2016", None),
    ("over the past decade", "2016", None), ("during the last two decades", "2006", None), ("last year", "2025", None),
    ("past couple of years", "2024", None), ("the last 3 yrs", "2023", None), ("this year", "2026", None),
    ("in the last 6 months", "2026-05", None), ("past 18 months", "2025-05", None),
    ("seit 2019", "2019", None), ("ab 2019", "2019", None), ("nach 2018", "2019", None), ("vor 2015", None, "2014"),
    ("zwischen 2015 und 2020", "2015", "2020"), ("von 2015 bis 2020", "2015", "2020"),
    ("in den letzten fünf Jahren", "2021", None), ("der letzten 10 Jahre", "2016", None),
    ("depuis 2019", "2019", None), ("après 2018", "2019", None), ("avant 2015", None, "2014"),
    ("entre 2015 et 2020", "2015", "2020"), ("de 2015 à 2020", "2015", "2020"), ("jusqu'en 2015", None, "2015"),
    ("au cours des 5 dernières années", "2021", None), ("ces cinq dernières années", "2021", None),
    ("des 6 derniers mois", "2026-05", None),
    ("desde 2019", "2019", None), ("después de 2018", "2019", None), ("hasta 2015", None, "2015"),
    ("entre 2015 y 2020", "2015", "2020"), ("en los últimos 5 años", "2021", None), ("última década", "2016", None),
    ("negli ultimi 5 anni", "2021", None), ("nos últimos cinco anos", "2021", None),
    ("近五年", "2021", None), ("最近5年", "2021", None), ("过去十年", "2016", None), ("2015年以来", "2015", None),
    ("2015年至2020年", "2015", "2020"), ("2015年以前", None, "2014"),
]  # fmt: skip
# No filter: part of the subject, of another quantity, of a title, or vague; and what is a filter by its own syntax.
WORDS = [
    "recent years", "in recent years", "the last year of life", "the last 20 years of CRISPR", "in the last years",
    "vitamin D 2000-2050 IU", "capacity after 2000 cycles", "influenza in 1918", "H1N1 2009", "5-year survival",
    "mortality within 5 years", "a follow-up of 5 years", '"tau since 2015"', "(tau since 2015)", "pre-2015 era",
    "COVID-19 2020", "10-2015 2020-12", "1500 to 1700", "Guerreiro 2013", "NCT02008357", "1998-2001a",
]  # fmt: skip

# Years of the subject: without them the text would be about something else.
SUBJECTS = [
    "influenza pandemic 1918-1919", "the 2002-2003 SARS epidemic", "2008-2009 financial crisis unemployment",
    "2014–2016 West African Ebola outbreak", "during the 2010-2015 period", "global temperature since 1850",
    "climate before 1900", "people born after 1945", "World War II 1939-1945 famine", "samples 1900-2000",
    "CO2 emissions from 1850 to present", "Reynolds number > 2000", "flow rate < 2000", "altitude ≥ 1900",
    "alcohol use in the past 12 months", "relapse within the last 2 years", "smoking in the past year",
    "fracture in the previous 5 years", "this year's influenza vaccine", "last year's model",
    "spectra 1950-2000 cm", "band 1950-2000 MHz", "Lancet 365: 1957-1959", "Science 339(6127), 1957-1959",
    "Smith 2012 pp. 1957-1959", "adherence to the 2-year guidelines published in 2016",
    "1984 orwell surveillance", "review of 2020 Tokyo olympics covid", "top 2000 genes", "ICD 2010", "best of 2021",
    "Horizon 2020 funding", "KDIGO 2012 guidelines", "excess mortality in 2020 and 2021", "Blade Runner 2049",
]  # fmt: skip


@pytest.mark.parametrize(("typed", "first", "last"), TYPED, ids=[typed for typed, *_ in TYPED])
def test_years_are_read_and_are_nothing_to_search_for(typed: str, first: str | None, last: str | None) -> None:
    years = filters_in_words(f"TREM2 {typed}").years
    assert years.dates(TODAY) == (first, last)
    if first or last:
        assert years.rest == "TREM2"
        assert understand(f"TREM2 {typed}").telling == ("TREM2",)


def test_years_are_read_before_the_words_and_among_them() -> None:
    for text in (
        "since 2019 TREM2 in mice",
        "TREM2 since 2019 in mice",
        "papers published since 2019 on TREM2 in mice",
    ):
        assert filters_in_words(text).years.dates(TODAY) == ("2019", None)
        assert filters_in_words(text).rest == "TREM2 in mice"


@pytest.mark.parametrize("text", [*WORDS, *SUBJECTS])
def test_numbers_and_times_of_the_subject_stay_words(text: str) -> None:
    assert years_in_words(text).words == ""
    assert years_in_words(text).rest == text


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("HIV incidence in the past 5 years", "HIV incidence"), ("TREM2 in the past year", "TREM2"),
        ("reviews published before 1940", "reviews"), ("the guidelines published in 2016", "the guidelines"),
        ("heroin epidemic in the years 1990-2000", "heroin epidemic"), ("TREM2 > 2015", "TREM2"),
        ("TREM2 published after 2015 NOT mouse", "TREM2 NOT mouse"),
        ("TREM2 before 2010 ANDNOT rat", "TREM2 ANDNOT rat"),
    ],
)  # fmt: skip
def test_words_that_also_stand_beside_years_of_a_subject_do_not_hide_a_filter(text: str, rest: str) -> None:
    assert years_in_words(text).rest == rest


@pytest.mark.parametrize("text", ["since 2015", "last 5 years", "2015-2020", "近五年"])
def test_years_alone_are_the_words_to_search_for(text: str) -> None:
    assert filters_in_words(text).rest == text


def test_without_a_day_years_that_are_counted_from_it_are_not_known() -> None:
    assert filters_in_words("TREM2 last 5 years").years.dates(None) == (None, None)


@pytest.mark.parametrize(
    ("day", "first"), [("2026-01-31", "2025-11"), ("2026-02-01", "2025-12"), ("2026-12", "2026-10")]
)
def test_months_are_counted_over_the_turn_of_the_year(day: str, first: str) -> None:
    assert filters_in_words("TREM2 last 2 months").years.dates(day) == (first, None)


@pytest.mark.parametrize(
    "text",
    [
        "TREM2 NOT 2015-2020", "TREM2 NOT (2015-2020)", "TREM2 AND NOT (since 2015)", "TREM2 OR 2015-2020",
        "TREM2 OR (2015-2020)", "(influenza OR flu) NOT (2009-2010)",
        '"Syrian civil war" (2011-2018) OR "Lebanon war" (2006-2007)',
    ],
)  # fmt: skip
def test_years_of_one_side_or_of_what_is_excluded_are_no_condition_of_the_whole(text: str) -> None:
    assert years_in_words(text).rest == text
    assert not understand(text).notes


@pytest.mark.parametrize(
    "text",
    [
        "TREM2 AND (2015-2020)", "(TREM2 OR APOE) AND (2015-2020)", "(TREM2 OR APOE) since 2015",
        "(TREM2 OR APOE) (2015-2020)", "TREM2 NOT mouse since 2015",
    ],
)  # fmt: skip
def test_years_beside_a_whole_expression_are_a_condition_of_it(text: str) -> None:
    assert "PUB_YEAR:[2015" in understand(text).notes[0]
    node = understand(text).node
    assert isinstance(node, All)
    assert isinstance(node.of[-1], Tagged)
    assert node.of[-1].field == "date"


@pytest.mark.parametrize(
    "text",
    [
        "TREM2 OR (APOE 2015-2020)", "TREM2 OR APOE (2015-2020)", "APOE 2015-2020 OR TREM2", "TREM2 OR APOE 2015-2020",
        "TREM2 OR APOE AND (2015-2020)", "APOE (2015-2020) OR TREM2", "TREM2 OR 2015-2020 APOE",
        "(TREM2 OR (APOE between 2015 and 2020))", "TREM2 OR (APOE (2015-2020))",
    ],
)  # fmt: skip
def test_years_on_one_side_of_or_are_a_condition_of_that_side(text: str) -> None:
    """As any other term: `TREM2 OR APOE AND mouse` is `TREM2 OR (APOE AND mouse)`."""
    assert years_in_words(text).words == ""
    node = understand(text).node
    assert isinstance(node, AnyOf)
    alone, both = sorted(node.of, key=lambda side: isinstance(side, All))
    assert alone == Words("TREM2")
    assert isinstance(both, All)
    term, years = both.of
    assert isinstance(years, Tagged)
    assert (term, years.field, years.text) == (Words("APOE"), "date", "2015 TO 2020")
    assert "beside `APOE` alone" in understand(text).notes[0]


def test_a_parenthesis_that_closes_nothing_hides_no_side_and_is_refused_beside_years_too() -> None:
    assert sides_of("TREM2) OR (APOE since 2015") == ["TREM2)", "(APOE since 2015"]
    assert has_sides("TREM2) OR APOE")
    assert groups_of("TREM2) OR (APOE)") == [(10, 16)]
    for text in ("TREM2) OR (APOE", "TREM2) OR (APOE since 2015", "TREM2) OR (APOE) since 2015"):
        with pytest.raises(Unprocessable, match="a closing parenthesis has no opening one"):
            understand(text)


def test_times_that_are_counted_from_today_are_no_condition_of_one_side_and_a_note_says_so() -> None:
    """Which years they are is not known before the answer, so that they can only hold for the whole."""
    understood = understand("TREM2 OR APOE last 5 years")
    assert understood.node == AnyOf((Words("TREM2"), Words("APOE")))
    assert understood.notes == ("last 5 years beside `APOE` alone as nothing: write years",)
    assert filters_in_words("TREM2 OR APOE last 5 years").years.dates(TODAY) == (None, None)


@pytest.mark.parametrize("text", ["Ebola outbreak (2014-2016)", "Syrian civil war (2011-2018)"])
def test_years_in_parentheses_behind_an_event_are_its_own(text: str) -> None:
    assert years_in_words(text).rest == text


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("TREM2 microglia after 2015 mouse NOT rat", "(TREM2 microglia mouse NOT rat) AND PUB_YEAR:[2016 TO 2099]"),
        ("TREM2 before 2015 mouse AND rat", "(TREM2 mouse AND rat) AND PUB_YEAR:[1800 TO 2014]"),
    ],
)
def test_years_amid_the_words_of_an_expression_are_a_condition(text: str, same: str) -> None:
    assert understand(text).node == understand(same).node
    assert understand(text).notes


@pytest.mark.parametrize(
    "text",
    ["asthma after 2015 earthquake NOT adults", "cells after 2000 iterations NOT mouse", "TREM2 after 2015 mouse"],
)
def test_years_of_an_event_round_numbers_and_those_of_a_title_stay_words(text: str) -> None:
    assert understand(text).notes == ()
