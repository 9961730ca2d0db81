"""Hints why there are few or no results, and how the query was read."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shared.bibliography.orcid import find_orcids
from shared.clock import OUT_OF_TIME
from shared.legs.hint_messages import is_refused, missing_message, refused_messages, stale_messages
from shared.legs.reports import missing
from shared.outcomes import Outcome
from shared.query.understanding import understand
from shared.search.hints.query_hints import filter_hints, hint, identifier_hints, syntax_hints
from shared.search.hints.weak_match import WEAK_MATCH, WEAK_SCORE, absent_words
from shared.search.requests.search_request import SearchRequest
from shared.search.wording.lone_years import year_hints
from shared.search.wording.pasted_reference import reference_hints
from shared.search.wording.spelling import spelling_hints
from shared.search.wording.typed_author import author_hints
from shared.search.wording.worded_years import WordedYears, latest

if TYPE_CHECKING:
    from shared.answers.search import Hint, LegReport
    from shared.bibliography.paper import MergedPaper

FILTER_FIELDS = (
    "date_from", "date_to", "journal", "author", "open_access", "min_citations", "publication_types",
    "exclude_preprints", "language", "field_of_study",
)  # fmt: skip

# What callers know the filters of a query by, where it is not their name.
_FILTER_NAMES = {
    "date": "the dates", "operators": "the operators, phrases and field tags", "exclude_retracted": "include_retracted",
}  # fmt: skip
# Of hints that say nothing on why no paper was found.
_NO_REASONS = ("providers_failed", "not_queried", "identifier", "filters", "year")
MOST_WORDS = 5  # of those that no paper has, in a hint
MOST_BLAMED = 3  # of the filters, or pairs of them, without which papers pass
_UNKNOWN = {
    "date": "their date", "journal": "their journal", "author": "the rest of their authors",
    "open_access": "their open access", "min_citations": "their citation count", "publication_types": "their type",
    "language": "their language", "field_of_study": "their field of study",
    "operators": "whether AND, OR, NOT hold (they have no abstract)",
}  # fmt: skip
# Without a stored result set there is nothing to page through.
NOT_STORED: Hint = {
    "reason": "cache_unavailable",
    "message": "This answer could not be stored: there is no next page. For more results, search again with a larger "
    "`max_results`.",
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The papers that pass the filters, of `found`; `undecided` counts those for which a filter lacked data.

    `years`: those that the query's words name, for which `other_years` papers were left out. `blamed`: where no
    paper passes, the fewest filters without which some would, and how many (`filters.left_out_by_fewest`).
    """

    papers: Sequence[MergedPaper] = ()
    found: int = 0
    undecided: Counter[str] = field(default_factory=Counter)
    years: WordedYears | None = None
    other_years: int = 0
    blamed: Counter[tuple[str, ...]] = field(default_factory=Counter)


def hints_for(
    request: SearchRequest,
    reports: Mapping[str, LegReport],
    chosen: Chosen,
    papers: Sequence[MergedPaper],
    *,
    unknown: Sequence[str] = (),
    weak: bool = False,
    spellings: Sequence[str] = (),
) -> list[Hint]:
    """The hints of a search; one without results always has at least one.

    `papers`: the chosen ones in their order; `unknown`: the identifiers of the query that name no paper; `weak`: no
    paper has a score that says it fits; `spellings`: of providers.
    """
    texts = [f"{paper.title} {paper.abstract or ''}" for paper in papers]

    def people() -> Iterable[str]:
        return (author.display for paper in papers for author in paper.authors)

    hints = identifier_hints(request, unknown, reports) + _undecided_hints(chosen.undecided, request)
    hints += _failure_hints(reports) + _unable_hints(reports) + _pending_hints(reports)
    hints += _fit_hints(request, chosen, papers, weak=weak) if papers else []
    hints += syntax_hints(request) + filter_hints(request, chosen.years, chosen.other_years, today_of(reports))
    hints += spelling_hints(request.wordings, spellings, texts, people)
    cited = [] if request.identifiers else reference_hints(request.wordings, texts)
    hints += cited or year_hints(request, today_of(reports))
    is_named = cited or request.identifiers or request.author
    hints += [] if is_named else author_hints(request.wordings, lambda: texts, people)
    if papers:
        return hints
    if chosen.found:
        hints.append(hint("filters_too_narrow", _none_passed(request, chosen.found, chosen.blamed)))
    elif used := used_filters(request):
        hints.append(hint("filters_too_narrow", f"Nothing matched with {', '.join(used)}: try without, one at a time."))
    hints += _script_hints(request)
    searchable = any(understand(wording).is_searchable for wording in request.wordings) or request.author
    if searchable and all(it["reason"] in _NO_REASONS for it in hints):
        hints.append(hint("no_match", "No provider that answered has a match: use fewer, broader or other words."))
    return hints


def _script_hints(request: SearchRequest) -> list[Hint]:
    if all(map(is_latin, request.wordings)):
        return []
    text = "Most indexes hold English titles: add an English or transliterated wording in `queries`."
    return [hint("non_latin_script", text)]


def today_of(reports: Mapping[str, LegReport]) -> str | None:
    """The day of an answer, as its legs say it."""
    return latest(report.get("retrieved_at") for report in reports.values())


def _undecided_hints(undecided: Counter[str], request: SearchRequest) -> list[Hint]:
    """How many papers each filter could not judge."""
    reasons: list[str] = []
    for name, count in sorted(undecided.items()):
        papers = "" if reasons else " paper was left out" if count == 1 else " papers were left out"
        reasons.append(f"{count}{papers} because {_why_undecided(name, count, request)}")
    return [hint("undecided_filter", "; ".join(reasons))] if reasons else []


