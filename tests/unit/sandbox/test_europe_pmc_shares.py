"""The records of Europe PMC's sandbox have their fields about as often as recorded ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.europe_pmc.records import core_record
from tests.recorded.every_recording import needs_recordings
from tests.replay import RECORDINGS

# The shares among the recorded core records of MEDLINE.
EXPECTED = {
    "isOpenAccess": 1.0, "language": 1.0, "inEPMC": 1.0, "inPMC": 1.0, "hasPDF": 1.0, "hasReferences": 1.0,
    "citedByCount": 1.0, "pubYear": 1.0, "firstPublicationDate": 1.0, "authorString": 0.96, "abstractText": 0.84,
    "license": 0.36,
}  # fmt: skip
ALWAYS = ("isOpenAccess", "language", "inEPMC", "inPMC", "hasPDF", "hasReferences")
FACTOR = 2


def share(name: str, records: list[dict[str, Any]]) -> float:
    return sum(name in record for record in records) / len(records)


def from_medline(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [record for record in records if record["source"] == "MED"]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_field_is_missing_about_as_often_as_in_recorded_records(name: str) -> None:
    corpus = default_corpus()
    found = share(name, from_medline([core_record(fact, corpus) for fact in corpus.facts]))
    assert EXPECTED[name] / FACTOR <= found <= EXPECTED[name] * FACTOR
    if name in ALWAYS:
        assert found == 1.0


@needs_recordings
@pytest.mark.parametrize("name", EXPECTED)
def test_the_expected_shares_are_those_of_the_recorded_records(name: str) -> None:
    body = json.loads((RECORDINGS / "europepmc" / "search-cancer-core.json").read_text(encoding="utf-8"))
    assert share(name, from_medline(body["resultList"]["result"])) == pytest.approx(EXPECTED[name], abs=0.01)
