"""How a paper is cited in the text of another: in lists, in networks and in the knowledge graph."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from shared.field_schema import FieldSchema

Intent = Literal["background", "method", "result"]


class InText(TypedDict):
    """How a paper is cited in the text of the citing one. The words are the citing authors'."""

    sentences: Annotated[list[str], FieldSchema("That cite it; one, cut, with detail=compact.")]
    intents: Annotated[list[Intent], FieldSchema("What it is cited for.")]
    influential: Annotated[bool | None, FieldSchema("Whether the citing paper builds on it, as a source judges.")]
    stated_by: Annotated[
        list[str], FieldSchema("The providers that state this; of a source of full texts, its text does.")
    ]
