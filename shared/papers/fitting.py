"""Fits an answer with an entry for each requested paper or reference into the caller's size and budget.

Every entry stays, since each answers for one part of the request; a paper that does not fit has its key, title and
year alone, or is null in its entry where not even these fit.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    from shared.answers.search import StoredPaper

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
    remaining = iter([*shown, *titles])
    papers = [{**entry, "paper": next(remaining, None) if entry["paper"] else None} for entry in entries]
    truncated = truncated_by(
        len(found) - len(shown) - len(titles), cut_fields(found, shown, request), request.max_tokens, cuts
    )
    return kept_within(cast("Answer", {**small, name: papers, "truncated": truncated}), request.max_tokens)
