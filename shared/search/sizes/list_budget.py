"""Lists that keep within a budget of tokens: shorter pages, whose cursors go on from there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any, TypeVar, cast

from shared.search.sizes.token_budget import Cuts, fit_entries, kept_within, truncated_by

Answer = TypeVar("Answer", bound=Mapping[str, object])
ITEMS = "items"


def fitted(read: Callable[[int], Answer], limit: int, max_tokens: int | None, entries: str = ITEMS) -> Answer:
    """The answer that `read` gives for pages of `limit` entries, or of as many as fit into the budget.

    Its lists are in `entries`, of it or of its parts. Raises Unprocessable with the least budget if not even one entry
    of each list fits.
    """
    answer = read(limit)
    if max_tokens is None:
        return answer
    whole: Mapping[str, Any] = answer
    lists = _lists_of(whole, entries)
    bare = {**whole, **{name: [] if name == entries else {**whole[name], entries: []} for name in lists}}
    rows = list(zip_longest(*lists.values()))
    _, fitting, cuts = fit_entries(bare, rows, max_tokens)
    if len(fitting) < len(rows):
        answer = read(max(len(fitting), 1))
        left_out = sum(map(len, lists.values())) - sum(map(len, _lists_of(answer, entries).values()))
        if truncated := truncated_by(left_out, {}, max_tokens, Cuts(whole=cuts.whole)):
            answer = cast("Answer", {**answer, "truncated": truncated})
    return kept_within(answer, max_tokens)


def _lists_of(answer: Mapping[str, Any], entries: str) -> dict[str, list[Any]]:
    """The entries of each list, by the name of what has them."""
    if entries in answer:
        return {entries: answer[entries]}
    return {name: part[entries] for name, part in answer.items() if isinstance(part, dict) and entries in part}
