"""Semantic Scholar's wire format over the corpus: search, one paper, a batch, with the real API's oddities."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import unquote

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus, Fact
from shared.identifiers import read_arxiv, read_doi, read_paper_id
from shared.query import first_day, last_day
from shared.text import fold

NAME = "semantic_scholar"
PAPER = "/graph/v1/paper/"
MAX_LIMIT, MAX_REACH, MAX_BATCH = 100, 1000, 500
TYPES = {
    "journal-article": ["JournalArticle"], "review": ["Review", "JournalArticle"], "preprint": ["JournalArticle"],
    "conference-paper": ["JournalArticle", "Conference"], "book-chapter": ["BookSection"],
    "editorial": ["Editorial"], "letter": ["LettersAndComments"],
}  # fmt: skip


def answer(request: Request, corpus: Corpus) -> Response:
    """The service's answer to one request."""
    if not request.path.startswith(PAPER):
        return _error(404, "Not Found")
    unknown = sorted(set(_fields(request)) - set(_whole(Fact(title=""))))
    if unknown:
        return _error(400, f"Unrecognized or unsupported fields: [{', '.join(unknown)}]")
    what = request.path.removeprefix(PAPER)
    if what == "search":
        return _search(request, corpus)
    if what == "batch" and request.method == "POST":
        return _batch(request, corpus)
    fact = _find(corpus, unquote(what))
    return _json(_record(fact, _fields(request))) if fact else _error(404, f"Paper with id {what} not found")


def error_envelope() -> Response:
    """Too many requests, as the gateway says it: `message`, a code in quotes, and no Retry-After."""
    return _json({"message": "Too Many Requests. Please wait and try again.", "code": "429"}, 429)


def _error(status: int, message: str) -> Response:
    return _json({"error": message}, status)


def _json(data: Any, status: int = 200) -> Response:
    return Response(json.dumps(data), status=status, content_type="application/json")


def _fields(request: Request) -> list[str]:
    asked = request.args.get("fields", "paperId,title").split(",")
    return list(dict.fromkeys(["paperId", *(name.partition(".")[0] for name in asked)]))


def _search(request: Request, corpus: Corpus) -> Response:
    args = request.args
    try:
        offset, limit = int(args.get("offset", 0)), int(args.get("limit", MAX_LIMIT))
        first, last = _range(args.get("publicationDateOrYear", ""))
    except ValueError:
        return _error(400, "Unacceptable query params")
    if not args.get("query") or not 0 < limit <= MAX_LIMIT or offset < 0 or offset + limit > MAX_REACH:
        return _error(400, "Unacceptable query params")
    # There is no syntax: quotes and operators are words like others, and a word with a hyphen finds nothing.
    words = fold(" ".join(word for word in args["query"].split() if "-" not in word))

    def keep(fact: Fact) -> bool:
        return first <= _day(fact) <= last and _passes(fact, args)

    hits = corpus.search(NAME, words, keep) if words else []
    body: dict[str, Any] = {"total": len(hits), "offset": offset}
    if offset + limit < min(len(hits), MAX_REACH):
        body["next"] = offset + limit
    if hits:
        body["data"] = [_record(hit.fact, _fields(request)) for hit in hits[offset : offset + limit]]
    return _json(body)


def _range(text: str) -> tuple[date, date]:
    """`2019-03`, `2016:2020-06`, `2016:` and `:2020` as the first and the last day."""
    start, colon, end = text.partition(":")
    end = end if colon else start
    return first_day(start) if start else date.min, last_day(end) if end else date.max


def _day(fact: Fact) -> date:
    """A paper of which only the year is known counts as one of the first of January."""
    return date.fromisoformat(_exact_date(fact) or f"{fact.year or 1:04}-01-01")


def _exact_date(fact: Fact) -> str | None:
    told = fact.publication_date
    return told if told and len(told) == 10 else None


def _passes(fact: Fact, args: Mapping[str, str]) -> bool:
    record = _whole(fact)
    venues = {fold(name) for name in args.get("venue", "").split(",") if name}
    types = set(args["publicationTypes"].split(",")) if args.get("publicationTypes") else None
    return (
        (not venues or fold(fact.journal or record["venue"]) in venues)
        and (types is None or bool(types & set(record["publicationTypes"] or ())))
        and ("openAccessPdf" not in args or bool((record["openAccessPdf"] or {}).get("url")))
        and (fact.citation_count or 0) >= int(args.get("minCitationCount") or 0)
    )


