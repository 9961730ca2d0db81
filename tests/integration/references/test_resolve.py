"""References over HTTP events: a hundred of them, real ones in every state of repair and invented ones."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.papers_calls import fetch
from tests.unit.references.references_to_resolve import REFERENCES

pytestmark = pytest.mark.slow  # a hundred references, each matched by every provider

BATCH = 50
# What a reference must have for anybody to look for it.
ENOUGH = {"title", "reference", "journal"}


@pytest.fixture(scope="module")
def resolved(running: Machine) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each reference of the table with what became of it."""
    answers: list[dict[str, Any]] = []
    table = [it for it in REFERENCES if ENOUGH & _as_request(it["citation"]).keys()]
    for start in range(0, len(table), BATCH):
        references = [_as_request(it["citation"]) for it in table[start : start + BATCH]]
        answer = fetch(
            running, "POST", "/v1/resolve", {"references": references, "timeout_ms": 25000, "detail": "full"}
        )
        assert answer["complete"], answer["providers"]
        answers += answer["references"]
    return list(zip([dict(it) for it in table], answers, strict=True))


def _as_request(citation: Any) -> dict[str, Any]:
    fields = {"reference" if name == "text" else name: value for name, value in citation.items()}
    return {name: value for name, value in fields.items() if value not in (None, [], ())}


def _names(paper: dict[str, Any]) -> set[str]:
    ids = paper["external_ids"]
    named = {"doi": ids["doi"], "pmid": ids["pmid"], "arxiv": ids["arxiv"]}
    return {f"{scheme}:{value}" for scheme, value in named.items() if value} | {paper["key"]}


def test_the_table_has_enough_of_both(resolved: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    assert len(resolved) >= 60
    assert sum(expected["paper"] is None for expected, _ in resolved) >= 20


def test_no_invented_reference_is_matched_and_no_match_is_wrong(
    resolved: list[tuple[dict[str, Any], dict[str, Any]]],
) -> None:
    wrong = {
        expected["name"]: answer["paper"]["title"]
        for expected, answer in resolved
        if answer["status"] == "matched" and expected["paper"] not in _names(answer["paper"])
    }
    assert wrong == {}


def test_nearly_every_real_reference_is_matched(resolved: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    real = [(expected, answer) for expected, answer in resolved if expected["status"] == "matched"]
    missed = {expected["name"]: answer["status"] for expected, answer in real if answer["status"] != "matched"}
    assert len(real) >= 50
    assert len(missed) <= 0.05 * len(real), missed
