"""How references are judged, through HTTP, with the sandbox as every source: `python -m tests.benchmarks.references`.

For both halves of the labelled references (`reference_set`): how many of the real ones are matched with their own
paper, how many invented ones are, and whether an id of another paper is noticed; then by style and by injected error,
and what it costs in upstream requests.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.reference_checks.progress import PASSES
from tests.benchmarks.reference_set import LabelledReference, labelled
from tests.ways_of_asking.capture import Service, ids_of_result, service

BATCH = 20  # of fifty, some are unanswered on a slow machine: Semantic Scholar allows one title a second
MATCHED_INVENTED = "invented, not matched"
# group: the least share
GOALS = {
    MATCHED_INVENTED: 1.0, "real, at most one error": 0.97, "real, two errors": 0.90, "mismatched found": 0.98,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled reference with the entry of the answer."""

    label: LabelledReference
    entry: Mapping[str, Any]
    sent: int  # how often

    @property
    def group(self) -> str:
        """The goal that it counts for."""
        if self.label.status == "invented":
            return MATCHED_INVENTED
        if self.label.status == "mismatched":
            return "mismatched found"
        return "real, at most one error" if len(self.label.errors) < 2 else "real, two errors"

    @property
    def is_right(self) -> bool:
        """Whether the answer says what the label says; of a mismatch, with the paper that the id names."""
        entry, label = self.entry, self.label
        if label.status == "invented":
            return bool(entry["status"] != "matched")
        meant = bool(entry["paper"]) and not label.ids.isdisjoint(ids_of_result(entry["paper"]))
        if label.status == "matched":
            return bool(entry["status"] == "matched" and meant)
        named = entry["named_by_id"]
        return bool(entry["status"] == "mismatched" and named and label.named in ids_of_result(named))

    @property
    def has_both(self) -> bool:
        """Of a mismatch: whether the paper that the text describes is shown as well."""
        paper = self.entry["paper"]
        return bool(paper) and not self.label.ids.isdisjoint(ids_of_result(paper))


def judged(running: Service, sample: Sequence[LabelledReference]) -> Iterator[Judged]:
    """Send them in batches, and yield each with what the service says, and how often it was sent.

    What is `unanswered` on a busy machine is sent again after the others, as often as a check of a document does.
    """
    waiting = list(sample)
    for sent in range(1, PASSES + 1):
        unanswered = []
        for start in range(0, len(waiting), BATCH):
            batch = waiting[start : start + BATCH]
            answer = running.resolve([it.text for it in batch])
            for label, entry in zip(batch, answer["references"], strict=True):
                if entry["status"] == "unanswered" and sent < PASSES:
                    unanswered.append(label)
                else:
                    yield Judged(label, entry, sent)
        waiting = unanswered


def shares(results: Sequence[Judged]) -> dict[str, tuple[int, int]]:
    """For each goal, style and error: how many are right, of how many."""
    found: defaultdict[str, list[bool]] = defaultdict(list)
    for it in results:
        kinds = [f"style: {it.label.style}"]
        kinds += [f"error: {error}" for error in it.label.errors] or ["error: none"]
        for name in (it.group, *kinds):
            found[name].append(it.is_right)
        if it.label.status == "mismatched":
            found["mismatched, with the paper of the text"].append(it.has_both)
    return {name: (sum(right), len(right)) for name, right in found.items()}


def report(*, missed: bool) -> None:
    """Print the shares of both halves side by side; `missed`: also what is judged wrongly in the half for the rules."""
    with service() as running:
        sample = labelled()
        results = list(judged(running, sample))
        requests = len(running.requests)
    halves = {half: shares([it for it in results if it.label.half == half]) for half in ("rules", "report")}
    again = sum(it.sent > 1 for it in results)
    print(f"\n{len(sample)} references, {again} sent again, {requests} upstream requests")
    print("\n| | rules | report | goal |\n|---|---|---|---|")
    for name in (*GOALS, *sorted(halves["rules"].keys() - GOALS.keys())):
        cells = [f"{share[0] / share[1]:.3f} ({share[0]} of {share[1]})" for half in halves.values()
                 if (share := half.get(name))]  # fmt: skip
        print(f"| {name} | {' | '.join(cells)} | {GOALS.get(name, '')} |")
    for half in halves:
        wrong = Counter(it.entry["status"] for it in results if it.label.half == half and not it.is_right)
        print(f"\njudged wrongly, {half} half: {dict(wrong)}")
    for it in results if missed else ():
        if it.label.half == "rules" and not it.is_right:
            print(f"\n{it.label.style} {it.label.errors}: {it.entry['status']}\n   {it.label.text}")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="How labelled references are judged, through HTTP.")
    parser.add_argument("--missed", action="store_true", help="also print what is judged wrongly")
    os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "CRITICAL")
    report(missed=parser.parse_args().missed)


if __name__ == "__main__":
    main()
