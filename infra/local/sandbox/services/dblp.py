"""DBLP's search of publications, in JSON and XML.

Source: https://dblp.org/faq/13501473.html, a recorded answer, and what clients read. Parameters that the service does
not know are ignored. A list of one is its item, numbers are texts, and without hits there is no list. How a query is
read is in `engine`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.dblp.engine import Publication, found, shown
from infra.local.sandbox.facts import Fact, variant
from shared.bibliography.text import fold

NAME = "dblp"
PATH = "/search/publ/api"
MAX_HITS, HITS = 1000, 30
_TYPES = {
    "conference-paper": "Conference and Workshop Papers", "book-chapter": "Parts in Books or Collections",
    "preprint": "Informal and Other Publications",
}  # fmt: skip
_TOO_MANY = "<html><head><title>429 Too Many Requests</title></head><body><h1>Too Many Requests</h1></body></html>"


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET /search/publ/api."""
    if request.path.rstrip("/") != PATH:
        return Response("<html><body><h1>404 Not Found</h1></body></html>", 404, content_type="text/html")
    held = [_publication(fact, number) for number, fact in enumerate(corpus.covered(NAME), start=1)]
    query = request.args.get("q", "")
    first, size = _number(request.args, "f", 0), min(_number(request.args, "h", HITS), MAX_HITS)
    hits = found(query, held)
    if request.args.get("format") in ("json", "jsonp"):
        body = json.dumps({"result": _json_result(query, hits, first, size)}, ensure_ascii=False)
        if request.args["format"] == "jsonp":
            body = f"{request.args.get('callback', 'callback')}({body})"
        return Response(body, content_type="application/json; charset=UTF-8")
    return Response(_xml(query, hits, first, size), content_type="text/xml; charset=UTF-8")


def error_envelope() -> Response:
    """Return the page for too many requests."""
    return Response(_TOO_MANY, 429, {"Retry-After": "1"}, content_type="text/html; charset=iso-8859-1")


def _json_result(query: str, hits: Sequence[tuple[int, Publication]], first: int, size: int) -> dict[str, Any]:
    sent = [
        {"@score": str(score), "@id": str(it.number), "info": it.info, "url": f"URL#{it.number}"}
        for score, it in hits[first : first + size]
    ]
    counts = {"@total": len(hits), "@computed": len(hits), "@sent": len(sent), "@first": first}
    return {
        "query": shown(query),
        "status": {"@code": "200", "text": "OK"},
        "time": {"@unit": "msecs", "text": "6.79"},
        "completions": {"@total": "0", "@computed": "0", "@sent": "0"},
        "hits": {
            **{name: str(count) for name, count in counts.items()},
            **({"hit": _as_sent(sent)} if sent else {}),
        },
    }  # fmt: skip


def _as_sent(items: Sequence[Any]) -> Any:
    """A list, or its only item."""
    return items[0] if len(items) == 1 else list(items)


def _xml(query: str, hits: Sequence[tuple[int, Publication]], first: int, size: int) -> str:
    sent = hits[first : first + size]
    lines = [
        f'<hit score="{score}" id="{it.number}">\n<info>{"".join(_elements(it.info))}</info>\n'
        f"<url>URL#{it.number}</url>\n</hit>"
        for score, it in sent
    ]
    return "\n".join([
        '<?xml version="1.0" encoding="UTF-8"?>', "<result>", f'<query id="1">{escape(shown(query))}</query>',
        '<status code="200">OK</status>', '<time unit="msecs">6.79</time>',
        '<completions total="0" computed="0" sent="0">', "</completions>",
        f'<hits total="{len(hits)}" computed="{len(hits)}" sent="{len(sent)}" first="{first}">', *lines,
        "</hits>", "</result>",
    ])  # fmt: skip


def _elements(info: Mapping[str, Any]) -> Iterator[str]:
    for name, value in info.items():
        if name == "authors":
            people = value["author"] if isinstance(value["author"], list) else [value["author"]]
            inner = "".join(f'<author pid="{it["@pid"]}">{escape(it["text"])}</author>' for it in people)
            yield f"<authors>{inner}</authors>"
        else:
            for item in value if isinstance(value, list) else [value]:
                yield f"<{name}>{escape(item)}</{name}>"


def _publication(fact: Fact, number: int) -> Publication:
    """The record of a paper; one author in four shares a name, so that it is numbered."""
    names = [" ".join(part for part in (given, family) if part) for family, given in fact.authors]
    people = [
        {"@pid": f"{variant(fact, 99):02d}/{place}", "text": f"{name} 0001" if place % 4 == 1 else name}
        for place, name in enumerate(names)
    ]
    own = f"https://arxiv.org/abs/{fact.arxiv_id}"
    links = ([f"https://doi.org/{fact.doi}"] if fact.doi else []) + ([own] if fact.arxiv_id else [])
    is_corr = fact.type == "preprint" and bool(fact.arxiv_id)
    venue, volume = ("CoRR", f"abs/{fact.arxiv_id}") if is_corr else (fact.journal, fact.volume)
    key = f"journals/corr/abs-{str(fact.arxiv_id).replace('.', '-')}" if is_corr else f"journals/x/{number}"
    title = escape(fact.title, {'"': "&quot;", "'": "&apos;"})
    info: dict[str, Any] = {
        **({"authors": {"author": _as_sent(people)}} if people else {}),
        "title": title if title.endswith(("?", "!")) else f"{title}.",
        "venue": venue, "volume": volume, "number": fact.issue, "pages": fact.pages,
        "year": str(fact.year) if fact.year else None,
        "type": _TYPES.get(fact.type, "Journal Articles"),
        "access": "open" if fact.is_open_access or fact.arxiv_id else "closed",
        "key": key, "doi": fact.doi.upper() if fact.doi else None,
        "ee": _as_sent(links) if links else None, "url": f"https://dblp.org/rec/{key}",
    }  # fmt: skip
    stated = {name: value for name, value in info.items() if value is not None}
    title_words = frozenset(fold(fact.title).split())
    others = " ".join([*names, venue or "", str(fact.year or ""), *re.findall(r"\w+", str(info["type"]))])
    return Publication(number, fact.year or 0, stated, title_words | frozenset(fold(others).split()), title_words)


def _number(sent: Mapping[str, str], name: str, default: int) -> int:
    text = sent.get(name, "")
    return int(text) if text.isdecimal() else default
