"""Which value of each field wins among the records of one paper: one small function for each rule of `merging`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from shared.bibliography.paper import Author, Paper, Retraction, RetractionStatus
from shared.matching.title_features import read_title
from shared.merging.open_access import merged_open_access
from shared.merging.pool import Found, Pool, best, most_agreed, providers, votes_of
from shared.merging.versions import versions_of

Values = dict[str, Any]  # field -> value
Provenance = dict[str, tuple[str, ...]]  # field -> the providers of its value

_GRAVITY = (
    RetractionStatus.RETRACTED, RetractionStatus.CONCERN, RetractionStatus.CORRECTED, RetractionStatus.NONE,
    RetractionStatus.UNKNOWN,
)  # fmt: skip
_SPECIFIC_FIRST = (
    "retraction-notice", "erratum", "editorial", "letter", "clinical-trial", "review", "book-chapter",
    "conference-paper", "dissertation", "dataset", "report", "book", "journal-article", "other", "preprint",
)  # fmt: skip


def merged_fields(pool: Pool) -> tuple[Values, Provenance]:
    """The values of all fields but key, ids and records; and the provenance of every field that has a value."""
    found = {name: rule(pool) for name, rule in _RULES.items()}
    found["author_count"] = _author_count(found["author_count"], found["authors"])
    found["publication_date"] = _publication_date(pool, found["year"][0])
    values = {name: value for name, (value, _) in found.items()}
    values["authors"] = values["authors"] or ()
    provenance = {name: names for name, (_, names) in found.items() if names}
    values["open_access"], free = merged_open_access(pool)
    values["retraction"], standing = _retraction(pool)
    values["citation_counts"] = _citation_counts(pool)
    if values["citation_counts"]:
        provenance["citation_counts"] = tuple(values["citation_counts"])
    return values, {**provenance, **free, **standing}


def title(pool: Pool) -> Found:
    """Titles vote by their letters; the best spelled of those that agree most is shown."""
    records = pool.published
    if all(record.title == records[0].title for record in records):
        return records[0].title, providers(records)
    letters = {record.title: read_title(record.title).compact for record in records}
    votes = votes_of([(letters[record.title], record.provider) for record in records])

    def preference(text: str) -> tuple[object, ...]:
        return -votes[letters[text]], text.isupper(), text.startswith("["), text.endswith("."), -len(text), text

    winner = min(letters, key=preference)
    return winner, providers(record for record in records if letters[record.title] == letters[winner])


def _told_most(name: str, then: Callable[[str], Any] | None = None) -> Callable[[Pool], Found]:
    value_of = attrgetter(name)
    return lambda pool: most_agreed(pool.told(value_of), then)


def _told_best(name: str, preference: Callable[[Any], Any]) -> Callable[[Pool], Found]:
    value_of = attrgetter(name)
    return lambda pool: best(pool.told(value_of), preference)


def _largest(name: str) -> Callable[[Pool], Found]:
    value_of = attrgetter(name)

    def rule(pool: Pool) -> Found:
        told = [(value, record.provider) for record in pool.records if (value := value_of(record)) is not None]
        return best(told, lambda value: -value)

    return rule


def _longest(text: str) -> int:
    return -len(text)


def _fullest(authors: Sequence[Author]) -> tuple[int, int]:
    """The longest list; of equally long ones, the one with more given names in full."""
    full = sum(1 for author in authors if len((author.given or "").split(" ")[0].strip(".")) > 1)
    return -len(authors), -full


def _author_count(count: Found, authors: Found) -> Found:
    """Never less than the names shown; None where every list may be cut."""
    if count[0] is None or count[0] >= len(authors[0] or ()):
        return count
    return len(authors[0]), authors[1]


def _most_specific(kind: str) -> int:
    return _SPECIFIC_FIRST.index(kind) if kind in _SPECIFIC_FIRST else len(_SPECIFIC_FIRST)


def _whole_and_longest(abstract: str) -> tuple[bool, int]:
    return abstract.endswith(("…", "...")), -len(abstract)


def _publication_date(pool: Pool, year: int | None) -> Found:
    """The most exact date of the year that won."""
    dates = pool.told(lambda it: it.publication_date if (it.publication_date or "")[:4] == str(year) else None)
    votes = votes_of(dates)
    return best(dates, lambda date: (-len(date), -votes[date], date))


def _citation_counts(pool: Pool) -> dict[str, int]:
    counts: dict[str, int] = {}
    for record in pool.records:
        if record.citation_count is not None:
            counts[record.provider] = max(record.citation_count, counts.get(record.provider, 0))
    return counts


def _retraction(pool: Pool) -> tuple[Retraction, Provenance]:
    """The gravest status with its notice; providers of another opinion are named under `retraction.<status>`."""
    saying: dict[RetractionStatus, list[Paper]] = {}
    for record in pool.records:
        saying.setdefault(record.retraction.status, []).append(record)
    status = min(saying, key=_GRAVITY.index)
    if status is RetractionStatus.UNKNOWN:
        return Retraction(), {}
    dissent = {
        f"retraction.{other.value}": providers(saying[other])
        for other in _GRAVITY[:-1]
        if other in saying and other is not status
    }
    return _notice(status, saying[status]), {"retraction": providers(saying[status]), **dissent}


def _notice(status: RetractionStatus, saying: Sequence[Paper]) -> Retraction:
    """One notice: the first DOI that is told, with what those say who name no other; failing that the first PMID.

    A paper may have several notices, so ids and date are not taken from accounts of different ones.
    """
    told = [record.retraction for record in saying]
    doi = next((it.notice_doi for it in told if it.notice_doi), None)
    about = sorted((it for it in told if it.notice_doi in (doi, None)), key=lambda it: it.notice_doi is None)
    pmid = next((it.notice_pmid for it in about if it.notice_pmid), None)
    dates = [(it.notice_doi is None, it.date) for it in about if it.date and it.notice_pmid in (pmid, None)]
    return Retraction(status, notice_doi=doi, date=min(dates)[1] if dates else None, notice_pmid=pmid)


def _year(pool: Pool) -> Found:
    return most_agreed(
        pool.told(lambda it: it.year or (int(it.publication_date[:4]) if it.publication_date else None)),
        lambda year: year,
    )


_RULES: dict[str, Callable[[Pool], Found]] = {
    "title": title,
    "authors": _told_best("authors", _fullest),
    "author_count": _largest("author_count"),
    "year": _year,
    "journal": _told_most("journal", _longest),
    "volume": _told_most("volume"),
    "issue": _told_most("issue"),
    "pages": _told_most("pages", _longest),
    "type": _told_best("type", _most_specific),
    "language": _told_most("language"),
    "abstract": _told_best("abstract", _whole_and_longest),
    "tldr": _told_best("tldr", _longest),
    "citation_count": _largest("citation_count"),
    "influential_citation_count": _largest("influential_citation_count"),
    "versions": versions_of,
}
