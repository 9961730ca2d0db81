"""The request for the passages that bear on a question or a claim."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from shared.canonical_json import ID_FORM
from shared.papers.request import Ids
from shared.passages.words import QuestionWords
from shared.query.query_sizes import MAX_QUERY_CHARS
from shared.query.syntax import tidy
from shared.search.requests.input_forms import Whole
from shared.search.requests.search_request import Budget, Fresh, Timeout, Wording

MAX_PAPERS = 20
Sentence = Annotated[str, Field(max_length=MAX_QUERY_CHARS)]


class PassagesRequest(BaseModel):
    """A question or a claim, and the papers in whose texts to look: a result set, ids, or those that a query finds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: Sentence | None = Field(None, description="What the passages should answer, in words. Or `claim`.")
    claim: Sentence | None = Field(
        None, description="A statement; passages that support it and that contradict it are found alike."
    )
    result_set_id: str | None = Field(
        None, pattern=f"^{ID_FORM}$", description=f"Of an earlier answer: its first {MAX_PAPERS} papers."
    )
    ids: Ids = Field((), max_length=MAX_PAPERS, description=f"Up to {MAX_PAPERS} ids of papers, each in any form.")
    query: Wording | None = Field(
        None, description=f"A search, whose first {MAX_PAPERS} papers are read. Default: the question or claim itself."
    )
    max_passages: Whole = Field(10, ge=1, le=50, description="The best so many passages.")
    max_per_paper: Whole = Field(3, ge=1, le=20, description="At most so many of one paper.")
    full_text: bool = Field(True, description="False: abstracts only.")
    max_tokens: Budget = None
    fresh: Fresh = False
    timeout_ms: Timeout = 20_000

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if bool(self.question) == bool(self.claim):
            field = "claim" if self.claim else "question"
            raise PydanticCustomError("absent", "give either a question or a claim", {"field": field})
        if not QuestionWords.of(tidy(self.text)).weights:
            field = "claim" if self.claim else "question"
            raise PydanticCustomError("absent", "must have a letter or digit", {"field": field})
        given = [name for name in ("result_set_id", "ids", "query") if getattr(self, name)]
        if len(given) > 1:
            raise PydanticCustomError("absent", "give one of result_set_id, ids and query", {"field": given[1]})
        return self

    @property
    def text(self) -> str:
        """The question or the claim."""
        return self.question or self.claim or ""
