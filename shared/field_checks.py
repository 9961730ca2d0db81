"""Checks data from outside against the types that dataclasses declare, so that no later step can raise on it.

A dataclass declares the type, range and length of each field (`shared.field_ranges`):

    year: Annotated[int | None, Between(1000, 2100)] = None
    authors: Annotated[tuple[Author, ...], AtMost(300)] = ()

`checked` reads an instance of it or a JSON object. A value that does not fit becomes None or the field's default, an
item of a list that does not fit is left out, and a text or list that is too long is cut. Each of these is one note:
`authors[12].family: cut to 200 characters`. Notes never contain the value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from operator import is_
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from shared.bibliography.characters import CONTROLS, NONCHARACTERS, SURROGATES, pattern_of
from shared.field_ranges import AtMost, Between, OneOf, Text, Token

Record = TypeVar("Record")
# Controls but tab and line break, and noncharacters: XML has none of them, and terminals obey some.
_KEPT = frozenset("\t\n")
_CONTROLS = re.compile(f"[{pattern_of((CONTROLS - _KEPT) | NONCHARACTERS)}]")
_SURROGATES = re.compile(f"[{pattern_of(SURROGATES)}]")


class Unfit(ValueError):
    """The data is not an object of the class, or a required field of it does not fit."""


class _Note(NamedTuple):
    where: str
    why: str


_Check = Callable[[object, list[_Note]], object]  # returns the value that fits, or _UNFIT with a note
_UNFIT: Final = object()


def checked(cls: type[Record], data: object) -> tuple[Record, list[str]]:
    """Return the data as an instance of which each field fits, and a note on each value that did not.

    `data` is an instance of `cls`, returned as it is if all fits, or a JSON object; unknown fields are ignored.
    Raises Unfit.
    """
    notes: list[_Note] = []
    check: _Check = _check_of(cls)  # type: ignore[arg-type]  # a class is hashable
    value: Any = check(data, notes)
    texts = [f"{note.where}: {note.why}" if note.where else note.why for note in notes]
    if value is _UNFIT:
        raise Unfit(texts[-1])
    return value, texts


@cache
def _check_of(declared: Any) -> _Check:
    """The check of a declared type. Raises TypeError for a type whose range or length is not declared."""
    if get_origin(declared) is Annotated:
        inner, bound = get_args(declared)
        needed = _without_none(inner)
        check = _bounded_check(needed, bound)
        return check if needed is inner else _optional(check)
    if (needed := _without_none(declared)) is not declared:
        return _optional(_check_of(needed))
    if is_dataclass(declared):
        return _object_check(declared)
    if get_origin(declared) is Literal:
        return _choice_check(OneOf(get_args(declared)))
    if isinstance(declared, type) and issubclass(declared, StrEnum):
        return _enum_check(declared)
    if declared is bool:
        return _bool_check
    raise TypeError(f"{declared} declares no range or length")


def _without_none(declared: Any) -> Any:
    """`X` of `X | None`; any other type as it is."""
    if get_origin(declared) not in (Union, UnionType) or NoneType not in get_args(declared):
        return declared
    (needed,) = [it for it in get_args(declared) if it is not NoneType]
    return needed


def _bounded_check(declared: Any, bound: object) -> _Check:
    match bound:
        case Text() if declared is str:
            return _text_check(bound)
        case Token() if declared is str:
            return _token_check(bound)
        case OneOf() if declared is str:
            return _choice_check(bound)
        case Between() if declared in (int, float):
            return _number_check(declared, bound)
        case AtMost() if get_origin(declared) is tuple:
            return _list_check(_check_of(get_args(declared)[0]), bound)
        case _:
            raise TypeError(f"{bound} is not a range or length of {declared}")


def _optional(check: _Check) -> _Check:
    """None and the empty text are missing."""

    def checked_optional(value: object, notes: list[_Note]) -> object:
        found = None if value is None or value == "" else check(value, notes)
        return None if found == "" else found  # nothing is left of it

    return checked_optional


def _unfit(notes: list[_Note], why: str) -> object:
    notes.append(_Note("", why))
    return _UNFIT


def _text_check(bound: Text) -> _Check:
    longest = bound.longest

    def check(value: object, notes: list[_Note]) -> object:
        if not isinstance(value, str):
            return _unfit(notes, "not a text")
        if not value.isprintable():
            if _SURROGATES.search(value):
                notes.append(_Note("", "half a character replaced"))
                value = _SURROGATES.sub("\ufffd", value)
            value = _CONTROLS.sub("", value)
        if len(value) > longest:
            notes.append(_Note("", f"cut to {longest} characters"))
            value = value[:longest]
        return value

    return check


def _token_check(bound: Token) -> _Check:
    def check(value: Any, notes: list[_Note]) -> object:
        fits = isinstance(value, str) and len(value) <= bound.longest and bound.accepts(value)
        whole = fits and (value.isascii() or not _SURROGATES.search(value))
        return value if whole else _unfit(notes, f"not {bound.name}")

    return check


def _choice_check(bound: OneOf) -> _Check:
    choices = frozenset(bound.values)

    def check(value: object, notes: list[_Note]) -> object:
        return value if isinstance(value, str) and value in choices else _unfit(notes, "not one of the known values")

    return check


def _enum_check(declared: type[StrEnum]) -> _Check:
    members = {member.value: member for member in declared}

    def check(value: object, notes: list[_Note]) -> object:
        if isinstance(value, str) and value in members:
            return members[value]
        return _unfit(notes, "not one of the known values")

    return check


def _number_check(kind: type[int] | type[float], bound: Between) -> _Check:
    name = f"a {'whole ' * (kind is int)}number from {bound.least:,} to {bound.most:,}"

    def check(value: object, notes: list[_Note]) -> object:
        # True is an int in Python. NaN is not between any numbers.
        if isinstance(value, (int, float)) and not isinstance(value, bool) and bound.least <= value <= bound.most:
            if kind is float or isinstance(value, int):
                return value
            if value.is_integer():  # JSON's 12.0
                return int(value)
        return _unfit(notes, f"not {name}")

    return check


def _bool_check(value: object, notes: list[_Note]) -> object:
    return value if isinstance(value, bool) else _unfit(notes, "not true or false")


def _list_check(check_item: _Check, bound: AtMost) -> _Check:
    def check(value: object, notes: list[_Note]) -> object:
        if not isinstance(value, (tuple, list)):
            return _unfit(notes, "not a list")
        if len(value) > bound.count:
            notes.append(_Note("", f"only the first {bound.count} of {len(value)} taken"))
        fitting = []
        before = len(notes)
        for number, item in enumerate(value[: bound.count]):
            found = check_item(item, notes)
            if len(notes) > before:
                before = _locate(notes, before, f"[{number}]")
            if found is not _UNFIT:
                fitting.append(found)
        same = isinstance(value, tuple) and len(fitting) == len(value)
        return value if same and all(map(is_, fitting, value)) else tuple(fitting)

    return check


def _object_check(cls: Any) -> _Check:
    declared = get_type_hints(cls, include_extras=True)
    checks = [(field.name, _check_of(declared[field.name]), _default(field)) for field in fields(cls)]
    optional = {name for name, check_field, _ in checks if check_field(None, []) is None}

    def check(value: Any, notes: list[_Note]) -> object:
        same = is_instance = isinstance(value, cls)
        if not is_instance and not isinstance(value, Mapping):
            return _unfit(notes, "not an object")
        fitting: dict[str, object] = {}
        before = len(notes)
        for name, check_field, default in checks:
            given = getattr(value, name) if is_instance else value.get(name, MISSING)
            if given is None and name in optional:  # as most values of most records
                fitting[name] = None
                continue
            found = _UNFIT if given is MISSING else check_field(given, notes)
            if found is _UNFIT:
                if default is MISSING:
                    return _unfit(notes, f"without a usable {name}")
                found = default()
            if len(notes) > before:
                before = _locate(notes, before, name)
            fitting[name] = found
            same = same and found is given
        return value if same else cls(**fitting)

    return check


def _default(field: Field[Any]) -> Any:
    """What makes the default of a dataclass's field; MISSING for a required one."""
    return field.default_factory if field.default is MISSING else lambda: field.default


def _locate(notes: list[_Note], before: int, where: str) -> int:
    """Add the place to the notes from this position on: `authors[12].family`. Returns their number."""
    for number in range(before, len(notes)):
        inner, why = notes[number]
        dot = "." if inner and not inner.startswith("[") else ""
        notes[number] = _Note(f"{where}{dot}{inner}", why)
    return len(notes)
