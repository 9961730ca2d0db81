"""The formats are named where people read of them, and each text agrees with the code."""

from __future__ import annotations

import re

from shared.documents.document import READ_ONLY, DocumentFormat
from tests.source_tree import ROOT

ROW = re.compile(r"\| ((?:`[a-z-]+`(?:, )?)+) \|.*\| (yes|no) \|")


def test_the_documentation_says_of_each_format_whether_it_is_corrected() -> None:
    rows = ROW.findall((ROOT / "docs/known-papers.md").read_text(encoding="utf-8"))
    stated = {name: corrected for names, corrected in rows for name in re.findall("[a-z-]+", names)}
    assert stated == {it.value: "no" if it in READ_ONLY else "yes" for it in DocumentFormat}


def test_the_page_offers_no_corrected_document_where_nothing_is_written() -> None:
    source = (ROOT / "functions/public_pages/web/src/views/references.tsx").read_text(encoding="utf-8")
    (names,) = re.findall(r"const READ_ONLY = new Set\(\[(.*?)\]\);", source)
    assert set(re.findall('"(.*?)"', names)) == READ_ONLY
