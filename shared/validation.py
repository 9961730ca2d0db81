"""Validates a caller's input with a pydantic model; errors name the wrong fields and say what is valid.

A model bounds each of its fields. What holds for all of them is checked before, so that no work is done on it: how many
values a request has, how deeply they are nested, and that every text consists of whole characters.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError, core_schema

from shared.error_texts import EMPTY, error_text
from shared.errors import BadRequest, FieldError, LiteratureError, Unprocessable
from shared.unique_json import REPEATED, Repeated

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

MAX_ERRORS = 10
MAX_VALUES = 20_000  # fifty references with two hundred authors each are half of this
MAX_NESTING = 10

# Malformed input is a 400; a well-formed but invalid value is a 422.
_MALFORMED = {"extra_forbidden", "missing"}
_OWN_TYPES = frozenset(get_args(core_schema.ErrorType))  # of pydantic
# Errors of a field that takes one value, where its value is a list.
_ONE_VALUE = ("_type", "_parsing", "literal_error", "enum")
UNKNOWN = "unknown field"
HALF = "must be Unicode text, but has half of a surrogate pair"
NOTHING: Mapping[str, object] = MappingProxyType({})
_SIZES = ("size", "count", "n", "k", "top_k", "rows", "retmax", "per_page", "page_size", "pagesize", "num_results")
# Names that other APIs have for our fields, where the spelling does not lead to ours.
_OTHER_NAMES = {
    "query": ("q", "search", "text", "term", "keywords", "question"),
    "max_results": ("limit", *_SIZES),
    "limit": ("max_results", *_SIZES),
    "date_from": ("year", "from", "since", "after", "start", "start_date", "mindate", "year_from", "min_year"),
    "date_to": ("to", "until", "before", "end", "end_date", "maxdate", "year_to", "max_year"),
    "providers": ("source", "sources", "database", "databases", "api", "apis"),
    "journal": ("venue", "container_title", "source_title"),
    "cursor": ("page", "offset", "start_index", "token", "next", "next_cursor"),
    "id": ("ids", "doi", "dois", "pmid", "pmids", "papers", "seed", "seeds"),
    "ids": ("id", "doi", "dois", "pmid", "pmids", "papers", "seed", "seeds"),
    "seeds": ("ids", "id", "doi", "dois", "papers", "seed"),
    "language": ("lang",),
    "publication_types": ("type", "types", "publication_type"),
    "open_access": ("oa", "is_oa"),
    "sort": ("order", "order_by", "sort_by"),
    "timeout_ms": ("timeout",),
    "reference": ("text", "citation", "ref", "raw", "raw_text", "string", "line", "entry", "unstructured", "bibtex"),
    "references": ("text", "citation", "citations", "refs", "bibliography", "entries", "lines"),
}  # fmt: skip
_GROUPS = ("filter", "filters", "options", "params", "parameters")  # what other APIs put around such fields as ours
Model = TypeVar("Model", bound=BaseModel)


def is_blank(value: object) -> bool:
    """Whether a value counts as absent: null, an empty or blank string, an empty list or object."""
    return value is None or (isinstance(value, str) and not value.strip()) or value in ([], {})


def validated(model: type[Model], data: object, in_path: Mapping[str, object] = NOTHING) -> Model:
    """A caller's input as the model; a blank value counts as absent.

    `in_path`: the fields whose values the path of the request has; the input itself may not name them.
    Raises BadRequest for malformed input and Unprocessable for an invalid value; both name the wrong fields.
    """
    if not isinstance(data, Mapping):
        raise BadRequest("the request must be a JSON object", [FieldError("body", "must be a JSON object")])
    if faults := list(_faults(data)):
        raise refusal(Unprocessable, faults)
    known = [name for name in model.model_fields if name not in in_path]
    if twice := [name for name in data if name not in known and any(_is_name_of(it, name) for it in in_path)]:
        raise refusal(BadRequest, [FieldError(name, f"{UNKNOWN}; the path says it") for name in twice])
    given = {key: it for key, it in data.items() if key not in known or not is_blank(it)}
    try:
        return model.model_validate({**given, **in_path})
    except ValidationError as error:
        refused = getattr(model, "NOT_TAKEN", ())
        raise _to_bad_request(error, model, [name for name in known if name not in refused], data) from None


def refusal(kind: type[BadRequest], errors: Sequence[FieldError], *, more: int = 0) -> BadRequest:
    """The error of several fields: it names the first MAX_ERRORS, and counts the others with `more`."""
    named = first_errors(errors, more=more)
    return kind("; ".join(f"{error.field}: {_summary(error.message)}" for error in named), named)


def first_errors(errors: Sequence[FieldError], *, more: int = 0) -> list[FieldError]:
    """The first MAX_ERRORS, and how many others there are, with `more` that are not listed."""
    named = list(errors[:MAX_ERRORS])
    more += len(errors) - len(named)
    return [*named, FieldError("errors", f"and {more:,} more errors")] if more else named


def _faults(data: Mapping[str, object]) -> Iterator[FieldError]:
    """What no field may hold. An object or array is counted before its values are looked at."""
    waiting: list[tuple[tuple[object, ...], object]] = [((), data)]
    values = 0
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str) and not _is_encodable(value):
            yield FieldError(_dotted(path), HALF)
        if not isinstance(value, Mapping | list | tuple):
            continue
        values += len(value)
        if values > MAX_VALUES:
            yield FieldError(_dotted(path[:1]) or "body", f"the request has more than {MAX_VALUES:,} values")
            return
        names = value if isinstance(value, Mapping) else ()
        yield from (FieldError(_dotted((*path, it)), f"its name {HALF}") for it in names if not _is_encodable(str(it)))
        if len(path) == MAX_NESTING:
            yield FieldError(_dotted(path), f"is nested more than {MAX_NESTING} deep")
            continue
        parts = value.items() if isinstance(value, Mapping) else enumerate(value)
        waiting += [((*path, name), part) for name, part in reversed(list(parts))]


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def moved(error: ValidationError, places: Sequence[int]) -> ValidationError:
    """The error of a list of which only the items at these places were validated, with their places."""
    lines: list[InitErrorDetails] = []
    for item in error.errors(include_url=False):
        first, *rest = item["loc"] or (None,)
        own = item["type"] in _OWN_TYPES
        kind = item["type"] if own else PydanticCustomError(item["type"], "{text}", {"text": item["msg"]})
        loc = (places[first], *rest) if isinstance(first, int) else item["loc"]
        lines.append({"type": kind, "loc": loc, "input": item["input"], "ctx": item.get("ctx", {})})
    return ValidationError.from_exception_data(error.title, lines)


def _to_bad_request(
    error: ValidationError, model: type[BaseModel], fields: Collection[str], data: Mapping[str, object]
) -> LiteratureError:
    """The error to raise, with the first wrong fields; `fields` are the model's names, `data` was sent."""
    found = error.errors(include_url=False)
    items = [item for item in found if not _follows(item, found)]
    errors = [
        _field_error(item, model, _fields_beside(item["loc"], model, fields), data) for item in items[:MAX_ERRORS]
    ]
    malformed = any(
        item["type"] in _MALFORMED or item["type"].endswith(("_type", "_parsing")) or _is_repeated(item, data)
        for item in items
    )
    kind = BadRequest if malformed else Unprocessable
    return refusal(kind, errors, more=len(items) - len(errors))


