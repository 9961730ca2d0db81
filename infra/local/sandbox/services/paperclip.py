"""Paperclip's API: the command `search` over REST and over MCP, with the real service's quirks."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.json_responses import json_response
from infra.local.sandbox.paperclip.engine import InvalidCommandError, run
from shared.bibliography.identifiers import read_arxiv
from shared.bibliography.text import fold

TYPES = {
    "journal-article": "research-article", "review": "review-article", "erratum": "correction",
    "retraction-notice": "retraction", "editorial": "editorial", "letter": "letter",
    "systematic-review": "systematic-review", "meta-analysis": "review-article",
    "randomized-controlled-trial": "research-article",
}  # fmt: skip
AUTHORS_LENGTH = 100  # characters of authors in a rendered list


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer one request."""
    if request.method != "POST" or request.path not in ("/api/cli/execute", "/mcp"):
        return json_response({"detail": "Not Found"}, 404)
    if not request.headers.get("X-API-Key"):
        return json_response({"detail": "Authentication required"}, 401)
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        return json_response({"detail": "Invalid JSON"}, 422)
    return _rest(body, corpus) if request.path == "/api/cli/execute" else _mcp(request, body, corpus)


def error_envelope() -> Response:
    """Return an error of the service's database: HTTP 200, `exit_code` 0; only the text shows it."""
    return _executed("ERR: search: canceling statement due to statement timeout\n[exit 1]", None)


def _executed(output: str, papers: list[dict[str, Any]] | None) -> Response:
    data = None if papers is None else {"papers": papers}
    result_id = None if papers is None else _result_id(output)
    return json_response({
        "output": output, "exit_code": 0, "elapsed_ms": 304, "result_id": result_id, "result_data": data,
    })  # fmt: skip


def _rest(body: Mapping[str, Any], corpus: Corpus) -> Response:
    """Answer over REST: mostly structured hits; for some queries only the text, for some JSON instead of it."""
    line = f"{body.get('command')} {body.get('raw') or ''}"
    try:
        papers = _run(line, corpus)
    except InvalidCommandError as error:
        return _executed(f"{error}\n[exit 1]", None)
    quirk = _text_variant(line)
    if quirk == 0:
        found = {"results_id": _result_id(line), "count": len(papers), "papers": papers}
        return _executed(f"{json.dumps(found)}\n[304ms]", None)
    text = _rendered(papers, line)
    coloured = re.sub(r"^(Found \d+ papers|\[304ms.*)", "\x1b[1m\\1\x1b[0m", text, flags=re.M)
    return _executed(coloured, None if quirk == 1 else papers)


def _mcp(request: Request, body: Mapping[str, Any], corpus: Corpus) -> Response:
    """Answer over MCP: JSON-RPC with plain text; for some queries an event stream, if the client accepts one."""
    call = body.get("params") or {}
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": body.get("id")}
    if body.get("method") != "tools/call" or call.get("name") != "paperclip":
        return json_response({**message, "error": {"code": -32602, "message": "Unknown tool or method"}})
    line = str((call.get("arguments") or {}).get("command") or "")
    try:
        text = _rendered(_run(line, corpus), line)
    except InvalidCommandError as error:
        text = f"{error}\n[exit 1]"
    message["result"] = {"content": [{"type": "text", "text": text}], "isError": False}
    if "text/event-stream" not in request.headers.get("Accept", "") or _text_variant(line) < 5:
        return json_response(message)
    notice = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}
    stream = "".join(f"event: message\r\ndata: {json.dumps(part)}\r\n\r\n" for part in (notice, message))
    return Response(stream, content_type="text/event-stream")


def _text_variant(text: str) -> int:
    """Return a number from 0 to 9 that depends only on the text."""
    return hashlib.sha256(text.encode()).digest()[0] % 10


def _result_id(text: str) -> str:
    return "s_" + hashlib.sha256(text.encode()).hexdigest()[:8]


def _run(line: str, corpus: Corpus) -> list[dict[str, Any]]:
    return [_record(found.fact, found.score) for found in run(line, corpus)]


def _document(fact: Fact) -> str:
    """Return `PMC…`, or a preprint server's prefix and id; an article that is only on arXiv has its arXiv id."""
    arxiv = read_arxiv(fact.arxiv_id)
    if fact.type != "preprint" and fact.pmcid:
        return fact.pmcid
    if arxiv:
        return "arx_" + arxiv.replace("/", "")
    if (fact.doi or "").startswith(("10.1101/", "10.64898/")) and fact.type == "preprint":
        return ("med_" if "medrxiv" in fold(fact.journal or "") else "bio_") + _result_id(fact.title)[2:] + "0000"
    return f"oa_{fact.openalex_id}"


def _record(fact: Fact, score: float) -> dict[str, Any]:
    document, digit = _document(fact), _text_variant(fact.title)
    names = [" ".join(filter(None, (given, family))) + (" *" if digit == 3 else "") for family, given in fact.authors]
    more = ", ..." if (fact.author_count or 0) > len(names) else ""
    date = fact.publication_date or (str(fact.year) if fact.year else None)
    page = f"https://www.ncbi.nlm.nih.gov/pmc/articles/{document}/" if document == fact.pmcid else None
    return {
        "document_id": document, "source": fact.journal or "biomedrxiv", "backend": "opensearch", "score": score,
        "title": re.sub(r"(\w) (\w)", r"\1   \2", fact.title, count=1) if digit == 4 else fact.title,
        "authors": (", ".join(names) + more) or None, "doi": fact.doi, "pmid": fact.pmid,
        "pub_date": (date + "-01-01")[:10] if date else None, "pub_year": fact.year, "journal_title": fact.journal,
        "article_type": TYPES.get(fact.type), "citations": fact.citation_count, "abstract": fact.abstract,
        "tldr": f"This work is about {fact.title.rstrip('.')}." if digit < 8 else None,
        "url": f"https://doi.org/{fact.doi}" if fact.doi and digit % 2 else page,
    }  # fmt: skip


def _rendered(papers: list[dict[str, Any]], line: str) -> str:
    footer = f"[304ms, saved to {_result_id(line)}]\n"
    if not papers:
        return f"No papers found.\nTry broader terms\n{footer}"
    entries = [_entry(number, paper) for number, paper in enumerate(papers, start=1)]
    return f"Found {len(papers)} papers  [{_result_id(line)}]\n\n" + "\n".join(entries) + f"\n{footer}"


def _entry(number: int, paper: Mapping[str, Any]) -> str:
    authors = paper["authors"] or ""
    place = " · ".join(filter(None, (paper["document_id"], paper["source"], paper["pub_date"])))
    authors = authors[:AUTHORS_LENGTH] + "..." if len(authors) > AUTHORS_LENGTH else authors
    shown = (authors, place, paper["url"], paper["tldr"] and f'"{paper["tldr"]}"')
    return f"  {number}. {paper['title']}\n" + "".join(f"     {part}\n" for part in shown if part)
