"""Answers in JSON, as most services send them; some state more in the header, or write it in their own way."""

from __future__ import annotations

import json
from typing import Any

from werkzeug import Response


def json_response(body: Any, status: int = 200) -> Response:
    """The body as JSON."""
    return Response(json.dumps(body), status, content_type="application/json")
