"""The routes of reference checks, as the OpenAPI document describes them."""

from __future__ import annotations

from shared.answers.reference_checks import ReferenceCheckAnswer
from shared.api.openapi_types import Parameter
from shared.api.operation import IDEMPOTENCY_KEY, JSON, TEXT, Operation
from shared.canonical_json import ID_FORM
from shared.documents.document import MEDIA_TYPES, READ_ONLY, DocumentFormat
from shared.field_schema import JsonSchema
from shared.reference_checks.request import ReferenceCheckRequest, ReferencePage

_CHECK: Parameter = {
    "name": "id", "in": "path", "required": True, "description": "`check_id` of an earlier answer.",
    "schema": {"type": "string", "format": "check-id", "pattern": f"^{ID_FORM}$"},
}  # fmt: skip
_DOCUMENTS: dict[str, JsonSchema] = {
    **dict.fromkeys(MEDIA_TYPES.values(), TEXT), MEDIA_TYPES[DocumentFormat.CSL_JSON]: {"type": "array"}
}  # fmt: skip
_CHECK_TEXT = (
    "Finds the references of a document or list, and says of each which paper it means, field by field what is wrong, "
    "and whether the paper is retracted. Up to 30 references are checked at once; more are a job: 202 with its "
    "`Location`, where progress is read. The same document sent again within a week continues the same check."
)
CHECK_OPERATIONS = (
    Operation(
        method="POST", path="/v1/reference-checks", name="check_references", tag="papers",
        summary="The references of a document", description=_CHECK_TEXT, request=ReferenceCheckRequest,
        parameters=(IDEMPOTENCY_KEY,), answers={JSON: ReferenceCheckAnswer},
        others={202: ("More than 30 references: `Location` has the progress.", ReferenceCheckAnswer)},
        refusals=(400, 404, 409, 422, 503),
    ),
    Operation(
        method="GET", path="/v1/reference-checks/{id}", name="get_reference_check", tag="papers",
        summary="The progress of a check, and its results", description="Results are stored for a week.",
        request=ReferencePage, parameters=(_CHECK,), answers={JSON: ReferenceCheckAnswer}, refusals=(404, 422, 503),
    ),
    Operation(
        method="GET", path="/v1/reference-checks/{id}/document", name="get_corrected_document", tag="papers",
        summary="The document, corrected", description="In its own format (a .docx as Markdown), with the wrong fields "
        "corrected, missing DOIs added and a comment beside each; everything else is unchanged. A document in one of "
        f"the formats {', '.join(sorted(READ_ONLY))} is as it was sent, and the check's `warnings` say so.",
        parameters=(_CHECK,), answers=_DOCUMENTS, refusals=(404, 409, 503),
    ),
)  # fmt: skip
