"""The fuser of the ranking benchmark: `evaluate.py panel --fuser '.venv/bin/python -m tests.benchmarks.fuse'`.

JSON lines in:  {"qid", "query", "lists": [{"provider", "items": [{"id", "rank", "title"?, "abstract"?, …}]}]}
JSON lines out: {"qid", "ranking": [id, …]}
Formats are translated here; the order is the production ranking's. Merging has a benchmark of its own: here items are
one paper when all their fields are equal or, where the data holds no titles, their ids.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from infra.functions import provider_spec, providers_for
from shared.bibliography.paper import MergedPaper, Paper, RecordId
from shared.bibliography.text import fold
from shared.search.ranking.formula import rank


def fuse(request: Mapping[str, Any], families: Mapping[str, str]) -> list[str]:
    """The ids of one request, best first; of several ids of one paper the shared one names it."""
    records: dict[tuple[Any, ...], list[Paper]] = {}
    ids: dict[tuple[Any, ...], set[str]] = {}
    for answer in request["lists"]:
        for item in answer["items"]:
            work = _work(item)
            records.setdefault(work, []).append(_record(answer["provider"], item))
            ids.setdefault(work, set()).add(item["id"])
    papers = [_merged(min(ids[work], key=_locality), found) for work, found in records.items()]
    return [ranked.paper.key for ranked in rank(papers, [_words(request["query"])], families)]


def _work(item: Mapping[str, Any]) -> tuple[Any, ...]:
    compared = ("title", "abstract", "year", "citations")
    return tuple(item.get(name) for name in compared) if item.get("title") else (item["id"],)


def _locality(name: str) -> tuple[bool, str]:
    """A provider's own id (`provider::id`) stands behind one that is everywhere the same."""
    return "::" in name, name


def _record(provider: str, item: Mapping[str, Any]) -> Paper:
    return Paper(
        provider=provider,
        rank=item["rank"],
        title=item.get("title") or "",
        abstract=item.get("abstract") or None,
        year=item.get("year"),
        citation_count=item.get("citations"),
    )


def _merged(key: str, records: list[Paper]) -> MergedPaper:
    first = records[0]
    return MergedPaper(
        key=key,
        citation_uri=None,
        title=first.title,
        records=tuple(records),
        record_ids=tuple(RecordId(it.provider, 0, it.rank) for it in records),
        abstract=first.abstract,
        year=first.year,
        citation_count=first.citation_count,
    )


def _words(query: str) -> str:
    """The benchmark's queries are sentences: their capitals, quotation marks and brackets are not operators."""
    return fold(query)


def main(lines: Iterable[str]) -> None:
    """Answer each request on its own line."""
    families = {name: provider_spec(name).family for name in providers_for("search")}
    for line in lines:
        if line.strip():
            request = json.loads(line)
            sys.stdout.write(json.dumps({"qid": request["qid"], "ranking": fuse(request, families)}) + "\n")


if __name__ == "__main__":
    main(sys.stdin)
