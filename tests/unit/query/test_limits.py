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
    'TREM2.ti. and ("2015" or "2016").yr.': "TITLE:TREM2 AND PUB_YEAR:[2015 TO 2016]",
    'TS==(TREM2) AND DT==("ARTICLE" OR "REVIEW") AND PY==("2020" OR "2021")': (
        'TITLE_ABS:TREM2 AND (PUB_TYPE:"journal article" OR PUB_TYPE:"review") AND PUB_YEAR:[2020 TO 2021]'
    ),
    'TS=(TREM2) NOT (DT==("MEETING ABSTRACT"))': "TITLE_ABS:TREM2",
    "TREM2.ti. and english.lg.": "TITLE:TREM2 AND LANG:english",
    "TREM2.ti. and 201*.yr.": "TITLE:TREM2 AND PUB_YEAR:[2010 TO 2019]",
    "TREM2.ti. and (2012 or 2015-2016).yr.": ("TITLE:TREM2 AND (PUB_YEAR:[2012 TO 2012] OR PUB_YEAR:[2015 TO 2016])"),
    f'{SCOPUS} ( LIMIT-TO ( DOCTYPE , "ar" ) OR LIMIT-TO ( DOCTYPE , "re" ) )': (
        'TITLE_ABS:TREM2 AND (PUB_TYPE:"journal article" OR PUB_TYPE:"review")'
    ),
    f'{SCOPUS} ( LIMIT-TO ( LANGUAGE , "English" ) )': "TITLE_ABS:TREM2 AND LANG:english",
    f"{SCOPUS} ( LIMIT-TO ( PUBYEAR,2020 ) )": "TITLE_ABS:TREM2 AND PUB_YEAR:[2020 TO 2020]",
    f'{SCOPUS} ( LIMIT-TO ( DOCTYPE,"cp" ) ) AND ( EXCLUDE ( DOCTYPE,"re" ) )': 'TITLE_ABS:TREM2 NOT PUB_TYPE:"review"',
    f'{SCOPUS} ( LIMIT-TO ( DOCTYPE,"cp" ) OR LIMIT-TO ( DOCTYPE,"ar" ) )': "TITLE_ABS:TREM2",
    f'{SCOPUS} ( EXCLUDE ( DOCTYPE , "re" ) OR EXCLUDE ( DOCTYPE , "cp" ) OR EXCLUDE ( LANGUAGE , "Chinese" ) )': (
        'TITLE_ABS:TREM2 NOT (PUB_TYPE:"review" OR LANG:chinese)'
    ),
    f"{SCOPUS} ( EXCLUDE ( PUBYEAR , 2014 ) OR EXCLUDE ( PUBYEAR , 2013 ) )": (
        "TITLE_ABS:TREM2 NOT PUB_YEAR:[2013 TO 2014]"
    ),
    f'{SCOPUS} EXCLUDE ( SUBJAREA , "MEDI" )': "TITLE_ABS:TREM2",
    f"{SCOPUS} DOCTYPE ( ar OR re ) AND LANGUAGE ( english )": (
        'TITLE_ABS:TREM2 AND (PUB_TYPE:"journal article" OR PUB_TYPE:"review") AND LANG:english'
    ),
    f"{SCOPUS} NOT DOCTYPE(re OR cp)": 'TITLE_ABS:TREM2 NOT PUB_TYPE:"review"',
    f"{SCOPUS} NOT INDEX ( medline )": "TITLE_ABS:TREM2",
    "TITLE-ABS-KEY ( {innate immunity} ) AND TITLE ( tau )": 'TITLE_ABS:"innate immunity" AND TITLE:tau',
    "ABS ( tau PRE/3 amyloid ) OR KEY ( mice )": "(ABSTRACT:tau AND ABSTRACT:amyloid) OR KW:mice",
    "TS=TREM2 AND DT=(Article OR Review) AND PY=(2010-2020)": (
        'TITLE_ABS:TREM2 AND (PUB_TYPE:"journal article" OR PUB_TYPE:"review") AND PUB_YEAR:[2010 TO 2020]'
    ),
    "TS=TREM2 AND PY=(2019 OR 2020 OR 2022)": (
        "TITLE_ABS:TREM2 AND (PUB_YEAR:[2019 TO 2020] OR PUB_YEAR:[2022 TO 2022])"
    ),
    "DT=Article AND TS=TREM2": 'PUB_TYPE:"journal article" AND TITLE_ABS:TREM2',
    "TS=TREM2 AND DT=(Article OR Proceedings Paper)": "TITLE_ABS:TREM2",
    'TS=TREM2 NOT DT=("Editorial Material" OR Meeting Abstract)': 'TITLE_ABS:TREM2 NOT PUB_TYPE:"editorial"',
    "TS=(TREM2 NEAR tau) AND DOP=2020-01-01/2021-12-31": "TITLE_ABS:TREM2 AND TITLE_ABS:tau",
    "(randomized controlled trial or letter).pt. and TREM2.ti.": (
        '(PUB_TYPE:"randomized controlled trial" OR PUB_TYPE:"letter") AND TITLE:TREM2'
    ),
    "(article or review).pt. and TREM2.ti.": '(PUB_TYPE:"journal article" OR PUB_TYPE:"review") AND TITLE:TREM2',
    "(TREM2 or tau*).ti,ab,kf,dq.": "TITLE_ABS:TREM2 OR TITLE_ABS:tau*",
    "TREM2.ti,ab and tau*.ti": "TITLE_ABS:TREM2 AND TITLE:tau*",
    "TREM2.mp. [mp=title, abstract, heading word]": "TITLE_ABS:TREM2",
    "drug therapy.fs. and TREM2.ti.": '"drug therapy"[sh] AND TITLE:TREM2',
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


@pytest.mark.parametrize(
    "text",
    [
        "ABS (acrylonitrile styrene) AND recycling",
        "ALL (acute leukemia) AND children",
        "ALL(leukemia) AND mice",
        "INDEX (price) AND inflation",
    ],
)
def test_acronyms_before_parentheses_stay_words(text: str) -> None:
    assert understand(text).notes == ()


@pytest.mark.parametrize("text", ["speed limit 50 to 30 km/h accidents", "detection limit 5 to 10 ng of TREM2"])
def test_a_limit_of_the_subject_stays_words(text: str) -> None:
    assert understand(text).notes == ()
