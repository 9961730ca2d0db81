"""Dates of requests: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, and ranges of them, both ends inclusive."""

from __future__ import annotations

import re
from datetime import MAXYEAR
from typing import Annotated, Any, Protocol, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from shared.error_texts import VALUE_CHARS
from shared.query.query import first_day, last_day

_PARTIAL_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
FIRST_YEAR = 1000  # of those with four digits
# The published pattern of a date; that the day exists is checked separately.
DATE_PATTERN = r"^(?!0000)[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$"


def _existing(value: str) -> str:
    try:
        if _PARTIAL_DATE.fullmatch(value) and first_day(value):
            return value
    except ValueError:
        pass
    text = f"must be YYYY, YYYY-MM or YYYY-MM-DD, and a day that exists, not {value[:VALUE_CHARS]!r}"
    raise PydanticCustomError("date", "{text}", {"text": text})


def _year_as_text(value: Any) -> Any:
    """A year is often sent as a number."""
    return str(value) if type(value) is int and FIRST_YEAR <= value <= MAXYEAR else value


PartialDate = Annotated[
    str,
    Field(json_schema_extra={"pattern": DATE_PATTERN, "maxLength": 10}),
    BeforeValidator(_year_as_text),
    AfterValidator(_existing),
]


class Dated(Protocol):
    """A request for what was published in a range of dates."""

    @property
    def date_from(self) -> str | None:
        """Inclusive."""

    @property
    def date_to(self) -> str | None:
        """Inclusive."""


DatedT = TypeVar("DatedT", bound=Dated)


def check_order(request: DatedT) -> DatedT:
    """The request. Raises PydanticCustomError for its field `date_from` if that is after `date_to`."""
    start, end = request.date_from, request.date_to
    if start and end and first_day(start) > last_day(end):
        text = f"must not be after date_to: {start} is after {end}"
        raise PydanticCustomError("range", "{text}", {"field": "date_from", "text": text})
    return request