def _follows(item: ErrorDetails, others: Sequence[ErrorDetails]) -> bool:
    """Whether a list is too short only because its items are wrong, which their own errors say."""
    place = item["loc"]
    return item["type"] == "too_short" and any(
        len(other["loc"]) > len(place) and other["loc"][: len(place)] == place for other in others
    )


def _is_repeated(item: ErrorDetails, data: Mapping[str, object]) -> bool:
    """Whether a URL names a parameter more than once of which there is one value."""
    one = len(item["loc"]) == 1 and item["type"].endswith(_ONE_VALUE)
    return one and isinstance(data.get(str(item["loc"][0])), Repeated)


def _field_error(
    item: ErrorDetails, model: type[BaseModel], fields: Collection[str], data: Mapping[str, object]
) -> FieldError:
    place = _as_sent(item["loc"], data)
    field = _dotted(place) if place else str(item.get("ctx", {}).get("field", "body"))
    message = error_text(item, model)
    if item["type"] == "extra_forbidden" and not message.startswith(UNKNOWN):  # a model's own message has the reason
        message = UNKNOWN + (suggestion(_printable(item["loc"][-1]), fields) if fields else "")
    elif _is_repeated(item, data):
        message = REPEATED
    elif item["type"] == "missing" and data.get(field) is not None:
        message = EMPTY  # a blank value counts as absent
    return FieldError(field, message)


def _as_sent(place: tuple[int | str, ...], data: Mapping[str, object]) -> tuple[int | str, ...]:
    """The place of an error in what the caller sent, who knows no numbers of the parts of a comma text."""
    sent = data.get(str(place[0])) if len(place) > 1 and isinstance(place[1], int) else None
    is_text = isinstance(sent, str) and not sent.lstrip().startswith("[")
    return (place[0], *place[2:]) if is_text else place


def _fields_beside(place: Sequence[int | str], model: type[BaseModel], fields: Collection[str]) -> Collection[str]:
    """The valid names beside this place of the request; none where several models may be meant."""
    for part in place[:-1]:
        if isinstance(part, int):
            continue
        declared = model.model_fields.get(part)
        models = list(_models_of(declared.annotation)) if declared else []
        if len(models) != 1:
            return ()
        (model,) = models
        fields = tuple(model.model_fields)
    return fields


def _models_of(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_of(part)


def _dotted(path: Iterable[object]) -> str:
    return ".".join(map(_printable, path))


def _printable(part: object) -> str:
    """A field's name for a message: a lone surrogate as its escape, at most 100 characters."""
    return str(part).encode("utf-8", "backslashreplace").decode()[:100]


def _summary(message: str) -> str:
    """The message for the problem's `detail`: what may be written instead is in `errors` alone."""
    return UNKNOWN if message.startswith(UNKNOWN) else message


def suggestion(field: str, fields: Collection[str]) -> str:
    """The end of a message about an unknown name: the nearest of the known ones, or all of them."""
    own = [_plain(field)] if _plain(field) in fields else []  # but for capitals: `DOI`
    meant = own or [valid for valid in _OTHER_NAMES if valid in fields and _is_name_of(valid, field)]
    is_group = _plain(field) in _GROUPS
    matches = meant or (() if is_group else difflib.get_close_matches(_plain(field), fields, n=1))
    return f"; did you mean {matches[0]}?" if matches else f"; the fields are {', '.join(fields)}"


def _is_name_of(field: str, written: str) -> bool:
    """Whether what a caller wrote means this field: its own name, or one that other APIs have for it."""
    return _plain(written) in (field, *_OTHER_NAMES.get(field, ()))


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_")
