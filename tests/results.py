"""The papers of an answer, as tests compare them."""

from __future__ import annotations

from typing import Any


def keys(answer: Any) -> list[str]:
    """The keys of the results, in order."""
    return [result["key"] for result in answer["results"]]