def _why_undecided(filter_name: str, count: int, request: SearchRequest) -> str:
    """Why a filter could not judge so many papers; the time of the request counts as one."""
    if filter_name == OUT_OF_TIME:
        return "the time was over before author or operators were checked: repeat it with a larger `timeout_ms`"
    if filter_name == "author" and find_orcids(request.author or ""):
        return "records have no ORCID iDs, and only some sources search by them: `author` takes a name, too"
    unknown = f"{_UNKNOWN.get(filter_name, filter_name)} is not known"
    return unknown.replace("their ", "its ").replace("they have", "it has") if count == 1 else unknown


def _failure_hints(reports: Mapping[str, LegReport]) -> list[Hint]:
    """Which providers did not answer, and when they may, if that is known; or an earlier answer stands here."""
    failed = ", ".join(f"{name} ({reports[name]['outcome']}{_again(reports[name])})" for name in to_repeat(reports))
    messages = [missing_message(failed)] if failed else []
    messages += [*stale_messages(reports), *refused_messages(reports)]
    return [hint("providers_failed", " ".join(messages))] if messages else []


def _unable_hints(reports: Mapping[str, LegReport]) -> list[Hint]:
    """Which providers cannot answer this search, and why, where the answer is not complete for lack of them."""
    unable = {name: reports[name] for name in missing(reports, ()) if _is_unable(reports[name])}
    named = ", ".join(f"{name} ({'; '.join(report['warnings'][:1])})" for name, report in unable.items())
    message = f"Not queried: {named}. Papers that no other source has are missing here; the same search does not help."
    return [hint("not_queried", message)] if unable else []


def _is_unable(report: LegReport) -> bool:
    return report["outcome"] == Outcome.SKIPPED_UNSUPPORTED_FILTER


def _pending_hints(reports: Mapping[str, LegReport]) -> list[Hint]:
    """Which providers are still being asked, and how to get what they have."""
    names = ", ".join(name for name, report in reports.items() if report["outcome"] == Outcome.PENDING)
    message = (
        f"Still being asked: {names}. Their papers follow behind `next_cursor`; with `patience_ms` it waits for them."
    )
    return [hint("pending", message)] if names else []


def _fit_hints(request: SearchRequest, chosen: Chosen, papers: Sequence[MergedPaper], *, weak: bool) -> list[Hint]:
    """What the papers that are shown lack; papers that filters, or years in words, have left out may have it."""
    hints = []
    if absent := absent_words(request.wordings, papers):
        words = ", ".join(absent[:MOST_WORDS])
        message = f"No paper here has: {words}. Check the spelling, or try another word for it."
        years = chosen.years.words if chosen.years and chosen.other_years else ()
        if filters := [*used_filters(request), *years]:
            message = (
                f"No paper that passes {_listed(filters)} has: {words}. Relax that first; then check the spelling."
            )
        if any(word.istitle() for word in absent[:MOST_WORDS]):
            message += " A person's name goes into `author`."
        hints.append(hint("absent_words", message))
    if weak:
        message = f"No paper fits well: every score is below {WEAK_SCORE}. None is added to the graph."
        hints.append(hint(WEAK_MATCH, message))
    return hints


def _none_passed(request: SearchRequest, found: int, blamed: Mapping[tuple[str, ...], int]) -> str:
    """Why none of the papers found is shown: filters of the caller, or the operators of the query."""
    names = used_filters(request)
    if any(understand(wording).kind == "expression" for wording in request.wordings):
        names = ["the operators, phrases and field tags of the query", *names]
    most = most_blamed(blamed) if len(names) > 1 else []
    passing = ", ".join(
        f"{blamed[fewest]} {'passes' if blamed[fewest] == 1 else 'pass'} without {named_filters(fewest)}"
        for fewest in most
    )
    were = "1 paper was" if found == 1 else f"{found} papers were"
    none = f"{were} found, none passed {_listed(names) or 'the filters'}: relax them."
    return f"{none} Of these, {passing}." if passing else none


def most_blamed(blamed: Mapping[tuple[str, ...], int]) -> list[tuple[str, ...]]:
    """These filters of a query, first those without which most papers pass."""
    return sorted(blamed, key=lambda names: (-blamed[names], names))[:MOST_BLAMED]


def named_filters(names: Sequence[str]) -> str:
    """Filters of a query as callers know them."""
    return _listed([_FILTER_NAMES.get(name, name) for name in names])


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def to_repeat(reports: Mapping[str, LegReport]) -> list[str]:
    """The providers that did not answer, and may answer the same search when it is sent again."""
    repeated = (name for name, report in reports.items() if Outcome(report["outcome"]).worth_repeating)
    return [name for name in repeated if not is_refused(reports[name])]


def _again(report: LegReport) -> str:
    seconds = report.get("retry_after_s")
    return f", again after {math.ceil(seconds)} s" if seconds else ""


def used_filters(request: SearchRequest) -> list[str]:
    """The names of the filters that the caller set."""
    excluded = [] if request.include_retracted else ["include_retracted"]
    return [name for name in FILTER_FIELDS if getattr(request, name)] + excluded


def is_latin(text: str) -> bool:
    """Whether a text has Latin or Greek letters, or none at all."""
    return has_letters_of(("LATIN", "GREEK"), text) or not any(map(str.isalpha, text))


def has_letters_of(scripts: tuple[str, ...], text: str) -> bool:
    """Whether a text has a letter of one of these scripts, named as Unicode names its letters."""
    return any(unicodedata.name(sign, "").startswith(scripts) for sign in text if sign.isalpha())
