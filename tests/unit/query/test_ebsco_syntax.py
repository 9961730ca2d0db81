"""EBSCOhost's field for years and its operators of proximity, which stand between terms as words do."""

from __future__ import annotations

import pytest

from shared.query.ebsco_syntax import read_ebsco


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("TI TREM2 AND PY 2015-2020", "TITLE:TREM2 AND PUB_YEAR:[2015 TO 2020]"),
        ("PY 2018 AND AB tau", "PUB_YEAR:[2018 TO 2018] AND ABSTRACT:tau"),
        ("AB Alzheimer N3 disease AND TI tau", "ABSTRACT:(Alzheimer disease) AND TITLE:tau"),
        ("TX (tau W5 (amyloid OR plaque))", "TITLE_ABS:(tau (amyloid OR plaque))"),
        ("vitamin N3 fatty acids AND mice", "vitamin N3 fatty acids AND mice"),
    ],
)
def test_years_and_proximity_are_no_words_to_search_for(text: str, read: str) -> None:
    found, notes = read_ebsco(text)
    assert (found, bool(notes)) == (read, text != read)
