"""The expressions of docs/ways-of-asking.md, read by luqum, a parser of Lucene's language that others wrote."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

parser = pytest.importorskip("luqum.parser").parser

DOCUMENT = Path(__file__).parents[2] / "docs" / "ways-of-asking.md"
_OPENALEX = re.compile(r"<code>search\.?[a-z_.]*=(.*?)</code>")
_EUROPE_PMC = re.compile(r"Europe PMC: <code>(.*?)</code>")
_OPERATORS = re.compile(r'"|\b(?:AND|OR|NOT)\b')


def expressions(pattern: re.Pattern[str]) -> list[str]:
    found = (
        html.unescape(text).removesuffix(" (synonym=true)") for text in pattern.findall(DOCUMENT.read_text("utf-8"))
    )
    return sorted({text for text in found if _OPERATORS.search(text) and not text.endswith("…")})


@pytest.mark.parametrize(("pattern", "fewest"), [(_OPENALEX, 40), (_EUROPE_PMC, 100)], ids=["OpenAlex", "Europe PMC"])
def test_every_expression_of_the_document_is_lucene(pattern: re.Pattern[str], fewest: int) -> None:
    found = expressions(pattern)
    assert len(found) >= fewest
    refused = {}
    for text in found:
        try:
            parser.parse(text)
        except Exception as error:
            refused[text] = str(error)
    assert refused == {}
