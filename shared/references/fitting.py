"""Fits the answer to a list of references into the caller's budget. Every reference keeps its outcome."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, cast

from shared.search.requests.search_request import Sized
from shared.search.sizes.report_sizes import sized_reports
from shared.search.sizes.token_budget import (
    RESERVED,
    Cuts,
    kept_within,
    least_paper,
    lightened,
    tokens,
    truncated_by,
    whole_size,
)

if TYPE_CHECKING:
    from shared.answers.papers import Match, ResolveAnswer, ResolvedReference


def fitted(answer: ResolveAnswer, request: Sized) -> ResolveAnswer:
    """The answer with whole papers for as many references as fit, and for the others what identifies the papers."""
    sized: ResolveAnswer = {**answer, "providers": sized_reports(answer["providers"], request.detail)}
    if request.max_tokens is None:
        return sized
    entries = list(answer["references"])
    least = [_least(entry) for entry in entries]
    small, shortened = lightened({**sized, "references": least}, request.max_tokens, 0.0)
    used, whole = tokens(small) + RESERVED, 0
    for entry, short in zip(entries, least, strict=True):
        used += tokens(entry) - tokens(short)
        if used > request.max_tokens:
            break
        whole += 1
    cuts = Cuts(shortened, whole_size({**sized, "references": []}, entries))
    truncated = truncated_by(len(entries) - whole, {}, request.max_tokens, cuts)
    fitting = {**small, "references": [*entries[:whole], *least[whole:]], "truncated": truncated}
    return kept_within(cast("ResolveAnswer", fitting), request.max_tokens)


def _least(entry: ResolvedReference) -> ResolvedReference:
    """The outcome, with key, title and year of the paper or of the best candidate."""
    least = copy(entry)
    least["paper"] = least_paper(entry["paper"]) if entry["paper"] else None
    least["named_by_id"] = least_paper(entry["named_by_id"]) if entry["named_by_id"] else None
    least["fields"] = {name: it for name, it in entry["fields"].items() if it["verdict"] == "differs"}
    least["candidates"] = [_least_match(match) for match in entry["candidates"][:1]]
    return least


def _least_match(match: Match) -> Match:
    return {**match, "paper": least_paper(match["paper"]), "fields": {}}
