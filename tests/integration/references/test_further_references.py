"""References written by hand, in mixed styles and beside real ones, checked as one list over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from infra.local.machine import machine
from infra.local.sandbox.server import Sandbox
from tests.integration.reference_checks import all_references, request, standing_time, work_until_done
from tests.ways_of_asking.capture import ids_of_result

pytestmark = pytest.mark.slow  # more than a hundred references, in three batches

FILE = Path(__file__).parents[2] / "benchmarks" / "further_references.txt"


class Further(NamedTuple):
    """A reference, what it is, and an id of the paper that it means."""

    status: str  # matched, mismatched, or invented: anything but matched
    id: str
    text: str


def further() -> list[Further]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [Further(*line.split("\t")) for line in lines if not line.startswith("#")]


@pytest.fixture(scope="module")
def checked() -> Iterator[list[dict[str, Any]]]:
    with machine(sandbox=Sandbox(faults={})) as own, standing_time():
        answer = request(own, "POST", body={"references": [it.text for it in further()]})
        check_id = answer.json()["check_id"]
        work_until_done(own, check_id)
        yield all_references(own, check_id)


def test_no_invented_reference_is_matched(checked: list[dict[str, Any]]) -> None:
    pairs = list(zip(further(), checked, strict=True))
    assert sum(it.status == "invented" for it, _ in pairs) > 30
    assert [it.text for it, entry in pairs if it.status == "invented" and entry["status"] == "matched"] == []


def test_every_real_reference_is_found_with_its_paper(checked: list[dict[str, Any]]) -> None:
    pairs = [(it, entry) for it, entry in zip(further(), checked, strict=True) if it.status != "invented"]
    assert len(pairs) > 70
    assert [(it.text, entry["status"]) for it, entry in pairs if entry["status"] != it.status] == []
    meant = [it.text for it, entry in pairs if it.id and it.id not in ids_of_result(entry["paper"] or {})]
    assert meant == []
