"""Sentences end where readers see their ends."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.bibliography.sentences import sentences

TEXTS = {
    "abbreviations": "Smith et al. found A. thaliana.|Cells grow (e.g. in mice).|We conclude.",
    "numbers of figures": "See Fig. 2 and Figs. S1 for this.|Eq. (3) holds.|Table 1 has it.",
    "an answer of one word": "The answer is no.|We repeat it.",
    "decimals": "The error was 0.96 angstrom vs. 3.4 before.|It fell by 12.5%.",
    "citations behind the stop": "Plaques grow.[1,2]|Microglia eat them.[3–5]|Others differ [6].|The end.",
    "quotes and questions": "“Why now?”|Nobody knows.|It works!|(So we say.)|End.",
    "two languages": "Une idée simple.|¿Por qué no?|Así es.",
    "no blanks": "小胶质细胞。|吞噬斑块！|为什么？",
    "an initial": "J. Smith wrote it.|B. Jones did not.",
    "lower case goes on": "The U.S. and approx. half of it.|So.",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_divided_at_the_ends_of_sentences(name: str) -> None:
    expected = TEXTS[name].split("|")
    text = ("" if name == "no blanks" else " ").join(expected)
    assert [text[first:last] for first, last in sentences(text)] == expected


@given(st.text(alphabet="aB1.!? \n()[]\"'。", max_size=200))
def test_sentences_are_in_order_and_leave_out_blanks_alone(text: str) -> None:
    places = list(sentences(text))
    assert all(first <= last for first, last in places)
    around = [(0, 0), *places, (len(text), 0)]
    left_out = "".join(text[end:start] for (_, end), (start, _) in pairwise(around))
    assert not left_out.strip()
