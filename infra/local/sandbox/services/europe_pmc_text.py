"""Europe PMC's fullTextXML: JATS of the open articles; the same 404 for closed and for unknown ones.

Source: https://europepmc.org/RestfulWebService and issues 37 and 38 of ropensci/europepmc: only PMCIDs are read.
"""

from __future__ import annotations

import re

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.services.pmc_text import LATE
from infra.local.sandbox.texts.jats import jats_of
from infra.local.sandbox.texts.written_texts import written_texts

NAME = "europe_pmc_text"
_PATH = re.compile(r"/europepmc/webservices/rest/(PMC\d+)/fullTextXML")
_DOCTYPE = (
    '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving and Interchange DTD v1.3 20210610//EN" '
    '"JATS-archivearticle1-3-mathml3.dtd">'
)


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET /{PMCID}/fullTextXML."""
    found = _PATH.fullmatch(request.path)
    text = written_texts().get(found[1]) if found and found[1] != LATE else None
    fact = corpus.find("europe_pmc", pmcid=text.id) if text else None
    if not text or not fact:
        return Response(b"", 404)
    body = f'<?xml version="1.0" encoding="UTF-8"?>{_DOCTYPE}{jats_of(text, fact, corpus)}'
    return Response(body, content_type="application/xml;charset=UTF-8")


def error_envelope() -> Response:
    """Return the gateway's page for a service that is down."""
    return Response("<html><body>503 Service Unavailable</body></html>", 503, content_type="text/html")
