"""How long the engine takes and how that grows: CPU time, warm, as ratios to one plain pass over the same titles.

Machines differ and are shared; a ratio to `fold` (normalising each title once) measured in the same run says more than
milliseconds. Records are made here, with a fixed seed, of the words of the sandbox's titles. Garbage is looked for as
rarely as in the functions.
"""

from __future__ import annotations

import gc
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import shared.garbage_collection
from infra.local.sandbox.facts import read_facts
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, MergedPaper, Paper
from shared.bibliography.text import fold
from shared.field_checks import checked
from shared.matching.clustering import cluster
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, reply_from_json, reply_to_json
from shared.search.ranking.formula import rank
from shared.search.results import result_of
from tests.unit.records import identified, merge_records

SEED = 20261120
COPIES = 3  # records of one work, on average
PROVIDERS = ("arxiv", "crossref", "europe_pmc", "openalex", "paperclip", "pubmed", "semantic_scholar")
FAMILIES = {"europe_pmc": "pubmed", "openalex": "crossref"}

shared.garbage_collection.begin()  # as in every function that merges


def cpu_s(work: Callable[[], object], repeats: int = 1) -> float:
    """The least CPU time of several runs: noise only adds."""
    best = float("inf")
    for _ in range(repeats):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def made_up_records(count: int) -> list[Paper]:
    """Works of several providers: some with ids, some with a word misspelt, none like any other work by design."""
    chance = random.Random(SEED)
    facts = read_facts()
    words = sorted({word for fact in facts for word in fold(fact.title).split()})
    families = sorted({family for fact in facts for family, _ in fact.authors if family})
    records: list[Paper] = []
    work = 0
    while len(records) < count:
        work += 1
        first = Paper(
            provider="", rank=work, title=" ".join(chance.choices(words, k=chance.randint(6, 14))),
            ids=Identifiers(doi=f"10.1000/{work}", pmid=str(10_000_000 + work)),
            authors=tuple(Author(chance.choice(families), chance.choice("ABCDEFGH")) for _ in range(4)),
            year=chance.randint(1990, 2026), volume=str(chance.randint(1, 99)), pages=str(chance.randint(1, 2000)),
            abstract=" ".join(chance.choices(words, k=120)),
        )  # fmt: skip
        for provider in chance.sample(PROVIDERS, k=chance.randint(1, 2 * COPIES - 1)):
            records.append(_record_of(provider, first, chance))
    return records[:count]


def _record_of(provider: str, work: Paper, chance: random.Random) -> Paper:
    ids = chance.choice((work.ids, Identifiers(doi=work.ids.doi), Identifiers(pmid=work.ids.pmid), Identifiers()))
    title = work.title if chance.random() < 0.8 else work.title.replace("e", "", 1)
    return replace(work, provider=provider, ids=ids, title=title)


def legs_of_a_hundred() -> list[Paper]:
    """Seven answers of a hundred records each, as one deep search brings them."""
    taken: dict[str, list[Paper]] = {name: [] for name in PROVIDERS}
    for record in made_up_records(2_000):
        leg = taken[record.provider]
        if len(leg) < 100:
            leg.append(replace(record, rank=len(leg) + 1))
    return [record for leg in taken.values() for record in leg]


def peak_mb(count: int) -> float:
    """The peak memory of a fresh process that makes and clusters so many records (Linux: VmHWM).

    Not `ru_maxrss`: that begins with the peak of the process that started this one.
    """
    code = (
        "from pathlib import Path; from tests.benchmarks.speed import cluster, identified, made_up_records; "
        f"cluster(identified(made_up_records({count}))); print(Path('/proc/self/status').read_text())"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    (line,) = (line for line in output.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def check_figures() -> str:
    """What the checks of records cost (`shared.field_checks`), per 100 records, beside merging 100 records."""
    records = [replace(record, rank=number) for number, record in enumerate(legs_of_a_hundred()[:100], start=1)]
    reply = ProviderReply(provider="crossref", family="crossref", outcome=Outcome.OK, papers=tuple(records))
    stored = json.loads(json.dumps(reply_to_json(reply)))
    made_up = made_up_records(100)
    merging = cpu_s(lambda: merge_records(made_up), 9)
    live, cached = cpu_s(lambda: checked(ProviderReply, reply), 9), cpu_s(lambda: reply_from_json(stored), 9)
    return (
        f"checking 100 records: {live * 1000:.1f} ms of CPU as a provider made them ({live / merging:.2f} of merging "
        f"100), {cached * 1000:.1f} ms read from JSON ({cached / merging:.2f}), which also makes the records"
    )


def report() -> None:
    """Print the figures."""
    print(f"peak memory of a process that makes and clusters 10,000 records: {peak_mb(10_000):.0f} MB")
    sizes = (1_000, 10_000, 100_000, 200_000)
    print("\n| records | cluster, CPU s | µs a record | ratio to folding the titles |\n|---|---|---|---|")
    for size in sizes:
        records = identified(made_up_records(size))
        gc.collect()
        gc.freeze()  # the input is there before and after: looking through it again and again is not the engine's cost
        spent = cpu_s(lambda records=records: cluster(records))  # type: ignore[misc]
        folding = cpu_s(lambda records=records: [fold(record.title) for _, record in records], 3)  # type: ignore[misc]
        print(f"| {size:,} | {spent:.2f} | {spent / size * 1e6:.0f} | {spent / folding:.1f} |", flush=True)
    legs = legs_of_a_hundred()
    merged = merge_records(legs)
    pool: list[MergedPaper] = merge_records(made_up_records(2_400))[:600]
    ranked = rank(merged, ["glacier hydrology model"], FAMILIES)
    folding = cpu_s(lambda: [fold(f"{record.title} {record.abstract}") for record in legs], 5)
    figures = {
        f"merge {len(legs)} records of seven legs into {len(merged)}": cpu_s(lambda: merge_records(legs), 5),
        f"rank these {len(merged)}": cpu_s(lambda: rank(merged, ["glacier hydrology model"], FAMILIES), 5),
        "serialise them": cpu_s(lambda: json.dumps([result_of(item) for item in ranked], ensure_ascii=False), 5),
        f"rank {len(pool)} merged papers": cpu_s(lambda: rank(pool, ["glacier hydrology model"], FAMILIES), 5),
    }
    print("\n| step, one core, warm | CPU ms | ratio to folding titles and abstracts of the legs |\n|---|---|---|")
    for name, spent in figures.items():
        print(f"| {name} | {spent * 1000:.0f} | {spent / folding:.1f} |")
    whole = sum(list(figures.values())[:3])
    print(f"| the first three together | {whole * 1000:.0f} | {whole / folding:.1f} |")
    print(f"\n{check_figures()}")
