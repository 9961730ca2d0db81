"""Results as a file, in the format requested by `format` or the header `Accept`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from shared.answers.content_trust import UNTRUSTED
from shared.error_texts import one_of
from shared.errors import BadRequest, Unprocessable
from shared.exports.file_budget import within_budget
from shared.unique_json import REPEATED, Repeated
from shared.validation import is_blank

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper
    from shared.exports.formats import Format

JSON = "application/json"
MAX_ID_CHARS = 300
MAX_HEADER_CHARS = 2_000  # of one header; API Gateway passes 10,240 bytes of all of them
NO_FILE = (None, "", "*/*", JSON)  # what nearly all callers send


def requested_format(name: object, event: APIGatewayProxyEvent) -> Format | None:
    """The format by name, or else by `Accept`; None for the JSON answer. Raises Unprocessable for an unknown name."""
    accept = event.headers.get("Accept")
    if name == "json" or (is_blank(name) and accept in NO_FILE):
        return None
    from shared.exports.formats import FORMATS, negotiated  # imports the writers of all formats

    if not is_blank(name):
        return _named(name, "json", *FORMATS)
    chosen = negotiated(accept, [JSON, *(it.media_type for it in FORMATS.values())])
    return next((it for it in FORMATS.values() if it.media_type == chosen), None)


def file_format(name: str | None, event: APIGatewayProxyEvent) -> Format:
    """The format of a file: by its name, or else by `Accept` (JSON is CSL-JSON); Markdown by default."""
    from shared.exports.formats import FORMATS, format_for, negotiated

    if not is_blank(name):
        return _named(name, *FORMATS)
    accept = event.headers.get("Accept")
    chosen = negotiated(accept, [*(it.media_type for it in FORMATS.values()), JSON])
    return FORMATS["csl-json"] if chosen == JSON else format_for(accept) or FORMATS["markdown"]


def _named(name: object, *valid: str) -> Format:
    from shared.exports.formats import FORMATS

    if isinstance(name, Repeated):
        raise BadRequest.field("format", REPEATED)
    if not isinstance(name, str) or name not in valid:
        raise Unprocessable.field("format", one_of(valid, name))
    return FORMATS[name]


@dataclass(frozen=True, slots=True)
class Missing:
    """The ids, as they were sent, of papers that a file does not have, by the reason."""

    not_found: Sequence[str] = ()
    unanswered: Sequence[str] = ()
    malformed: Sequence[str] = ()
    repeated: Sequence[str] = ()  # of papers that the file has by another id
    unnamed: int = 0  # papers of a list of references of which no provider has a record

    def by_reason(self) -> dict[str, Sequence[str]]:
        """Reason -> ids, percent-encoded, so that none of them ends a comment or a header or begins an entry."""
        reasons = {
            "Not-Found": self.not_found,
            "Unanswered": self.unanswered,
            "Malformed": self.malformed,
            "Repeated": self.repeated,
        }
        return {
            name: [quote(text[:MAX_ID_CHARS], safe="/:.()_;") for text in ids] for name, ids in reasons.items() if ids
        }

    def messages(self) -> list[str]:
        """Of each id, percent-encoded, why its paper is not there, in words."""
        return [_REASONS[reason].format(text) for reason, ids in self.by_reason().items() for text in ids]


_REASONS = {
    "Not-Found": "no source that answered has {}",
    "Unanswered": "a source that may have {} did not answer, or none can be asked by it",
    "Malformed": "{} is not an id of a paper",
    "Repeated": "{} is another id of a paper that is there",
}


def as_file(
    form: Format,
    results: Sequence[StoredPaper],
    *,
    complete: bool,
    missing: Missing = Missing(),
    max_tokens: int | None = None,
) -> Response[str]:
    """The response with the file, cut to the papers that fit into `max_tokens`.

    What a file cannot report is in headers: `Complete`, `Not-Found` (how many papers are not there), for each reason
    the ids, `Not-Found-Ids`, `Unanswered-Ids`, `Malformed-Ids` and `Repeated-Ids`, and `Left-Out` (how many papers did
    not fit).
    Formats with comments say all but the first two there, too. Raises Unprocessable if not even one paper fits.
    """
    named = missing.by_reason()

    def write(count: int) -> str:
        left_out = {"Left-Out": [str(len(results) - count)]} if count < len(results) else {}
        comments = [
            form.comment.format(f"{reason}: {', '.join(said)}")
            for reason, said in {**named, **left_out}.items()
            if form.comment
        ]
        text = form.write(list(results[:count]))
        return "\n".join([text, *comments, ""]) if comments else text

    text, left_out = within_budget(write, len(results), max_tokens)
    headers = {
        "Content-Disposition": f'attachment; filename="literature.{form.extension}"',
        "Complete": json.dumps(complete),
        "Content-Trust": UNTRUSTED,
        "Not-Found": str(len(missing.not_found) + len(missing.unanswered) + missing.unnamed),
        **{f"{reason}-Ids": _in_header(ids) for reason, ids in named.items()},
        **left_out_header(left_out),
    }
    return Response(200, form.media_type, text, headers=headers)


def left_out_header(left_out: int) -> dict[str, str]:
    """The header that says how many entries did not fit into the budget; none if all did."""
    return {"Left-Out": str(left_out)} if left_out else {}


def _in_header(ids: Sequence[str]) -> str:
    """As many of the ids as fit, and how many more there are."""
    shown: list[str] = []
    for text in ids:
        if sum(map(len, shown)) + len(text) > MAX_HEADER_CHARS:
            return ", ".join([*shown, f"and {len(ids) - len(shown)} more"])
        shown.append(text)
    return ", ".join(shown)
