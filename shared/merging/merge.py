"""One paper out of all its records.

    records -> groups of one paper (matching) -> values (fields, ids) -> conflicts between papers resolved (keys)

The rules for values are in `shared.merging.fields`, those for ids in `shared.merging.ids`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import starmap
from operator import attrgetter, itemgetter

from shared.bibliography.identifiers import citation_uri
from shared.bibliography.paper import Duplicate, MergedPaper, Paper, RecordId
from shared.matching.clustering import cluster
from shared.merging.fields import merged_paper
from shared.merging.keys import resolve_id_conflicts, unique_keys
from shared.merging.pool import Pool


def merge(records: Iterable[tuple[RecordId, Paper]]) -> list[MergedPaper]:
    """Put every record into exactly one merged paper and link near-duplicates; sorted by key.

    No two papers have the same key. The result depends on the ids and the contents of the records only, never on the
    order in which they are passed.
    """
    ordered = _in_fixed_order(records)
    groups, links = cluster(ordered)
    pools = [Pool.of([ordered[number][1] for number in group]) for group in groups]
    record_ids = [tuple([ordered[number][0] for number in group]) for group in groups]
    papers = resolve_id_conflicts(list(map(merged_paper, pools, record_ids)))
    keys = unique_keys(papers)
    place = {group[0]: number for number, group in enumerate(groups)}
    duplicates = _duplicates([(place[link.first], place[link.second], link.reason) for link in links], keys)
    complete = [
        replace(paper, key=key, citation_uri=_citation_uri(paper, pool), possible_duplicates=near)
        for paper, pool, key, near in zip(papers, pools, keys, duplicates, strict=True)
    ]
    return sorted(complete, key=attrgetter("key"))


def _citation_uri(paper: MergedPaper, pool: Pool) -> str | None:
    landing_page = next((page for page, _ in pool.values(attrgetter("landing_page"))), None)
    return citation_uri(paper.ids, landing_page)


def _in_fixed_order(records: Iterable[tuple[RecordId, Paper]]) -> list[tuple[RecordId, Paper]]:
    """Sort by id; records that share an id are sorted by their whole contents."""
    pairs = list(records)
    if len({record_id for record_id, _ in pairs}) < len(pairs):
        return sorted(pairs, key=lambda pair: (pair[0], repr(pair[1])))
    return sorted(pairs, key=itemgetter(0))


def _duplicates(links: Iterable[tuple[int, int, str]], keys: Sequence[str]) -> list[tuple[Duplicate, ...]]:
    """For each paper its near-duplicates; of a pair, each lists the other."""
    reasons: list[dict[str, str]] = [{} for _ in keys]
    for first, second, reason in links:
        reasons[first].setdefault(keys[second], reason)
        reasons[second].setdefault(keys[first], reason)
    return [tuple(starmap(Duplicate, sorted(its_reasons.items()))) for its_reasons in reasons]
