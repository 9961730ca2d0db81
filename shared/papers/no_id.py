"""The error for what was sent as the id of a paper and is none."""

from __future__ import annotations

from shared.bibliography.paper_ids import what_to_write
from shared.errors import FieldError, Unprocessable

MOST_ADVICE = 3


def no_id(field: str, *texts: str) -> Unprocessable:
    """The error of a field with these texts, none of which is an id: what to write in place of the first of them.

    It repeats no text of several words: those may be a paper's, which a caller would read as words of this service.
    """
    what = "none of them is an id of a paper"
    if len(texts) == 1:
        what = f"{'this' if len(texts[0].split()) > 1 else repr(texts[0][:100])} is no id of a paper"
    advice = "; ".join(dict.fromkeys(map(what_to_write, texts[:MOST_ADVICE])))
    hint = f"{advice[0].upper()}{advice[1:]}. A title or a whole reference goes to POST /v1/resolve."
    return Unprocessable(f"{field}: {what}", [FieldError(field, advice)], hint=hint)
