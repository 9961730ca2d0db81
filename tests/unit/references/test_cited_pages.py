"""How the pages that are cited compare with a paper's.

MEDLINE cites `117-27` for 117-127 (https://www.nlm.nih.gov/bsd/uniform_requirements.html: `284-7`, `284A-287A`,
`iii-v`, `S93-9`). The Lancet has pages `e130-e134` that are none of 130-134; Elsevier's supplements have
`.e5` behind them.
"""

from __future__ import annotations

import pytest

from shared.references.cited_pages import SamePages, compare_pages

SAME = [
    ("117-27", "117-127"), ("117-7", "117-117"), ("117", "117-117"), ("1175-81", "1175-1181"), ("284–7", "284-287"),
    ("525 - 535", "525-535"), ("pp. 525--535", "525-535"), ("s93-9", "S93-S99"), ("S93-S99", "93-99"),
    ("284A-287A", "284-287"), ("e20391", "20391"), ("E194-204", "e194-e204"), ("1061-71", "1061-1071.e5"),
    ("xiii-xv", "xiii-xv"), ("041002", "41002"), ("117", "117"),
]  # fmt: skip
OTHER = [
    ("117-28", "117-127"), ("117-9", "117-127"), ("116-127", "117-127"), ("117-16", "117-127"), ("e117", "117-127"),
    ("e117-e127", "117-127"), ("118", "117-127"), ("117-127", "e117"), ("S93-S98", "93-99"), ("1061-70", "1061-71.e5"),
]  # fmt: skip
FIRST_ALONE = [
    ("117", "117-127"), ("117-127", "117"), ("S117", "117-127"), ("117-20, 125", "117-127"), ("117-127", "117-16"),
    ("xiii-xvi", "xiii-xv"),
]  # fmt: skip


@pytest.mark.parametrize(("cited", "found"), SAME)
def test_pages_are_the_same_however_they_are_written(cited: str, found: str) -> None:
    assert compare_pages(cited, found) is SamePages.ALL
    assert compare_pages(found, cited) is SamePages.ALL


@pytest.mark.parametrize(("cited", "found"), OTHER)
def test_another_first_or_last_page_differs(cited: str, found: str) -> None:
    assert compare_pages(cited, found) is SamePages.NO


@pytest.mark.parametrize(("cited", "found"), FIRST_ALONE)
def test_where_one_last_page_is_unknown_the_first_is_compared(cited: str, found: str) -> None:
    assert compare_pages(cited, found) is SamePages.FIRST
