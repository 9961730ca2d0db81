"""Fits an answer with an entry for each requested paper or reference into the caller's size and budget.

Every entry stays, since each answers for one part of the request. A paper that does not fit is shown in the next
smaller detail that does, else by its key, title and year alone, or is null in its entry where not even these fit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from shared.search.requests.search_request import Sized
from shared.search.sizes.details import cut_fields, page_sized
from shared.search.sizes.report_sizes import sized_reports
from shared.search.sizes.token_budget import (
    RESERVED,
    fit_entries,
    kept_within,
    least_paper,
    tokens,
    truncated_by,
    within_budget,
)

if TYPE_CHECKING:
    from shared.answers.search import Paper, StoredPaper

_SMALLER: dict[str, tuple[str, ...]] = {"full": ("standard", "compact"), "standard": ("compact",), "compact": ()}

Answer = TypeVar("Answer", bound=Mapping[str, Any])


def fitted(answer: Answer, name: str, request: Sized) -> Answer:
    """The answer with the papers of its entries in `answer[name]` in the requested size, as many as fit."""
    entries: list[dict[str, Any]] = [dict(entry) for entry in answer[name]]
    found: list[StoredPaper] = [entry["paper"] for entry in entries if entry["paper"]]
    resized = page_sized(found, request)
    bare = {**answer, name: [{**entry, "paper": None} for entry in entries]}
    bare["providers"] = sized_reports(answer["providers"], request.detail)
    small, shown, cuts = fit_entries(bare, resized, request.max_tokens)
    least = [least_paper(paper) for paper in resized[len(shown) :]]
    titles = within_budget(least, request.max_tokens, envelope=tokens(small) + sum(map(tokens, shown)) + RESERVED)
    if titles:
        cuts = replace(cuts, parts=[*cuts.parts, "results"])
        used = tokens(small) + sum(map(tokens, [*shown, *titles])) + RESERVED
        titles = _enlarged(titles, found[len(shown) :], request, (request.max_tokens or 0) - used)
    remaining = iter([*shown, *titles])
    papers = [{**entry, "paper": next(remaining, None) if entry["paper"] else None} for entry in entries]
    truncated = truncated_by(
        len(found) - len(shown) - len(titles), cut_fields(found, shown, request), request.max_tokens, cuts
    )
    return kept_within(cast("Answer", {**small, name: papers, "truncated": truncated}), request.max_tokens)


def _enlarged(least: Sequence[Paper], whole: Sequence[StoredPaper], request: Sized, left: float) -> list[Paper]:
    """The papers, from the first on in the largest detail for which the tokens that are left suffice."""
    details = () if request.fields else _SMALLER[request.detail]
    pages = [page_sized(whole, request.model_copy(update={"detail": detail})) for detail in details]
    enlarged = list(least)
    for number, paper in enumerate(least):
        for page in pages:
            more = tokens(page[number]) - tokens(paper)
            if more <= left:
                enlarged[number], left = page[number], left - more
                break
    return enlarged
