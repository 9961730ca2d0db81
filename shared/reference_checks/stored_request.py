"""What a check remembers of its request, as JSON: the format of the document, and how its papers are published."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence

from shared.canonical_json import canonical, digest
from shared.documents.document import Document, DocumentFormat
from shared.documents.reading import read_document
from shared.errors import Unprocessable
from shared.json_types import JsonObject
from shared.reference_checks.request import ReferenceCheckRequest
from shared.reference_checks.run import FIELDS

# Of one batch; API Gateway waits for at most 29 s, and a worker's call of the dispatcher for less.
RESOLVE_MS = 20_000


# How papers are looked up and published.
SHARING = ("fresh", "cite_in_kg", "context")
PAGE_FIELDS = {"status", "max_results", "cursor", "max_tokens"}


def asked_of(request: ReferenceCheckRequest) -> str:
    """A digest of what is to be checked: equal requests share a check, whatever page they show."""
    return digest(canonical(request.model_dump(mode="json", exclude=PAGE_FIELDS)), 32)


def stored_request(request: ReferenceCheckRequest, form: DocumentFormat) -> str:
    """The parts of a request that its later batches need."""
    sharing = request.model_dump(mode="json", include=set(SHARING))
    return canonical({**sharing, "format": form, "asked": asked_of(request)})


def asked_of_stored(stored: str) -> str:
    """The digest of the request, see `asked_of`."""
    return str(json.loads(stored)["asked"])


def form_of(stored: str) -> DocumentFormat:
    """The format of the document."""
    return DocumentFormat(json.loads(stored)["format"])


def read_content(content: str, form: DocumentFormat | None, *, is_base64: bool = False) -> Document:
    """A document as it was sent. Raises Unprocessable if it cannot be read."""
    return read_document(_decoded(content) if is_base64 else content, form)


def _decoded(content: str) -> bytes:
    try:
        return base64.b64decode("".join(content.split()), validate=True)
    except ValueError as error:
        raise Unprocessable.field("document_base64", "is not base64") from error


def stored_document(stored: str, data: bytes) -> Document:
    """The document of a check, as it was stored."""
    form = form_of(stored)
    return read_content(data.decode(), form, is_base64=form is DocumentFormat.DOCX)


def resolve_request(stored: str, references: Sequence[JsonObject]) -> JsonObject:
    """The body of POST /v1/resolve for some of the references."""
    values = json.loads(stored)
    sharing = {name: values[name] for name in SHARING if values[name] is not None}
    form = {"detail": "full", "fields": list(FIELDS), "include_abstract": False, "timeout_ms": RESOLVE_MS}
    return {"references": list(references), **form, **sharing}