def _batch(request: Request, corpus: Corpus) -> Response:
    ids = (request.get_json(silent=True) or {}).get("ids")
    if not isinstance(ids, list) or not 0 < len(ids) <= MAX_BATCH:
        return _error(400, f"ids must be a list of 1 to {MAX_BATCH}")
    found = [_find(corpus, str(name)) for name in ids]
    return _json([_record(fact, _fields(request)) if fact else None for fact in found])


def _find(corpus: Corpus, name: str) -> Fact | None:
    """`DOI:`, `ARXIV:`, `PMID:`, `PMCID:`, or a bare DOI or paper id."""
    kind, _, value = name.partition(":")
    prefixes = {
        "DOI": ("doi", value),
        "ARXIV": ("arxiv_id", read_arxiv(value)),
        "PMID": ("pmid", value),
        "PMCID": ("pmcid", "PMC" + value.upper().removeprefix("PMC")),
    }
    field, text = prefixes.get(kind.upper(), ("doi", read_doi(name)))
    return corpus.find(NAME, s2_paper_id=read_paper_id(name), **{field: text})


def _dice(fact: Fact, sides: int) -> int:
    return zlib.crc32(fact.title.encode()) % sides


def _record(fact: Fact, fields: list[str]) -> dict[str, Any]:
    """The fields that were asked for; a missing tldr has no key."""
    whole = _whole(fact)
    return {name: whole[name] for name in fields if name != "tldr" or whole[name]}


def _whole(fact: Fact) -> dict[str, Any]:
    server = "arXiv.org" if fact.arxiv_id and fact.type == "preprint" else ""
    withheld = (fact.doi or "").startswith("10.1007/")  # Springer
    return {
        "paperId": fact.s2_paper_id,
        "externalIds": _external_ids(fact),
        "url": f"https://www.semanticscholar.org/paper/{fact.s2_paper_id}",
        "title": fact.title,
        "abstract": None if withheld else fact.abstract,
        "venue": server or (fact.journal if _dice(fact, 3) and fact.journal else ""),
        "publicationVenue": None,
        "year": fact.year,
        "publicationDate": _exact_date(fact),
        "journal": {"name": "ArXiv", "volume": f"abs/{fact.arxiv_id}"} if server else _journal(fact),
        "publicationTypes": TYPES.get(fact.type) if _dice(fact, 5) else None,
        "authors": [
            {"authorId": str(zlib.crc32(name.encode())) if _dice(fact, 4) else None, "name": name}
            for name in (" ".join(part for part in (given, family) if part) for family, given in fact.authors)
        ],
        "citationCount": fact.citation_count,
        "influentialCitationCount": None,
        "isOpenAccess": fact.is_open_access,
        "openAccessPdf": _pdf(fact),
        "tldr": {"model": "tldr@v2.0.0", "text": fact.abstract} if fact.abstract and _dice(fact, 2) else None,
    }


def _external_ids(fact: Fact) -> dict[str, Any]:
    """All strings but CorpusId; DOIs in any case, PMC numbers without their letters."""
    arxiv = fact.arxiv_id or next((name[6:] for name in fact.versions if name.startswith("arXiv:")), None)
    doi, pmc = fact.doi or "", (fact.pmcid or "").removeprefix("PMC")
    known = {"DOI": doi if _dice(fact, 3) else doi.upper(), "ArXiv": arxiv, "PubMed": fact.pmid, "PubMedCentral": pmc}
    return {**{name: value for name, value in known.items() if value}, "CorpusId": zlib.crc32(fact.title.encode())}


def _journal(fact: Fact) -> dict[str, str] | None:
    if not fact.journal and not fact.pages:
        return None
    spaced = (fact.pages or "").replace("-", " - ")
    pages = f"\n          {spaced}\n        " if spaced and not _dice(fact, 4) else spaced
    volume = f"{fact.volume or ''} {fact.issue or ''}".strip()
    return {"name": fact.journal or "", "pages": pages, "volume": volume}


def _pdf(fact: Fact) -> dict[str, Any] | None:
    """The five shapes of `openAccessPdf`; an empty url means that there is none."""
    note = f"Notice: Paper or abstract available at https://arxiv.org/abs/{fact.arxiv_id}, see its terms."
    page = {"disclaimer": note} if fact.arxiv_id else {}
    if fact.oa_url:
        shape = ({}, {"license": "CCBY"}, {"license": "CCBY", **page})[_dice(fact, 3)]
        return {"url": fact.oa_url, "status": "GREEN" if fact.arxiv_id else "GOLD", **shape}
    status = "CLOSED" if fact.is_open_access is False else None
    return {"url": "", "status": status, "license": None, **page} if _dice(fact, 3) else None
