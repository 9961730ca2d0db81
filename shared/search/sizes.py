"""How large an answer's papers are: fields by `detail`, abstracts that share what room there is, papers to a budget.

    full        every field, all authors, the whole abstract
    standard    every field, five authors; empty is what explains a result (`score_parts`, the open-access `locations`,
                `provenance` but that of a retraction); so that ten papers take no more than 5,000 tokens, abstracts are
                cut and, before they become too short, all but the best `provider_scores` and `citation_counts`
    compact     what a list needs to choose from: no abstract unless `abstract_chars` asks for it, three authors

`fields` names fields that come as in `full`. Nothing is cut below what a caller named in `abstract_chars`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from shared.canonical_json import compact_json
from shared.search.request import Sized

if TYPE_CHECKING:
    from shared.answers.search import Paper, Truncated

Entry = TypeVar("Entry")
STANDARD_AUTHORS, COMPACT_AUTHORS = 5, 3
# What ten papers take by default, in tokens.
STANDARD_TOKENS = 5_000
# JSON full of identifiers and numbers takes 3.1 to 3.3 bytes a token (o200k), other scripts as much by their bytes.
BYTES_PER_TOKEN = 3.1
# With less room than this an abstract says nothing; with less than that, other things make room.
LEAST_ABSTRACT_BYTES, ENOUGH_ABSTRACT_BYTES = 80, 240
COMPACT_FIELDS = (
    "key", "title", "authors", "author_count", "year", "journal", "type", "pmid", "citation_count", "abstract",
    "retraction", "score",
)  # fmt: skip
RESULT_FIELDS = (
    "doi", "pmid", "paper_id", "title", "authors", "author_count", "year", "publication_date", "journal", "volume",
    "issue", "pages", "type", "language", "abstract", "tldr", "citation_count", "influential_citation_count",
    "citation_counts", "citation_uri", "key", "external_ids", "open_access", "retraction", "versions",
    "provider_scores", "best_provider", "best_score", "score", "score_parts", "provenance", "possible_duplicates",
    "found_by",
)  # fmt: skip
TLDR_CHARS = 300  # a machine's summary is one sentence


def tokens(value: Any) -> float:
    """About how many tokens a value takes as JSON."""
    return len(compact_json(value).encode("utf-8", "replace")) / BYTES_PER_TOKEN


def sized(result: Paper, request: Sized) -> Paper:
    """One result as large as the caller wants it; of a page see `page_sized`."""
    return page_sized([result], request)[0][0]


def page_sized(results: Sequence[Paper], request: Sized) -> tuple[list[Paper], int]:
    """The results as large as the caller wants them, and how many of the abstracts wanted are shorter than they are."""
    shown = [cast("Paper", _without_abstract(result, request)) for result in results]
    automatic = request.detail == "standard" and not request.fields
    unasked = request.detail == "compact" and not request.fields and request.abstract_chars is None
    if not request.include_abstract or unasked or (request.fields and "abstract" not in request.fields):
        return shown, 0
    room = None
    if automatic and request.abstract_chars is None:
        room = _room(results, shown)
        if (room is not None and room < ENOUGH_ABSTRACT_BYTES) or sum(map(tokens, shown)) > _share(results):
            for result, small in zip(results, shown, strict=True):
                small["provider_scores"] = _only(result["best_provider"], small["best_score"])
                small["citation_counts"] = _only(_holder(result), result["citation_count"])
            room = _room(results, shown)
    for result, small in zip(results, shown, strict=True):
        chars = request.abstract_chars if room is None else _chars(result["abstract"], room)
        small["abstract"] = result["abstract"] if chars is None else _cut(result["abstract"], chars)
    return shown, sum(small["abstract"] != result["abstract"] for result, small in zip(results, shown, strict=True))


def _room(results: Sequence[Paper], shown: Sequence[Paper]) -> int | None:
    """How many bytes each abstract may take, so that all papers stay within their tokens; None when all fit whole."""
    lengths = sorted(_bytes(result["abstract"]) for result in results if result["abstract"])
    left = (_share(results) - sum(tokens(small) for small in shown)) * BYTES_PER_TOKEN
    for number, length in enumerate(lengths):  # short ones come whole, the others share what is left
        each = left / (len(lengths) - number)
        if length > each:
            return int(each) if each >= LEAST_ABSTRACT_BYTES else 0
        left -= length
    return None


def _share(results: Sequence[Paper]) -> float:
    return STANDARD_TOKENS * max(1.0, len(results) / 10)


def _chars(text: str | None, room: int) -> int:
    """So many characters of this text as fit into so many bytes."""
    return room * len(text) // _bytes(text) if text else 0


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _without_abstract(result: Mapping[str, Any], request: Sized) -> dict[str, Any]:
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


def _light(result: Mapping[str, Any], fields: Sequence[str]) -> dict[str, Any]:
    """The fields without what is only for the curious."""
    compact = fields is COMPACT_FIELDS
    light = {
        "provenance": _of_standing(result),
        "score_parts": {},
        "open_access": {**result["open_access"], "locations": []} if result["open_access"] else None,
        "provider_scores": {name: _short(score) for name, score in result["provider_scores"].items()},
        "best_score": _short(result["best_score"]),
        "score": _short(result["score"]),
        "tldr": _cut(result["tldr"], TLDR_CHARS),
        "retraction": {"status": result["retraction"]["status"]} if compact else result["retraction"],
    }
    return {name: light.get(name, result[name]) for name in fields}


def _of_standing(result: Paper) -> dict[str, Any]:
    """Of the provenance what nobody should miss: who says that a paper is retracted, and who says otherwise."""
    told = {name: who for name, who in (result["provenance"] or {}).items() if name.startswith("retraction")}
    return told if result["retraction"]["status"] != "none" or len(told) > 1 else {}


def _only(name: str | None, value: Any) -> dict[str, Any]:
    return {} if name is None else {name: value}


def _holder(result: Paper) -> str | None:
    """Who tells the citation count that is shown."""
    counts = result["citation_counts"] or {}
    return min((name for name, count in counts.items() if count == result["citation_count"]), default=None)


def _short(score: float | None) -> float | None:
    return None if score is None else round(score, 3)


def _cut(text: str | None, chars: int) -> str | None:
    """At most so many characters, ending at a word, with an ellipsis where something is missing."""
    if text is None or len(text) <= chars:
        return text
    kept = text[: max(0, chars - 1)]
    return (kept.rpartition(" ")[0] or kept) + "…" if chars else None


def within_budget(
    results: list[Entry], max_tokens: int | None, *, envelope: float = 0.0
) -> tuple[list[Entry], Truncated | None]:
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


def light_report(report: Mapping[str, Any]) -> dict[str, Any]:
    """A leg report for a compact answer: of a leg that went well what matters, of another everything."""
    if report["outcome"] in ("ok", "empty") and report["source"] != "stale" and not report["warnings"]:
        return {name: report[name] for name in ("outcome", "source", "returned")}
    return dict(report)
