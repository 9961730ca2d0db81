"""The search request: every field with its default and limits, and a clear message for every invalid value.

"" and null count as absent; lists may be arrays or comma-separated strings; numbers and flags strings, as in a URL.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, field_validator, model_validator
from pydantic_core import PydanticCustomError

from shared.bibliography.journal_names import journal_names
from shared.errors import FieldError, Unprocessable
from shared.query.parser import check_depth
from shared.query.query import Query
from shared.query.query_sizes import MAX_QUERIES, MAX_QUERY_CHARS
from shared.query.syntax import MAX_DEPTH, tidy
from shared.query.tagged_dates import check_ranges
from shared.query.understanding import canonical, canonical_name, understand
from shared.search.requests.author_in_words import AuthorInWords, author_in_words
from shared.search.requests.context import Context
from shared.search.requests.date_range import PartialDate, check_order
from shared.search.requests.input_forms import Listed, OneName, People, Whole, one_wording, read_wordings, whole
from shared.search.requests.named_values import FieldOfStudyName, Language, ProviderNames, PublicationTypes
from shared.validation import validated

LEG_DEPTH = 100
LEAST_BUDGET, MOST_BUDGET = 200, 1_000_000  # tokens

# Fields of several requests, each with its own default.
Wording = Annotated[str, Field(max_length=MAX_QUERY_CHARS, json_schema_extra={"format": "literature-query"})]
Detail = Annotated[
    Literal["compact", "standard", "full"],
    Field(description="How much of each paper: compact, standard, or full (all authors)."),
]
IncludeAbstract = Annotated[bool, Field(description="False: `abstract` is null.")]
Page = Annotated[
    str | None,
    Field(
        max_length=500,
        description="`next_cursor` of an earlier answer, unchanged.",
        json_schema_extra={"format": "cursor"},
    ),
]
Fresh = Annotated[
    bool,
    Field(description="True: queries the providers even if a cached answer is fresh. Each API key has a budget."),
]
Timeout = Annotated[
    int,
    Field(ge=1_000, le=25_000, description="The deadline of the whole request, in milliseconds."),
    BeforeValidator(whole),
]
LegsWaitMs = Annotated[
    int | None,
    Field(
        ge=0,
        le=25_000,
        description="Milliseconds after which the answer goes out without the providers that have not answered yet "
        "(`pending`; their papers follow behind `next_cursor`). 0: as soon as one has. Default: waits for all.",
    ),
    BeforeValidator(whole),
]
Budget = Annotated[
    Whole | None,
    Field(
        ge=LEAST_BUDGET,
        le=MOST_BUDGET,
        description="A budget in tokens: results beyond it are left out, which `truncated` or `Left-Out` reports.",
    ),
]
CiteInGraph = Annotated[bool, Field(description="Whether the papers shown go to the knowledge graph.")]


class Sized(BaseModel):
    """How large an answer's papers may be: which fields, how much of the abstracts, how many tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    detail: Detail = "standard"
    fields: Listed = Field((), description="Only these fields of each paper.")
    include_abstract: IncludeAbstract = True
    abstract_chars: Whole | None = Field(
        None, ge=0, le=100_000, description="Cuts abstracts to this many characters, at a word."
    )
    max_tokens: Budget = None


