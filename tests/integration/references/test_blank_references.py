"""Blank references in a list: each answer has the place that its reference has in the caller's list."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.papers_calls import call
from tests.integration.reference_checks import request

VARIANTS, RISK = "10.1056/nejmoa1211851", "10.1056/nejmoa1211103"
BLANK: list[Any] = ["", "  ", None, {}, []]


@pytest.mark.parametrize("blank", BLANK)
def test_an_answer_has_the_place_of_its_reference(running: Machine, blank: Any) -> None:
    status, answer = call(running, "POST", "/v1/resolve", {"references": [blank, VARIANTS, blank, RISK, blank]})
    assert status == 200
    assert [(it["index"], it["paper"]["doi"]) for it in answer["references"]] == [(1, VARIANTS), (3, RISK)]


def test_one_reference_by_its_fields_has_the_first_place(running: Machine) -> None:
    _, answer = call(running, "POST", "/v1/resolve", {"doi": VARIANTS})
    assert [it["index"] for it in answer["references"]] == [0]


@pytest.mark.parametrize(("wrong", "status"), [({"doi": "x"}, 422), (5, 400), ({"title": "x", "year": 1}, 422)])
def test_an_error_names_the_place_of_its_reference_and_nothing_else(running: Machine, wrong: Any, status: int) -> None:
    got, problem = call(running, "POST", "/v1/resolve", {"references": ["", None, wrong]})
    assert (got, [error["field"].split(".")[:2] for error in problem["errors"]]) == (status, [["references", "2"]])


def test_a_list_of_blanks_is_too_short(running: Machine) -> None:
    status, problem = call(running, "POST", "/v1/resolve", {"references": ["", None]})
    assert (status, [error["field"] for error in problem["errors"]]) == (422, ["references"])


def test_a_checked_list_has_the_numbers_of_the_callers_list_as_labels(running: Machine) -> None:
    lines = [f"https://doi.org/{VARIANTS}", "", None, f"https://doi.org/{RISK}"]
    answer = request(running, "POST", body={"references": lines}).json()
    assert [(it["label"], it["paper"]["doi"]) for it in answer["references"]] == [("1", VARIANTS), ("4", RISK)]
    empty = request(running, "POST", body={"references": ["", None]})
    assert (empty.status, empty.json()["errors"][0]["field"]) == (422, "document")
