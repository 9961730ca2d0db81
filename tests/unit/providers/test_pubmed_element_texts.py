"""The text of an element is read alike whether the element has children or not."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

import pytest

from shared.providers.records.medline_fields import read_text

TEXTS = (
    "", " ", "plain", "a < b & c > d", "&amp;", "&lt;i&gt;in vitro&lt;/i&gt;", "</AbstractText>", "p<0.05 <b>bold</b>",
    "<ns0:annotation>x</ns0:annotation>", "1\u00a0µm\r\n2", "]]>", "<!-- no -->",
)  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_an_element_without_children_reads_as_one_with_an_empty_child(text: str) -> None:
    alone, parent = Element("Title"), Element("Title", Label="x > y")
    alone.text = parent.text = text
    alone.tail = "tail </x>"
    SubElement(parent, "sup")
    assert read_text(alone) == read_text(parent)
