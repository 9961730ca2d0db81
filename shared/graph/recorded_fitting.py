"""Fits the answer to recorded citations into the caller's budget. What was recorded stays recorded, shown or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from shared.search.sizes.token_budget import RESERVED, Cuts, fit_entries, kept_within, tokens, truncated_by

if TYPE_CHECKING:
    from shared.answers.graph import CitationsAnswer, CitedPaper, ContextRef


def check_budget(context: ContextRef, max_tokens: int | None) -> None:
    """Raise Unprocessable with the least budget if the answer to this context could not keep within this one.

    Before anything is recorded: a request that is refused has had no effect.
    """
    kept_within({"context": context, "": "." * 3 * RESERVED}, max_tokens)


def fitted(answer: CitationsAnswer, max_tokens: int | None) -> CitationsAnswer:
    """The answer with as many mentions as fit, in their order; where none does, with the count of them alone."""
    if max_tokens is None or tokens(answer) + 1 <= max_tokens:
        return answer
    mentions = answer["mentions"]
    draft, shown, cuts = fit_entries({**answer, "mentions": []}, mentions, max_tokens, _least)
    left_out = len(mentions) - len(shown)
    fitting = {**draft, "mentions": shown, "truncated": truncated_by(left_out, {}, max_tokens, cuts)}
    if tokens(fitting) > max_tokens:
        bare = Cuts(["unresolved", "hints"], cuts.whole)
        truncated = truncated_by(len(mentions), {}, max_tokens, bare)
        fitting = {**answer, "mentions": [], "unresolved": [], "hints": [], "truncated": truncated}
    return cast("CitationsAnswer", fitting)


def _least(mention: CitedPaper) -> CitedPaper:
    """The mention without what the caller's own text says."""
    return {**mention, "text": "", "title": None}
