"""Machines with the re-ranker of `tests/tiny_reranker.py`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.passages import new_machine, send
from tests.tiny_reranker import write_tiny_reranker

NAME = "shared-words"  # of the folder, and so of the model
FUNCTION = "local-reranker"
SEARCH = "/v1/literature-search"


@contextmanager
def machine_with_reranker(folder: Path, words: str) -> Iterator[Machine]:
    """Run everything with a model that knows these words."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RERANKER_MODEL", str(write_tiny_reranker(folder / NAME, re.findall(r"\w+", words))))
        with new_machine() as running:
            assert os.environ["RERANKER_FUNCTION"] == FUNCTION
            yield running


@contextmanager
def answering(local: Machine, handler: Any) -> Iterator[None]:
    """While inside, this handler is the re-ranker's function."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(local.functions, FUNCTION, handler)
        yield


def reasons(answer: dict[str, Any]) -> list[str]:
    """Return the reasons of the hints."""
    return [it["reason"] for it in answer["hints"]]


def search(local: Machine, **fields: Any) -> dict[str, Any]:
    """Return the answer of a search, which must be good."""
    body = {"query": "TREM2 microglia disease", "fresh": True, "detail": "full", "cite_in_kg": False, **fields}
    status, answer = send(local, "POST", SEARCH, body)
    assert status == 200, answer
    return answer
