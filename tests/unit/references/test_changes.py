"""What a check writes into a reference: only what differs from it in words."""

from __future__ import annotations

from typing import Any, cast

import pytest

from shared.documents.document import Entry, EntryFields
from shared.reference_checks.corrections import changes_of, comment_on

TITLE = "Variants of TREM2: a risk"


def entry_of(fields: EntryFields) -> Entry:
    return Entry(number=0, start=0, end=1, raw="x", line="x", label=None, fields=fields, is_tagged=True)


@pytest.mark.parametrize(("printed", "changed"), [("Variants of TREM2 – A risk", False), ("Variants of TREM", True)])
def test_a_title_of_the_same_words_is_no_change(printed: str, changed: bool) -> None:
    entry = entry_of(EntryFields(title=printed))
    resolved: Any = {"status": "matched", "paper": {"title": TITLE}, "fields": {"title": {"verdict": "differs"}}}
    assert changes_of(entry, cast("Any", resolved)) == ({"title": TITLE} if changed else {})


def test_a_reference_of_too_little_gets_the_advice_as_its_comment() -> None:
    resolved: Any = {"status": "ambiguous", "paper": None, "candidates": [], "reason": "give the title as well"}
    assert comment_on(entry_of(EntryFields()), cast("Any", resolved), {}) == "give the title as well"
