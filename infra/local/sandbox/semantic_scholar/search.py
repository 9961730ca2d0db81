"""Semantic Scholar's searches: by relevance, in bulk, by title, in snippets, and completions of a title."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.semantic_scholar.engine import boolean_search, plain_search, ranked, title_match
from infra.local.sandbox.semantic_scholar.fields import RefusedError, read_fields, unacceptable
from infra.local.sandbox.semantic_scholar.filters import filters
from infra.local.sandbox.semantic_scholar.links import find, read_page
from infra.local.sandbox.semantic_scholar.records import NAME, author_names, external_ids, field_value, record

Args = Mapping[str, str]

MAX_LIMIT, MAX_REACH, MAX_SNIPPETS = 100, 1000, 1000
BULK_PAGE = 1000
COMPLETIONS, COMPLETED_SIGNS = 10, 100


def relevance(args: Args, corpus: Corpus) -> dict[str, Any]:
    """Answer `/paper/search`: without hits there is no `data`, on the last page no `next`."""
    fields = read_fields(args.get("fields"), "search")
    offset, limit = read_page(args, MAX_LIMIT)
    test, passes = plain_search(_query(args)), filters(args)
    hits = [fact for _, fact in ranked(args["query"], corpus.covered(NAME)) if test(fact) and passes(fact)]
    if offset + limit > MAX_REACH or (hits and offset >= len(hits)):
        raise RefusedError("Requested data for this limit and/or offset is not available")
    body: dict[str, Any] = {"total": len(hits), "offset": offset}
    if offset + limit < len(hits):
        body["next"] = offset + limit
    if hits:
        body["data"] = [record(corpus, fact, fields) for fact in hits[offset : offset + limit]]
    return body


def bulk(args: Args, corpus: Corpus) -> dict[str, Any]:
    """Answer `/paper/search/bulk`: pages of BULK_PAGE papers, each with the token of the next; null on the last one."""
    fields = read_fields(args.get("fields"), "bulk")
    query, passes = args.get("query", ""), filters(args)
    test = boolean_search(query) if query.strip() else passes
    hits = _sorted([fact for fact in corpus.covered(NAME) if test(fact) and passes(fact)], args.get("sort"))
    start = _read_token(args["token"]) if "token" in args else 0
    end = start + BULK_PAGE
    token = _token(end) if end < len(hits) else None
    return {"total": len(hits), "token": token, "data": [record(corpus, fact, fields) for fact in hits[start:end]]}


def match(args: Args, corpus: Corpus) -> dict[str, Any]:
    """Answer `/paper/search/match`; no match has two forms of response."""
    fields = read_fields(args.get("fields"), "search")
    query, passes = _query(args), filters(args)
    found = title_match(query, [fact for fact in corpus.covered(NAME) if passes(fact)])
    if found:
        return {"data": [{**record(corpus, found[0], fields), "matchScore": found[1]}]}
    if len(query) % 2:
        return {"data": []}
    raise RefusedError("Title match not found", 404)


def snippets(args: Args, corpus: Corpus) -> dict[str, Any]:
    """Answer `/snippet/search`: by similarity, so not every term of the query must be there."""
    fields = read_fields(args["fields"], "snippet") if "fields" in args else []
    _, limit = read_page(args, MAX_SNIPPETS, default=10)
    passes = filters({name: value for name, value in args.items() if name != "fields"})
    within = {id(find(corpus, name)) for name in args.get("paperIds", "").split(",") if name}
    authors = [name.casefold() for name in args.get("authors", "").split(",") if name]
    hits = [
        (score, fact)
        for score, fact in ranked(_query(args), corpus.covered(NAME))
        if score and passes(fact) and (not within or id(fact) in within) and _wrote(fact, authors)
    ]
    best = hits[0][0] if hits else 1.0
    return {
        "data": [_snippet(fact, score / best, fields) for score, fact in hits[:limit]],
        "retrievalVersion": "pa1-v1",
    }


def completions(args: Args, corpus: Corpus) -> dict[str, Any]:
    """Answer `/paper/autocomplete`: titles that begin with the text."""
    begun = _query(args)[:COMPLETED_SIGNS].casefold()
    found = [fact for fact in corpus.covered(NAME) if fact.title.casefold().startswith(begun)]
    return {
        "matches": [
            {
                "id": fact.s2_paper_id,
                "title": fact.title,
                "authorsYear": f"{fact.authors[0][0] if fact.authors else 'Unknown'} et al., {fact.year}",
            }
            for fact in found[:COMPLETIONS]
        ]
    }


def _query(args: Args) -> str:
    if not args.get("query", "").strip():
        raise unacceptable("query", args.get("query", ""))
    return args["query"]


def _wrote(fact: Fact, names: list[str]) -> bool:
    written = " ".join(author_names(fact)).casefold()
    return all(name in written for name in names)


def _snippet(fact: Fact, score: float, fields: list[str]) -> dict[str, Any]:
    text, kind = (fact.abstract, "abstract") if fact.abstract else (fact.title, "title")
    whole = {
        "text": text,
        "snippetKind": kind,
        "section": None,
        "snippetOffset": {"start": 0, "end": len(text)},
        "annotations": {"sentences": [{"start": 0, "end": len(text)}], "refMentions": []},
    }
    wanted = {name.split(".")[1] for name in fields if "." in name} or set(whole)
    paper = {
        "corpusId": str(external_ids(fact)["CorpusId"]),
        "title": fact.title,
        "authors": author_names(fact),
        "openAccessInfo": None,
    }
    return {
        "snippet": {name: whole[name] for name in whole if name in wanted},
        "score": round(score, 4),
        "paper": paper,
    }


def _sorted(facts: list[Fact], text: str | None) -> list[Fact]:
    """Return the papers in the order of `sort`; equal ones by paperId, those without a value last."""
    name, _, direction = (text or "paperId:asc").partition(":")
    if name not in ("paperId", "publicationDate", "citationCount") or direction not in ("", "asc", "desc"):
        raise unacceptable("sort", text or "")
    value: Callable[[Fact], Any] = lambda fact: field_value(fact, name)  # noqa: E731
    known = sorted((fact for fact in facts if value(fact) is not None), key=lambda fact: fact.s2_paper_id or "")
    known.sort(key=value, reverse=direction == "desc")
    return known + sorted((fact for fact in facts if value(fact) is None), key=lambda fact: fact.s2_paper_id or "")


def _token(start: int) -> str:
    return "PCO" + base64.b32encode(f"{start:>10}".encode()).decode()


def _read_token(token: str) -> int:
    try:
        return int(base64.b32decode(token.removeprefix("PCO")))
    except (binascii.Error, ValueError) as error:
        raise unacceptable("token", token) from error
