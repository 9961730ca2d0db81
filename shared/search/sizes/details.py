"""How large an answer's papers are: the fields of each `detail`, and how much of the abstracts.

    full        every field, all authors, the whole abstract
    standard    STANDARD_FIELDS always; every other field only where it is known and says something. Five authors, the
                abstract up to ABSTRACT_CHARS, cut at a sentence
    compact     enough to choose from a list: the first author, and the abstract's sentence that fits the query best

`fields` selects fields, each as in `full`. `abstract_chars` gives so much of each abstract in any detail. Where a page
has more text than its tokens allow, its longest abstracts are shortened to the same length.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from shared.answers.search import Paper
from shared.search.requests.search_request import Sized
from shared.search.sizes.abstract_cuts import (
    ABSTRACT_CHARS,
    chars_within,
    cut_at_sentence,
    cut_at_word,
    equal_share,
    text_bytes,
)
from shared.search.sizes.best_sentence import best_sentence
from shared.search.sizes.token_budget import BYTES_PER_TOKEN, tokens

if TYPE_CHECKING:
    from shared.answers.paper_parts import OpenAccess

STANDARD_AUTHORS, COMPACT_AUTHORS = 5, 1
# The size of ten papers, in tokens: of standard ones by themselves, of compact ones with the rest of their answer.
STANDARD_TOKENS, COMPACT_TOKENS = 8_450, 1_520
# Characters of the sentence in a compact answer; below LEAST it says nothing, and `…` stands for it.
SENTENCE_CHARS, LEAST_CHARS = 200, 30
# The longest title and journal of a compact paper where there is no room for whole ones, nor for the least sentences:
# proceedings have names of whole lines.
TITLE_CHARS, JOURNAL_CHARS = (100, 70), 32
RESULT_FIELDS = tuple(name for name in Paper.__annotations__ if name != "is_oa")  # in the order in which JSON has them
STANDARD_FIELDS = (
    "doi", "pmid", "paper_id", "title", "authors", "author_count", "year", "journal", "abstract", "tldr",
    "citation_count", "citation_counts", "citation_uri", "key", "provider_scores", "best_provider", "best_score",
    "score",
)  # fmt: skip
# Besides these a compact paper has its retraction, when there is one to report.
COMPACT_FIELDS = (
    "key", "title", "authors", "author_count", "year", "journal", "doi", "is_oa", "citation_count", "score",
    "abstract",
)  # fmt: skip
_YEAR_CHARS = 4
_USED = 0.95  # of a budget, for sentences: the rest of the answer is only estimated before it is made
_TELLING_IDS = ("pmcid", "arxiv")  # what a standard paper has of its other ids; `full` has all
# What a standard paper does not have of its other versions.
_LEFT_OUT: dict[str, None] = {"title": None, "journal": None, "publication_date": None}

_Fields = dict[str, Any]  # a Paper whose fields are chosen by their names
_Cut = Callable[[str | None, int], str | None]


def sized(result: Paper, request: Sized) -> Paper:
    """One result in the requested size; for a page see `page_sized`."""
    return page_sized([result], request)[0]


def page_sized(
    page: Sequence[Paper], request: Sized, words: Sequence[str] | None = None, *, envelope: float = 0.0
) -> list[Paper]:
    """The results in the requested size; `cut_fields` counts what was cut.

    `words`: the terms of the query; None where there is no query, so that no sentence fits it best.
    `envelope`: the tokens of the rest of the answer, which leave less for the sentences of compact papers.
    """
    results = [cast("_Fields", result) for result in page]
    shown = [_without_abstract(result, request) for result in results]
    if words is not None and request.detail == "compact" and not request.fields:
        for title_chars, sentence in zip(TITLE_CHARS, (SENTENCE_CHARS, LEAST_CHARS), strict=True):
            if not _is_full(results, shown, request, envelope, sentence):
                break
            for small in shown:
                small["title"] = cut_at_word(small["title"], title_chars)
                small["journal"] = cut_at_word(small["journal"], JOURNAL_CHARS)
    if shows_abstract(request, has_query=words is not None):
        cut, chars = _abstract_form(request, words)
        limits = _limits(results, shown, chars, request, envelope)
        for result, small, limit in zip(results, shown, limits, strict=True):
            small["abstract"] = cut(result["abstract"], limit)
    return [cast("Paper", small) for small in shown]


def compact_paper(paper: Paper) -> Paper:
    """A paper of chosen fields in the compact size, as far as it has the fields of that."""
    shown = _compact(cast("_Fields", paper))
    return cast("Paper", {**shown, "authors": shown["authors"][:COMPACT_AUTHORS]})


def cut_fields(results: Sequence[Paper], shown: Sequence[Paper], request: Sized) -> dict[str, int]:
    """How many of the papers that are `shown` have a shortened value, by field; of compact ones, besides authors."""
    cut: Counter[str] = Counter()
    counts_authors = request.detail != "compact" or bool(request.fields)
    for result, small in zip(results, shown, strict=False):
        texts = {"abstract": result["abstract"], "title": result["title"], "journal": result["journal"]}
        cut.update(name for name, text in texts.items() if small.get(name) not in (None, text))
        cut["authors"] += counts_authors and len(small.get("authors", result["authors"])) < len(result["authors"])
    return {name: count for name, count in cut.items() if count}


def shows_abstract(request: Sized, *, has_query: bool = False) -> bool:
    """Whether the papers of this request have an abstract, or a sentence of it."""
    if not request.include_abstract or (request.fields and "abstract" not in request.fields):
        return False
    named = request.abstract_chars is not None or "include_abstract" in request.model_fields_set
    return request.detail != "compact" or bool(request.fields) or named or has_query


def _abstract_form(request: Sized, words: Sequence[str] | None) -> tuple[_Cut, int | None]:
    """How abstracts are cut, and to how many characters; None: not at all."""
    if request.abstract_chars is not None:
        return cut_at_word, request.abstract_chars
    if request.detail == "full" or request.fields:
        return cut_at_word, None
    if request.detail == "standard" or "include_abstract" in request.model_fields_set:
        return cut_at_sentence, ABSTRACT_CHARS
    return lambda text, chars: best_sentence(text, words or (), chars), SENTENCE_CHARS


def _limits(
    results: Sequence[_Fields], shown: Sequence[_Fields], chars: int | None, request: Sized, envelope: float
) -> list[int]:
    """How many characters each abstract may have."""
    if chars is None or request.abstract_chars is not None:
        return [len(result["abstract"] or "") if chars is None else chars for result in results]
    is_standard = chars == ABSTRACT_CHARS
    share = STANDARD_TOKENS * _tens(results) if is_standard else _compact_share(results, request, envelope)
    starts = [(result["abstract"] or "")[:chars] for result in results]
    left = (share - sum(map(tokens, shown))) * BYTES_PER_TOKEN
    most = equal_share([text_bytes(text) for text in starts if text], left)
    limits = [chars if most is None else chars_within(text, most) for text in starts]
    return [max(LEAST_CHARS, it) if is_standard else it if it >= LEAST_CHARS else 0 for it in limits]


def _is_full(
    results: Sequence[_Fields], shown: Sequence[_Fields], request: Sized, envelope: float, sentence: int
) -> bool:
    """Whether titles and journals leave compact papers too little room for sentences of so many characters."""
    has_sentences = shows_abstract(request, has_query=True)
    sentences = [(result["abstract"] or "")[:sentence] for result in results if has_sentences]
    used = sum(map(tokens, shown)) + sum(map(text_bytes, sentences)) / BYTES_PER_TOKEN
    return used > _compact_share(results, request, envelope)


def _compact_share(results: Sequence[_Fields], request: Sized, envelope: float) -> float:
    """The tokens for compact papers: who allows more gets whole sentences and titles."""
    share = (COMPACT_TOKENS - envelope) * _tens(results)
    return max(share, request.max_tokens * _USED - envelope) if request.max_tokens else share


def _tens(results: Sequence[_Fields]) -> float:
    return max(1.0, len(results) / 10)


def _without_abstract(result: _Fields, request: Sized) -> _Fields:
    if request.fields:
        shown = {name: result[name] for name in RESULT_FIELDS if name in request.fields}
    elif request.detail == "full":
        shown = {name: result[name] for name in RESULT_FIELDS}
    else:
        shown = _compact(result) if request.detail == "compact" else _standard(result)
    authors = {"compact": COMPACT_AUTHORS, "standard": STANDARD_AUTHORS}.get(request.detail)
    return {
        **shown,
        **({"authors": shown["authors"][:authors]} if "authors" in shown and authors else {}),
        **({"abstract": None} if "abstract" in shown else {}),
    }


def _compact(result: _Fields) -> _Fields:
    values = {**result, "is_oa": (result["open_access"] or {}).get("is_oa")}
    shown = {name: values[name] for name in COMPACT_FIELDS if name in values}
    if "score" in shown:
        shown["score"] = _short(shown["score"])
    status = result["retraction"]["status"]
    return shown if status == "none" else {**shown, "retraction": {"status": status}}


def _standard(result: _Fields) -> _Fields:
    """The fields that are always there, and the others that say something, in the order of all fields."""
    values = {
        **result,
        "provider_scores": {name: _short(score, 2) for name, score in result["provider_scores"].items()},
        "best_score": _short(result["best_score"], 2),
        "score": _short(result["score"]),
        "publication_date": _more_exact_than_year(result["publication_date"]),
        "type": None if result["type"] == "journal-article" else result["type"],
        "language": None if result["language"] == "en" else result["language"],
        "external_ids": _other_ids(result),
        "open_access": _open_access(result["open_access"], result["citation_uri"]),
        "retraction": None if result["retraction"]["status"] == "none" else _known(result["retraction"]),
        "versions": _other_versions(result),
        "score_parts": {},
        "provenance": _retraction_provenance(result),
    }
    return {
        name: values[name] for name in RESULT_FIELDS if name in STANDARD_FIELDS or values[name] not in (None, [], {})
    }


def _known(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if value is not None}


def _more_exact_than_year(day: str | None) -> str | None:
    return day if day and len(day) > _YEAR_CHARS else None


def _open_access(copies: OpenAccess | None, citation_uri: str | None) -> dict[str, Any]:
    """Whether there is a free copy, and where, if not at the address to cite; empty if neither is known."""
    shown = _known({**(copies or {}), "locations": None})
    return {name: value for name, value in shown.items() if name != "url" or value != citation_uri}


def _other_versions(result: _Fields) -> list[dict[str, Any]]:
    """The versions other than the paper itself, by their ids."""
    others = [version for version in result["versions"] if not result["doi"] or version["doi"] != result["doi"]]
    return [_known({**version, **_LEFT_OUT}) for version in others]


def _other_ids(result: _Fields) -> dict[str, str]:
    """The ids that do not end with an id of the paper that is shown already (`MED/30120001`, `oa_W2912000001`)."""
    shown = [str(result[name]).casefold() for name in ("doi", "pmid", "paper_id") if result[name]]
    others: dict[str, str] = {}
    for name, value in result["external_ids"].items():
        if value and name in _TELLING_IDS and not value.casefold().endswith(tuple(shown)):
            others[name] = value
            shown.append(value.casefold())
    return others


def _retraction_provenance(result: _Fields) -> dict[str, list[str]]:
    """The part of the provenance that is always shown: who reports a retraction, and who reports otherwise."""
    reported = {name: who for name, who in (result["provenance"] or {}).items() if name.startswith("retraction")}
    return reported if result["retraction"]["status"] != "none" or len(reported) > 1 else {}


def _short(score: float | None, digits: int = 3) -> float | None:
    return None if score is None else round(score, digits)
