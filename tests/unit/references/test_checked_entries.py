"""Entries of a document as references to resolve: within the bounds of the request, whatever they hold."""

from __future__ import annotations

import pytest

from shared.bibliography.paper import Author
from shared.documents.document import Entry, EntryFields
from shared.papers.reference_request import Reference
from shared.reference_checks.entries import reference_of

LONG = "a" * 20_000


@pytest.mark.parametrize("tagged", [True, False])
@pytest.mark.parametrize("fields", [
    EntryFields(),
    EntryFields(title=LONG, authors=(Author(LONG, LONG, LONG),) * 500, year=99_999, journal=LONG, volume=LONG,
                pages=LONG, doi=f"10.1/{LONG}", pmid="9" * 50, arxiv=LONG),
    EntryFields(title="A title", year=3),
])  # fmt: skip
def test_any_entry_is_a_valid_reference_or_none(fields: EntryFields, tagged: bool) -> None:
    for line in (LONG, "Smith J. A title. 2020."):
        entry = Entry(number=0, start=0, end=1, raw="", line=line, label=None, fields=fields, is_tagged=tagged)
        reference = reference_of(entry)
        assert reference
        Reference.model_validate(reference)
