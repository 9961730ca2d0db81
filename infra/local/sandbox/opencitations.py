"""OpenCitations' Index API v2: pairs of papers; all ids of a paper are in one text."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact

NAME = "opencitations"
OPERATION = re.compile(r"/index/v2/(references|citations)/(doi|pmid):(.+)")


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET /index/v2/references/{id} and /citations/{id}; an unknown paper has an empty list."""
    match = OPERATION.fullmatch(unquote(request.path))
    if not match:
        return _text(404, "the operation requested does not exist")
    if request.args:  # the service has parameters; the provider uses none of them
        return _text(400, f"unknown parameters: {', '.join(sorted(request.args))}")
    fact = corpus.find(NAME, **{match[2]: match[3]})
    if not fact:
        return _json([])
    if match[1] == "references":
        return _json([_pair(fact, other) for other in corpus.cited(NAME, fact)])
    return _json([_pair(other, fact) for other in corpus.citing(NAME, fact)])


def error_envelope() -> Response:
    """Return a timeout of the service's database: plain text, not JSON."""
    return _text(408, "request timeout - TimeoutError: timed out (line 1325)")


def _pair(citing: Fact, cited: Fact) -> Mapping[str, str]:
    """Return a pair; all values are texts; `creation` is the citing paper's date, as precisely as it is known."""
    authors = {family for family, _ in citing.authors} & {family for family, _ in cited.authors}
    return {
        "oci": f"{_omid(citing)[8:]}-{_omid(cited)[8:]}",
        "citing": _ids(citing),
        "cited": _ids(cited),
        "creation": citing.publication_date or "",
        "timespan": f"P{citing.year - cited.year}Y" if citing.year and cited.year else "",
        "journal_sc": "yes" if citing.journal and citing.journal == cited.journal else "no",
        "author_sc": "yes" if authors else "no",
    }


def _omid(fact: Fact) -> str:
    return f"omid:br/06{zlib.crc32(fact.title.encode())}"


def _ids(fact: Fact) -> str:
    """Return all ids of a paper, OpenCitations' own (OMID) first; some papers have no other."""
    known = {"doi": fact.doi, "openalex": fact.openalex_id, "arxiv": fact.arxiv_id, "pmid": fact.pmid}
    if not (fact.doi or fact.pmid or fact.arxiv_id):
        return _omid(fact)
    return " ".join([_omid(fact), *(f"{scheme}:{_cased(scheme, value)}" for scheme, value in known.items() if value)])


def _cased(scheme: str, value: str) -> str:
    return value.lower() if scheme == "doi" else value


def _text(status: int, message: str) -> Response:
    return Response(f"HTTP status code {status}: {message}", status=status, content_type="text/plain")


def _json(body: Any) -> Response:
    return Response(json.dumps(body, indent=4), content_type="application/json")
