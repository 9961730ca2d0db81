"""The production matcher on the de-duplication benchmark: `python -m tests.benchmarks.dedup DATASET_DIR OUT.jsonl`.

Reads `records.jsonl.gz`, writes one JSON list of ids a line for every group of two or more. Only the format is
translated here; which records are one paper is decided by `shared.matching.clustering`.

The sets name the database of a record but not the search that found it. One answer lists a work once: a database
whose records repeat one another's title and year was searched more than once, and there each record counts as an
answer of its own. Records of unknown origin are of a source and an answer each.
"""

from __future__ import annotations

import gc
import gzip
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from shared.bibliography.identifiers import Identifiers, read_doi, read_pmid
from shared.bibliography.paper import PAPER_TYPES, Author, Paper, RecordId
from shared.bibliography.text import plain_text
from shared.matching.clustering import cluster

Row = dict[str, Any]
REPEATED_SHARE = 0.05  # one search repeats generic titles ("Editorial") now and then, but not more than this
_DOI = re.compile(r"10\.\d{4,9}(?:/|%2f).*", re.I)
_INITIALS = re.compile(r"(?:-?[A-Z]\.?){1,3}")


def records_of(rows: Sequence[Row]) -> list[tuple[RecordId, Paper]]:
    """The rows as records of providers with their ids, in the order of the rows."""
    one_answer = _single_searches(rows)
    papers = [_paper(row, rank) for rank, row in enumerate(rows, start=1)]
    return [
        (RecordId(paper.provider, 0 if row["source"] in one_answer else paper.rank, paper.rank), paper)
        for row, paper in zip(rows, papers, strict=True)
    ]


def _single_searches(rows: Sequence[Row]) -> set[str]:
    """The databases whose records may all come from one search."""
    sizes = Counter(row["source"] for row in rows)
    listed = Counter((row["source"], "".join(row["title"].lower().split()), row["year"]) for row in rows)
    repeated: Counter[str] = Counter()
    for (source, _, _), count in listed.items():
        repeated[source] += count if count > 1 else 0
    return {source for source, size in sizes.items() if source and repeated[source] <= REPEATED_SHARE * size}


def _paper(row: Row, rank: int) -> Paper:
    doi = _DOI.search(row["doi"])
    return Paper(
        provider=row["source"] or f"unknown {rank}",
        rank=rank,
        title=_plain(row["title"]) or "",
        ids=Identifiers(doi=read_doi(doi[0]) if doi else None, pmid=read_pmid(row["pmid"])),
        authors=tuple(_author(name.strip()) for name in row["authors"] if name.strip()),
        year=row["year"],
        journal=_plain(row["journal"]),
        volume=row["volume"] or None,
        issue=row["issue"] or None,
        pages=row["pages"] or None,
        type=row["type"] if row["type"] in PAPER_TYPES else None,
        abstract=row["abstract"] or None,
    )


def _plain(text: str) -> str | None:
    return plain_text(text) if "<" in text or "&" in text else text or None


@lru_cache(maxsize=16384)
def _author(name: str) -> Author:
    """`Surname, A. B.`, `Surname A. B.` or `A. Surname`."""
    family, comma, given = name.partition(",")
    if comma:
        return Author(family=family.strip(), given=given.strip() or None)
    words = name.split()
    initials = len(words)
    while initials > 1 and _INITIALS.fullmatch(words[initials - 1]):
        initials -= 1
    if initials < len(words):
        return Author(family=" ".join(words[:initials]), given=" ".join(words[initials:]))
    return Author(family=words[-1], given=" ".join(words[:-1]) or None)


def groups_of(rows: Sequence[Row], records: Sequence[tuple[RecordId, Paper]]) -> Iterator[list[str]]:
    """The ids of each group of two or more."""
    groups, _ = cluster(records)
    for group in groups:
        if len(group) > 1:
            yield [rows[number]["id"] for number in group]


def main(folder: str, out: str) -> None:
    """Group one dataset; how long it took goes to standard error."""
    with gzip.open(Path(folder) / "records.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    gc.disable()  # a batch of this size holds all it makes until the end, and makes no cycles
    started = time.process_time()
    records = records_of(rows)
    translated = time.process_time()
    found = list(groups_of(rows, records))
    matched = time.process_time()
    Path(out).write_text("".join(json.dumps(group) + "\n" for group in found), encoding="utf-8")
    summary = {"records": len(rows), "groups": len(found), "match_s": matched - translated, "all_s": matched - started}
    sys.stderr.write(json.dumps(summary) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m tests.benchmarks.dedup DATASET_DIR OUT.jsonl")
    main(*sys.argv[1:])
