"""The fuser of the ranking benchmark: `evaluate.py panel --fuser '.venv/bin/python -m tests.benchmarks.fuse'`.

JSON lines in:  {"qid", "query", "lists": [{"provider", "items": [{"id", "rank", "title"?, "abstract"?, …}]}]}
JSON lines out: {"qid", "ranking": [id, …]}
Formats are translated here; the order is the production ranking's.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from shared.paper import MergedPaper, Paper
from shared.ranking import rank
from shared.text import fold


def fuse(request: Mapping[str, Any]) -> list[str]:
    """The ids of one request, best first."""
    ids: dict[str, str] = {}
    records: dict[str, list[Paper]] = {}
    for answer in request["lists"]:
        for item in answer["items"]:
            group = _group(item)
            ids[group] = min(item["id"], ids.get(group, item["id"]), key=lambda name: ("::" in name, name))
            records.setdefault(group, []).append(_record(answer["provider"], item))
    papers = [_paper(ids[group], found) for group, found in records.items()]
    return [ranked.paper.key for ranked in rank(papers, [_plain(request["query"])], _families())]


def _group(item: Mapping[str, Any]) -> str:
    """What makes two items one paper: their title or, where the data has none, their id."""
    return fold(item.get("title") or "") or str(item["id"])


def _record(provider: str, item: Mapping[str, Any]) -> Paper:
    return Paper(
        provider=provider,
        rank=item["rank"],
        title=item.get("title") or "",
        abstract=item.get("abstract") or None,
        year=item.get("year"),
        citation_count=item.get("citations"),
    )


def _paper(key: str, records: list[Paper]) -> MergedPaper:
    first = records[0]
    return MergedPaper(
        key=key,
        citation_uri=None,
        title=first.title,
        records=tuple(records),
        abstract=first.abstract,
        year=first.year,
        citation_count=first.citation_count,
    )


def _plain(query: str) -> str:
    """The benchmark's queries are sentences: their capitals, quotation marks and brackets are no operators."""
    return fold(query)


def _families() -> Mapping[str, str]:
    return {"europe_pmc": "pubmed", "openalex": "crossref"}


def main(lines: Iterable[str]) -> None:
    """Answer each request on its own line."""
    for line in lines:
        if line.strip():
            request = json.loads(line)
            sys.stdout.write(json.dumps({"qid": request["qid"], "ranking": fuse(request)}) + "\n")


if __name__ == "__main__":
    main(sys.stdin)
