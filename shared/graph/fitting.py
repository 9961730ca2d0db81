"""Lists of the graph that keep within a budget of tokens: shorter pages, whose cursors go on from there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import zip_longest
from typing import Any, TypeVar, cast

from shared.graph.part import Graph
from shared.search.sizes.token_budget import fit_entries, kept_within, truncated_by

Answer = TypeVar("Answer", bound=Mapping[str, object])
ITEMS = "items"


def fitted(read: Callable[[int], Answer], limit: int, max_tokens: int | None) -> Answer:
    """The answer that `read` gives for pages of `limit` entries, or of as many as fit into the budget.

    Its lists are in `items`, of it or of its parts. Raises Unprocessable with the least budget if not even one entry of
    each list fits.
    """
    answer = read(limit)
    if max_tokens is None:
        return answer
    whole: Mapping[str, Any] = answer
    lists = _lists_of(whole)
    bare = {**whole, **{name: [] if name == ITEMS else {**whole[name], ITEMS: []} for name in lists}}
    rows = list(zip_longest(*lists.values()))
    _, fitting, _ = fit_entries(bare, rows, max_tokens)
    if len(fitting) < len(rows):
        answer = _with_reason(read(max(len(fitting), 1)), lists, max_tokens)
    return kept_within(answer, max_tokens)


def _lists_of(answer: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The entries of each list, by the name of what has them."""
    if ITEMS in answer:
        return {ITEMS: answer[ITEMS]}
    return {name: part[ITEMS] for name, part in answer.items() if isinstance(part, dict) and ITEMS in part}


def _with_reason(answer: Answer, whole: Mapping[str, list[Any]], max_tokens: int) -> Answer:
    left_out = sum(map(len, whole.values())) - sum(map(len, _lists_of(answer).values()))
    truncated = truncated_by(left_out, {}, max_tokens)
    return cast("Answer", {**answer, "truncated": truncated}) if truncated else answer


def part_of(graph: Graph, keys: Collection[str]) -> Graph:
    """The papers with these keys, with their citations and mentions."""
    return Graph(
        [paper for paper in graph.papers if paper["key"] in keys],
        [it for it in graph.cites if it["source"] in keys],
        [it for it in graph.mentions if it["key"] in keys],
        [key for key in graph.incomplete if key in keys],
    )
