"""What `checked` keeps of data from outside, what it leaves out, and what it says of it."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest

from shared.bibliography.paper import Paper
from shared.field_checks import Unfit, checked
from shared.field_ranges import AtMost, Between, OneOf, Text, Token
from shared.json_types import to_json

HALF = "\ud83d"


class Colour(StrEnum):
    """A closed vocabulary."""

    RED = "red"


@dataclass(frozen=True, slots=True)
class Name:
    """A nested object."""

    family: Annotated[str | None, Text(5)] = None


@dataclass(frozen=True, slots=True)
class Example:
    """One field of each kind."""

    title: Annotated[str, Text(10)]
    year: Annotated[int | None, Between(1000, 2100)] = None
    score: Annotated[float | None, Between(0, 1)] = None
    code: Annotated[str | None, Token("a code", re.compile("[a-z]+").fullmatch, 5)] = None
    kind: Annotated[str | None, OneOf(("a", "b"))] = None
    source: Literal["live", "cache"] = "live"
    colour: Colour = Colour.RED
    is_free: bool | None = None
    names: Annotated[tuple[Name, ...], AtMost(3)] = ()
    first: Name = field(default_factory=Name)


def fitting(**values: Any) -> tuple[Example, list[str]]:
    """An example with these values, checked as a JSON object."""
    return checked(Example, {"title": "T", **values})


def test_a_fitting_object_is_returned_itself_without_a_note() -> None:
    example = Example("T", 2020, 0.5, "ab", "a", "cache", Colour.RED, is_free=True, names=(Name("Li"),))
    found, notes = checked(Example, example)
    assert found is example
    assert notes == []


@pytest.mark.parametrize(
    ("name", "value", "note"),
    [
        ("year", "2020", "year: not a whole number from 1,000 to 2,100"),
        ("year", 999, "year: not a whole number from 1,000 to 2,100"),
        ("year", 2101, "year: not a whole number from 1,000 to 2,100"),
        ("year", 2020.5, "year: not a whole number from 1,000 to 2,100"),
        ("year", True, "year: not a whole number from 1,000 to 2,100"),
        ("year", math.nan, "year: not a whole number from 1,000 to 2,100"),
        ("year", math.inf, "year: not a whole number from 1,000 to 2,100"),
        ("year", 10**400, "year: not a whole number from 1,000 to 2,100"),
        ("year", [2020], "year: not a whole number from 1,000 to 2,100"),
        ("score", math.nan, "score: not a number from 0 to 1"),
        ("score", False, "score: not a number from 0 to 1"),
        ("code", "A", "code: not a code"),
        ("code", "abcdef", "code: not a code"),
        ("code", HALF, "code: not a code"),
        ("code", 5, "code: not a code"),
        ("kind", "c", "kind: not one of the known values"),
        ("kind", ["a"], "kind: not one of the known values"),
        ("is_free", 1, "is_free: not true or false"),
        ("is_free", "true", "is_free: not true or false"),
    ],
)
def test_a_value_that_does_not_fit_becomes_none_with_a_note(name: str, value: Any, note: str) -> None:
    found, notes = fitting(**{name: value})
    assert getattr(found, name) is None
    assert notes == [note]


@pytest.mark.parametrize(
    ("name", "value", "default"),
    [("source", "other", "live"), ("source", None, "live"), ("colour", "blue", Colour.RED), ("names", {}, ()),
     ("names", "Li", ()), ("first", [], Name()), ("first", None, Name())],
)  # fmt: skip
def test_a_field_that_cannot_be_none_gets_its_default(name: str, value: Any, default: Any) -> None:
    found, notes = fitting(**{name: value})
    assert getattr(found, name) == default
    assert len(notes) == 1


@pytest.mark.parametrize("value", [None, ""])
@pytest.mark.parametrize("name", ["year", "score", "code", "kind", "is_free"])
def test_null_and_the_empty_text_are_missing_without_a_note(name: str, value: Any) -> None:
    found, notes = fitting(**{name: value})
    assert getattr(found, name) is None
    assert notes == []


def test_a_whole_number_written_as_12_0_is_one() -> None:
    found, notes = fitting(year=2020.0)
    assert (found.year, type(found.year), notes) == (2020, int, [])


def test_a_long_text_is_cut_and_half_a_character_replaced() -> None:
    found, notes = fitting(title=f"a{HALF}" + "b" * 20)
    assert found.title == "a\ufffdbbbbbbbb"
    assert notes == ["title: half a character replaced", "title: cut to 10 characters"]
    found.title.encode()


def test_a_long_list_is_cut_and_an_item_that_does_not_fit_left_out() -> None:
    found, notes = fitting(names=[{"family": "Li"}, 5, {"family": "Castafiore"}, {}, {}])
    assert found.names == (Name("Li"), Name("Casta"))
    assert notes == [
        "names: only the first 3 of 5 taken",
        "names[1]: not an object",
        "names[2].family: cut to 5 characters",
    ]


def test_a_nested_field_is_named_by_its_path() -> None:
    found, notes = fitting(first={"family": 7})
    assert found.first == Name()
    assert notes == ["first.family: not a text"]


def test_a_note_never_contains_the_value() -> None:
    secret = "sensitive"
    _, notes = fitting(year=secret, code=secret * 9, kind=secret, title=secret * 9, names=[secret], first=secret)
    assert len(notes) == 6
    assert secret not in " ".join(notes)


@pytest.mark.parametrize("data", [None, 5, "x", [], [("title", "T")]])
def test_a_value_that_is_no_object_is_unfit(data: Any) -> None:
    with pytest.raises(Unfit, match="not an object"):
        checked(Example, data)


@pytest.mark.parametrize("data", [{}, {"title": None}, {"title": 5}])
def test_an_object_without_a_required_field_is_unfit(data: Any) -> None:
    with pytest.raises(Unfit, match="without a usable title"):
        checked(Example, data)


def test_unknown_fields_are_ignored() -> None:
    assert fitting(other="x") == (Example("T"), [])


ODD: tuple[Any, ...] = (
    None,
    True,
    -5,
    1.5,
    2020,
    "12",
    "",
    HALF,
    "x" * 50,
    [],
    {},
    [None],
    [{"family": "Li"}] * 5,
    {"family": [1]},
)


@pytest.mark.parametrize("name", ["year", "score", "code", "kind", "source", "colour", "is_free", "names", "first"])
@pytest.mark.parametrize("value", ODD)
def test_a_json_object_and_an_instance_of_the_class_give_equal_results(name: str, value: Any) -> None:
    instance: Any = Example("T")
    object.__setattr__(instance, name, value)
    assert checked(Example, instance) == fitting(**{name: value})


@pytest.mark.parametrize("value", ODD)
def test_a_checked_object_is_unchanged_by_json_and_a_second_check(value: Any) -> None:
    found, _ = fitting(year=value, names=value, first=value, code=value)
    stored = json.dumps(to_json(found), allow_nan=False, ensure_ascii=False).encode()
    assert checked(Example, json.loads(stored)) == (found, [])


@pytest.mark.parametrize(
    "declared",
    [int, str, list[str], tuple[str, ...], dict[str, int], Annotated[int, Text(5)], Annotated[str, Between(0, 1)],
     Annotated[str, AtMost(1)], Annotated[tuple[str, ...], AtMost(2)], Any],
)  # fmt: skip
def test_a_type_without_a_range_or_length_is_refused(declared: Any) -> None:
    undeclared: Any = dataclass(type("Undeclared", (), {"__annotations__": {"field": declared}}))
    with pytest.raises(TypeError, match=r"(?:no|not a) range or length"):
        checked(undeclared, {"field": 1})


def test_controls_and_noncharacters_are_dropped_from_texts() -> None:
    paper, _ = checked(Paper, {"provider": "p", "rank": 1, "title": "a\x00\x1b[1mb\ufffe\tc\n\x9fd"})
    assert paper.title == "a[1mb\tc\nd"


def test_a_text_of_controls_alone_is_missing() -> None:
    paper, _ = checked(Paper, {"provider": "p", "rank": 1, "title": "t", "pages": "\x00", "journal": ""})
    assert (paper.pages, paper.journal) == (None, None)
