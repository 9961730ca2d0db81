"""Which value of each field wins among the records of one paper.

A field without an entry in `_RULES` follows the default rule: the value that most providers state wins, then the first
one in the fixed order of the records. Published records decide; preprints only where no published record has a value,
and never where an article is printed: `arXiv` is not a journal of a paper that has a publisher's DOI.
"Most" counts providers, however many records each returned. Every rule ends in the fixed order of the records, so the
order in which they arrived never matters. `provenance[field]` lists the providers that state the winning value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any

from shared.bibliography.paper import Author, MergedPaper, Paper, RecordId
from shared.matching.title_features import read_title
from shared.merging.draft import Draft
from shared.merging.ids import merged_ids
from shared.merging.open_access import merged_open_access
from shared.merging.pool import Choice, Pool, Provenance, best, most_agreed, providers, votes_of
from shared.merging.retractions import merged_retraction
from shared.merging.versions import versions_of

Rule = Callable[[Pool], Choice[Any]]
_SPECIFIC_FIRST = (
    "retraction-notice", "erratum", "editorial", "letter", "randomized-controlled-trial", "clinical-trial",
    "clinical-trial-registration",
    "meta-analysis", "systematic-review", "review", "book-chapter",
    "conference-paper", "dissertation", "dataset", "report", "book", "journal-article", "other", "preprint",
)  # fmt: skip


def draft_of(pool: Pool, record_ids: tuple[RecordId, ...]) -> Draft:
    """Merge the records of one paper, as far as nothing depends on the other papers of the answer."""
    values, provenance = _stated(pool)
    for name, merge_field in _WITH_OWN_PROVENANCE.items():
        values[name], its_provenance = merge_field(pool)
        provenance |= its_provenance
    ids, its_provenance = merged_ids(pool)
    provenance |= its_provenance
    return Draft(pool.records, record_ids, ids, provenance, values)


def _stated(pool: Pool) -> tuple[dict[str, Any], dict[str, tuple[str, ...]]]:
    """The value of each field that has one, and its providers.

    Most fields of most papers are undisputed: all records state one value, or none does. Rules decide the others.
    """
    stating = providers(pool.published)
    values: dict[str, Any] = {}
    provenance: dict[str, tuple[str, ...]] = {}
    for (name, rule), stated in zip(_RULES.items(), zip(*map(_READ, pool.records), strict=False), strict=True):
        first = stated[0]
        undisputed = stated.count(first) == len(stated)
        if undisputed and (first is None or first == ()) and name not in _STATED_ELSEWHERE:
            continue
        value, names = (first, stating) if undisputed and first and name in _AS_STATED else rule(pool)
        if value is not None:
            values[name] = value
        if names:
            provenance[name] = names
    return values, provenance


def title(pool: Pool) -> Choice[str]:
    """The title whose letters most providers agree on, in its best spelling."""
    records = pool.published
    if all(record.title == records[0].title for record in records):
        return records[0].title, providers(records)
    letters = {record.title: read_title(record.title).compact for record in records}
    votes = votes_of([(letters[record.title], record.provider) for record in records])

    def preference(text: str) -> tuple[int, bool, bool, bool, int, str]:
        return -votes[letters[text]], text.isupper(), text.startswith("["), text.endswith("."), -len(text), text

    winner = min(letters, key=preference)
    return winner, providers(record for record in records if letters[record.title] == letters[winner])


def _most_agreed(name: str) -> Rule:
    """The value that most providers state; of equally many the first."""
    read = attrgetter(name)
    return lambda pool: most_agreed(pool.values(read))


def _best(name: str, preference: Callable[[Any], Any]) -> Rule:
    """The value with the least preference, however many providers state it."""
    read = attrgetter(name)
    return lambda pool: best(pool.values(read), preference)


def _printed(name: str, preference: Callable[[Any], Any] | None = None) -> Rule:
    """The value that most providers state of an article's place; a preprint's is none where the article has an id."""
    read = attrgetter(name)

    def rule(pool: Pool) -> Choice[str]:
        if len(pool.published) == len(pool.records) or not any(it.ids.doi or it.ids.pmid for it in pool.published):
            return most_agreed(pool.values(read), preference)
        return most_agreed([(value, it.provider) for it in pool.published if (value := read(it))], preference)

    return rule


def _largest(name: str) -> Rule:
    """The largest number of all records, also of preprints: every index misses citations, none invents them."""
    read = attrgetter(name)

    def rule(pool: Pool) -> Choice[int]:
        numbers = [(value, record.provider) for record in pool.records if (value := read(record)) is not None]
        return best(numbers, lambda value: -value)

    return rule


def _longest(text: str) -> int:
    return -len(text)


def _fullest(authors: Sequence[Author]) -> tuple[int, int]:
    """The longest list; of equally long ones, the one with more given names in full."""
    full = sum(1 for author in authors if len((author.given or "").split(" ")[0].strip(".")) > 1)
    return -len(authors), -full


def _most_specific(kind: str) -> int:
    return _SPECIFIC_FIRST.index(kind) if kind in _SPECIFIC_FIRST else len(_SPECIFIC_FIRST)


def _whole_and_longest(abstract: str) -> tuple[bool, int]:
    return abstract.endswith(("…", "...")), -len(abstract)


def _year(pool: Pool) -> Choice[int]:
    """The year that most providers state, then the earliest."""
    return most_agreed(
        pool.values(lambda it: it.year or (int(it.publication_date[:4]) if it.publication_date else None)),
        lambda year: year,
    )


def _registrations(pool: Pool) -> Choice[tuple[str, ...]]:
    """Those that any record states: each source lacks some."""
    stating = [record for record in pool.records if record.registrations]
    return tuple(sorted({key for record in stating for key in record.registrations})) or None, providers(stating)


_authors = _best("authors", _fullest)
_stated_author_count = _largest("author_count")


def _author_count(pool: Pool) -> Choice[int]:
    """The largest number stated, never less than the authors listed; None if every list may be truncated."""
    count = _stated_author_count(pool)
    if count[0] is None:
        return count
    listed = max((len(authors) for authors, _ in pool.values(attrgetter("authors"))), default=0)
    return count if count[0] >= listed else (listed, _authors(pool)[1])


def _publication_date(pool: Pool) -> Choice[str]:
    """Of the dates in the winning year the most exact, then the most agreed, then the earliest."""
    year, _ = _year(pool)
    dates = pool.values(lambda it: it.publication_date if (it.publication_date or "")[:4] == str(year) else None)
    votes = votes_of(dates)
    return best(dates, lambda date: (-len(date), -votes[date], date))


def _citation_counts(pool: Pool) -> tuple[dict[str, int], Provenance]:
    """The counts side by side: for each provider the largest of its records."""
    counts: dict[str, int] = {}
    for record in pool.records:
        if record.citation_count is not None:
            counts[record.provider] = max(record.citation_count, counts.get(record.provider, 0))
    return counts, {"citation_counts": tuple(counts)} if counts else {}


_WITH_OWN_PROVENANCE: dict[str, Callable[[Pool], tuple[Any, Provenance]]] = {
    "citation_counts": _citation_counts,
    "open_access": merged_open_access,
    "retraction": merged_retraction,
}
_DEFAULTS = {
    name: _most_agreed(name)
    for name in (field.name for field in fields(MergedPaper))
    if name in {field.name for field in fields(Paper)} - set(_WITH_OWN_PROVENANCE) - {"ids"}
}
_RULES: dict[str, Rule] = _DEFAULTS | {
    "title": title,
    "authors": _authors,
    "author_count": _author_count,
    "year": _year,
    "publication_date": _publication_date,
    "journal": _printed("journal", _longest),  # names in full
    "volume": _printed("volume"),
    "issue": _printed("issue"),
    "pages": _printed("pages", _longest),  # ranges before first pages
    "type": _best("type", _most_specific),
    "abstract": _best("abstract", _whole_and_longest),
    "tldr": _best("tldr", _longest),
    "citation_count": _largest("citation_count"),
    "influential_citation_count": _largest("influential_citation_count"),
    "versions": versions_of,
    "registrations": _registrations,
}
_READ: Callable[[Paper], tuple[Any, ...]] = attrgetter(*_RULES)
# Fields whose rule keeps a value on which all records agree; the others count, complete or compare it with more.
_AS_STATED = frozenset(
    ("title", "authors", "year", "journal", "volume", "issue", "pages", "type", "language", "abstract", "tldr")
)
_STATED_ELSEWHERE = frozenset(("year", "versions"))  # what a record without a value may state by other fields
