"""One paper out of all its records: `matching` says which belong together, a rule for each field says which value wins.

A group's published records speak first; its preprints speak where those are silent. "Most" counts providers, however
often each was asked. Every rule ends in a fixed order of the records, so the order in which they came never matters.

    field                             the value that wins
    title                             most agree (but for spelling), then not in capitals or brackets, then longest
    authors                           most names, then most given names in full
    author_count                      the largest told; never less than the names shown
    year                              most agree, then the earliest
    publication_date                  of that year: the most exact, then most agree, then the earliest
    journal, pages                    most agree, then the longest (names in full, ranges of pages)
    volume, issue, language           most agree
    type                              the most specific: a notice before a review before a journal article
    abstract                          the longest that is not cut
    tldr                              the longest
    citation_count, influential_...   the largest told: every index misses citations, none invents them
    citation_counts                   side by side, for each provider the largest of its records
    open_access                       open where one provider says so; the publisher's copy before repositories'
    retraction                        the gravest: retracted, concern, corrected, none, unknown; who says otherwise is
                                      kept under `retraction.<status>` in the provenance
    ids                               each from the published records first: most agree; arXiv's own DOI only alone
    versions                          all known, when there is more than one: own records and linked ids

`provenance[field]` names the providers that hold the winning value. Ids and keys are `merging.keys`' business: no two
results of one answer have the same key. Where a DOI stands for many papers (the abstracts of a supplement), their
results keep it in `ids` and in the citation URI, and each has the key of its next id or, failing that, of its title.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import starmap
from operator import attrgetter, itemgetter

from shared.bibliography.identifiers import Identifiers, citation_uri
from shared.bibliography.paper import Duplicate, MergedPaper, Paper, RecordId
from shared.matching.clustering import cluster
from shared.merging.fields import Provenance, Values, merged_fields
from shared.merging.keys import ids_of_their_own, keys_of_their_own
from shared.merging.pool import Pool


def merge(records: Iterable[tuple[RecordId, Paper]]) -> list[MergedPaper]:
    """Put every record into exactly one merged paper and link near-duplicates; sorted by key.

    The result depends on the ids and the contents of the records only, never on the order in which they are passed.
    """
    ordered = _in_fixed_order(records)
    groups, links = cluster(ordered)
    pools = [Pool.of([ordered[number][1] for number in group]) for group in groups]
    fields = [merged_fields(pool) for pool in pools]
    named = ids_of_their_own(pools, [values["title"] for values, _ in fields])
    keys = keys_of_their_own([ids for ids, _ in named], [values for values, _ in fields])
    place = {group[0]: number for number, group in enumerate(groups)}
    duplicates = _duplicates([(place[link.first], place[link.second], link.reason) for link in links], keys)
    record_ids = [tuple([ordered[number][0] for number in group]) for group in groups]
    merged = [_merged(*parts) for parts in zip(keys, record_ids, pools, fields, named, duplicates, strict=True)]
    return sorted(merged, key=attrgetter("key"))


def _merged(
    key: str,
    record_ids: tuple[RecordId, ...],
    pool: Pool,
    fields: tuple[Values, Provenance],
    named: tuple[Identifiers, Provenance],
    duplicates: tuple[Duplicate, ...],
) -> MergedPaper:
    values, provenance = fields
    ids, id_provenance = named
    return MergedPaper(
        key=key,
        citation_uri=citation_uri(ids, next((page for page, _ in pool.told(attrgetter("landing_page"))), None)),
        records=pool.records,
        record_ids=record_ids,
        ids=ids,
        provenance={**provenance, **id_provenance},
        possible_duplicates=duplicates,
        **values,
    )


def _in_fixed_order(records: Iterable[tuple[RecordId, Paper]]) -> list[tuple[RecordId, Paper]]:
    """Sort by id; records that share an id are sorted by their whole contents."""
    pairs = list(records)
    if len({record_id for record_id, _ in pairs}) < len(pairs):
        return sorted(pairs, key=lambda pair: (pair[0], repr(pair[1])))
    return sorted(pairs, key=itemgetter(0))


def _duplicates(links: Iterable[tuple[int, int, str]], keys: Sequence[str]) -> list[tuple[Duplicate, ...]]:
    """For each paper its near-duplicates; they name each other."""
    found: list[dict[str, str]] = [{} for _ in keys]
    for first, second, reason in links:
        found[first].setdefault(keys[second], reason)
        found[second].setdefault(keys[first], reason)
    return [tuple(starmap(Duplicate, sorted(reasons.items()))) for reasons in found]
