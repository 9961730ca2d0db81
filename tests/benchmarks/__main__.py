"""`make bench`: quality against the baselines on the labelled data, then speed. Nothing here passes or fails.

The labelled data and its evaluators are stored outside the project; without them only the speed is measured, and it is
said so. Baselines and their CPU seconds are those published beside the data, measured once on a two-core machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks import (
    cold_search,
    cold_start,
    corpus_items,
    cpu,
    dispatch,
    graph,
    known_items,
    openapi,
    passages,
    speed,
)

DATA = Path(__file__).parents[3] / "shared" / "benchmarks"
# set: (F1 of bib-dedupe, its CPU s, the floor we keep)
DEDUP = {
    "stroke": (0.9968, 4.9, 0.9968), "cytology_screening": (0.9994, 6.3, 0.9980), "haematology": (0.9416, 5.3, 0.9416),
    "respiratory": (0.9849, 6.1, 0.9849), "diabetes": (1.0, 7.8, 0.9992), "neuroimaging": (0.9969, 12.5, 0.9969),
    "copper": (0.9967, 2.5, 0.9967), "tafenoquine": (1.0, 1.1, 1.0), "dblp_acm": (0.7249, 12.4, 0.9600),
    "dblp_scholar": (0.4293, 26.6, 0.8000),
}  # fmt: skip
TEXT_SETS = ("scifact", "cacm", "cisi", "cranfield")
COVID_SETS = tuple(f"trec-covid-r{number}" for number in range(1, 6))


def dedup() -> None:
    """One line a set: ours against bib-dedupe."""
    print("\n| set | FP/FN | F1 | bib-dedupe F1 | floor | CPU s | times faster | with translation |")
    print("|---|---|---|---|---|---|---|---|")
    for name, (theirs, their_s, floor) in DEDUP.items():
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as out:
            ran = _run(sys.executable, "-m", "tests.benchmarks.dedup", str(DATA / "dedup" / name), out.name)
            only_pairs = ["--ignore-same-source"] if name == "dblp_scholar" else []
            output = _run(
                sys.executable,
                str(DATA / "dedup" / "evaluate.py"),
                str(DATA / "dedup" / name),
                out.name,
                "--json",
                *only_pairs,
            )
        scores = json.loads(output.stdout)
        f1 = scores["pair_f1" if only_pairs else "f1"]
        counts = f"{scores['FP']}/{scores['FN']}"
        spent = json.loads(ran.stderr)
        times = f"{spent['match_s']:.2f} | {their_s / spent['match_s']:.0f} | {their_s / spent['all_s']:.0f}"
        print(f"| {name} | {counts} | {f1:.4f} | {theirs:.4f} | {floor:.4f} | {times} |", flush=True)


def ranking() -> None:
    """The evaluator's own tables: ours beside RRF(60), round robin and the best single list."""
    fuser = f"{sys.executable} -m tests.benchmarks.fuse"
    for sets, conditions in ((TEXT_SETS, ("full", "mixcov", "fail2", "dup25")), (COVID_SETS, ("full", "mixcov"))):
        output = _run(
            sys.executable,
            str(DATA / "ranking" / "evaluate.py"),
            "panel",
            "--fuser",
            fuser,
            "--data",
            *sets,
            "--cond",
            *conditions,
        )
        print(f"\n```\n{output.stdout.strip()}\n```", flush=True)
    known_items.report(DATA / "ranking")


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=True)


def main() -> None:
    """All of it, as Markdown on stdout."""
    if DATA.is_dir():
        print("## De-duplication")
        dedup()
        print("\n## Ranking, nDCG@10")
        ranking()
    else:
        print("The labelled data is kept outside the project and is not here: only the speed is measured.")
    print("\n## Ways of asking, over HTTP")
    corpus_items.report()
    print("\n## Passages")
    passages.report()
    print("\n## Speed")
    speed.report()
    print("\n## Cold starts")
    cold_start.report()
    print()
    cold_search.report()
    print("\n## Processor time of a search")
    cpu.report()
    print("\n## The dispatcher")
    dispatch.report()
    print("\n## The graph's writer")
    graph.report()
    print("\n## The API against its document")
    openapi.report()


if __name__ == "__main__":
    main()
