"""Filters on merged papers, for those that the providers could not apply.

A filter that the provider of one of the paper's records applied is trusted, except where the merged data are better:
dates, types, preprints, retractions, languages, the names of authors and journals. Open access is what the merged data
say and nothing else: a source may call a paper free of which nobody names a copy (`shared.merging.open_access`), which
the answer, its facets and the filter of its result set call unknown. A paper that lacks the data for a filter is left
out and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from shared.bibliography.journals import JournalMatch, compare_journals
from shared.bibliography.name_agreement import has_all_authors, is_by
from shared.bibliography.paper import MergedPaper, RetractionStatus
from shared.bibliography.paper_types import is_of_type
from shared.bibliography.typed_names import PersonName
from shared.clock import OUT_OF_TIME
from shared.query.query import Query, first_day, last_day
from shared.search.filtering.expression_match import is_another, mentions, tag_owners

Check = Callable[[MergedPaper, Query], bool | None]
# Filters that read all names or texts of a paper: the others come first, and these end with the request's time.
COSTLY = ("author", "operators")
ALWAYS_CHECKED = (
    "date",
    "publication_types",
    "exclude_preprints",
    "exclude_retracted",
    "language",
    "author",
    "journal",
)

NEVER_TRUSTED = ("open_access",)


def _date(paper: MergedPaper, query: Query) -> bool | None:
    date = paper.publication_date or (str(paper.year) if paper.year else None)
    if date is None:
        return None
    not_before = query.first_day is None or last_day(date) >= query.first_day
    not_after = query.last_day is None or first_day(date) <= query.last_day
    return not_before and not_after


def _journal(paper: MergedPaper, query: Query) -> bool | None:
    """Only the same journal passes (full name, abbreviation or acronym), not a similar name.

    `Nature` does not include `Nature Communications`.
    """
    names = [record.journal for record in paper.records if record.journal]
    wanted = query.journal or ""
    return any(compare_journals(name, wanted) is JournalMatch.SAME for name in names) if names else None


def _author(paper: MergedPaper, query: Query) -> bool | None:
    """Every named person must be an author."""
    verdicts = [_is_by(paper, readings) for readings in query.people]
    return False if False in verdicts else None if None in verdicts else True


def _is_by(paper: MergedPaper, readings: Sequence[PersonName]) -> bool | None:
    """As `is_by`, by the authors of all records."""
    authors = [author for record in paper.records for author in record.authors]
    return is_by(authors, readings, complete=has_all_authors(paper))


def _language(paper: MergedPaper, query: Query) -> bool | None:
    """A paper may be printed in two languages, of which each record names one."""
    languages = {record.language for record in paper.records if record.language}
    return query.language in languages if languages else None


CHECKS: dict[str, Check] = {
    "date": _date,
    "journal": _journal,
    "author": _author,
    "open_access": lambda paper, _: paper.open_access.is_oa,
    "min_citations": lambda paper, query: (
        None if paper.citation_count is None else paper.citation_count >= (query.min_citations or 0)
    ),
    "publication_types": lambda paper, query: (
        None if paper.type is None else is_of_type(paper.type, query.publication_types)
    ),
    "exclude_preprints": lambda paper, _: paper.type != "preprint",
    "exclude_retracted": lambda paper, _: paper.retraction.status is not RetractionStatus.RETRACTED,
    "language": _language,
    "field_of_study": lambda *_: None,  # no record states it: the providers that filter by it are trusted
    "operators": mentions,
}


def apply_filters(
    papers: Sequence[MergedPaper],
    query: Query,
    applied: Mapping[str, frozenset[str]],
    is_over: Callable[[], bool] = lambda: False,
) -> tuple[list[MergedPaper], Counter[str]]:
    """The papers that pass every filter of the query, and how many each filter left out for lack of data.

    `applied`: provider -> the filters that it applied itself. When the time of the request `is_over`, papers that
    costly filters have not judged are left out and counted as OUT_OF_TIME.
    """
    undecided: Counter[str] = Counter()
    passed = []
    costly = [name for name in query.filters if name in COSTLY]
    others = [name for name in query.filters if name not in COSTLY]
    for paper in papers:
        verdicts = {name: verdict_of(name, paper, query, applied) for name in others}
        if False in verdicts.values():
            continue
        if costly and is_over():
            undecided[OUT_OF_TIME] += 1
            continue
        verdicts |= {name: verdict_of(name, paper, query, applied) for name in costly}
        unknown = [name for name, verdict in verdicts.items() if verdict is None]
        if False in verdicts.values():
            continue
        if unknown:
            undecided.update(unknown)
        else:
            passed.append(paper)
    return passed, undecided


def left_out_by_fewest(
    papers: Sequence[MergedPaper],
    query: Query,
    applied: Mapping[str, frozenset[str]],
    is_over: Callable[[], bool] = lambda: False,
) -> Counter[tuple[str, ...]]:
    """The fewest filters of the query without which some paper passes, and how many then do; empty if these are all.

    Where each of several filters suffices, or several pairs do, all of them are counted. The arguments are those of
    `apply_filters`; when the time `is_over`, the papers judged until then are counted.
    """
    blamed: Counter[tuple[str, ...]] = Counter()
    for paper in papers:
        if is_over():
            break
        blamed[tuple(name for name in query.filters if not verdict_of(name, paper, query, applied))] += 1
    fewest = min(map(len, blamed), default=0)
    return Counter({names: count for names, count in blamed.items() if 0 < len(names) == fewest < len(query.filters)})


def verdict_of(name: str, paper: MergedPaper, query: Query, applied: Mapping[str, frozenset[str]]) -> bool | None:
    """Whether a paper passes a filter of the query; None if it lacks the data, and no trusted source applied it."""
    owners = tag_owners(query.node) if name == "operators" else None
    trusted = any(
        name in applied.get(record.provider, ()) and (owners is None or record.provider in owners)
        for record in paper.records
    )
    if name == "operators" and is_another(paper, query):
        return False
    verdict = CHECKS[name](paper, query)
    if name not in NEVER_TRUSTED and (verdict is None or name not in ALWAYS_CHECKED):
        return True if trusted else verdict
    return verdict
