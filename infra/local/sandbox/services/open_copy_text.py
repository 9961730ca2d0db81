"""The hosts of located copies: `/{host}/{path}` stands for `https://{host}/{path}`, of which this has PDF files.

Other addresses are pages with status 404. One copy is behind a redirect to another host, as repositories have them.
Two files are not the papers' that Unpaywall states them for.
"""

from __future__ import annotations

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.texts.pdf import COPIES, WRONG_COPIES, file_of_copy

NAME = "open_copy_text"
_PAGE = "<html><body><h1>404 Not Found</h1></body></html>"


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET of a copy, or of the address to which it redirects."""
    place = request.path.lstrip("/")
    for copy in (*COPIES, *WRONG_COPIES):
        if place == _place(copy.url) and copy.redirect:
            return Response("", 302, headers={"Location": copy.redirect})
        if place == _place(copy.redirect or copy.url):
            return Response(file_of_copy(copy, corpus), content_type="application/pdf")
    return Response(_PAGE, 404, content_type="text/html; charset=utf-8")


def _place(url: str) -> str:
    return url.partition("://")[2]


def error_envelope() -> Response:
    """Return the page of a host that lets no programs in."""
    return Response("<html><body>Just a moment...</body></html>", 403, content_type="text/html; charset=utf-8")
