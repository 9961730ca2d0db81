"""Results as a file, in the format that `format` or the header `Accept` asks for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from shared.errors import FieldError, Unprocessable
from shared.exports.formats import FORMATS, Format, negotiated
from shared.input_faults import absent

JSON = "application/json"


def format_asked(name: Any, event: APIGatewayProxyEvent, *, default: str = JSON) -> Format | None:
    """The format by its name, or else by `Accept`; None for JSON. Raises Unprocessable for an unknown name."""
    if not absent(name):
        if name not in ("json", *FORMATS):
            message = f"must be one of json, {', '.join(FORMATS)}"
            raise Unprocessable(f"format: {message}", [FieldError("format", message)])
        return FORMATS.get(name)
    offered = [default, *(it.media_type for it in FORMATS.values() if it.media_type != default)]
    chosen = negotiated(event.headers.get("Accept"), offered) or default
    return next((it for it in FORMATS.values() if it.media_type == chosen), None)


def as_file(form: Format, results: Sequence[dict[str, Any]], *, complete: bool, missing: int = 0) -> Response[str]:
    """The file; the headers `Complete` and `Not-Found` say what a file cannot."""
    headers = {
        "Content-Disposition": f'attachment; filename="literature.{form.extension}"',
        "Complete": json.dumps(complete),
        "Not-Found": str(missing),
    }
    return Response(200, form.media_type, form.write(list(results)), headers=headers)
