"""Semantic Scholar's Academic Graph API: search, title match, one paper, batch, references and citations."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.semantic_scholar_records import all_fields, exact_date, external_ids, is_withheld, record
from shared.bibliography.identifiers import read_arxiv, read_doi, read_paper_id
from shared.bibliography.text import fold
from shared.query.query import first_day, last_day

NAME = "semantic_scholar"
PAPER = "/graph/v1/paper/"
MAX_LIMIT, MAX_REACH, MAX_BATCH = 100, 1000, 500
MAX_LINKS, MAX_LINK_REACH = 1000, 10_000
FILTERS = ("publicationDateOrYear", "venue", "publicationTypes", "openAccessPdf", "minCitationCount")
PARAMETERS = {
    "search": ("query", "limit", "offset", *FILTERS),
    "search/match": ("query",),
    "batch": (),
    "paper": (),
    "references": ("limit", "offset"),
    "citations": ("limit", "offset"),
}
SIDES = {"references": "citedPaper", "citations": "citingPaper"}
EDGE = {"contexts": [], "intents": [], "isInfluential": False}  # fields of a citation, not of a paper


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer one request."""
    if not request.path.startswith(PAPER):
        return _json({"message": "Not Found"}, 404)
    path = request.path.removeprefix(PAPER)
    name, _, last = path.rpartition("/")
    kind = path if path in ("search", "search/match", "batch") else last if last in SIDES and name else "paper"
    invalid = sorted(set(request.args) - {"fields", *PARAMETERS[kind]})
    if invalid:
        return _error(400, f"Unacceptable query params: [{', '.join(invalid)}]")
    unknown = sorted(set(_fields(request)) - set(all_fields(Fact(title=""))) - set(EDGE if kind in SIDES else ()))
    if kind in SIDES and "tldr" in _fields(request):
        unknown.append("tldr")
    if unknown:
        return _error(400, f"Unrecognized or unsupported fields: [{', '.join(unknown)}]")
    if kind == "batch":
        return _batch(request, corpus) if request.method == "POST" else _error(404, "Paper with id batch not found")
    if kind in ("search", "search/match"):
        return _search(request, corpus) if kind == "search" else _match(request, corpus)
    fact = _find(corpus, name if kind in SIDES else path)
    if not fact:
        return _error(404, f"Paper with id {name if kind in SIDES else path} not found")
    return _links(request, corpus, fact, kind) if kind in SIDES else _json(record(fact, _fields(request)))


def error_envelope() -> Response:
    """Return the gateway's 429: `message`, the code as a text, and no Retry-After."""
    return _json({"message": "Too Many Requests. Please wait and try again.", "code": "429"}, 429)


def _error(status: int, message: str) -> Response:
    return _json({"error": message}, status)


def _json(data: Any, status: int = 200) -> Response:
    return Response(json.dumps(data), status=status, content_type="application/json")


def _fields(request: Request) -> list[str]:
    fields = request.args.get("fields", "paperId,title").split(",")
    return list(dict.fromkeys(["paperId", *(name.partition(".")[0] for name in fields)]))


def _search(request: Request, corpus: Corpus) -> Response:
    args = request.args
    try:
        offset, limit = int(args.get("offset", 0)), int(args.get("limit", MAX_LIMIT))
        first, last = _range(args.get("publicationDateOrYear", ""))
    except ValueError:
        return _error(400, "Unacceptable query params")
    if not args.get("query") or not 0 < limit <= MAX_LIMIT or offset < 0 or offset + limit > MAX_REACH:
        return _error(400, "Unacceptable query params")
    # The API has no query syntax: operators are ordinary words, and a word with a hyphen has no results.
    words = fold(" ".join(word for word in args["query"].split() if "-" not in word))

    def matches(fact: Fact) -> bool:
        return first <= _day(fact) <= last and _passes(fact, args)

    hits = corpus.search(NAME, words, matches) if words else []
    body: dict[str, Any] = {"total": len(hits), "offset": offset}
    if offset + limit < min(len(hits), MAX_REACH):
        body["next"] = offset + limit
    if hits:
        body["data"] = [record(hit.fact, _fields(request)) for hit in hits[offset : offset + limit]]
    return _json(body)


def _range(text: str) -> tuple[date, date]:
    """Parse `2019-03`, `2016:2020-06`, `2016:` or `:2020` into the first and the last day."""
    start, colon, end = text.partition(":")
    end = end if colon else start
    return first_day(start) if start else date.min, last_day(end) if end else date.max


def _day(fact: Fact) -> date:
    """Return the publication date; a year or month alone counts as the first of January."""
    return date.fromisoformat(exact_date(fact) or f"{fact.year or 1:04}-01-01")


