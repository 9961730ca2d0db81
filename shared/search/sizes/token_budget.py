"""The size of JSON in tokens, and how many entries of an answer fit into a budget.

What an answer leaves out for its budget is its last entries. Where even the rest of the answer is too large, its
reports, hints, next actions and query are shortened first, and the answer says so. What cannot be left out, as the
outcome of each requested id, may take more than the budget: such a request is refused with the least budget that does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from shared.canonical_json import compact_json
from shared.errors import Unprocessable
from shared.search.sizes.abstract_cuts import cut_at_word
from shared.search.sizes.report_sizes import least_reports

if TYPE_CHECKING:
    from collections.abc import Mapping

    from shared.answers.search import Paper, Truncated

# JSON full of identifiers and numbers has 3.1 to 3.3 bytes per token (o200k); so have other scripts, by their bytes.
BYTES_PER_TOKEN = 3.1
# What is filled in after the size was decided: times, counts, and what `truncated` says.
RESERVED = 100
HINTS, HINT_CHARS = 2, 120
LISTED = 3
LEAST_FIELDS = ("key", "title", "year")
LEAST_TITLE_CHARS, QUERY_CHARS = 100, 60
# What may still be filled in when a whole answer is compared with its budget: times and a request's id.
FILLED_IN = 25

# How much more the same answer may take next time, and to what a budget that is named is rounded up.
VARIATION, ROUNDED_TO = 10, 50

Item = TypeVar("Item")
Answer = TypeVar("Answer", bound="Mapping[str, Any]")


@dataclass(frozen=True, slots=True)
class Cuts:
    """The parts of an answer that were shortened for its budget, and the budget that shows every entry whole."""

    parts: Sequence[str] = ()
    whole: int | None = None


def tokens(value: object) -> float:
    """The approximate size of a value as JSON, in tokens."""
    return len(compact_json(value).encode("utf-8", "replace")) / BYTES_PER_TOKEN


def within_budget(items: Sequence[Item], max_tokens: int | None, *, envelope: float = 0.0) -> list[Item]:
    """As many whole items as fit beside the `envelope`'s tokens."""
    if max_tokens is None:
        return list(items)
    used = envelope
    for number, item in enumerate(items):
        used += tokens(item) + 1 / BYTES_PER_TOKEN
        if used > max_tokens:
            return list(items[:number])
    return list(items)


def fit_entries(
    around: Answer,
    entries: Sequence[Item],
    max_tokens: int | None,
    least: Callable[[Item], Item] | None = None,
    *,
    entries_first: bool = False,
) -> tuple[Answer, list[Item], Cuts]:
    """The answer without its entries, the entries that fit beside it, and what was shortened for them.

    Where not even the first entry fits, as many as fit are shown in their `least` form, if they have one, and the first
    in any case: a page that shows nothing would have no next page. With `entries_first`, where there is no next page,
    what is around is shortened for every entry.
    """
    if max_tokens is None:  # nothing is measured: measuring an answer costs as much as writing it three times
        return around, list(entries), Cuts()
    draft, shortened = lightened(around, max_tokens, tokens(entries if entries_first else entries[:1]))
    shown = within_budget(entries, max_tokens, envelope=tokens(draft) + RESERVED)
    if least and entries and not shown:
        small = [least(entry) for entry in entries]
        fitting = within_budget(small, max_tokens, envelope=tokens(draft) + RESERVED)
        shown, shortened = fitting or small[:1], [*shortened, "results"]
    return draft, shown, Cuts(shortened, whole_size(around, entries))


def whole_size(around: Mapping[str, Any], entries: Sequence[object]) -> int:
    """The least budget, rounded up, that shows every entry and shortens nothing."""
    return _rounded_up(tokens(around) + RESERVED + tokens_in_list(entries))


def tokens_in_list(entries: Iterable[object]) -> float:
    """The tokens of entries that stand in a list with others, each with its comma."""
    return sum(tokens(entry) + 1 / BYTES_PER_TOKEN for entry in entries)


def lightened(answer: Answer, max_tokens: int | None, least: float) -> tuple[Answer, list[str]]:
    """The answer, without its entries, such that `least` tokens more fit; and the fields that were shortened for it."""
    small: dict[str, Any] = dict(answer)
    shortened: list[str] = []
    for name, shorten in _SHORTER.items():
        if max_tokens is None or tokens(small) + RESERVED + least <= max_tokens:
            break
        shorter = shorten(small[name]) if small.get(name) else None
        if shorter is not None and shorter != small[name]:
            small[name] = shorter
            shortened.append(name)
    return cast("Answer", small), shortened


def least_paper(paper: Paper) -> Paper:
    """What identifies a paper, for an answer whose budget has no room for one in the requested size."""
    least = {name: value for name, value in paper.items() if name in LEAST_FIELDS}
    if "title" in least:
        least["title"] = cut_at_word(paper["title"], LEAST_TITLE_CHARS)
    return cast("Paper", least)


def kept_within(answer: Answer, max_tokens: int | None) -> Answer:
    """The answer, which keeps within the budget. Raises Unprocessable with a budget that is enough if it does not."""
    if max_tokens is None:
        return answer
    least = math.ceil(tokens(answer)) + FILLED_IN
    if least > max_tokens:
        enough = enough_for(least)
        raise Unprocessable.field("max_tokens", f"too few: what cannot be left out of this answer takes {enough}")
    return answer


def enough_for(least: float) -> int:
    """The budget to name for an answer of this size: rounded up, by `VARIATION` at least.

    The same answer is a few tokens longer next time, where a source takes 10 ms instead of 9.
    """
    return _rounded_up(least + VARIATION)


def _rounded_up(size: float) -> int:
    return math.ceil(size / ROUNDED_TO) * ROUNDED_TO


def _few_hints(hints: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    return [{**hint, "message": cut_at_word(hint["message"], HINT_CHARS) or ""} for hint in hints[:HINTS]]


# In the order in which they are shortened.
_SHORTER: dict[str, Callable[[Any], Any]] = {
    "next_actions": lambda _: [],
    "providers": least_reports,
    "hints": _few_hints,
    **dict.fromkeys(("warnings", "without_entry", "uncited", "unresolved"), lambda listed: listed[:LISTED]),
    "read": lambda listed: listed[:LISTED],  # of the papers whose passages are shown
    **dict.fromkeys(("query", "question"), lambda text: cut_at_word(text, QUERY_CHARS)),
}


def truncated_by(
    results: int, fields: Mapping[str, int], max_tokens: int | None = None, cuts: Cuts = Cuts()
) -> Truncated | None:
    """What the answer omits of what was requested; None when nothing is.

    `results` did not fit into `max_tokens`, `fields` says how many papers have a shortened value, `cuts` what else was
    shortened for the budget.
    """
    if not (results or fields or cuts.parts):
        return None
    reasons = []
    if results:
        reasons.append(f"max_tokens={max_tokens}: {results} left out")
    if cuts.parts:
        reasons.append(f"max_tokens={max_tokens} is little: {', '.join(cuts.parts)} shortened")
    if cuts.whole and reasons:
        reasons.append(f"max_tokens={cuts.whole} shows all")
    if fields:
        reasons.append(f"{', '.join(fields)} cut: see detail=full")
    abstracts = fields.get("abstract", 0)
    return {"results": results, "abstracts": abstracts, "fields": dict(fields), "reason": "; ".join(reasons)}
