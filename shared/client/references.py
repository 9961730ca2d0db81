"""The check of references as one tool: a text, fields, a list, or a whole document."""

from __future__ import annotations

from .errors import ToolError, bad_request, in_arguments
from .json_types import JsonObject, ToolAnswer
from .transport import call

DOCUMENTS = ("document", "document_base64")
_FORM = ("detail", "max_tokens", "cite_in_kg")


def checked(arguments: JsonObject) -> ToolAnswer:
    """What the API says of the references that a tool's arguments name. Raises ToolError."""
    named = _named(arguments)
    documents = [name for name in named if name in DOCUMENTS]
    if not documents:
        if not named:
            wanted = "give a text, fields of it such as `title` or `id`, `references` or a document"
            raise bad_request("reference", wanted)
        if "references" in named and (more := [name for name in named if name != "references"]):
            raise bad_request(more[0], "give either references or a single one", "Leave the other fields out.")
        try:
            return call("/v1/resolve", {name: it for name, it in arguments.items() if name not in DOCUMENTS})
        except ToolError as error:
            raise error if "references" in named else in_arguments(error, _argument_of) from None
    if more := [name for name in named if name not in documents[:1]]:
        raise bad_request(more[0], "give either a document or single references", "Leave the other fields out.")
    return call("/v1/reference-checks", {name: arguments[name] for name in (*documents, *_FORM)})


def _argument_of(field: str) -> str:
    """The argument that a field of the only reference is: `year` for `references.0.year`."""
    return field.removeprefix("references.0.") if field != "references.0" else "reference"


def _named(arguments: JsonObject) -> list[str]:
    """The arguments that say something of a reference."""
    said = {name: value.strip() if isinstance(value, str) else value for name, value in arguments.items()}
    return [name for name, value in said.items() if value and name not in _FORM]
