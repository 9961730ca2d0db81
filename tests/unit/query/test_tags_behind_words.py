"""One of PubMed's tags for filters belongs to the type, the language or the years before it, not to all words."""

from __future__ import annotations

import pytest

from shared.query.syntax import leaves
from shared.query.understanding import understand


@pytest.mark.parametrize(("text", "same"), [
    ("stroke review[pt]", "stroke AND review[pt]"),
    ("stroke randomized controlled trial[pt]", "stroke AND randomized controlled trial[pt]"),
    ("stroke english[la] review[pt]", "stroke AND english[la] AND review[pt]"),
    ("stroke AND aspirin 2020[dp]", "stroke AND aspirin AND 2020[dp]"),
    ("stroke 2015:2020[dp]", "stroke AND 2015:2020[dp]"),
    ("stroke NOT aspirin review[pt]", "stroke NOT aspirin AND review[pt]"),
    ("stroke free full text[sb]", "stroke AND free full text[sb]"),
    ("stroke humans[filter]", "stroke AND humans[filter]"),
    ("COVID 19 2020[dp]", "COVID 19 AND 2020[dp]"),
    ("stroke 2015 Jan[dp]", "stroke AND 2015 Jan[dp]"),
    ("stroke practice guideline[pt]", "stroke AND practice guideline[pt]"),
    ("stroke clinical trial, phase iii[pt]", "stroke AND clinical trial, phase iii[pt]"),
    ("stroke middle aged[filter]", "stroke AND middle aged[filter]"),
    ("breast cancer humans[mh]", "breast cancer AND humans[mh]"),
    ("stroke young adult[mesh terms] AND tau", "stroke AND young adult[mesh terms] AND tau"),
    ("stroke 2015[pdat]:2020[pdat]", "stroke AND 2015:2020[pdat]"),
    ("2015/01/01[pdat] : 3000[pdat] stroke", "2015/01/01:3000[pdat] AND stroke"),
])  # fmt: skip
def test_words_before_what_is_tagged_are_searched_for(text: str, same: str) -> None:
    assert understand(text).node == understand(same).node


@pytest.mark.parametrize("text", [
    "case reports[pt]", "pragmatic clinical trial[pt]", "clinical trial, phase iii[pt]", "heart stroke[ti]",
    "2015 Jan[dp]", "young adult[filter]",
    "young adult[mh]", "stem cells, adult[mh]", "only child[mh]", "adult stem cells[mh]",
])  # fmt: skip
def test_a_tag_for_all_words_before_it_stays_theirs(text: str) -> None:
    assert [it.text for it in leaves(understand(text).node)] == [text.partition("[")[0]]


@pytest.mark.parametrize(("text", "same"), [
    ("(stroke OR tau)[tiab] AND mice", "(stroke[tiab] OR tau[tiab]) AND mice"),
    ('((stroke OR "old age") AND tau[ti]) [tw]', '(stroke[tw] OR "old age"[tw]) AND tau[ti]'),
    ("tau not (mice or rats)[mh]", "tau NOT (mice[mh] OR rats[mh])"),
    ("(stroke)[ti]", "stroke[ti]"),
])  # fmt: skip
def test_a_tag_behind_a_group_is_that_of_each_term_without_one(text: str, same: str) -> None:
    assert understand(text).node == understand(same).node
