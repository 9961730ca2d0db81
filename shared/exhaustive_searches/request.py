"""The requests about exhaustive searches: what to search for, a page of its papers, its report and its files."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from shared.canonical_json import canonical, digest
from shared.errors import Unprocessable
from shared.search.requests.form_fields import FORM_FIELDS
from shared.search.requests.input_forms import Whole
from shared.search.requests.search_request import SearchRequest, Sized, must_exist
from shared.validation import is_blank, validated

if TYPE_CHECKING:
    from shared.json_types import JsonObject

MAX_RECORDS = 5_000  # of one source and wording
# In all: so many records fit into the memory of the function that merges them.
MAX_ALL_RECORDS = 20_000
# What decides the form of a search's answer is none of an exhaustive search, which ranks no papers and shows none.
NOT_TAKEN = (FORM_FIELDS | {"ranking"}) - {"fresh"}
MAX_CURSOR_CHARS = 10

Place = (
    Annotated[
        str, Field(max_length=MAX_CURSOR_CHARS, pattern="^[0-9]+$", description="`next_cursor` of the page before.")
    ]
    | None
)


class ExhaustiveSearchRequest(SearchRequest):
    """A search of which every source is read to its end, or to `max_records`."""

    NOT_TAKEN: ClassVar[frozenset[str]] = frozenset(NOT_TAKEN)

    max_records: Whole = Field(
        1_000,
        ge=1,
        le=MAX_RECORDS,
        description="Records that are read at most of each source and wording; 20,000 of all together.",
    )

    @model_validator(mode="before")
    @classmethod
    def _has_no_form(cls, data: Any) -> Any:
        for name in sorted(NOT_TAKEN & data.keys()) if isinstance(data, dict) else ():
            if not is_blank(data[name]):
                message = "unknown field: an exhaustive search shows no papers; its pages take it"
                raise PydanticCustomError("extra_forbidden", "{it}", {"field": name, "it": message})
        return data


class ExhaustiveSearchPage(Sized):
    """Which of the papers that were found to show."""

    max_results: Whole = Field(10, ge=1, le=100, description="Papers a page.")
    cursor: Place = None


class ExhaustiveSearchReport(BaseModel):
    """The form of the record of a search."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["markdown", "svg"] = Field(
        "markdown", description="markdown: a report by PRISMA-S; svg: the flow diagram of PRISMA 2020."
    )


class ExhaustiveSearchFile(BaseModel):
    """A file of the papers that were found."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["markdown", "bibtex", "ris", "csl-json", "csv"] = Field("ris", description="Of the file.")
    max_results: Whole = Field(500, ge=1, le=1_000, description="Papers a file.")
    cursor: Place = None


def read_exhaustive(data: object, providers: Collection[str]) -> ExhaustiveSearchRequest:
    """Validate a caller's input. Raises BadRequest or Unprocessable, naming each wrong field."""
    request = validated(ExhaustiveSearchRequest, data)
    must_exist("providers", request.providers, {"all", "auto", *providers})
    if not request.searched:
        raise Unprocessable.field("query", "has no words to search for: identifiers are looked up by POST /v1/papers")
    return request


def terms_of(request: ExhaustiveSearchRequest) -> JsonObject:
    """What is searched for: the fields that differ from their defaults, and the bound."""
    terms = request.model_dump(mode="json", exclude=set(FORM_FIELDS), exclude_defaults=True)
    return {**terms, "max_records": request.max_records}


def digest_of(request: ExhaustiveSearchRequest) -> str:
    """A digest of what is searched for: equal requests share a job."""
    return digest(canonical({**terms_of(request), "providers": sorted(request.providers)}), 32)


def stored_request(request: ExhaustiveSearchRequest) -> str:
    """The request as its job stores it."""
    return canonical({"terms": terms_of(request), "asked": digest_of(request)})


def request_of(stored: str) -> ExhaustiveSearchRequest:
    """The request that `stored_request` wrote."""
    return ExhaustiveSearchRequest.model_validate(json.loads(stored)["terms"])
