"""References that a list names twice: with one DOI, or with one title, year and first author."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shared.bibliography.words import words_of
from shared.documents.document import Entry, ReadingWarning

FEWEST_WORDS = 4  # of a title: many pieces of a journal are an `Editorial`
Identity = tuple[str, ...]


def repetitions(entries: Sequence[Entry]) -> Iterator[ReadingWarning]:
    """A warning for each entry that repeats an earlier one, with the numbers of both, counted from 1."""
    first: dict[Identity, int] = {}
    for entry in entries:
        names = _identities(entry)
        earlier = [first[name] for name in names if name in first]
        if earlier:
            yield ReadingWarning(f"reference {entry.number + 1} repeats reference {min(earlier) + 1}", entry.start)
        for name in names:
            first.setdefault(name, entry.number)


def _identities(entry: Entry) -> list[Identity]:
    fields = entry.fields
    words = words_of(fields.title or "")
    author = words_of(fields.authors[0].display)[:1] if fields.authors else []
    found: list[Identity] = [("doi", fields.doi.lower())] if fields.doi else []
    if len(words) >= FEWEST_WORDS and fields.year:
        found.append(("title", " ".join(words), str(fields.year), *author))
    return found
