"""arXiv's site: /html/{id} for papers of which LaTeXML has made HTML, /e-print/{id} for the source of the others,
and /abs/{id}, of which only the licence is imitated.

Source: https://info.arxiv.org/help/unpack.html; answers as public clients describe them. Like arXiv's, a package is
labelled application/gzip whether it is a tar or one file, and an unknown paper is a page with status 404.
"""

from __future__ import annotations

import re

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.texts.latex import package_of
from infra.local.sandbox.texts.latexml import latexml_of
from infra.local.sandbox.texts.written_texts import Written, written_texts

NAME = "arxiv_text"
_PATH = re.compile(r"/(html|e-print|abs)/([a-z.-]+/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?")


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET /html/{id}, /e-print/{id} and /abs/{id}."""
    found = _PATH.fullmatch(request.path)
    fact = corpus.find("arxiv", arxiv_id=found[2]) if found else None
    text = written_texts().get(found[2]) if found else None
    if found and fact and found[1] == "abs":
        return Response(_abstract_page(text), content_type="text/html; charset=utf-8")
    if found and text and fact:
        if found[1] == "html" and text.format == "html":
            return Response(latexml_of(text, fact, corpus), content_type="text/html; charset=utf-8")
        if found[1] == "e-print" and text.format == "latex":
            return Response(package_of(text, fact, corpus), content_type="application/gzip")
    page = f"<html><head><title>[{found[2] if found else ''}] Not found</title></head><body><h1>404</h1></body></html>"
    return Response(page, 404, content_type="text/html; charset=utf-8")


def _abstract_page(text: Written | None) -> str:
    """The block of the licence, which is arXiv's own where no other was chosen."""
    is_open = text is not None and text.licence == "cc-by-4.0"
    address = (
        "http://creativecommons.org/licenses/by/4.0/"
        if is_open
        else "http://arxiv.org/licenses/nonexclusive-distrib/1.0/"
    )
    link = f'<a href="{address}" title="Rights to this article" class="has_license">view license</a>'
    return f'<!DOCTYPE html><html><body><div class="abs-license">{link}</div></body></html>'


def error_envelope() -> Response:
    """Return the page that arXiv sends to clients that are too fast."""
    return Response("Rate exceeded.", 429, content_type="text/html")
