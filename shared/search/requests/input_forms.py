"""The lenient forms of lists and numbers in requests: as JSON, as text in a URL, or as JSON in a text."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from shared.bibliography.orcid import find_orcids
from shared.bibliography.text import fold
from shared.bibliography.typed_people import MAX_PEOPLE, read_people
from shared.query.syntax import tidy
from shared.validation import is_blank

MAX_LISTED_CHARS = 100  # the name of a provider, a field or a type
MAX_NUMBER = 10**15  # of a volume, a page or an id


def listed(value: object) -> object:
    """`"a, b,"` and `["a", "b"]` are the same list: commas with nothing between them are ignored."""
    return names_in(value) if isinstance(value, str) else present(value)


def names_in(text: str) -> tuple[str, ...]:
    """The values of a list in a text, each once."""
    return tuple(dict.fromkeys(filter(None, map(str.strip, text.split(",")))))


def present(values: object) -> object:
    """The values of a list, each text once; blank texts, and texts of commas alone, are absent."""
    if not isinstance(values, list | tuple):
        return values
    stripped = [part.strip() if isinstance(part, str) else part for part in values]
    given = [part for part in stripped if not (isinstance(part, str) and not part.strip(", "))]
    return tuple({part if isinstance(part, str) else (place,): part for place, part in enumerate(given)}.values())


def read_wordings(value: object) -> object:
    """One text, a list, or a list written as JSON text; empty ones are absent."""
    if isinstance(value, str) and value.lstrip().startswith('["'):
        with suppress(ValueError, RecursionError):
            value = json.loads(value)
    value = [value] if isinstance(value, str) else value
    return tuple(it for it in value if not is_blank(it)) if isinstance(value, list | tuple) else value


def people(value: object) -> object:
    """A list of names as one text, with `;` between them; ORCID iDs without their addresses."""
    text = "; ".join(value) if isinstance(value, list | tuple) and value and _are_texts(value) else value
    if not isinstance(text, str):
        return value
    for written, orcid in find_orcids(text):
        text = text.replace(written, orcid)
    return text


def one_name(value: object) -> object:
    """A list of one text is that text. Raises PydanticCustomError for several."""
    return _only(value, "must be one name, not a list")


def one_wording(value: object) -> object:
    """A list of one text is that text. Raises PydanticCustomError for several, which another field takes."""
    return _only(value, "must be one text; `queries` takes other wordings of the same question")


def _only(value: object, otherwise: str) -> object:
    if not isinstance(value, list | tuple) or not _are_texts(value):
        return value
    if len(value) > 1:
        raise PydanticCustomError("one_text_type", "{it}", {"it": otherwise})
    return value[0] if value else None


def _are_texts(values: list[object] | tuple[object, ...]) -> bool:
    return all(isinstance(it, str) for it in values)


def digits(value: object) -> object:
    """Volumes and ids may be numbers: these become text, but not booleans or implausible numbers."""
    if (isinstance(value, float) and value.is_integer()) or type(value) is int:
        return str(int(value)) if 0 <= value < MAX_NUMBER else value
    return value


def whole(value: object) -> object:
    """Reject true, 1.5 and texts with anything but digits, which pydantic would accept as integers.

    A negative number is left to the range of the field, whose error states it.
    """
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise PydanticCustomError("int_type", "must be a whole number")
    if isinstance(value, str) and not re.fullmatch("-?[0-9]+", value):
        raise PydanticCustomError("int_parsing", "must be an integer, in digits alone")
    return value


def _with_letters(value: str | None) -> str | None:
    """Reject a name of marks, markup or invisible characters alone, which would filter nothing."""
    if value and value.strip() and not fold(tidy(value)):
        raise PydanticCustomError("absent", "must have a letter or digit")
    return value


def _a_persons_name(value: str | None) -> str | None:
    """Reject a number, which is in no record's list of names and would filter nothing; an ORCID iD is the sources'."""
    if value and value.strip() and not read_people(tidy(value)):
        raise PydanticCustomError("author", "must be a name or an ORCID iD: `Doudna JA`, `UK Biobank`")
    if value and len(read_people(value)) > MAX_PEOPLE:
        raise PydanticCustomError("author", "{it}", {"it": f"at most {MAX_PEOPLE} people"})
    return value


Listed = Annotated[tuple[Annotated[str, Field(max_length=MAX_LISTED_CHARS)], ...], BeforeValidator(listed)]
Whole = Annotated[int, BeforeValidator(whole)]
OneName = Annotated[str | None, BeforeValidator(one_name), AfterValidator(_with_letters)]
People = Annotated[str | None, BeforeValidator(people), AfterValidator(_a_persons_name)]
