"""One paper out of all its records.

    records -> groups of one paper (matching) -> values (fields, ids) -> conflicts between papers resolved (keys)

The rules for values are in `shared.merging.fields`, those for ids in `shared.merging.ids`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import starmap
from operator import attrgetter, itemgetter

from shared.bibliography.identifiers import citation_uri
from shared.bibliography.paper import Duplicate, MergedPaper, Paper, RecordId
from shared.matching.clustering import cluster
from shared.merging.draft import Draft
from shared.merging.fields import draft_of
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
    drafts = list(map(draft_of, pools, record_ids))
    resolve_id_conflicts(drafts)
    keys = unique_keys(drafts)
    place = {group[0]: number for number, group in enumerate(groups)}
    duplicates = _duplicates([(place[link.first], place[link.second], link.reason) for link in links], keys)
    complete = [
        draft.completed(key, _citation_uri(draft, pool), near)
        for draft, pool, key, near in zip(drafts, pools, keys, duplicates, strict=True)
    ]
    return sorted(complete, key=attrgetter("key"))


def _citation_uri(draft: Draft, pool: Pool) -> str | None:
    return citation_uri(draft.ids) or next((page for page, _ in pool.values(attrgetter("landing_page"))), None)


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
