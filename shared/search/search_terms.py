"""What a result set was searched for: the key that equal requests share, and the request that it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shared.canonical_json import canonical, digest
from shared.query.syntax import normalise
from shared.search.hints.person_hints import as_typed
from shared.search.requests.form_fields import FORM_FIELDS
from shared.search.requests.search_request import SearchRequest
from shared.search.result_sets.store import result_set_id
from shared.search.results import result_of

if TYPE_CHECKING:
    from shared.search.ranking.formula import RankedPaper
    from shared.search.result_sets.store import SearchResultSet, SearchSummary, SearchTerms


def request_key(request: SearchRequest) -> str:
    """The key under which equal requests share a result set: what changes only the form of the answer is left out."""
    form = request.model_dump(mode="json", exclude=FORM_FIELDS)
    form["providers"] = sorted(form["providers"])
    return digest(canonical(form, spaced=True))


def result_set_of(request: SearchRequest, ranked: Sequence[RankedPaper], summary: SearchSummary) -> SearchResultSet:
    """The result set of a search: of this request, in this spelling, and of no other."""
    results = [result_of(item) for item in ranked]
    wordings = request.wordings
    if len(wordings) > 1:
        for result, item in zip(results, ranked, strict=True):
            result["found_by"] = _found_by(item, wordings)
    return {
        "result_set_id": result_set_id(request_key(request), results, summary),
        "asked": {
            "wordings": [normalise(it) for it in wordings],
            "providers": sorted(request.providers),
            "request": {
                **request.model_dump(mode="json", exclude=FORM_FIELDS, exclude_defaults=True),
                "providers": sorted(request.providers),
            },
        },
        "summary": summary,
        "results": results,
    }


def _found_by(ranked: RankedPaper, wordings: Sequence[str]) -> list[str]:
    """The wordings that found the paper."""
    found = {record_id.answer for record_id in ranked.paper.record_ids}
    return [text for number, text in enumerate(wordings) if number in found]


def request_of(terms: SearchTerms, form: SearchRequest) -> SearchRequest:
    """The request of a result set, with the form of the request that pages through it."""
    read = SearchRequest.model_validate({**terms["request"], **form.model_dump(include=FORM_FIELDS)})
    return read if [normalise(it) for it in read.wordings] == terms["wordings"] else as_typed(read)


def differs(request: SearchRequest, terms: SearchTerms) -> bool:
    """Whether a request that names a cursor has a filter or an order other than the search of its result set.

    A filter with its default value counts as not given; an order that is given counts even then.
    """
    words = {"query", "queries", "providers"}
    given = request.model_dump(mode="json", exclude=FORM_FIELDS | words, exclude_defaults=True)
    given |= request.model_dump(mode="json", include={"sort", "ranking"} & request.model_fields_set)
    searched = SearchRequest.model_validate(terms["request"]).model_dump(mode="json")
    return any(value != searched[name] for name, value in given.items())
