"""What a check writes into a reference: only what differs from it in words."""

from __future__ import annotations

from typing import Any, cast

import pytest

from shared.documents.document import Entry, EntryFields
from shared.reference_checks.corrections import changes_of

TITLE = "Variants of TREM2: a risk"


@pytest.mark.parametrize(("printed", "changed"), [("Variants of TREM2 – A risk", False), ("Variants of TREM", True)])
def test_a_title_of_the_same_words_is_no_change(printed: str, changed: bool) -> None:
    fields = EntryFields(title=printed)
    entry = Entry(number=0, start=0, end=1, raw="x", line="x", label=None, fields=fields, is_tagged=True)
    resolved: Any = {"status": "matched", "paper": {"title": TITLE}, "fields": {"title": {"verdict": "differs"}}}
    assert changes_of(entry, cast("Any", resolved)) == ({"title": TITLE} if changed else {})
