"""Values of a search that are names of a fixed list, read as people write them; an error names the whole list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from shared.bibliography.fields_of_study import FIELDS_OF_STUDY, read_field_of_study
from shared.bibliography.languages import NAMES, read_language


def _reader(read: Callable[[str], str | None], valid: Iterable[str]) -> BeforeValidator:
    names = ", ".join(valid)

    def value_of(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        found = read(value)
        if found is None:
            raise PydanticCustomError(
                "unknown_name", "{it} is unknown; valid: {names}", {"it": repr(value[:100]), "names": names}
            )
        return found

    return BeforeValidator(value_of)


def _enum(names: Mapping[str, object]) -> Any:
    return Field(json_schema_extra={"enum": list(names)})


Language = Annotated[str, _enum(NAMES), _reader(read_language, ("the English name of a language", *NAMES))]
FieldOfStudyName = Annotated[str, _enum(FIELDS_OF_STUDY), _reader(read_field_of_study, FIELDS_OF_STUDY)]
