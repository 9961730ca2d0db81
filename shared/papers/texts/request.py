"""The request for a paper's full text."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from shared.papers.request import Id
from shared.search.requests.input_forms import Whole
from shared.search.requests.search_request import Budget, Fresh, Timeout


def _flag(value: object) -> object:
    """Flags in a URL are texts."""
    return (
        {"true": True, "1": True, "false": False, "0": False}.get(value.lower(), value)
        if isinstance(value, str)
        else value
    )


class FullTextRequest(BaseModel):
    """A paper's text: the whole, its outline, one section, or what follows an offset."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Id = Field(min_length=1, description="A DOI, PMID:…, PMC…, arXiv:… or another id of the paper.")
    format: Literal["json", "markdown"] = Field("json", description="The form of the answer.")
    outline: Annotated[bool, BeforeValidator(_flag)] = Field(False, description="The headings only.")
    section: str | None = Field(
        None,
        max_length=500,
        description='A number of the outline ("2.1") or a heading: that section with all below it.',
    )
    start: Whole = Field(0, ge=0, le=10_000_000, description="`next_start` of an earlier answer: what follows there.")
    max_tokens: Budget = None
    fresh: Fresh = False
    timeout_ms: Timeout = 20_000
