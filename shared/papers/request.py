"""The requests about known papers: papers by id, their lists, citation networks, export."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)
from pydantic_core import PydanticCustomError

from shared.bibliography.paper_ids import MAX_WRITTEN_CHARS as MAX_ID_CHARS
from shared.bibliography.paper_ids import ids_of
from shared.canonical_json import ID_FORM
from shared.search.requests.context import Context
from shared.search.requests.date_range import PartialDate, check_order
from shared.search.requests.input_forms import MAX_LISTED_CHARS, Whole, digits
from shared.search.requests.search_request import (
    Budget,
    CiteInGraph,
    Detail,
    Fresh,
    IncludeAbstract,
    Page,
    Sized,
    Timeout,
)

MAX_IDS = 100


def _ids(value: Any) -> Any:
    """A list of ids, or one text with some; a number is a text, which the error of a number alone then names."""
    value = digits(value)
    return ids_of(value) if isinstance(value, str) else value


Id = Annotated[str, Field(max_length=MAX_ID_CHARS), BeforeValidator(digits)]
Ids = Annotated[tuple[Id, ...], BeforeValidator(_ids)]
PaperId = Annotated[Id, Field(json_schema_extra={"format": "paper-id"})]
PaperIds = Annotated[tuple[PaperId, ...], BeforeValidator(_ids)]
Since = Annotated[
    PartialDate | None,
    Field(description="Only papers since then: YYYY, YYYY-MM or YYYY-MM-DD, inclusive, and not after `date_to`."),
]
Until = Annotated[PartialDate | None, Field(description="Only papers until then, inclusive.")]
MAX_SEEDS = 10
ID_FORMS = (
    "A DOI, PMID:…, PMC…, arXiv:…, a Semantic Scholar id, CorpusId:…, an OpenAlex W…, one of our keys, or an address."
)
IDS_FORMS = f"Ids, each in any form. {ID_FORMS}"


class ProviderRequest(BaseModel):
    """What requests to providers have in common: the timeout, the use of the cache, and publishing to the graph."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fresh: Fresh = False
    timeout_ms: Timeout = 20_000
    cite_in_kg: CiteInGraph = True
    context: Context | None = Field(None, description="What cites the papers; in a URL as JSON text.")


class PapersRequest(Sized, ProviderRequest):
    """Papers by id, whole by default."""

    ids: Ids = Field(min_length=1, max_length=MAX_IDS, description=f"{IDS_FORMS} Up to 100.")
    detail: Detail = "full"


class NetworkRequest(Sized, ProviderRequest):
    """The papers around some seeds, and who cites whom among them."""

    seeds: PaperIds = Field(
        min_length=1, max_length=MAX_SEEDS, description=f"{IDS_FORMS} Up to 10, and no more than `max_nodes`."
    )
    direction: Literal["references", "citations", "both"] = Field("both", description="Which way to follow citations.")
    depth: Whole = Field(
        1,
        ge=1,
        le=2,
        description="1: the papers linked to the seeds. 2: also those linked to the most linked of these.",
    )
    max_nodes: Whole = Field(50, ge=2, le=200, description="Papers in the network; the most linked are kept.")
    format: Literal["json", "graphml", "svg"] = Field("json", description="The form of the answer.")
    detail: Detail = "compact"
    include_abstract: IncludeAbstract = False


class ExportRequest(BaseModel):
    """A result set, or papers by id, to be written as a file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    result_set_id: str | None = Field(None, pattern=f"^{ID_FORM}$", description="Of an earlier answer: all its papers.")
    ids: Ids = Field((), max_length=MAX_IDS, description=f"{IDS_FORMS} Up to 100.")
    max_results: Whole | None = Field(None, ge=1, le=1_000, description="The first so many papers; all by default.")
    format: str | None = Field(
        None,
        max_length=MAX_LISTED_CHARS,
        description="The form of the answer; the header `Accept` may say it as well where a file of citations is "
        "wanted.",
    )
    max_tokens: Budget = None
    timeout_ms: Timeout = 20_000
    cite_in_kg: CiteInGraph = True  # for `ids`: a stored list has been sent when it was found

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if bool(self.result_set_id) == bool(self.ids):
            field = "ids" if self.ids else "result_set_id"
            raise PydanticCustomError("absent", "give either a result_set_id or ids", {"field": field})
        return self


class LinksRequest(Sized, ProviderRequest):
    """What a paper cites, or who cites it; `bibliography` is the citing paper's own order."""

    id: Id = Field(min_length=1, description=ID_FORMS)
    max_results: Whole = Field(20, ge=1, le=100, description="Results a page.")
    sort: Literal["bibliography", "citations", "date"] | None = Field(
        None, description="bibliography: as the citing paper prints them; or the most cited, or the newest, first."
    )
    date_from: Since = None
    date_to: Until = None
    cursor: Page = None
    detail: Detail = "compact"
    include_abstract: IncludeAbstract = False

    _fits_together = model_validator(mode="after")(check_order)
