"""The check of a document's references: its progress, and what each reference says and should say."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from shared.answers.fields import Count, Moment, NextCursor
from shared.answers.papers import AnsweredBy, Fields, Match, ReferenceStatus, Unanswered
from shared.answers.search import Hint, Marks, Paper, Truncated
from shared.field_schema import FieldSchema
from shared.json_types import JsonObject


class CheckedReference(TypedDict):
    """One reference of a document: as it is printed, the paper that it means, and how the two differ."""

    number: Annotated[int, FieldSchema("Its place in the list, from 1.", minimum=1)]
    label: Annotated[str | None, FieldSchema("The name by which the text cites it: a number, a key.")]
    text: Annotated[str, FieldSchema("As printed, on one line.")]
    cited: Annotated[JsonObject, FieldSchema("The reference as it was read.")]
    cited_in_text: Annotated[Count | None, FieldSchema("How often the text cites it; null if it has no citations.")]
    status: ReferenceStatus
    paper: Annotated[Paper | None, FieldSchema("The paper that it means; when mismatched, that its text describes.")]
    named_by_id: Annotated[Paper | None, FieldSchema("The paper that its id names, when mismatched.")]
    fields: Annotated[Fields, FieldSchema("What it says and what is true, field by field.")]
    changes: Annotated[
        dict[str, str],
        FieldSchema("By field, what the reference should say: where it is wrong, and the DOI where it has none."),
    ]
    comment: Annotated[str | None, FieldSchema("What is wrong with it, in words; null when nothing is.")]
    candidates: Annotated[list[Match], FieldSchema("Unless a paper is shown, the nearest ones, the best first.")]
    answered_by: AnsweredBy
    unanswered: Unanswered


class CitationWithoutEntry(TypedDict):
    """A citation in the text that names something which is not in the list of references."""

    marker: str
    offset: Annotated[Count, FieldSchema("Characters from the beginning of the document.")]
    missing: list[str]


class DocumentWarning(TypedDict):
    """What could not be read, or is doubtful."""

    message: str
    offset: Annotated[Count | None, FieldSchema("Null if it concerns the whole document.")]


class StatusCounts(TypedDict):
    """How many references have each status."""

    matched: Count
    mismatched: Count
    ambiguous: Count
    not_found: Count
    unanswered: Count


class DocumentOutline(TypedDict):
    """What a document holds besides its references."""

    format: Annotated[str, FieldSchema("The format of the document.")]
    uncited: Annotated[list[int], FieldSchema("The numbers of references that the text does not cite.")]
    without_entry: Annotated[list[CitationWithoutEntry], FieldSchema("Citations of what the list does not have.")]
    warnings: list[DocumentWarning]


class ReferenceCheckAnswer(DocumentOutline, Marks):
    """The state of a check, with a page of the references that have been checked."""

    check_id: Annotated[str, FieldSchema("Of GET /v1/reference-checks/{id}, for a week.")]
    state: Annotated[Literal["running", "done", "failed"], FieldSchema("failed: sending the document again resumes.")]
    done: Count
    of: Annotated[Count, FieldSchema("References in the document.")]
    seconds_left: Annotated[int | None, FieldSchema("An estimate; null before the first references are done.")]
    created_at: Moment
    expires_at: Moment
    counts: StatusCounts
    complete: Annotated[bool, FieldSchema("False while references are unchecked, or no source answered for one.")]
    returned: Count
    references: list[CheckedReference]
    next_cursor: NextCursor
    truncated: Truncated | None
    hints: list[Hint]
