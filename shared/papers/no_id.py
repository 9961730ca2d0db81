"""The errors for what was sent as the id of a paper and is none, and for ids of which none has a paper."""

from __future__ import annotations

from collections.abc import Sequence

from shared.bibliography.paper_ids import what_to_write
from shared.errors import FieldError, NotFound, Unanswered, Unprocessable
from shared.validation import first_errors

MOST_ADVICE = 3


class NoneFound(NotFound):
    """None of several papers was found; `errors` says of each why."""

    def __init__(self, errors: Sequence[FieldError]) -> None:
        super().__init__("no paper was found for these ids", hint="POST /v1/papers gives the reason for each id.")
        self.errors = tuple(errors)


def none_found(messages: Sequence[str], *, unanswered: bool) -> NoneFound | Unanswered:
    """The error for several ids without a paper; `unanswered`: for some, a source that may have it did not answer."""
    errors = first_errors([FieldError("ids", text) for text in messages])
    return Unanswered("no paper was found for these ids", errors) if unanswered else NoneFound(errors)


def no_id(field: str, *texts: str) -> Unprocessable:
    """The error of a field with these texts, none of which is an id: what to write in place of the first of them.

    It repeats no text of several words: those may be a paper's, which a caller would read as words of this service.
    """
    what = "none of them is an id of a paper"
    if len(texts) == 1:
        what = f"{'this' if len(texts[0].split()) > 1 else repr(texts[0][:100])} is not an id of a paper"
    advice = "; ".join(dict.fromkeys(map(what_to_write, texts[:MOST_ADVICE])))
    hint = f"{advice[0].upper()}{advice[1:]}. A title or a whole reference goes to POST /v1/resolve."
    return Unprocessable(f"{field}: {what}", [FieldError(field, advice)], hint=hint)
