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

`provenance[field]` names the providers that hold the winning value. An id names one paper: where two results claim
one PMID, PMCID or arXiv id, or one DOI under one title, it stays with the result that more records place it in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from shared.clustering import cluster
from shared.identifiers import Identifiers, citation_uri, paper_key
from shared.merging_fields import Provenance, merged_fields, title
from shared.merging_ids import merged_ids
from shared.merging_pool import Pool
from shared.paper import Duplicate, MergedPaper, Paper
from shared.title_features import read_title


def merge(papers: Iterable[Paper]) -> list[MergedPaper]:
    """Every record in exactly one merged paper, near-duplicates linked; sorted by key."""
    records = _in_fixed_order(papers)
    groups, links = cluster(records)
    pools = [Pool.of([records[number] for number in group]) for group in groups]
    merged = [_merged(pool, ids) for pool, ids in zip(pools, _ids_of_their_own(pools), strict=True)]
    place = {group[0]: number for number, group in enumerate(groups)}
    linked = _with_duplicates(merged, [(place[link.first], place[link.second], link.reason) for link in links])
    return sorted(linked, key=lambda paper: (paper.key, paper.title, [_place(record) for record in paper.records]))


def _place(record: Paper) -> tuple[str, int, int]:
    return record.provider, record.wording, record.rank


def _in_fixed_order(papers: Iterable[Paper]) -> list[Paper]:
    """By provider, wording and rank; records that share a place (two answers mixed) by their whole contents."""
    records = list(papers)
    if len({_place(record) for record in records}) < len(records):
        return sorted(records, key=lambda record: (_place(record), repr(record)))
    return sorted(records, key=_place)


def _merged(pool: Pool, named: tuple[Identifiers, Provenance]) -> MergedPaper:
    ids, id_provenance = named
    values, provenance = merged_fields(pool)
    return MergedPaper(
        key=paper_key(ids, values["title"], values["year"]),
        citation_uri=citation_uri(ids, next((page for page, _ in pool.told(attrgetter("landing_page"))), None)),
        records=pool.records,
        ids=ids,
        provenance={**provenance, **id_provenance},
        **values,
    )


def _ids_of_their_own(pools: Sequence[Pool]) -> list[tuple[Identifiers, Provenance]]:
    """Each pool's ids with their providers, less those that another pool has the better claim to."""
    named = [merged_ids(pool) for pool in pools]
    claims: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, pool in enumerate(pools):
        for claim in _claims(pool, named[number][0]):
            claims[claim].append(number)
    for (name, value, *_), claimants in claims.items():
        keeper = max(claimants, key=lambda number: (_support(pools[number], name, value), -number))
        for number in claimants:
            if number != keeper:
                ids, provenance = named[number]
                rest = {other: providers for other, providers in provenance.items() if other != name}
                named[number] = replace(ids, **{name: None}), rest
    return named


def _claims(pool: Pool, ids: Identifiers) -> Iterator[tuple[str, ...]]:
    for name in ("pmid", "pmcid", "arxiv"):
        value = getattr(ids, name)
        if value:
            yield name, value
    if ids.doi:
        yield "doi", ids.doi, read_title(title(pool)[0]).compact


def _support(pool: Pool, name: str, value: str) -> int:
    return sum(1 for record in pool.records if getattr(record.ids, name) == value)


def _with_duplicates(papers: Sequence[MergedPaper], links: Iterable[tuple[int, int, str]]) -> list[MergedPaper]:
    """Near-duplicates name each other."""
    found: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for first, second, reason in links:
        for one, other in ((first, second), (second, first)):
            if papers[one].key != papers[other].key:
                found[one].setdefault(papers[other].key, reason)
    return [
        replace(paper, possible_duplicates=_duplicates(found[number])) if number in found else paper
        for number, paper in enumerate(papers)
    ]


def _duplicates(reasons: Mapping[str, str]) -> tuple[Duplicate, ...]:
    return tuple(Duplicate(key, reason) for key, reason in sorted(reasons.items()))
