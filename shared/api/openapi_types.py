"""The objects of an OpenAPI 3.1 document that this API uses: https://spec.openapis.org/oas/v3.1.1.html."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from shared.field_schema import JsonSchema

# `in` and `$ref` are not names in Python, so these two have the functional form.
Parameter = TypedDict(
    "Parameter",
    {
        "name": str,
        "in": Literal["path", "query", "header"],
        "required": NotRequired[bool],
        "description": str,
        "schema": JsonSchema,
        "example": NotRequired[object],
    },
)
Reference = TypedDict("Reference", {"$ref": str})


class MediaType(TypedDict):
    """A body in one media type."""

    schema: JsonSchema
    example: NotRequired[object]


Content: TypeAlias = dict[str, MediaType]  # by media type


class RequestBody(TypedDict):
    """The body of a request."""

    required: bool
    content: Content


class Header(TypedDict):
    """A header of a response."""

    description: str
    schema: JsonSchema


class ResponseObject(TypedDict):
    """A response with one status, or with every status of a class."""

    description: str
    headers: NotRequired[dict[str, Header | Reference]]
    content: NotRequired[Content]


class OperationObject(TypedDict):
    """One method of one path; `responses` are by status."""

    operationId: str
    tags: list[str]
    summary: str
    description: str
    requestBody: NotRequired[RequestBody]
    parameters: NotRequired[Sequence[Parameter | Reference]]
    security: NotRequired[list[dict[str, list[str]]]]
    responses: NotRequired[dict[str, ResponseObject | Reference]]


PathItem: TypeAlias = dict[str, OperationObject]  # by method, in lower case


class License(TypedDict):
    """The licence of the API."""

    name: str
    identifier: str


class Info(TypedDict):
    """What the API is."""

    title: str
    version: str
    summary: str
    description: str
    license: License


class Server(TypedDict):
    """An address of the API."""

    url: str


class Tag(TypedDict):
    """A group of operations."""

    name: str
    description: str


class Components(TypedDict):
    """What the rest of the document refers to by name."""

    schemas: dict[str, JsonSchema]
    parameters: dict[str, Parameter]
    headers: dict[str, Header]
    responses: dict[str, ResponseObject]
    securitySchemes: dict[str, dict[str, str]]


class OpenApiDocument(TypedDict):
    """The whole document."""

    openapi: str
    info: Info
    servers: list[Server]
    security: list[dict[str, list[str]]]
    tags: list[Tag]
    paths: dict[str, PathItem]
    webhooks: dict[str, PathItem]
    components: Components


def media_type(schema: JsonSchema, example: object) -> MediaType:
    """A body of this schema; an example that is None is left out."""
    return {"schema": schema} if example is None else {"schema": schema, "example": example}
