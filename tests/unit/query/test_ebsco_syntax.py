"""EBSCOhost's field for years and its operators of proximity, which stand between terms as words do."""

from __future__ import annotations

import pytest

from shared.query.ebsco_syntax import read_ebsco
from shared.query.understanding import understand


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("TI TREM2 AND PY 2015-2020", "TITLE:TREM2 AND PUB_YEAR:[2015 TO 2020]"),
        ("PY 2018 AND AB tau", "PUB_YEAR:[2018 TO 2018] AND ABSTRACT:tau"),
        ("AB Alzheimer N3 disease AND TI tau", "ABSTRACT:(Alzheimer disease) AND TITLE:tau"),
        ("TX (tau W5 (amyloid OR plaque))", "TITLE_ABS:(tau (amyloid OR plaque))"),
        ("TI (tau) AND AB ( plaque* N3 disease )", "TITLE:(tau) AND ABSTRACT:( plaque* disease )"),
        ("PY 2015- AND TI tau", "PUB_YEAR:[2015 TO 2099] AND TITLE:tau"),
        ("TI tau AND DT 20150101-20201231", "TITLE:tau AND PUB_YEAR:[2015 TO 2020]"),
        ("vitamin N3 fatty acids AND mice", "vitamin N3 fatty acids AND mice"),
    ],
)
def test_years_and_proximity_are_no_words_to_search_for(text: str, read: str) -> None:
    found, notes = read_ebsco(text)
    assert (found, bool(notes)) == (read, text != read)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            "(TI tau or AB tau or MH amyloid plaques or PT clinical trial)",
            '(TITLE:tau OR ABSTRACT:tau OR "amyloid plaques"[mh] OR PUB_TYPE:"clinical trial")',
        ),
        ('(MM "Rats") OR (MH "Mice+/DT")', '("Rats"[majr]) OR ("Mice/DT"[mh])'),
        ('(MH "Mice+" not MM "Mice+")', '("Mice"[mh] NOT "Mice"[majr])'),
        ('MH ("Mice+" OR "Rats") AND JN "Nature"', '("Mice"[mh] OR "Rats"[mh]) AND JOURNAL:"Nature"'),
        ("TI tau NOT PT (letter OR book review)", 'TITLE:tau NOT PUB_TYPE:"letter"'),
        ("TI tau AND PT (letter OR book review)", "TITLE:tau AND "),
        ("TI tau AND LA English", "TITLE:tau AND LANG:english"),
        (
            "TI tau Limiters - Published Date: 20150101-20201231; Peer Reviewed Search modes - Boolean/Phrase",
            "(TITLE:tau) AND PUB_YEAR:[2015 TO 2020]",
        ),
    ],
)
def test_fields_types_and_limiters_are_terms(text: str, read: str) -> None:
    found, notes = read_ebsco(text)
    assert found == read
    assert notes


@pytest.mark.parametrize(
    "text",
    [
        "MM cells AND lenalidomide", "DE genes AND cancer", "SO coupling AND graphene", "AB blood groups AND malaria",
        'PT symmetry AND "non-Hermitian"', "blood groups A or AB and O",
    ],
)  # fmt: skip
def test_a_code_that_may_be_an_acronym_is_a_word_if_it_is_alone(text: str) -> None:
    assert read_ebsco(text) == (text, [])


def test_an_operator_beside_a_type_without_an_equal_is_left_out() -> None:
    assert understand("TI tau AND PT (letter OR book review)").node == understand("TITLE:tau").node
