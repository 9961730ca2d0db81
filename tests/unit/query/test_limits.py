"""The limits of Ovid and Scopus are terms of the search, and what has no equal is left out with a note."""

from __future__ import annotations

import pytest

from shared.errors import Unprocessable
from shared.query.understanding import understand

SINCE_2015 = "TITLE_ABS:trem2 AND PUB_YEAR:[2015 TO 2099]"
SCOPUS = "TITLE-ABS-KEY(TREM2) AND"
LIMITED = {
    'trem2.mp. and limit 1 to yr="2015 -Current"': SINCE_2015,
    '1. trem2.mp.\n2. limit 1 to yr="2015 -Current"': SINCE_2015,
    '1 trem2.mp. (120)\n2 limit 1 to yr="2015 -Current"': SINCE_2015,
    'trem2.mp.\n2. limit 1 to yr="2015 -Current"': SINCE_2015,
    "trem2.mp. limit 1 to (english or german)": "TITLE_ABS:trem2 AND (LANG:english OR LANG:german)",
    '1. trem2.mp.\n2. limit 1 to (yr="2015-2020" and humans and "review articles")': (
        'TITLE_ABS:trem2 AND PUB_YEAR:[2015 TO 2020] AND humans[Filter] AND PUB_TYPE:"review"'
    ),
    "TREM2.ti. and (2015* or 2016*).yr.": "TITLE:TREM2 AND PUB_YEAR:[2015 TO 2016]",
    "TREM2.ti. and 2015.yr.": "TITLE:TREM2 AND PUB_YEAR:[2015 TO 2015]",
    "TREM2.ti. and 201*.yr.": "TITLE:TREM2 AND PUB_YEAR:[2010 TO 2019]",
    "TREM2.ti. and (2012 or 2015-2016).yr.": ("TITLE:TREM2 AND (PUB_YEAR:[2012 TO 2012] OR PUB_YEAR:[2015 TO 2016])"),
    f'{SCOPUS} ( LIMIT-TO ( DOCTYPE , "ar" ) OR LIMIT-TO ( DOCTYPE , "re" ) )': (
        'TITLE_ABS:TREM2 AND (PUB_TYPE:"journal article" OR PUB_TYPE:"review")'
    ),
    f'{SCOPUS} ( LIMIT-TO ( LANGUAGE , "English" ) )': "TITLE_ABS:TREM2 AND LANG:english",
    f"{SCOPUS} ( LIMIT-TO ( PUBYEAR,2020 ) )": "TITLE_ABS:TREM2 AND PUB_YEAR:[2020 TO 2020]",
    f'{SCOPUS} ( LIMIT-TO ( DOCTYPE,"cp" ) ) AND ( EXCLUDE ( DOCTYPE,"re" ) )': "TITLE_ABS:TREM2",
}


@pytest.mark.parametrize("text", LIMITED)
def test_limits_are_terms(text: str) -> None:
    read = understand(text)
    assert read.node == understand(LIMITED[text]).node
    assert read.notes


def test_a_limit_without_an_equal_is_named() -> None:
    notes = understand('1. trem2.mp.\n2. limit 1 to (yr="2015-2020" and full text)').notes
    assert "limit to full text left out" in notes


def test_a_limit_without_its_line_is_refused() -> None:
    with pytest.raises(Unprocessable):
        understand('2. limit 1 to yr="2015 -Current"')


@pytest.mark.parametrize("text", ["speed limit 50 to 30 km/h accidents", "detection limit 5 to 10 ng of TREM2"])
def test_a_limit_of_the_subject_stays_words(text: str) -> None:
    assert understand(text).notes == ()