# The docstrings of requests are their descriptions in the OpenAPI document.
class SearchRequest(Sized):
    """A search: its words, its filters, and the form of its answer."""

    query: Annotated[Wording | None, BeforeValidator(one_wording)] = Field(
        None,
        description='Words, a question, a title, an identifier (looked up), or an expression: "phrases", AND OR NOT in '
        "capitals, parentheses, field tags as in PubMed ([tiab]), Europe PMC (TITLE:) and arXiv (ti:). Each provider "
        "gets the form that it answers best. It must hold a letter or digit; an expression must close what it opens, "
        "at most 50 deep, and give operators terms. Optional with `queries` or `author`.",
    )
    queries: Annotated[tuple[Wording, ...], BeforeValidator(read_wordings)] = Field(
        (),
        max_length=MAX_QUERIES,
        description="Up to five wordings of one question (synonyms, broader, narrower, English), fused into one "
        "answer.",
    )
    max_results: Whole = Field(10, ge=1, le=100, description="Results a page.")
    providers: ProviderNames = Field(
        (), description="Which providers to query; `auto`: by discipline. Default: `all` that have one; others by name."
    )
    date_from: PartialDate | None = Field(
        None, description="YYYY, YYYY-MM or YYYY-MM-DD, inclusive; a day that exists, and not after `date_to`."
    )
    date_to: PartialDate | None = Field(None, description="YYYY, YYYY-MM or YYYY-MM-DD, inclusive; a day that exists.")
    journal: OneName = Field(None, max_length=300, description="Its name, abbreviation or acronym: `NEJM`.")
    author: People = Field(
        None,
        max_length=300,
        description="A person or group: `Doudna JA`, `Jennifer Doudna`; several with `;` between them: papers by all.",
    )
    open_access: bool | None = Field(None, description="True: only papers of which a free copy exists.")
    min_citations: Whole | None = Field(
        None, ge=0, le=10_000_000, description="Only papers with at least this many citations."
    )
    publication_types: PublicationTypes = Field((), description="Only these types, and kinds of them.")
    language: Language | None = Field(None, description="Only papers in this language; a name is accepted as well.")
    field_of_study: FieldOfStudyName | None = Field(None, description="Only papers of this field.")
    exclude_preprints: bool = Field(False, description="True: no preprints.")
    include_retracted: bool = Field(True, description="False: no retracted papers. They are flagged in any case.")
    cite_in_kg: CiteInGraph = True
    context: Context | None = Field(None, description="What cites the papers; in a URL as JSON text.")
    sort: Literal["relevance", "citations", "date"] = Field("relevance", description="The order of the results.")
    ranking: Literal["balanced", "relevance", "impact"] = Field(
        "balanced", description="balanced; relevance: without citations; impact: relevance × log(citations + 1)."
    )
    _author_in_words: AuthorInWords | None = PrivateAttr(None)
    cursor: Page = None
    fresh: Fresh = False
    timeout_ms: Timeout = 20_000
    patience_ms: LegsWaitMs = None

    @field_validator("query", "queries")
    @classmethod
    def _can_be_parsed(cls, value: Any) -> Any:
        for text in (value,) if isinstance(value, str) else value or ():
            try:
                if len(tidy(text)) > MAX_QUERY_CHARS:  # a character of old encodings stands for up to eighteen
                    raise Unprocessable.field("query", f"String should have at most {MAX_QUERY_CHARS} characters")
                check_depth(text, MAX_DEPTH)
                check_ranges(understand(text).node)
            except Unprocessable as error:
                raise PydanticCustomError("query", "{it}", {"it": error.errors[0].message}) from error
        return value

    @model_validator(mode="wrap")
    @classmethod
    def _read_author(cls, data: Any, handler: Callable[[Any], Self]) -> Self:
        """An author whom the query names by a cue becomes the filter."""
        read = handler(data)
        alone = read.query if not (read.author or read.queries) else None
        if alone and (found := author_in_words(alone, dated=bool(read.date_from or read.date_to))):
            read = read.model_copy(update=found.fields)
            read._author_in_words = found
        return read

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        check_order(self)
        if not (self.query or self.queries or self.cursor or self.author):
            message = f"required, unless `queries` or `author` is given: 1 to {MAX_QUERY_CHARS:,} characters"
            raise PydanticCustomError("absent", "{it}", {"field": "query", "it": message})
        return self

    @property
    def author_in_words(self) -> AuthorInWords | None:
        """What the query said of an author before it was read as the filter `author`; None if it said nothing."""
        return self._author_in_words

    @property
    def wordings(self) -> tuple[str, ...]:
        """`query` and `queries` without duplicates, tidied; one empty wording if an author alone is searched for."""
        texts = ((self.query,) if self.query else ()) + self.queries
        return tuple(dict.fromkeys(tidy(text) for text in texts)) or (("",) if self.author else ())

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The identifiers that the wordings hold, in normal form: they are looked up."""
        return tuple(dict.fromkeys(name for text in self.wordings for name in understand(text).identifiers))

    @property
    def searched(self) -> tuple[tuple[int, str], ...]:
        """The wordings to search for, with their numbers: identifiers alone are not, nor numbers without an author."""
        return tuple(
            (number, text)
            for number, text in enumerate(self.wordings)
            if (read := understand(text)).is_searchable or (self.author and read.kind in ("none", "number"))
        )

    def leg_query(self, wording: str) -> Query:
        """The query of every leg of one wording; `Query.cache_key` lets callers with equal queries share legs."""
        return Query(
            text=canonical(wording),
            limit=LEG_DEPTH,
            date_from=self.date_from,
            date_to=self.date_to,
            journal=tidy(journal_names(self.journal).full) if self.journal else None,
            author=canonical_name(self.author) if self.author else None,
            open_access=bool(self.open_access),
            min_citations=self.min_citations or None,
            publication_types=tuple(sorted(self.publication_types)),
            exclude_preprints=self.exclude_preprints,
            exclude_retracted=not self.include_retracted,
            language=self.language,
            field_of_study=self.field_of_study,
            sort=self.sort,
        )


def read_request(data: object, providers: Collection[str], fields: Collection[str] = ()) -> SearchRequest:
    """Validate a caller's input against the names of `providers` and `fields` that exist.

    Raises BadRequest for malformed input and Unprocessable for an invalid value; both name every wrong field."""
    request = validated(SearchRequest, data)
    must_exist("providers", request.providers, {"all", "auto", *providers})
    if fields:
        must_exist("fields", request.fields, fields)
    return request


def must_exist(field: str, names: Collection[str], known: Collection[str]) -> None:
    """Raises Unprocessable for the first unknown name."""
    for name in names:
        if name not in known:
            valid = ", ".join(sorted(known))
            raise Unprocessable(
                f"{field}: {name!r} is unknown", [FieldError(field, f"{name!r} is unknown; valid: {valid}")]
            )
