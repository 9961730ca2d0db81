"""PubMed Central's OAI-PMH: GetRecord of open articles as JATS; errors come under HTTP 200.

Source: https://pmc.ncbi.nlm.nih.gov/tools/oai/, https://www.openarchives.org/OAI/openarchivesprotocol.html (3.6).
It has a text that Europe PMC's imitation does not serve (`LATE`), as new articles reach Europe PMC later.
"""

from __future__ import annotations

import re

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.texts.jats import jats_of
from infra.local.sandbox.texts.written_texts import written_texts

NAME = "pmc_text"
PATH = "/api/oai/v1/mh/"
LATE = "PMC12008803"
_IDENTIFIER = re.compile(r"oai:pubmedcentral\.nih\.gov:(\d+)")


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET with verb=GetRecord."""
    if request.path != PATH:
        return Response("", 404)
    if request.args.get("verb") != "GetRecord":
        return _envelope('<error code="badVerb">Illegal OAI verb</error>')
    if request.args.get("metadataPrefix") not in ("pmc", "pmc_fm", "oai_dc"):
        return _envelope('<error code="cannotDisseminateFormat">unsupported metadataPrefix</error>')
    found = _IDENTIFIER.fullmatch(request.args.get("identifier", ""))
    fact = corpus.find("europe_pmc", pmcid=f"PMC{found[1]}") if found else None
    if not found or not fact:
        return _envelope('<error code="idDoesNotExist">The identifier is unknown</error>')
    text = written_texts().get(str(fact.pmcid))
    if not text:
        return _envelope('<error code="cannotDisseminateFormat">The full text is not available for reuse</error>')
    header = f"<header><identifier>{found[0]}</identifier><datestamp>2026-01-02</datestamp></header>"
    metadata = f"<metadata>{jats_of(text, fact, corpus)}</metadata>"
    return _envelope(f"<GetRecord><record>{header}{metadata}</record></GetRecord>")


def _envelope(content: str) -> Response:
    head = '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-11-22T10:00:00Z</responseDate>'
    request = '<request verb="GetRecord">https://pmc.ncbi.nlm.nih.gov/api/oai/v1/mh/</request>'
    body = f'<?xml version="1.0" encoding="UTF-8"?>{head}{request}{content}</OAI-PMH>'
    return Response(body, content_type="text/xml;charset=UTF-8")


def error_envelope() -> Response:
    """Return an error of the protocol."""
    return _envelope('<error code="badArgument">The request includes illegal arguments</error>')
