"""Hints why there are few or no results, and next actions: tool calls that are ready to be made."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from shared.errors import Outcome
from shared.query.syntax import has_operators, parse, plain
from shared.search.request import SearchRequest

if TYPE_CHECKING:
    from shared.answers.search import Action, Hint, LegReport

FILTER_FIELDS = (
    "date_from", "date_to", "journal", "author", "open_access", "min_citations", "publication_types",
    "exclude_preprints",
)  # fmt: skip

# How many papers an action opens, and how many words a broader query has.
OPENED, BROAD_WORDS = 2, 3
_UNKNOWN = {
    "date": "their date", "journal": "their journal", "author": "the rest of their authors",
    "open_access": "their open access", "min_citations": "their citation count", "publication_types": "their type",
    "operators": "whether AND, OR, NOT hold (they have no abstract)",
}  # fmt: skip
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
) -> list[Hint]:
    """The hints of a search; one without results always has at least one.

    `found` papers were merged, `shown` of them passed the filters; `undecided` counts those a filter lacked data for.
    """
    hints = [
        _hint("undecided_filter", f"{count} papers were left out because {_UNKNOWN.get(name, name)} is not known")
        for name, count in sorted(undecided.items())
    ]
    failed = [name for name, report in reports.items() if _failed(report)]
    if failed:
        outcomes = ", ".join(f"{name} ({reports[name]['outcome']})" for name in failed)
        hints.append(
            _hint("providers_failed", f"Did not answer: {outcomes}. Their papers are missing here; search again.")
        )
    if shown:
        return hints
    if found:
        hints.append(_hint("filters_too_narrow", f"{found} papers were found, none passed the filters: relax them."))
    elif _used_filters(request):
        names = ", ".join(_used_filters(request))
        hints.append(_hint("filters_too_narrow", f"Nothing matched with {names}: try without, one at a time."))
    if any(not _latin(wording) for wording in request.wordings):
        hints.append(
            _hint(
                "non_latin_script",
                "Most indexes hold English titles: add an English or transliterated wording in `queries`.",
            )
        )
    if not hints or all(hint["reason"] == "providers_failed" for hint in hints):
        hints.append(_hint("no_match", "No provider that answered has a match: use fewer, broader or other words."))
    return hints


def _hint(reason: str, message: str) -> Hint:
    return {"reason": reason, "message": message}


def _failed(report: LegReport) -> bool:
    return not Outcome(report["outcome"]).answered and not str(report["outcome"]).startswith("skipped_")


def _used_filters(request: SearchRequest) -> list[str]:
    excluded = [] if request.include_retracted else ["include_retracted"]
    return [name for name in FILTER_FIELDS if getattr(request, name)] + excluded


def _latin(text: str) -> bool:
    letters = [sign for sign in text if sign.isalpha()]
    return not letters or any(unicodedata.name(sign, "").startswith(("LATIN", "GREEK")) for sign in letters)


def next_actions(request: SearchRequest, keys: Sequence[str], reports: Mapping[str, LegReport]) -> list[Action]:
    """Tool calls that may help next; each is valid unchanged. `keys` are those of the best results."""
    actions: list[Action] = []
    plain_search: dict[str, object] = {"query": request.wordings[0], "max_results": request.max_results}
    same = repeat_arguments(request)
    failed = sorted(name for name, report in reports.items() if _failed(report))
    if failed:
        why = "queries again the providers that did not answer"
        actions.append(_action({**same, "providers": failed}, why))
    if not keys and has_operators(parse(request.wordings[0])):
        actions.append(
            _action({**plain_search, "query": plain(parse(request.wordings[0]))}, "searches the words alone")
        )
    if not keys and _used_filters(request):
        actions.append(_action(plain_search, "searches without filters"))
    elif not keys and request.providers:
        actions.append(_action(plain_search, "queries all providers"))
    if not keys:
        actions += [_action({**plain_search, "query": text}, why) for text, why in _other_wordings(request.wordings[0])]
    if keys:
        ids = [key for key in keys if not key.startswith("title:")][:OPENED]
        if ids:
            actions.append({"tool": "get_papers", "arguments": {"ids": ids}, "why": "opens the best ones whole"})
    return actions


def _other_wordings(query: str) -> Iterator[tuple[str, str]]:
    """A form of the query that indexes of English titles may know, and a broader one."""
    words = plain(parse(query)).split()
    if not _latin(query):
        from anyascii import anyascii  # only imported where needed

        yield " ".join(anyascii(" ".join(words)).split()), "searches for the query in Latin letters"
    if len(words) > BROAD_WORDS:
        longest = sorted(sorted(words, key=len, reverse=True)[:BROAD_WORDS], key=words.index)
        yield " ".join(longest), "searches for fewer words, which is broader"


def repeat_arguments(request: SearchRequest) -> dict[str, object]:
    """The tool arguments that repeat this search; a caller adds the cursor of a page."""
    given = request.model_dump(mode="json", exclude_defaults=True, exclude={"cursor", "fresh", "timeout_ms", "context"})
    return {"query": (request.wordings or ("",))[0], **given}


def _action(arguments: Mapping[str, object], why: str) -> Action:
    return {"tool": "literature_search", "arguments": dict(arguments), "why": why}
