"""The largest library that is merged, 20,000 records: the processor time and memory of the worker's last step.

`python -m tests.benchmarks.library [RECORDS]` makes the pages that an exhaustive search has read of seven sources, with
abstracts and the lists of what papers cite, and merges and stores them as its worker does, in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from shared.bibliography.paper import Paper
from shared.exhaustive_searches.merging import merge_all
from shared.exhaustive_searches.progress import ExhaustiveSearch, Stop
from shared.exhaustive_searches.request import MAX_ALL_RECORDS, read_exhaustive, stored_request
from shared.exhaustive_searches.steps import page_part, start
from shared.jobs.job import Job
from shared.outcomes import Outcome
from shared.providers.encoded_replies import encode_reply
from shared.providers.provider import ProviderReply
from tests.benchmarks.speed import PROVIDERS, made_up_records
from tests.unit.exhaustive_searches.rounds import Store

PAGE, CITED = 100, 50  # records of a page, papers that each record cites
VERSION = 1


class Files(Store):
    """The parts of a job as files, as they are outside the worker's memory."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def put(self, job: ExhaustiveSearch, part: str, data: bytes) -> None:
        (self._folder / part).write_bytes(data)

    def parts(self, job: ExhaustiveSearch, names: Sequence[str]) -> list[bytes]:
        return [(self._folder / name).read_bytes() for name in names]


def search_of(counts: dict[str, int]) -> ExhaustiveSearch:
    """A search whose sources were read to their ends: so many records of each."""
    names = dict.fromkeys(counts, ())
    request = read_exhaustive({"query": "microglia", "providers": list(counts), "max_records": 5_000}, names)
    begun = start(request, names)
    sources = tuple(
        replace(
            source,
            pages=(VERSION,) * -(-counts[source.provider] // PAGE),
            records=counts[source.provider],
            outcome=Outcome.OK,
            stopped=Stop.END,
        )
        for source in begun.sources
    )
    progress = replace(begun, sources=sources)
    return Job(
        id="1", owner="o", request=stored_request(request), outline="", created_at=0, updated_at=0, progress=progress
    )


def pages(records: Sequence[Paper], store: Files) -> dict[str, int]:
    """Store the pages of each source; how many records each has."""
    cited = tuple(f"doi:10.1000/{number}" for number in range(CITED))
    by_source: defaultdict[str, list[Paper]] = defaultdict(list)
    for record in records:
        by_source[record.provider].append(replace(record, references=cited))
    counts = {name: len(by_source[name]) for name in PROVIDERS}
    search = search_of(counts)
    for number, source in enumerate(search.progress.sources):
        for page in range(len(source.pages)):
            listed = by_source[source.provider][page * PAGE : (page + 1) * PAGE]
            papers = tuple(replace(paper, rank=rank) for rank, paper in enumerate(listed, start=1))
            reply = ProviderReply(
                provider=source.provider, family=source.provider, outcome=Outcome.OK, papers=papers
            )  # fmt: skip
            store.put(search, page_part(number, page, VERSION), encode_reply(reply))
    return counts


def measure(folder: str, counts: str) -> None:
    """Merge what is in the folder, and print what it cost (Linux: VmHWM)."""
    search = search_of({name: int(count) for name, _, count in (it.partition("=") for it in counts.split(","))})
    began = time.process_time()
    merged = merge_all(search, Files(Path(folder)), ())
    spent = time.process_time() - began
    assert merged
    assert merged.progress.found
    (line,) = (it for it in Path("/proc/self/status").read_text().splitlines() if it.startswith("VmHWM"))
    read = sum(source.records for source in search.progress.sources)
    print(f"{read:,} records, {merged.progress.found.papers:,} papers: {spent:.1f} s of CPU, ", end="")
    print(f"peak memory of the process {int(line.split()[1]) / 1024:.0f} MB")


def report(count: int) -> None:
    """Make the pages here, and measure in a process that has not made them."""
    with TemporaryDirectory() as folder:
        counts = pages(made_up_records(count), Files(Path(folder)))
        listed = ",".join(f"{name}={number}" for name, number in counts.items())
        subprocess.run([sys.executable, "-m", "tests.benchmarks.library", folder, listed], check=True)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        measure(sys.argv[1], sys.argv[2])
    else:
        report(int(sys.argv[1]) if len(sys.argv) > 1 else MAX_ALL_RECORDS)
