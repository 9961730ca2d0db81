"""The document of a check, which its worker needs for each batch."""

from __future__ import annotations

from shared.documents.document import DocumentFormat
from shared.reference_checks.request import ReferenceCheckRequest
from shared.reference_checks.stored_request import stored_document, stored_request


def test_the_document_is_read_once_for_all_batches_of_a_worker() -> None:
    """Reading 2,000 references takes seconds, and a worker checks fifty at a time."""
    request = ReferenceCheckRequest.model_validate({"references": ["Doe J. On mice and men. Nature. 2011;470:1."]})
    stored = stored_request(request, DocumentFormat.TEXT)
    document = stored_document(stored, request.content.encode())
    assert stored_document(stored, request.content.encode()) is document
    assert stored_document(stored, f"{request.content} 2".encode()) is not document
