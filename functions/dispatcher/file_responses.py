"""Results as a file, in the format that `format` or the header `Accept` asks for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from shared.answers.content_trust import UNTRUSTED
from shared.errors import Unprocessable
from shared.validation import absent

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper
    from shared.exports.formats import Format

JSON = "application/json"
NO_FILE = (None, "", "*/*", JSON)  # what nearly all callers accept


def format_asked(name: Any, event: APIGatewayProxyEvent) -> Format | None:
    """The format by its name, or else by `Accept`; None for our JSON. Raises Unprocessable for an unknown name."""
    accept = event.headers.get("Accept")
    if name == "json" or (absent(name) and accept in NO_FILE):
        return None
    from shared.exports.formats import FORMATS, negotiated  # all their writers

    if not absent(name):
        return _named(name, "json", *FORMATS)
    chosen = negotiated(accept, [JSON, *(it.media_type for it in FORMATS.values())])
    return next((it for it in FORMATS.values() if it.media_type == chosen), None)


def file_format(name: str | None, event: APIGatewayProxyEvent) -> Format:
    """The format of a file: by its name, or else by `Accept` (JSON is CSL-JSON); Markdown when nothing is said."""
    from shared.exports.formats import FORMATS, format_for, negotiated

    if not absent(name):
        return _named(name, *FORMATS)
    accept = event.headers.get("Accept")
    chosen = negotiated(accept, [*(it.media_type for it in FORMATS.values()), JSON])
    return FORMATS["csl-json"] if chosen == JSON else format_for(accept) or FORMATS["markdown"]


def _named(name: Any, *valid: str) -> Format:
    from shared.exports.formats import FORMATS

    if name not in valid:
        raise Unprocessable.field("format", f"must be one of {', '.join(valid)}")
    return FORMATS[name]


def as_file(form: Format, results: Sequence[StoredPaper], *, complete: bool, missing: int = 0) -> Response[str]:
    """The file; the headers `Complete` and `Not-Found` say what a file cannot."""
    headers = {
        "Content-Disposition": f'attachment; filename="literature.{form.extension}"',
        "Complete": json.dumps(complete),
        "Content-Trust": UNTRUSTED,
        "Not-Found": str(missing),
    }
    return Response(200, form.media_type, form.write(list(results)), headers=headers)
