"""Records that name two papers at once: one of their ids belongs to another paper than all else they say.

    crossref  10.1/a  "Microglia …"  Smith 2019            semantic_scholar  10.1/a  PMID 222  "Microglia …"
    pubmed    10.1/b  "Soil carbon …"  Jones 2021  PMID 222

Nothing shows whether the PMID or the rest of the third record is wrong, so it joins neither paper. For an id, the
record of the registry that assigns it decides, then the records that state it most often.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import product

from shared.matching.evidence import Evidence
from shared.matching.features import Features
from shared.matching.rules import BY_ID, all_differs

Pair = tuple[int, int]
Join = tuple[int, int, int]  # the strength of a verdict below 0, and the positions of its two records
# Who assigns an id, or keeps its own copy of the register: PubMed's records are part of Europe PMC.
REGISTRIES = {
    "pmid": ("pubmed", "europe_pmc"), "pmcid": ("pubmed", "europe_pmc"), "arxiv": ("arxiv",),
}  # fmt: skip


def is_registry(id_name: str, provider: str) -> bool:
    """Whether a provider's own records are the register of such ids."""
    return provider in REGISTRIES.get(id_name, ())


def odd_records(records: Sequence[Features], same: Iterable[Join], disputed: Iterable[Pair]) -> set[int]:
    """The positions of the records that connect two papers, given the pairs that are one paper and those in dispute."""
    near: defaultdict[int, set[int]] = defaultdict(set)
    near_by_id: defaultdict[int, set[int]] = defaultdict(set)
    for strength, first, second in same:
        near[first].add(second)
        near[second].add(first)
        if -strength > BY_ID:
            near_by_id[first].add(second)
            near_by_id[second].add(first)
    odd = set()
    for first, second in disputed:
        for name in records[first].identity & records[second].identity:
            ours, theirs = _claim(name, first, near, records), _claim(name, second, near, records)
            odd |= ({first} if ours <= theirs else set()) | ({second} if theirs <= ours else set())
    return odd | {
        number for number, others in near_by_id.items() if _connects_two_papers(records, others, near[number])
    }


def _claim(name: str, number: int, near: defaultdict[int, set[int]], records: Sequence[Features]) -> tuple[bool, int]:
    """How well an id is stated: by its registry or not, and by how many records of the paper."""
    kind = name.partition(":")[0]
    holders = [it for it in (number, *near[number]) if name in records[it].identity]
    return any(is_registry(kind, records[it].paper.provider) for it in holders), len(holders)


def _connects_two_papers(records: Sequence[Features], by_id: Collection[int], others: Collection[int]) -> bool:
    """Whether two of the records that each are one paper with this one, one of them by an id, have nothing in common.

    Only ids connect records with unlike titles.
    """
    named = [records[it].families for it in others if records[it].names]
    if len(named) < 2 or frozenset.intersection(*named):  # an author whom they all have, as they mostly do
        return False
    return any(
        records[a].families.isdisjoint(records[b].families) and all_differs(Evidence(records[a], records[b]))
        for a, b in product(by_id, others)
        if a != b and records[a].names and records[b].names
    )