def _passes(fact: Fact, args: Mapping[str, str]) -> bool:
    fields = all_fields(fact)
    venues = {fold(name) for name in args.get("venue", "").split(",") if name}
    types = set(args["publicationTypes"].split(",")) if args.get("publicationTypes") else None
    return (
        (not venues or fold(fact.journal or fields["venue"]) in venues)
        and (types is None or bool(types & set(fields["publicationTypes"] or ())))
        and ("openAccessPdf" not in args or bool((fields["openAccessPdf"] or {}).get("url")))
        and (fact.citation_count or 0) >= int(args.get("minCitationCount") or 0)
    )


def _batch(request: Request, corpus: Corpus) -> Response:
    ids = (request.get_json(silent=True) or {}).get("ids")
    if not isinstance(ids, list) or not 0 < len(ids) <= MAX_BATCH:
        return _error(400, f"ids must be a list of 1 to {MAX_BATCH}")
    found = [_find(corpus, str(name)) for name in ids]
    if not any(found):
        return _error(400, "No valid paper ids given")
    return _json([record(fact, _fields(request)) if fact else None for fact in found])


def _match(request: Request, corpus: Corpus) -> Response:
    """Return the paper with the most similar title, even a different one; no match has two forms of response."""
    words = fold(" ".join(word for word in request.args.get("query", "").split() if "-" not in word))
    if not words:
        return _error(400, "Unacceptable query params")

    def keep(fact: Fact) -> bool:
        shared = set(words.split()) & set(fold(fact.title).split())
        return 2 * len(shared) > len(set(words.split()))

    hits = corpus.search(NAME, words, keep)
    if not hits:
        return _json({"data": []}) if len(words) % 2 else _error(404, "Title match not found")
    best = max(hits, key=lambda hit: (fold(hit.fact.title) == words, hit.score))
    return _json({"data": [{**record(best.fact, _fields(request)), "matchScore": round(best.score, 5)}]})


def _links(request: Request, corpus: Corpus, fact: Fact, kind: str) -> Response:
    try:
        offset, limit = int(request.args.get("offset", 0)), int(request.args.get("limit", 100))
    except ValueError:
        return _error(400, "Unacceptable query params")
    if not 0 < limit <= MAX_LINKS or offset < 0:
        return _error(400, "Unacceptable query params")
    if offset + limit >= MAX_LINK_REACH:
        return _error(400, f"offset + limit must be < {MAX_LINK_REACH}")
    fields = [name for name in _fields(request) if name not in EDGE]
    body: dict[str, Any] = {"offset": offset}
    if kind == "references":
        body["citingPaperInfo"] = {"openAccessPdf": record(fact, ["openAccessPdf"])["openAccessPdf"]}
        if is_withheld(fact):
            return _json({**body, "data": None})
        papers = _cited(corpus, fact, fields)
    else:
        papers = [record(other, fields) for other in corpus.citing(NAME, fact)]
    if offset + limit < len(papers):
        body["next"] = offset + limit
    edge = {name: EDGE[name] for name in _fields(request) if name in EDGE}
    return _json({**body, "data": [{**edge, SIDES[kind]: paper} for paper in papers[offset : offset + limit]]})


def _cited(corpus: Corpus, fact: Fact, fields: list[str]) -> list[dict[str, Any]]:
    """Return the references in the index, and only title and year, without ids, of the others."""
    indexed = {id(other) for other in corpus.cited(NAME, fact)}
    known = [corpus.by_name[name.lower()] for name in fact.references if name.lower() in corpus.by_name]
    known_fields = ("title", "year")
    return [
        record(other, fields)
        if id(other) in indexed
        else {name: getattr(other, name) if name in known_fields else None for name in fields}
        for other in known
    ]


def _find(corpus: Corpus, name: str) -> Fact | None:
    """Return a paper by `DOI:`, `ARXIV:`, `PMID:`, `PMCID:`, `CorpusId:`, or a plain DOI or paper id."""
    kind, _, value = name.partition(":")
    # A preprint and its article are one record, with the ids of both.
    external = {"ARXIV": ("ArXiv", read_arxiv(value)), "CORPUSID": ("CorpusId", value)}.get(kind.upper())
    if external:
        named = (fact for fact in corpus.facts if str(external_ids(fact).get(external[0])) == external[1])
        return next((fact for fact in named if corpus.find(NAME, s2_paper_id=fact.s2_paper_id) is fact), None)
    prefixes = {
        "DOI": ("doi", value),
        "PMID": ("pmid", value),
        "PMCID": ("pmcid", "PMC" + value.upper().removeprefix("PMC")),
    }
    field, text = prefixes.get(kind.upper(), ("doi", read_doi(name)))
    return corpus.find(NAME, s2_paper_id=read_paper_id(name), **{field: text})
