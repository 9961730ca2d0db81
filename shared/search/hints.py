"""Hints why there are few or no results, and next actions: tool calls that are ready to be made."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from shared.clock import OUT_OF_TIME
from shared.errors import Outcome
from shared.query.filters_in_words import filters_in_words
from shared.query.syntax import plain
from shared.query.telling_words import most_telling
from shared.query.understanding import understand
from shared.search.pasted_reference import reference_actions, reference_hints
from shared.search.query_hints import filter_hints, hint, identifier_hints, syntax_hints, unset_filters
from shared.search.request import SearchRequest
from shared.search.weak_match import WEAK_SCORE
from shared.search.worded_years import WordedYears, latest

if TYPE_CHECKING:
    from shared.answers.search import Action, Hint, LegReport, StoredPaper

FILTER_FIELDS = (
    "date_from", "date_to", "journal", "author", "open_access", "min_citations", "publication_types",
    "exclude_preprints", "language", "field_of_study",
)  # fmt: skip

# Of hints that say nothing on why no paper was found.
_NO_REASONS = ("providers_failed", "identifier", "filters")
# How many papers an action opens, and how many words a broader query has.
OPENED, BROAD_WORDS = 2, 3
NOT_REPEATED = {"cursor", "fresh", "timeout_ms", "patience_ms", "context"}
MOST_WORDS = 5  # of those that no paper has, in a hint
_UNKNOWN = {
    "date": "their date", "journal": "their journal", "author": "the rest of their authors",
    "open_access": "their open access", "min_citations": "their citation count", "publication_types": "their type",
    "language": "their language", "field_of_study": "their field of study",
    "operators": "whether AND, OR, NOT hold (they have no abstract)",
}  # fmt: skip
# The scripts of East Asia: indexes translate titles in them and hold no transliteration.
_NEVER_IN_LATIN = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO")
# Without a stored result set there is nothing to page through.
NOT_STORED: Hint = {
    "reason": "cache_unavailable",
    "message": "This answer could not be stored: there is no next page. For more results, search again with a larger "
    "`max_results`.",
}


def hints_for(
    request: SearchRequest,
    reports: Mapping[str, LegReport],
    *,
    shown: int,
    found: int,
    undecided: Counter[str],
    unknown: Sequence[str] = (),
    absent: Sequence[str] = (),
    weak: bool = False,
    spellings: Sequence[str] = (),
    texts: Sequence[str] = (),
    years: WordedYears | None = None,
    other_years: int = 0,
) -> list[Hint]:
    """The hints of a search; one without results always has at least one.

    `found` papers were merged, `shown` of them passed the filters; `undecided` counts those a filter lacked data for.
    `unknown`: the identifiers of the query that name none of the papers; `absent`: its telling words that none has;
    `weak`: no paper has a score that says it fits; `spellings`: of providers; `texts`: papers' titles and abstracts;
    `years`: those that the query's words name, for which `other_years` papers were left out.
    """
    hints = identifier_hints(request, unknown, reports) + [
        hint("undecided_filter", f"{count} papers were left out because {_why_undecided(name)}")
        for name, count in sorted(undecided.items())
    ]
    hints += _failure_hints(reports) + _pending_hints(reports) + (_fit_hints(absent, weak=weak) if shown else [])
    hints += syntax_hints(request) + filter_hints(request, years, other_years, today_of(reports))
    hints += [hint("spelling", f"Did you mean: {text[:200]}") for text in dict.fromkeys(spellings)]
    hints += [] if request.identifiers else reference_hints(request.wordings, texts)
    if shown:
        return hints
    if found:
        hints.append(hint("filters_too_narrow", _none_passed(request, found)))
    elif _used_filters(request):
        names = ", ".join(_used_filters(request))
        hints.append(hint("filters_too_narrow", f"Nothing matched with {names}: try without, one at a time."))
    hints += _script_hints(request)
    searchable = any(understand(wording).is_searchable for wording in request.wordings) or request.author
    if searchable and all(it["reason"] in _NO_REASONS for it in hints):
        hints.append(hint("no_match", "No provider that answered has a match: use fewer, broader or other words."))
    return hints


def _script_hints(request: SearchRequest) -> list[Hint]:
    if all(map(_latin, request.wordings)):
        return []
    text = "Most indexes hold English titles: add an English or transliterated wording in `queries`."
    return [hint("non_latin_script", text)]


def today_of(reports: Mapping[str, LegReport]) -> str | None:
    """The day of an answer, as its legs say it."""
    return latest(report.get("retrieved_at") for report in reports.values())


def _why_undecided(filter_name: str) -> str:
    """Why a filter could not judge papers; the time of the request counts as one."""
    if filter_name == OUT_OF_TIME:
        return "the time was over before author or operators were checked: repeat it with a larger `timeout_ms`"
    return f"{_UNKNOWN.get(filter_name, filter_name)} is not known"


def _failure_hints(reports: Mapping[str, LegReport]) -> list[Hint]:
    """Which providers did not answer."""
    failed = ", ".join(f"{name} ({report['outcome']})" for name, report in reports.items() if _failed(report))
    message = f"Did not answer: {failed}. Their papers are missing here; search again."
    return [hint("providers_failed", message)] if failed else []


def _pending_hints(reports: Mapping[str, LegReport]) -> list[Hint]:
    """Which providers are still being asked, and how to get what they have."""
    names = ", ".join(name for name, report in reports.items() if report["outcome"] == Outcome.PENDING)
    message = (
        f"Still being asked: {names}. Their papers follow behind `next_cursor`; with `patience_ms` it waits for them."
    )
    return [hint("pending", message)] if names else []


def _fit_hints(absent: Sequence[str], *, weak: bool) -> list[Hint]:
    """What the papers that are shown lack."""
    hints = []
    if absent:
        words = ", ".join(absent[:MOST_WORDS])
        message = f"No paper here has: {words}. Check the spelling, or try another word for it."
        hints.append(hint("absent_words", message))
    if weak:
        message = f"No paper fits well: every score is below {WEAK_SCORE}. None is added to the graph."
        hints.append(hint("weak_match", message))
    return hints


def _none_passed(request: SearchRequest, found: int) -> str:
    """Why none of the papers found is shown: filters of the caller, or the operators of the query."""
    names = _used_filters(request)
    if any(understand(wording).kind == "expression" for wording in request.wordings):
        names = ["the operators, phrases and field tags of the query", *names]
    blamed = " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:]))) or "the filters"
    return f"{found} papers were found, none passed {blamed}: relax them."


def _failed(report: LegReport) -> bool:
    outcome = Outcome(report["outcome"])
    return not outcome.answered and outcome is not Outcome.PENDING and not outcome.startswith("skipped_")


def _used_filters(request: SearchRequest) -> list[str]:
    excluded = [] if request.include_retracted else ["include_retracted"]
    return [name for name in FILTER_FIELDS if getattr(request, name)] + excluded


def _latin(text: str) -> bool:
    return _has_letters_of(("LATIN", "GREEK"), text) or not any(map(str.isalpha, text))


def _has_letters_of(scripts: tuple[str, ...], text: str) -> bool:
    return any(unicodedata.name(sign, "").startswith(scripts) for sign in text if sign.isalpha())


def next_actions(
    request: SearchRequest, results: Sequence[StoredPaper], reports: Mapping[str, LegReport]
) -> list[Action]:
    """Tool calls that may help next; each is valid unchanged. `results`: the best first; only these are read."""
    texts = (f"{paper['title']} {paper['abstract'] or ''}" for paper in results)
    actions: list[Action] = []
    same = repeat_arguments(request)
    failed = sorted(name for name, report in reports.items() if _failed(report))
    if failed:
        why = "queries again the providers that did not answer"
        actions.append(_action({**same, "providers": failed}, why))
    actions += [] if request.identifiers else reference_actions(request.wordings, texts)
    for wording in request.wordings[:1]:
        if fields := unset_filters(request, wording, today_of(reports)):
            arguments = {**same, "query": filters_in_words(wording).subject, **fields}
            arguments = {name: value for name, value in arguments.items() if value != ""}  # an author alone
            actions.append(_action(arguments, "searches with the filters that the query's words mean"))
    keys = (paper["key"] for paper in results)
    ids = list(islice((key for key in keys if not key.startswith("title:")), OPENED))
    if ids:
        actions.append({"tool": "get_papers", "arguments": {"ids": ids}, "why": "all fields of the first results"})
        actions += _in_depth(request, same, ids)
    return actions if results else [*actions, *_broader(request)]


def _in_depth(request: SearchRequest, same: Mapping[str, object], ids: Sequence[str]) -> Iterator[Action]:
    """What to read next: the sentences of the papers that answer a question, papers like the one that was named."""
    question = next((it for it in request.wordings if understand(it).kind == "question"), None)
    if question:
        yield _action({**same, "passages": question}, "the sentences of these papers that bear on the question")
    if request.identifiers:
        arguments: dict[str, object] = {"seeds": ids[:1], "relation": "similar"}
        yield {"tool": "citation_network", "arguments": arguments, "why": "papers similar to the first result"}


def _broader(request: SearchRequest) -> Iterator[Action]:
    """Searches that may find something where this one found nothing."""
    query = request.wordings[0]
    if not query:  # an author alone
        return
    plain_search: dict[str, object] = {"query": query, "max_results": request.max_results}
    understood = understand(query)
    words = plain(understood.node)
    if understood.kind == "expression" and words:
        yield _action({**plain_search, "query": words}, "searches the words alone")
    if _used_filters(request):
        yield _action(plain_search, "searches without filters")
    elif request.providers:
        yield _action(plain_search, "queries all providers")
    if understood.is_searchable:
        for text, why in _other_wordings(query):
            yield _action({**plain_search, "query": text}, why)


def _other_wordings(query: str) -> Iterator[tuple[str, str]]:
    """A form of the query that indexes of English titles may know, and a broader one."""
    understood = understand(query)
    words = plain(understood.node).split()
    if not _latin(query) and not _has_letters_of(_NEVER_IN_LATIN, query):
        from anyascii import anyascii  # only imported where needed

        yield " ".join(anyascii(" ".join(words)).split()), "searches for the query in Latin letters"
    if len(words) > BROAD_WORDS:
        yield " ".join(most_telling(understood.telling, BROAD_WORDS)), "searches for fewer words, which is broader"


def repeat_arguments(request: SearchRequest) -> dict[str, object]:
    """The tool arguments that repeat this search; a caller adds the cursor of a page."""
    given = request.model_dump(mode="json", exclude_defaults=True, exclude=NOT_REPEATED)
    return {"query": (request.wordings or ("",))[0], **given}


def _action(arguments: Mapping[str, object], why: str) -> Action:
    return {"tool": "literature_search", "arguments": dict(arguments), "why": why}
