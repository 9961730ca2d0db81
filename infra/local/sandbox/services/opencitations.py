"""OpenCitations' Index API v2: pairs of papers; all ids of a paper are in one text.

Source: `index_v2.hf` and `indexapi_v2.py` of opencitations/api (v2.2.0) and RAMOSE, on which it runs: the id is read in
lower case, an unknown paper has the count "0" and no pairs, an unknown parameter is ignored, a wrong path is a 404 in
plain text. A token in `authorization` is recommended and not checked here.
"""

from __future__ import annotations

import csv
import io
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
MOST_PAIRS = 200_000  # the limit of each of the service's queries
OPERATION = re.compile(
    r"(?:/index)?(?:/api)?/v2/(references|citations|reference-count|citation-count)/(doi|pmid|omid):(.+)", re.I
)


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET on references, citations and their counts, as JSON or as CSV (`Accept: text/csv`, `format=csv`)."""
    match = OPERATION.fullmatch(unquote(request.path))
    if not match:
        return _text(404, "the operation requested does not exist")
    operation, scheme, value = match[1].lower(), match[2].lower(), match[3].lower()
    pairs = _pairs(corpus, operation.partition("-")[0].removesuffix("s"), scheme, value)
    rows: list[Mapping[str, str]] = [{"count": str(len(pairs))}] if operation.endswith("-count") else pairs
    as_csv = request.args.get("format") == "csv" or request.headers.get("Accept") == "text/csv"
    return _csv(rows) if as_csv and request.args.get("format") != "json" else _json(rows)


def _pairs(corpus: Corpus, relation: str, scheme: str, value: str) -> list[Mapping[str, str]]:
    """The references (`reference`) or the citations (`citation`) of a paper."""
    if scheme == "omid":
        fact = next((fact for fact in corpus.covered(NAME) if _omid(fact) == f"omid:{value}"), None)
    else:
        fact = corpus.find(NAME, **{scheme: value})
    if not fact:
        return []
    if relation == "reference":
        return [_pair(fact, other) for other in corpus.cited(NAME, fact)][:MOST_PAIRS]
    return [_pair(other, fact) for other in corpus.citing(NAME, fact)][:MOST_PAIRS]


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


def _csv(rows: list[Mapping[str, str]]) -> Response:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else ["oci", "citing", "cited"])
    writer.writeheader()
    writer.writerows(rows)
    return Response(text.getvalue(), content_type="text/csv")
