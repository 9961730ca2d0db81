"""What a debate cites: a text in which papers are named, or their ids, and the context that cites them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from shared.bibliography.paper_ids import SCHEMES, read_id, scheme_of, value_of
from shared.bibliography.reference_text import Mention, read_references
from shared.errors import FieldError, Unprocessable
from shared.search.request import Context, Listed
from shared.validation import validated

MAX_TEXT_BYTES = 100_000
MAX_MENTIONS = 500


def _one_or_more(value: Any) -> Any:
    """An id by itself may hold a comma."""
    return (value,) if isinstance(value, str) and read_id(value) else value


# `read_citations` builds it.
class CitationRequest(BaseModel):
    """A text or a list of papers, not both, and the context that cites them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    context: Context = Field(description="What cites the papers.")
    text: str | None = Field(
        None,
        description="A text that names papers, up to 100,000 bytes and 500 papers; or give `papers`.",
        json_schema_extra={"maxLength": MAX_TEXT_BYTES},
    )
    papers: Annotated[Listed, BeforeValidator(_one_or_more)] = Field(
        (),
        description="The ids of the papers, instead of a text; each in any form.",
        json_schema_extra={"items": {"type": "string", "format": "graph-id"}},
    )
    by: str | None = Field(None, max_length=256, description="Who cites.")

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if bool(self.text) == bool(self.papers):
            message = "give either a text or papers, not both" if self.text else "required: a text, or a list of papers"
            raise PydanticCustomError("absent", message, {"field": "papers" if self.text else "text"})
        return self


def read_citations(data: Any) -> tuple[CitationRequest, Sequence[Mention]]:
    """A caller's request and the papers that it names; of `papers`, a mention's place is its number in the list.

    Raises BadRequest or Unprocessable, naming each field at fault: nothing is recorded then.
    """
    request = validated(CitationRequest, data)
    if request.text is not None:
        if len(request.text.encode("utf-8", "surrogatepass")) > MAX_TEXT_BYTES:
            raise Unprocessable.field("text", f"longer than {MAX_TEXT_BYTES:,} bytes: send it in parts")
        mentions = read_references(request.text)
    else:
        mentions = _listed(request.papers)
    if len(mentions) > MAX_MENTIONS:
        field = "text" if request.text is not None else "papers"
        raise Unprocessable.field(
            field, f"names {len(mentions):,} papers; at most {MAX_MENTIONS} at once: send it in parts"
        )
    return request, mentions


def _listed(papers: Sequence[str]) -> list[Mention]:
    """Each entry must be the id of one paper, and nothing else."""
    found = []
    wrong = []
    for number, paper in enumerate(papers):
        named = read_references(str(paper))
        if len(named) == 1:
            found.append(replace(named[0], start=number, end=number, text=str(paper)))
        elif told := _read(str(paper)):  # what is asked for as an id may be shorter than what is believed in a text
            found.append(Mention(*told, number, number, str(paper)))
        else:
            message = f"{str(paper)[:100]!r} is no paper's id; write a DOI, PMID:…, PMC…, arXiv:…, or one of our keys"
            wrong.append(FieldError(f"papers.{number}", message))
    if wrong:
        raise Unprocessable("; ".join(f"{fault.field}: {fault.message}" for fault in wrong[:5]), wrong)
    return found


def _read(paper: str) -> tuple[Any, str] | None:
    """Kind and id, as a mention has them; None for what the graph cannot keep an edge by."""
    name = read_id(paper)
    kinds: dict[str, Any] = {scheme: kind for kind, scheme in SCHEMES.items()}
    return (kinds[scheme_of(name)], value_of(name)) if name and scheme_of(name) in kinds else None


def graph_id(mention: Mention) -> str:
    """The id as the graph writes it: `doi:…`, `pmid:…`, `s2:…`."""
    return f"{SCHEMES[mention.kind]}:{mention.id}"
