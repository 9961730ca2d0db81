"""Who holds which papers: a test that is about something else need not reckon with the gaps of real indexes."""

from __future__ import annotations

import pytest

COVERS = "infra.local.sandbox.corpus._covers"


@pytest.fixture
def everything_is_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each provider holds every paper."""
    monkeypatch.setattr(COVERS, lambda name, fact: True)


@pytest.fixture
def every_doi_is_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each provider holds every paper that has a DOI, and no other."""
    monkeypatch.setattr(COVERS, lambda name, fact: bool(fact.doi))
