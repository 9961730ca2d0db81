"""Comments, instructions and scripts leave no trace in a text, in time that is linear even where nothing closes."""

from __future__ import annotations

import pytest

from shared.bibliography.identifiers import read_doi
from shared.bibliography.text import plain_text
from shared.matching.title_features import title_forms
from tests.growth import MOST, growth

ENDLESS = [
    "<?",
    "<!--",
    "<script>",
    "<script ",
    "<script>x</script ",
    "<ns1:annotation>",
    "</script",
    "]]>",
    "<!-- -->",
]


@pytest.mark.parametrize(("markup", "text"), [
    ("a<!-- b -->c", "a c"),
    ("a<!-- b", "a<!-- b"),
    ("a<?b?>c<?d", "a c<?d"),
    ("a<!--<?b-->c?>", "a c?>"),
    ("<![CDATA[a]]>b", "a b"),
    ("a<script x='1'>b</SCRIPT >c", "a c"),
    ("a<script>b", "a<script>b"),
    ("a<script>b<style>c</style>d", "a<script>b d"),
    ("a<annotation-xml>b</annotation>c</annotation-xml>d", "a d"),
    ("a<ns1:annotation>b</ns2:annotation>c</ns1:annotation>d", "a d"),
])  # fmt: skip
def test_a_closed_element_is_dropped_with_its_content(markup: str, text: str) -> None:
    assert plain_text(markup) == text


@pytest.mark.slow
@pytest.mark.parametrize("piece", ENDLESS)
def test_an_unclosed_element_takes_linear_time(piece: str) -> None:
    assert growth(lambda size: plain_text(piece * size), 8_000) < MOST


def test_a_long_title_takes_linear_time() -> None:
    assert growth(lambda size: title_forms("[" * size), 80_000) < MOST


def test_an_entity_of_endless_digits_is_no_character() -> None:
    endless = "&#" + "9" * 5_000 + ";"
    assert plain_text(f"a{endless}b &#65;") == "a\ufffdb A"
    assert read_doi(f"10.1000/a{endless}b") is None  # longer than any DOI
    assert read_doi("10.1000/a&#" + "9" * 1_000 + ";b") == "10.1000/a\ufffdb"
