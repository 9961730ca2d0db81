"""`/docs`: Swagger UI over `openapi.json`, as one page with its script and style inline.

Powertools ships the bundle (Apache-2.0, https://github.com/swagger-api/swagger-ui), so nothing is loaded from another
host. The relative address of the document keeps the page right behind API Gateway's stage.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

# Of the package itself: importing the subpackage would load pydantic.
_ASSETS = files("aws_lambda_powertools") / "event_handler" / "openapi" / "swagger_ui"
_START = 'SwaggerUIBundle({url: "openapi.json", dom_id: "#swagger-ui", deepLinking: true, validatorUrl: null})'
_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Literature search: API</title><link rel="icon" href="data:,"><style>{style}</style></head>
<body><div id="swagger-ui"></div><script>{bundle}</script><script>{start}</script></body></html>
"""


@cache
def docs_page() -> tuple[str, str]:
    """The page (about 1.7 MB of HTML) and its Content-Security-Policy (https://www.w3.org/TR/CSP3/).

    Only the two scripts of the page may run, named by their digests. Swagger UI sets style attributes and draws its
    icons from `data:` URLs; it reads the document from, and sends trial requests to, this host alone.
    """
    bundle, style = (
        (_ASSETS / name).read_text(encoding="utf-8") for name in ("swagger-ui-bundle.min.js", "swagger-ui.min.css")
    )
    policy = (
        f"default-src 'none'; script-src {_digest(bundle)} {_digest(_START)}; style-src 'unsafe-inline'; "
        "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return _PAGE.format(style=style, bundle=bundle, start=_START), policy


def _digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
