"""Ages, and the time in which a question expects an answer: no engine compares them."""

from __future__ import annotations

import pytest

from shared.query.telling_words import telling_words


@pytest.mark.parametrize(("text", "telling"), [
    ("patients aged 65 years and older with hip fracture", "patients older hip fracture"),
    ("adults 65 and older falls", "adults older falls"),
    ("adults aged 65+ falls prevention", "adults falls prevention"),
    ("elderly over the age of 65 polypharmacy", "elderly polypharmacy"),
    ("women aged between 18 and 45 with PCOS", "women PCOS"),
    ("children aged 5-12 years with ADHD", "children ADHD"),
    ("children 5 to 12 years old with obesity", "children obesity"),
    ("adolescents (12-18 years) with anorexia", "adolescents anorexia"),
    ("does yoga compared to no exercise reduce falls within 6 months?", "yoga exercise falls"),
    ("does early walking prevent thrombosis over a 3-month period?", "early walking prevent thrombosis"),
    # subjects
    ("the aged in 12 countries", "aged 12 countries"),
    ("readmission within 30 days of heart failure", "readmission 30 days heart failure"),
    ("a 12-week program for adults", "12-week program adults"),
])  # fmt: skip
def test_a_limit_is_no_word_to_search_for(text: str, telling: str) -> None:
    assert telling_words(text) == tuple(telling.split())
