"""Known items: a title as the query (exact, a word dropped, a typo) must find its paper first.

Five simulated providers over the corpora of the ranking benchmark, each indexing all papers or, under `mixcov`, 40 to
80 per cent of them. Deterministic: titles are sampled, and queries altered, with a fixed seed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.benchmarks.fuse import fuse

SETS = ("scifact", "cacm", "cranfield")
TITLES_PER_SET = 60
DEPTH = 300
SEED = 20261120
# (weight of the title, of the abstract, BM25's k1, its b): what each provider looks at.
INDEXES = {
    "everything": (1, 1, 1.2, 0.75),
    "titles": (1, 0, 1.2, 0.75),
    "abstracts": (0, 1, 0.9, 0.3),
    "titles_first": (3, 1, 3.0, 0.2),
    "flat": (1, 1, 0.1, 0.0),
}
Doc = Mapping[str, Any]


def words(text: str | None) -> list[str]:
    """Lower-case ASCII words: an engine unlike ours on purpose."""
    return re.findall(r"[a-z0-9]+", (text or "").lower())


class Index:
    """A plain BM25 engine over some papers."""

    def __init__(self, docs: Mapping[str, Doc], title: int, abstract: int, k1: float, b: float) -> None:
        self._k1, self._b = k1, b
        self._postings: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self._lengths: dict[str, int] = {}
        for name, doc in docs.items():
            counts = Counter(words(doc["title"]) * title + words(doc.get("abstract")) * abstract)
            self._lengths[name] = counts.total()
            for word, count in counts.items():
                self._postings[word][name] = count
        self._mean = sum(self._lengths.values()) / len(self._lengths)

    def search(self, query: str) -> list[str]:
        """The best papers, best first."""
        scores: defaultdict[str, float] = defaultdict(float)
        for word in sorted(set(words(query))):
            found = self._postings.get(word, {})
            idf = math.log(1 + (len(self._lengths) - len(found) + 0.5) / (len(found) + 0.5))
            for name, count in found.items():
                norm = self._k1 * (1 - self._b + self._b * self._lengths[name] / self._mean)
                scores[name] += idf * count * (self._k1 + 1) / (count + norm)
        return sorted(scores, key=lambda name: (-scores[name], name))[:DEPTH]


def drop_a_word(title: list[str], chance: random.Random) -> str:
    """All words but one."""
    gone = chance.randrange(len(title))
    return " ".join(title[:gone] + title[gone + 1 :])


def make_a_typo(title: list[str], chance: random.Random) -> str:
    """Two neighbouring letters of a long word change places, or one gets lost."""
    place = max(range(len(title)), key=lambda number: (len(title[number]) >= 5, chance.random()))
    word = title[place]
    at = chance.randrange(1, max(2, len(word) - 1))
    misspelt = (
        word[:at] + word[at + 1 :] if chance.random() < 0.5 else word[:at] + word[at : at + 2][::-1] + word[at + 2 :]
    )
    return " ".join([*title[:place], misspelt, *title[place + 1 :]])


QUERIES: dict[str, Callable[[list[str], random.Random], str]] = {
    "exact": lambda title, _: " ".join(title),
    "a word dropped": drop_a_word,
    "a typo": make_a_typo,
}


def covered(provider: str, name: str, condition: str) -> bool:
    """Whether a provider indexes a paper: always, or by a hash, 40 to 80 per cent of them by provider."""
    if condition == "full":
        return True
    draw = int.from_bytes(hashlib.sha256(f"{provider}|{name}".encode()).digest()[:4], "big") / 2**32
    return draw < 0.4 + 0.1 * (sorted(INDEXES).index(provider) % 5)


def requests_of(folder: Path, condition: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(kind of query, the target paper, a request of the fuser), where some provider indexes the paper."""
    with gzip.open(folder / "docs.jsonl.gz", "rt", encoding="utf-8") as lines:
        docs = {doc["id"]: doc for doc in map(json.loads, lines)}
    held = {
        provider: Index({name: doc for name, doc in docs.items() if covered(provider, name, condition)}, *settings)
        for provider, settings in INDEXES.items()
    }
    occurrences = Counter(" ".join(words(doc["title"])) for doc in docs.values())
    unique = [
        name
        for name, doc in docs.items()
        if len(words(doc["title"])) >= 3 and occurrences[" ".join(words(doc["title"]))] == 1
    ]
    chance = random.Random(SEED)
    for target in chance.sample(unique, TITLES_PER_SET):
        if not any(covered(provider, target, condition) for provider in held):
            continue
        for kind, spoil in QUERIES.items():
            query = spoil(docs[target]["title"].split(), chance)
            lists = [
                {
                    "provider": name,
                    "items": [{**docs[it], "rank": rank} for rank, it in enumerate(index.search(query), 1)],
                }
                for name, index in held.items()
            ]
            yield kind, target, {"qid": target, "query": query, "lists": lists}


def success_at_1(root: Path, condition: str) -> dict[str, tuple[int, int]]:
    """For each kind of query: how often the paper came first, of how many."""
    hits: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for name in SETS:
        for kind, target, request in requests_of(root / name, condition):
            totals[kind] += 1
            hits[kind] += fuse(request, {})[:1] == [target]
    return {kind: (hits[kind], totals[kind]) for kind in QUERIES}


def report(root: Path) -> None:
    """Print the table."""
    print("\n| query | success@1, full | mixcov |\n|---|---|---|")
    full, mixcov = (success_at_1(root, condition) for condition in ("full", "mixcov"))
    for kind in QUERIES:
        cells = [f"{found / count:.3f} ({found} of {count})" for found, count in (full[kind], mixcov[kind])]
        print(f"| {kind} | {cells[0]} | {cells[1]} |")
