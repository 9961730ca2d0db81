"""Searches copied from IEEE Xplore, the ACM Digital Library and Engineering Village. Expectations: their help pages."""

from __future__ import annotations

import pytest

from shared.query.understanding import understand


@pytest.mark.parametrize(("text", "same"), [
    ('("Document Title":"edge computing" OR "Abstract":edge) AND "All Metadata":latency',
     '(TITLE:"edge computing" OR ABSTRACT:edge) AND TITLE_ABS:latency'),
    ('"Document Title":edge computing AND "Author Keywords":(latency OR delay)',
     "TITLE:(edge computing) AND KW:(latency OR delay)"),
    ('[[Title: "edge computing"] OR [Abstract: edge]] AND [All: latency]',
     '(TITLE:"edge computing" OR ABSTRACT:edge) AND TITLE_ABS:latency'),
    ("((edge computing) WN KY) AND ({latency} WN TI) AND (2015-2020 WN YR)",
     'TITLE_ABS:(edge computing) AND TITLE:"latency" AND PUB_YEAR:[2015 TO 2020]'),
    ("[Title: edge] AND [E-Publication Date: (01/01/2020 TO 12/31/2023)]", "TITLE:edge AND PUB_YEAR:[2020 TO 2023]"),
])  # fmt: skip
def test_their_fields_are_those_of_this_service(text: str, same: str) -> None:
    assert understand(text).node == understand(same).node
    assert understand(text).notes


@pytest.mark.parametrize(
    "text", ['The "Title": on naming', '"Abstract": a study', "Title: [sic] in citations", "[Title: Dr] Smith"]
)
def test_the_same_names_in_a_sentence_are_words(text: str) -> None:
    assert not any("as TITLE" in note or "as ABSTRACT" in note for note in understand(text).notes)
