"""Terms that would name something else without a word that is generic elsewhere."""

from __future__ import annotations

import pytest

from shared.query.telling_words import telling_words


@pytest.mark.parametrize(("text", "telling"), [
    ("evidence based practice in nursing", "evidence based practice nursing"),
    ("problem based learning in medical education", "problem based learning medical education"),
    ("return to work after stroke", "return work stroke"),
    ("bullying at work in nurses", "bullying work nurses"),
    ("importance of play in early childhood", "importance play early childhood"),
    ("root cause analysis in hospitals", "root cause analysis hospitals"),
    ("New Testament ethics and slavery", "New Testament ethics slavery"),
    ("mixed methods in nursing", "mixed methods nursing"),
    # without such a term
    ("What role does sleep play in memory?", "sleep memory"),
    ("evidence of a new method for the analysis of sleep", "sleep"),
])  # fmt: skip
def test_a_term_keeps_its_generic_word(text: str, telling: str) -> None:
    assert telling_words(text) == tuple(telling.split())
