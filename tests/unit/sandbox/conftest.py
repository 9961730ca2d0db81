"""Fixtures that give every provider every paper, for tests that do not concern the gaps of real indexes."""

from __future__ import annotations

import pytest

COVERS = "infra.local.sandbox.corpus._covers"


@pytest.fixture
def everything_is_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every provider has every paper."""
    monkeypatch.setattr(COVERS, lambda name, fact: True)


@pytest.fixture
def every_doi_is_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every provider has every paper with a DOI, and no other."""
    monkeypatch.setattr(COVERS, lambda name, fact: bool(fact.doi))
