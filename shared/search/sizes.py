"""How large an answer's papers are: fields by `detail`, abstracts that share the space left, papers up to a budget.

    full        every field, all authors, the whole abstract
    standard    every field, five authors; what explains a result is empty (`score_parts`, the open-access `locations`,
                `provenance` except of a retraction). Ten papers take at most 5,000 tokens: abstracts are shortened and,
                before they become too short, `provider_scores` and `citation_counts` are reduced to the best one
    compact     enough to choose from a list: three authors, no abstract unless `abstract_chars` is given

`fields` selects fields, each as in `full`. No abstract is cut below `abstract_chars`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from shared.answers.search import Paper
from shared.canonical_json import compact_json
from shared.search.request import Sized

if TYPE_CHECKING:
    from shared.answers.search import LegReport, Truncated

STANDARD_AUTHORS, COMPACT_AUTHORS = 5, 3
# The size of ten papers by default, in tokens.
STANDARD_TOKENS = 5_000
# JSON full of identifiers and numbers has 3.1 to 3.3 bytes per token (o200k); so have other scripts, by their bytes.
BYTES_PER_TOKEN = 3.1
# A shorter abstract than the first says nothing; below the second, other fields are reduced first.
LEAST_ABSTRACT_BYTES, ENOUGH_ABSTRACT_BYTES = 80, 240
COMPACT_FIELDS = (
    "key", "title", "authors", "author_count", "year", "journal", "type", "pmid", "citation_count", "abstract",
    "retraction", "score",
)  # fmt: skip
RESULT_FIELDS = tuple(Paper.__annotations__)  # in the order in which JSON has them
TLDR_CHARS = 300  # a generated summary is one sentence

Item = TypeVar("Item")
_Fields = dict[str, Any]  # a Paper whose fields are chosen by their names


def tokens(value: object) -> float:
    """The approximate size of a value as JSON, in tokens."""
    return len(compact_json(value).encode("utf-8", "replace")) / BYTES_PER_TOKEN


def sized(result: Paper, request: Sized) -> Paper:
    """One result in the requested size; for a page see `page_sized`."""
    return page_sized([result], request)[0][0]


def page_sized(page: Sequence[Paper], request: Sized) -> tuple[list[Paper], int]:
    """The results in the requested size, and how many of the requested abstracts were shortened."""
    shown, shortened = _page_sized([dict(result) for result in page], request)
    return [cast("Paper", result) for result in shown], shortened  # a subset of a Paper's fields


def _page_sized(results: Sequence[_Fields], request: Sized) -> tuple[list[_Fields], int]:
    shown = [_without_abstract(result, request) for result in results]
    automatic = request.detail == "standard" and not request.fields
    not_requested = request.detail == "compact" and not request.fields and request.abstract_chars is None
    if not request.include_abstract or not_requested or (request.fields and "abstract" not in request.fields):
        return shown, 0
    limit = None
    if automatic and request.abstract_chars is None:
        limit = _abstract_limit(results, shown)
        if (limit is not None and limit < ENOUGH_ABSTRACT_BYTES) or sum(map(tokens, shown)) > _share(results):
            for result, small in zip(results, shown, strict=True):
                small["provider_scores"] = _only(result["best_provider"], small["best_score"])
                small["citation_counts"] = _only(_counted_by(result), result["citation_count"])
            limit = _abstract_limit(results, shown)
    for result, small in zip(results, shown, strict=True):
        chars = request.abstract_chars if limit is None else _chars(result["abstract"], limit)
        small["abstract"] = result["abstract"] if chars is None else _cut(result["abstract"], chars)
    return shown, sum(small["abstract"] != result["abstract"] for result, small in zip(results, shown, strict=True))


def _abstract_limit(results: Sequence[_Fields], shown: Sequence[_Fields]) -> int | None:
    """How many bytes each abstract may have so that all papers stay within their tokens; None when all fit whole."""
    lengths = sorted(_bytes(result["abstract"]) for result in results if result["abstract"])
    left = (_share(results) - sum(tokens(small) for small in shown)) * BYTES_PER_TOKEN
    for number, length in enumerate(lengths):  # short ones are whole, the others share the space left
        each = left / (len(lengths) - number)
        if length > each:
            return int(each) if each >= LEAST_ABSTRACT_BYTES else 0
        left -= length
    return None


def _share(results: Sequence[_Fields]) -> float:
    return STANDARD_TOKENS * max(1.0, len(results) / 10)


def _chars(text: str | None, limit: int) -> int:
    """How many characters of this text fit into `limit` bytes."""
    return limit * len(text) // _bytes(text) if text else 0


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _without_abstract(result: _Fields, request: Sized) -> _Fields:
    if request.fields:
        shown = {name: result[name] for name in RESULT_FIELDS if name in request.fields}
    elif request.detail == "full":
        shown = {name: result[name] for name in RESULT_FIELDS}
    else:
        shown = _light(result, COMPACT_FIELDS if request.detail == "compact" else RESULT_FIELDS)
    authors = {"compact": COMPACT_AUTHORS, "standard": STANDARD_AUTHORS}.get(request.detail)
    return {
        **shown,
        **({"authors": shown["authors"][:authors]} if "authors" in shown and authors else {}),
        **({"abstract": None} if "abstract" in shown else {}),
    }


def _light(result: _Fields, fields: Sequence[str]) -> _Fields:
    """The fields without details that few callers need."""
    compact = fields is COMPACT_FIELDS
    light = {
        "provenance": _retraction_provenance(result),
        "score_parts": {},
        "open_access": {**result["open_access"], "locations": []} if result["open_access"] else None,
        "provider_scores": {name: _short(score) for name, score in result["provider_scores"].items()},
        "best_score": _short(result["best_score"]),
        "score": _short(result["score"]),
        "tldr": _cut(result["tldr"], TLDR_CHARS),
        "retraction": {"status": result["retraction"]["status"]} if compact else result["retraction"],
    }
    return {name: light.get(name, result[name]) for name in fields}


def _retraction_provenance(result: _Fields) -> dict[str, list[str]]:
    """The part of the provenance that is always shown: who reports a retraction, and who reports otherwise."""
    reported = {name: who for name, who in (result["provenance"] or {}).items() if name.startswith("retraction")}
    return reported if result["retraction"]["status"] != "none" or len(reported) > 1 else {}


def _only(name: str | None, value: Item) -> dict[str, Item]:
    return {} if name is None else {name: value}


def _counted_by(result: _Fields) -> str | None:
    """The provider whose citation count is shown."""
    counts = result["citation_counts"] or {}
    return min((name for name, count in counts.items() if count == result["citation_count"]), default=None)


def _short(score: float | None) -> float | None:
    return None if score is None else round(score, 3)


def _cut(text: str | None, chars: int) -> str | None:
    """At most `chars` characters, ending at a word, with an ellipsis where something is missing."""
    if text is None or len(text) <= chars:
        return text
    start = text[: max(0, chars - 1)]
    return (start.rpartition(" ")[0] or start) + "…" if chars else None


def within_budget(
    results: list[Item], max_tokens: int | None, *, envelope: float = 0.0
) -> tuple[list[Item], Truncated | None]:
    """As many whole results as fit beside the `envelope`'s tokens, at least one; and what was left out."""
    if max_tokens is None:
        return results, None
    used = envelope
    for number, result in enumerate(results):
        used += tokens(result)
        if used > max_tokens and number:
            reason = f"max_tokens={max_tokens}: {len(results) - number} results left for the next page"
            return results[:number], {"results": len(results) - number, "reason": reason}
    return results, None


def light_report(report: LegReport) -> LegReport:
    """A leg report for a compact answer: a successful leg's without details, any other's whole."""
    whole = report["source"] != "stale" and not report.get("partial")
    if report["outcome"] in ("ok", "empty") and whole and not report["warnings"]:
        return {"outcome": report["outcome"], "source": report["source"], "returned": report["returned"]}
    return report
