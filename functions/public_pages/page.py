"""The page for people: one HTML document at the service's root, and the scripts and styles that it loads.

`make build` bundles them from `functions/public_pages/web`. Their addresses are relative, so that the page works at any
path: behind API Gateway it is below the stage. Each file but the document has a hash of its content in its name, so
that browsers need not request it again.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

BUILT = Path(__file__).parent / "web" / "built"
DOCUMENT = "index.html"
TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
A_YEAR = "public, max-age=31536000, immutable"
# https://www.w3.org/TR/CSP3/. Nothing is loaded but from this service; `data:` and `blob:` are pictures that the page
# draws itself. No string becomes markup or code (https://www.w3.org/TR/trusted-types/).
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
PAGE_HEADERS: dict[str, str | list[str]] = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
    "Vary": "Accept",
}


def page_document(event: APIGatewayProxyEvent) -> Response[str] | None:
    """The page for a request of the root; None if the caller is not a browser, or if the page has not been built.

    A redirect where the address of the root lacks its last slash, to which the page's relative addresses belong.
    """
    text = _files().get(DOCUMENT)
    if text is None or "text/html" not in (event.headers.get("Accept") or ""):
        return None
    address = str(event["requestContext"].get("path") or "/")
    if not address.endswith("/"):
        return Response(308, "text/plain", "", headers={"Location": f"{address.rpartition('/')[2]}/"})
    return Response(200, "text/html; charset=utf-8", text, headers=PAGE_HEADERS)


def page_asset(name: str) -> Response[str] | None:
    """A script or style of the page; None for any other name."""
    text = _files().get(name)
    media_type = TYPES.get(Path(name).suffix)
    return (
        Response(200, media_type, text, headers={"Cache-Control": A_YEAR}) if text is not None and media_type else None
    )


@cache
def _files() -> dict[str, str]:
    """All built files by name, read once: what a request names is never a path."""
    found = BUILT.iterdir() if BUILT.is_dir() else ()
    return {path.name: path.read_text(encoding="utf-8") for path in found if path.suffix in (*TYPES, ".html")}
