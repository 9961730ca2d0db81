"""ProQuest's fields, which stand before parentheses: read where they have an equal, else left out with a note."""

from __future__ import annotations

import pytest

from shared.query.proquest_syntax import read_proquest
from shared.query.understanding import understand

DEPRESSION = '("Depression"[mh:noexp] OR TITLE_ABS:"Depression")'


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            'SU.EXACT("Depression") AND ti(mindfulness) AND pd(20150101-20201231)',
            f"{DEPRESSION} AND TITLE:(mindfulness) AND PUB_YEAR:[2015 TO 2020]",
        ),
        ("ti,ab(tau OR amyloid) and noft(mice)", "TITLE_ABS:(tau OR amyloid) AND TITLE_ABS:(mice)"),
        ("TI((tau OR amyloid) AND mice)", "TITLE:((tau OR amyloid) AND mice)"),
        ('MESH.EXACT.EXPLODE("Asthma") NOT ab("tau (b)")', '"Asthma"[mh] NOT ABSTRACT:("tau (b)")'),
        ("su(asthma OR cough*)", '(("asthma"[mh] OR TITLE_ABS:"asthma") OR TITLE_ABS:(cough*))'),
        ('MJMAINSUBJECT.EXACT("Asthma")', '("Asthma"[majr] OR TITLE_ABS:"Asthma")'),
        (
            'au("Segal, Zindel" OR Teasdale J*) AND pub(Nature)',
            'AUTH:("Segal, Zindel" OR "Teasdale J") AND JOURNAL:("Nature")',
        ),
        ("ti(tau) AND la(english) AND dtype(review)", 'TITLE:(tau) AND LANG:(english) AND PUB_TYPE:"review"'),
        ("ab(tau N/3 amyloid) AND ft(mice)", "ABSTRACT:(tau AND amyloid) AND (mice)"),
        (
            'ti(tau) NOT dtype("book review" OR review)',
            'TITLE:(tau) NOT PUB_TYPE:"review"',
        ),
        ('ti(tau) AND diskw(mice) NOT cc.exact("1234")', "TITLE:(tau) AND KW:(mice) NOT "),
        ("ti(tau) w/3 ti(amyloid)", "TITLE:(tau) AND TITLE:(amyloid)"),
        ("ti(tau) PRE/2 ti(amyloid)", "TITLE:(tau) AND TITLE:(amyloid)"),
        ('ti(tau) AND stype("Scholarly Journals")', "TITLE:(tau) AND "),
        ("tau AND pd(>2015)", "tau AND PUB_YEAR:[2016 TO 2099]"),
        ("tau AND yr(<=2015)", "tau AND PUB_YEAR:[1800 TO 2015]"),
        ("tau AND pd(20150301-20160430)", "tau AND FIRST_PDATE:[2015-03-01 TO 2016-04-30]"),
        ("tau AND pd(2015-07-01-)", "tau AND FIRST_PDATE:[2015-07-01 TO 2099]"),
    ],
)
def test_fields_become_this_services_tags_with_a_note(text: str, read: str) -> None:
    found, notes = read_proquest(text)
    assert found == read
    assert notes


@pytest.mark.parametrize(
    "text",
    [
        "Ti(OH)4 photocatalysis", "AB(1-42) aggregation", "AB(1-42) AND tau", "TI(IV) AND catalysis",
        "Au(III) AND catalysis", "HLA AB(alpha) matching", "ti(tau", "pd(20151301) AND tau", '"see ti(tau) here"',
        "TREM2 NEAR/3 tau",
    ],
)  # fmt: skip
def test_words_before_parentheses_stay_words(text: str) -> None:
    assert read_proquest(text) == (text, [])


def test_an_operator_beside_what_is_left_out_is_left_out_too() -> None:
    assert understand('stype("Scholarly Journals") AND ti(tau)').node == understand("TITLE:tau").node
