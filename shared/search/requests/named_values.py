"""Values of a search that are names of a fixed list, read as people write them; an error names the whole list."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from shared.bibliography.fields_of_study import FIELDS_OF_STUDY, read_field_of_study
from shared.bibliography.languages import NAMES, read_language
from shared.bibliography.paper import PAPER_TYPES
from shared.bibliography.paper_types import read_paper_type
from shared.search.requests.input_forms import MAX_LISTED_CHARS, Listed, listed


def _reader(read: Callable[[str], str | None], valid: Iterable[str]) -> BeforeValidator:
    names = ", ".join(valid)

    def value_of(value: object) -> object:
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

# What people write for a source, run together, where that is not its name.
_PROVIDERS = {
    "clinicaltrials": "clinicaltrials", "clinicaltrialsgov": "clinicaltrials", "ctgov": "clinicaltrials",
    "epmc": "europe_pmc", "europepmc": "europe_pmc", "europepubmedcentral": "europe_pmc", "medline": "pubmed",
    "ncbi": "pubmed", "openalex": "openalex", "pubmed": "pubmed",
    "s2": "semantic_scholar", "semanticscholar": "semantic_scholar",
}  # fmt: skip
_BETWEEN = re.compile(r"[\s._-]+")


def _provider_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """`Europe PMC` -> `europe_pmc`; `all`, which is the default, leaves none. Whether they exist is checked later."""
    read = [_provider_name(name) for name in names]
    return () if "all" in read else tuple(dict.fromkeys(read))


def _provider_name(name: str) -> str:
    together = _BETWEEN.sub("", name).lower()
    return _PROVIDERS.get(together) or _BETWEEN.sub("_", name.lower())


def _paper_types(names: tuple[str, ...]) -> tuple[str, ...]:
    read = {name: read_paper_type(name) for name in names}
    for name, kind in read.items():
        if kind is None:
            it = {"it": repr(name), "names": ", ".join(PAPER_TYPES)}
            raise PydanticCustomError("unknown_name", "{it} is unknown; valid: {names}", it)
    return tuple(dict.fromkeys(kind for kind in read.values() if kind))


ProviderNames = Annotated[Listed, AfterValidator(_provider_names)]
_TypeName = Annotated[str, Field(max_length=MAX_LISTED_CHARS, json_schema_extra={"enum": list(PAPER_TYPES)})]
PublicationTypes = Annotated[tuple[_TypeName, ...], BeforeValidator(listed), AfterValidator(_paper_types)]
