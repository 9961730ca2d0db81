"""What a check remembers of its request, as JSON: the format of the document, and how its papers are published."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from functools import lru_cache

from shared.canonical_json import canonical, digest
from shared.documents.document import Document, DocumentFormat
from shared.documents.earlier_comments import without_comments
from shared.documents.reading import read_document, read_list
from shared.errors import Unprocessable
from shared.json_types import JsonObject
from shared.reference_checks.entries import FIELDS
from shared.reference_checks.request import ReferenceCheckRequest, ReferencePage, SentAs

# Of one batch; API Gateway waits for at most 29 s, and a worker's call of the dispatcher for less.
RESOLVE_MS = 20_000


# How papers are looked up and published.
SHARING = ("fresh", "cite_in_kg", "context")
PAGE_FIELDS = set(ReferencePage.model_fields)


def digest_of(request: ReferenceCheckRequest) -> str:
    """A digest of what is to be checked: equal requests share a check, whatever page they show."""
    return digest(canonical(request.model_dump(mode="json", exclude=PAGE_FIELDS)), 32)


def stored_request(request: ReferenceCheckRequest, form: DocumentFormat) -> str:
    """The parts of a request that its later batches need."""
    sharing = request.model_dump(mode="json", include=set(SHARING))
    return canonical({**sharing, "sent_as": request.sent_as, "format": form, "asked": digest_of(request)})


def read_content(content: str, sent_as: SentAs, form: DocumentFormat | None) -> Document:
    """A document as it was sent. Raises Unprocessable, naming the field it was sent in, if it cannot be read."""
    try:
        if sent_as is SentAs.LIST:
            return read_list(content, form)
        return read_document(_decoded(content) if sent_as is SentAs.BASE64 else content, form)
    except Unprocessable as error:
        raise Unprocessable.field(sent_as, error.errors[0].message) from error


def _decoded(content: str) -> bytes:
    try:
        return base64.b64decode("".join(content.split()), validate=True)
    except ValueError as error:
        raise Unprocessable.field("document_base64", "is not base64") from error


@lru_cache(maxsize=1)
def stored_document(stored: str, data: bytes) -> Document:
    """The document of a check, as it was stored. The last one is remembered: a worker reads it again for each batch."""
    values = json.loads(stored)
    return read_content(data.decode(), SentAs(values["sent_as"]), DocumentFormat(values["format"]))


def document_to_correct(stored: str, data: bytes) -> Document:
    """The document without the comments of an earlier check; as it was stored if that would change its references."""
    document = stored_document(stored, data)
    text = without_comments(document.text, document.format)
    if text == document.text:
        return document
    is_list = SentAs(json.loads(stored)["sent_as"]) is SentAs.LIST
    again = (read_list if is_list else read_document)(text, document.format)
    return again if len(again.entries) == len(document.entries) else document


def resolve_request(stored: str, references: Sequence[JsonObject]) -> JsonObject:
    """The body of POST /v1/resolve for some of the references."""
    values = json.loads(stored)
    sharing = {name: values[name] for name in SHARING if values[name] is not None}
    form = {"detail": "full", "fields": list(FIELDS), "include_abstract": False, "timeout_ms": RESOLVE_MS}
    return {"references": list(references), **form, **sharing}
