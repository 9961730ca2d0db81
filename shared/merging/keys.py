"""What names one result among all of an answer: ids that no other result has, and a key of its own.

An id names one paper: where two results claim one PMID, PMCID or arXiv id, or one DOI under one title, it stays with
the result that more records place it in. The abstracts of a congress supplement do share their DOI, so each keeps it.

The key is `identifiers.paper_key`. Where results would have the same, none of them has it: each falls to its next id,
then to the hash of its title and year, then to the hash of its whole citation. What it falls to is told by the result
alone, so it is the same in every answer that shows both; and a key that is not the DOI's says that the DOI is shared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.bibliography.identifiers import Identifiers, paper_key
from shared.canonical_json import digest
from shared.matching.title_features import read_title
from shared.merging.fields import Provenance, Values
from shared.merging.ids import merged_ids
from shared.merging.pool import Pool

Named = tuple[Identifiers, Provenance]


def ids_of_their_own(pools: Sequence[Pool], titles: Sequence[str]) -> list[Named]:
    """Each pool's ids with their providers, less those that another pool has the better claim to."""
    named = [merged_ids(pool) for pool in pools]
    claims: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, ((ids, _), title) in enumerate(zip(named, titles, strict=True)):
        for claim in _claims(ids, title):
            claims[claim].append(number)
    for (name, value, *_), claimants in claims.items():
        if len(claimants) < 2:
            continue
        keeper = max(claimants, key=lambda number: (_support(pools[number], name, value), -number))
        for number in claimants:
            if number != keeper:
                named[number] = _without(named[number], name)
    return named


def _claims(ids: Identifiers, title: str) -> Iterator[tuple[str, ...]]:
    for name in ("pmid", "pmcid", "arxiv"):
        value = getattr(ids, name)
        if value:
            yield name, value
    if ids.doi:
        yield "doi", ids.doi, read_title(title).compact


def _support(pool: Pool, name: str, value: str) -> int:
    return sum(1 for record in pool.records if getattr(record.ids, name) == value)


def _without(named: Named, name: str) -> Named:
    ids, provenance = named
    return replace(ids, **{name: None}), {other: names for other, names in provenance.items() if other != name}


def keys_of_their_own(ids: Sequence[Identifiers], values: Sequence[Values]) -> list[str]:
    """For each result the first of its possible keys that no other result has; twins are counted."""
    possible = [_possible_keys(its_ids, its_values) for its_ids, its_values in zip(ids, values, strict=True)]
    keys = [next(choice) for choice in possible]
    before: list[str] = []
    while keys != before:
        before, count = keys, Counter(keys)
        keys = [next(possible[number], key) if count[key] > 1 else key for number, key in enumerate(keys)]
    seen: Counter[str] = Counter()
    for number, key in enumerate(keys):
        seen[key] += 1
        keys[number] = key if seen[key] == 1 else f"{key}-{seen[key]}"
    return keys


def _possible_keys(ids: Identifiers, values: Values) -> Iterator[str]:
    for name in _KEY_IDS:
        if getattr(ids, name):
            yield paper_key(ids, None)
            ids = replace(ids, **{name: None})
    yield paper_key(ids, values["title"], values["year"])
    citation = repr([values[name] for name in _CITATION])
    yield "title:" + digest(citation, 20)


_KEY_IDS = ("doi", "pmid", "arxiv", "paper_id", "openalex")  # in the order of `paper_key`
_CITATION = ("title", "authors", "year", "journal", "volume", "issue", "pages")
