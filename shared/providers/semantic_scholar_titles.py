"""Semantic Scholar's papers by their titles: the nearest to one title, and those with any of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shared.providers.http_client import Fields
from shared.providers.records.semantic_scholar import read_records
from shared.providers.semantic_scholar_api import BULK_FIELDS, FIELDS, Api, UnknownPaper
from shared.providers.semantic_scholar_syntax import any_title

CANDIDATES = 5


def with_titles(titles: Sequence[str], api: Api) -> list[Any]:
    """The records nearest to a single title; of several, those that have a phrase of one in their title or abstract."""
    if len(titles) < 2:
        return [record for title in titles for record in nearest(title, api)]
    return read_records(api.get("paper/search/bulk", {"query": any_title(titles), "fields": BULK_FIELDS}))[0]


def nearest(title: str, api: Api, filters: Fields | None = None) -> list[Any]:
    """The candidates for a title; no match is an error of its own or an empty list."""
    try:
        body = api.get("paper/search/match", {"query": title, **(filters or {}), "fields": FIELDS})
    except UnknownPaper:
        return []
    return read_records(body, counted=False)[0][:CANDIDATES]
