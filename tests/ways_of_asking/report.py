"""`python -m tests.ways_of_asking.report [KIND…]`: what is wrong with each way of asking, by source."""

from __future__ import annotations

import sys
import time
from collections import defaultdict

from tests.ways_of_asking.capture import service
from tests.ways_of_asking.checks import wrong, wrong_answer
from tests.ways_of_asking.table import KINDS
from tests.ways_of_asking.way import SOURCES


def main(kinds: list[str]) -> None:
    """Print the failures, those of each source together."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    started, ways = time.monotonic(), 0
    for kind, rows in KINDS.items():
        if kinds and not any(kind.startswith(name) for name in kinds):
            continue
        with service() as running:
            for way in rows:
                asked, ways = running.ask(way), ways + 1
                for source in SOURCES:
                    found[source] += [f"{kind} | {way.name} | {reason}" for reason in wrong(asked, source)]
                found["the answer"] += [f"{kind} | {way.name} | {reason}" for reason in wrong_answer(asked)]
    for source, reasons in found.items():
        rows_wrong = len({tuple(reason.split(" | ")[:2]) for reason in reasons})
        sys.stdout.write(f"\n## {source}: {rows_wrong} of {ways} ways\n\n")
        sys.stdout.writelines(f"- {reason}\n" for reason in reasons)
    sys.stdout.write(f"\n{ways} ways in {time.monotonic() - started:.0f} s\n")


if __name__ == "__main__":
    main(sys.argv[1:])
