"""Parts of a paper in an answer that have fields of their own: its copies and its versions."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from shared.answers.fields import Day
from shared.field_schema import FieldSchema


class Location(TypedDict):
    """A place where a copy can be read."""

    url: str
    version: Annotated[str | None, FieldSchema("publishedVersion, acceptedVersion or submittedVersion.")]
    license: str | None
    host: Annotated[str | None, FieldSchema("publisher or repository.")]


class OpenAccess(TypedDict, total=False):
    """Whether a free copy exists, and where; with detail=standard, what is known, without `locations`."""

    is_oa: Annotated[bool | None, FieldSchema("Null: no provider says.")]
    url: str | None
    license: str | None
    locations: list[Location]


class Version(TypedDict):
    """Another version of the same work; with detail=standard, what is known of it."""

    relation: Annotated[Literal["preprint", "published", "version"], FieldSchema("What the other version is.")]
    doi: NotRequired[str | None]
    pmid: NotRequired[str | None]
    arxiv: NotRequired[str | None]
    title: NotRequired[str | None]
    journal: NotRequired[str | None]
    publication_date: NotRequired[Day | None]
