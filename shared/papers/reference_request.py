"""The request to resolve references: up to fifty, each a line or an object of its fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from shared.bibliography.paper_ids import bare_pmids, read_id, what_to_write
from shared.papers.request import ID_FORMS, PaperId, ProviderRequest
from shared.query.question import Citation
from shared.search.requests.input_forms import Whole, digits
from shared.search.requests.search_request import Detail, IncludeAbstract, Sized
from shared.validation import is_blank, moved

MAX_REFERENCES = 50
MAX_LINE_CHARS, MAX_TITLE_CHARS, MAX_JOURNAL_CHARS, MAX_PLACE_CHARS, MAX_PMID_CHARS = 2_000, 1_000, 500, 50, 20
MAX_NAME_CHARS, MAX_AUTHORS = 1_000, 200  # a whole list of authors, written as one name
OLDEST_YEAR, LATEST_YEAR = 1400, 2200  # that a reference may cite


def _names(value: Any) -> Any:
    """Authors as a list, or as one text separated by semicolons or `and`: names themselves contain commas."""
    return (
        tuple(part.strip() for part in re.split(r";|\band\b", value) if part.strip())
        if isinstance(value, str)
        else value
    )


def _without_blanks(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    """The references that say something, with their places: lists that were split by lines have blank ones."""
    if not isinstance(value, list | tuple):
        return validate(value)
    places = [place for place, it in enumerate(value) if not is_blank(it)]
    try:
        references = validate([value[place] for place in places])
    except ValidationError as error:
        raise moved(error, places) from None
    for place, reference in zip(places, references, strict=True):
        reference._place = place
    return references


Name = Annotated[str, Field(max_length=MAX_NAME_CHARS)]
Names = Annotated[tuple[Name, ...], BeforeValidator(_names)]
Place = Annotated[str, Field(max_length=MAX_PLACE_CHARS), BeforeValidator(digits)]
Pmid = Annotated[str, Field(max_length=MAX_PMID_CHARS), BeforeValidator(digits)]


class Reference(BaseModel):
    """A reference: its whole line in `reference`, or fields of it, or both."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    reference: str | None = Field(None, max_length=MAX_LINE_CHARS, description="The whole line, as it is printed.")
    title: str | None = Field(None, max_length=MAX_TITLE_CHARS, description="The cited title.")
    authors: Names = Field(
        (), max_length=MAX_AUTHORS, description="A list, or one text with semicolons or `and` between the names."
    )
    year: Whole | None = Field(None, ge=OLDEST_YEAR, le=LATEST_YEAR, description="The cited year.")
    journal: str | None = Field(None, max_length=MAX_JOURNAL_CHARS, description="The journal's name.")
    volume: Place | None = Field(None, description="The cited volume.")
    pages: Place | None = Field(None, description="The cited pages, or the first of them.")
    id: PaperId | None = Field(None, description=ID_FORMS)
    doi: PaperId | None = Field(None, description="The cited DOI.")
    pmid: Pmid | None = Field(None, description="The cited PMID.")
    _place: int = PrivateAttr(0)

    @property
    def place(self) -> int:
        """Its place in the caller's list, from 0; blank references before it count."""
        return self._place

    def with_place(self, place: int) -> Self:
        """The same reference at this place."""
        placed = self.model_copy()
        placed._place = place
        return placed

    @model_validator(mode="before")
    @classmethod
    def _may_be_a_line(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"reference": value}
        if not isinstance(value, Mapping | Reference):
            raise PydanticCustomError("reference_type", "must be a text, or an object with fields such as `title`")
        return {key: it for key, it in value.items() if not is_blank(it)} if isinstance(value, Mapping) else value

    @field_validator("id")
    @classmethod
    def _is_no_number(cls, value: str | None) -> str | None:
        """A number alone would be left out, and what it names not be compared with the rest."""
        if value and not read_id(value) and (bare_pmids(value) or value.strip().isdecimal()):
            text = f"{value.strip()[:100]!r} is not an id; {what_to_write(value)}"
            raise PydanticCustomError("no_id", "{text}", {"text": text})
        return value

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not any((self.reference, self.title, self.journal, *map(read_id, self.ids))):
            raise PydanticCustomError("absent", "give a reference, a title, an id, or a journal with volume and pages")
        return self

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids in its fields, as written."""
        return tuple(it for it in (self.id, self.doi, self.pmid and f"PMID:{self.pmid}") if it)

    @property
    def citation(self) -> Citation:
        """The reference without its ids."""
        return Citation(
            title=self.title, authors=self.authors, year=self.year, journal=self.journal, volume=self.volume,
            pages=self.pages, text=self.reference,
        )  # fmt: skip


class ResolveRequest(Sized, ProviderRequest):
    """Up to fifty references; one alone may be given by its own fields."""

    references: Annotated[
        tuple[Reference, ...],
        Field(
            min_length=1,
            max_length=MAX_REFERENCES,
            description="Up to fifty: each a whole line, or an object of its fields. Blank lines are left out.",
        ),
        WrapValidator(_without_blanks),
    ]
    detail: Detail = "compact"
    include_abstract: IncludeAbstract = False

    @model_validator(mode="before")
    @classmethod
    def _may_be_one(cls, value: Any) -> Any:
        own = Reference.model_fields.keys() & value.keys() if isinstance(value, Mapping) else ()
        if not own or "references" in value:
            return value
        rest = {key: it for key, it in value.items() if key not in own}
        return {**rest, "references": [{key: value[key] for key in Reference.model_fields if key in own}]}
