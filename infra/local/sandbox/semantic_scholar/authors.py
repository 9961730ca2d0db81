"""Semantic Scholar's authors: search, one author, batches, an author's papers, a paper's authors.

One author here is one spelling of a name; the real service also merges and splits persons.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.semantic_scholar.fields import RefusedError, read_fields, subfields, unacceptable
from infra.local.sandbox.semantic_scholar.filters import dates
from infra.local.sandbox.semantic_scholar.links import existing, read_page
from infra.local.sandbox.semantic_scholar.records import NAME, author_id, author_names, record
from shared.bibliography.text import fold

MAX_AUTHORS, MAX_BATCH = 1000, 1000


@dataclass
class _Author:
    number: str
    name: str
    papers: list[Fact] = field(default_factory=list)


def _authors(corpus: Corpus) -> dict[str, _Author]:
    """Return every author with an id, by it, in the order of the papers."""
    found: dict[str, _Author] = {}
    for fact in corpus.covered(NAME):
        for name in author_names(fact):
            if number := author_id(fact, name):
                found.setdefault(number, _Author(number, name)).papers.append(fact)
    return found


def _record(corpus: Corpus, author: _Author, fields: list[str]) -> dict[str, Any]:
    counts = sorted((fact.citation_count or 0 for fact in author.papers), reverse=True)
    known: dict[str, Any] = {
        "authorId": author.number,
        "externalIds": {},
        "url": f"https://www.semanticscholar.org/author/{author.number}",
        "name": author.name,
        "affiliations": [],
        "homepage": None,
        "paperCount": len(author.papers),
        "citationCount": sum(counts),
        "hIndex": sum(count >= place for place, count in enumerate(counts, start=1)),
    }
    values = {name: known[name] for name in fields if name in known}
    if any(name.partition(".")[0] == "papers" for name in fields):
        wanted = ["paperId", *subfields(fields, "papers", ("title",))]
        values["papers"] = [record(corpus, fact, wanted) for fact in author.papers]
    return values


def search(args: Mapping[str, str], corpus: Corpus) -> dict[str, Any]:
    """Answer `/author/search`: all words of the query are in the name; a word with a hyphen finds nobody."""
    fields = read_fields(args.get("fields"), "author")
    offset, limit = read_page(args, MAX_AUTHORS)
    if not args.get("query", "").strip():
        raise unacceptable("query", args.get("query", ""))
    words = set(fold(args["query"]).split())
    hyphened = re.search(r"\w-\w", args["query"])
    hits = [it for it in _authors(corpus).values() if words <= set(fold(it.name).split()) and not hyphened]
    body: dict[str, Any] = {"total": len(hits), "offset": offset}
    if offset + limit < len(hits):
        body["next"] = offset + limit
    return {**body, "data": [_record(corpus, author, fields) for author in hits[offset : offset + limit]]}


def one(args: Mapping[str, str], corpus: Corpus, number: str) -> dict[str, Any]:
    """Answer `/author/{id}`."""
    author = _existing(corpus, number)
    return _record(corpus, author, read_fields(args.get("fields"), "author"))


def batch(args: Mapping[str, str], corpus: Corpus, body: Mapping[str, Any]) -> list[Any]:
    """Answer `/author/batch`: in the order of the ids, with null for an unknown one."""
    fields = read_fields(args.get("fields"), "author")
    ids, authors = body.get("ids"), _authors(corpus)
    if not isinstance(ids, list) or not 0 < len(ids) <= MAX_BATCH:
        raise RefusedError(f"ids must be a list of 1 to {MAX_BATCH}")
    found = [authors.get(str(number)) for number in ids]
    return [_record(corpus, author, fields) if author else None for author in found]


def papers(args: Mapping[str, str], corpus: Corpus, number: str) -> dict[str, Any]:
    """Answer `/author/{id}/papers`."""
    author = _existing(corpus, number)
    fields = read_fields(args.get("fields"), "search")
    passes = dates(args["publicationDateOrYear"]) if "publicationDateOrYear" in args else lambda _: True
    found = [fact for fact in author.papers if passes(fact)]
    offset, limit = read_page(args, MAX_AUTHORS)
    following = {"next": offset + limit} if offset + limit < len(found) else {}
    page = found[offset : offset + limit]
    return {"offset": offset, **following, "data": [record(corpus, fact, fields) for fact in page]}


def of_paper(args: Mapping[str, str], corpus: Corpus, name: str) -> dict[str, Any]:
    """Answer `/paper/{id}/authors`; an author without an id has the paper's name and null."""
    fact = existing(corpus, name)
    fields = read_fields(args.get("fields"), "author")
    offset, limit = read_page(args, MAX_AUTHORS)
    authors, names = _authors(corpus), author_names(fact)
    following = {"next": offset + limit} if offset + limit < len(names) else {}
    known = [(it, authors.get(author_id(fact, it) or "")) for it in names[offset : offset + limit]]
    data = [
        _record(corpus, author, fields) if author else {key: it if key == "name" else None for key in fields}
        for it, author in known
    ]
    return {"offset": offset, **following, "data": data}


def _existing(corpus: Corpus, number: str) -> _Author:
    author = _authors(corpus).get(number)
    if author is None:
        raise RefusedError(f"Author with id {number} not found", 404)
    return author
