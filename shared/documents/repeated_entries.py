"""References that a list names twice: with one DOI, or with one title, year and first author.

Two that have one DOI and quite different titles may be two papers, of which one has the wrong DOI.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from shared.bibliography.words import words_of
from shared.documents.document import Entry, ReadingWarning

MIN_LIKENESS = 60  # of the titles of one paper, in percent
FEWEST_WORDS = 4  # of a title: many pieces of a journal are an `Editorial`
Identity = tuple[str, ...]


def repetitions(entries: Sequence[Entry]) -> Iterator[ReadingWarning]:
    """A warning for each entry that repeats an earlier one, with the numbers of both, counted from 1."""
    known: dict[Identity, list[Entry]] = {}
    for entry in entries:
        names = _identities(entry)
        named = sorted({it.number: it for name in names for it in known.get(name, ())}.items())
        if found := next((it for _, it in named if _may_be_one(entry, it)), None):
            yield ReadingWarning(f"reference {entry.number + 1} repeats reference {found.number + 1}", entry.start)
            continue  # what repeats the repetition repeats the first
        if named:
            what = f"has the DOI of reference {named[0][0] + 1}, and another title"
            yield ReadingWarning(f"reference {entry.number + 1} {what}", entry.start)
        for name in names:
            known.setdefault(name, []).append(entry)


def _may_be_one(a: Entry, b: Entry) -> bool:
    """Whether their titles are alike, or one is not known or too short to tell."""
    one, other = words_of(a.fields.title or ""), words_of(b.fields.title or "")
    if min(len(one), len(other)) < FEWEST_WORDS:
        return True
    return fuzz.token_set_ratio(" ".join(one), " ".join(other)) >= MIN_LIKENESS


def _identities(entry: Entry) -> list[Identity]:
    fields = entry.fields
    words = words_of(fields.title or "")
    author = words_of(fields.authors[0].display)[:1] if fields.authors else []
    found: list[Identity] = [("doi", fields.doi.lower())] if fields.doi else []
    if len(words) >= FEWEST_WORDS and fields.year:
        found.append(("title", " ".join(words), str(fields.year), *author))
    return found
