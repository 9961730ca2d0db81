"""arXiv's site: /html/{id} for papers of which LaTeXML has made HTML, /e-print/{id} for the source of the others.

Source: https://info.arxiv.org/help/unpack.html; answers as public clients describe them. Like arXiv's, a package is
labelled application/gzip whether it is a tar or one file, and an unknown paper is a page with status 404.
"""

from __future__ import annotations

import re

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.latex_texts import package_of
from infra.local.sandbox.latexml_texts import latexml_of
from infra.local.sandbox.written_texts import written_texts

NAME = "arxiv_text"
_PATH = re.compile(r"/(html|e-print)/([a-z.-]+/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?")


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET /html/{id} and /e-print/{id}."""
    found = _PATH.fullmatch(request.path)
    fact = corpus.find("arxiv", arxiv_id=found[2]) if found else None
    text = written_texts().get(found[2]) if found else None
    if found and text and fact:
        if found[1] == "html" and text.format == "html":
            return Response(latexml_of(text, fact, corpus), content_type="text/html; charset=utf-8")
        if found[1] == "e-print" and text.format == "latex":
            return Response(package_of(text, fact, corpus), content_type="application/gzip")
    page = f"<html><head><title>[{found[2] if found else ''}] Not found</title></head><body><h1>404</h1></body></html>"
    return Response(page, 404, content_type="text/html; charset=utf-8")


def error_envelope() -> Response:
    """Return the page that arXiv sends to clients that are too fast."""
    return Response("Rate exceeded.", 429, content_type="text/html")
