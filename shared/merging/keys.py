"""What identifies one result among all of an answer: ids that no other result has, and a unique key.

An id belongs to one paper: where two results claim one PMID, PMCID or arXiv id, or one DOI under one title, it stays
with the result to which the registry of such ids gives it, else with the one whose records state it most often. The
abstracts of a congress supplement do share their DOI, so each of them keeps it in `ids` and in its citation URI.

The key is `identifiers.paper_key`. Where several results would have the same key, none of them gets it: each falls back
to its next id, then to the hash of its title and year, then to the hash of its whole citation. The fallback depends on
the result alone, so it is the same in every answer that contains both; and a key that is not made from the DOI shows
that the DOI is shared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.bibliography.identifiers import Identifiers, arxiv_of_doi, paper_key
from shared.bibliography.paper_ids import id_texts, scheme_of
from shared.canonical_json import digest
from shared.matching.disputed_ids import is_registry
from shared.matching.title_features import read_title
from shared.merging.draft import Draft


def resolve_id_conflicts(papers: Sequence[Draft]) -> None:
    """Take each id that several papers claim from all but the one to which the registry, or most records, give it."""
    claims: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, paper in enumerate(papers):
        for claim in _claims(paper.ids, paper.title):
            claims[claim].append(number)
    for (name, value, *_), claimants in claims.items():
        if len(claimants) < 2:
            continue
        owner = max(claimants, key=lambda number: (_support(papers[number], name, value), -number))
        for number in claimants:
            if number != owner:
                _take_id(papers[number], name)


def _claims(ids: Identifiers, title: str) -> Iterator[tuple[str, ...]]:
    for name in ("pmid", "pmcid", "arxiv"):
        value = getattr(ids, name)
        if value:
            yield name, value
    if ids.doi:
        yield "doi", ids.doi, read_title(title).compact


def _support(paper: Draft, name: str, value: str) -> tuple[bool, int]:
    holders = [record for record in paper.records if getattr(record.ids, name) == value]
    return any(is_registry(name, record.provider) for record in holders), len(holders)


def _take_id(paper: Draft, name: str) -> None:
    """Take the id, and arXiv's DOI where that follows from it."""
    lost = {name, "doi"} if name == "arxiv" and arxiv_of_doi(paper.ids.doi) else {name}
    paper.provenance = {field: providers for field, providers in paper.provenance.items() if field not in lost}
    paper.ids = replace(paper.ids, **dict.fromkeys(lost))


def unique_keys(papers: Sequence[Draft]) -> list[str]:
    """For each paper the first of its possible keys that no other paper has; identical papers are numbered."""
    possible = [_possible_keys(paper) for paper in papers]
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


def _possible_keys(paper: Draft) -> Iterator[str]:
    yield from (text for text in id_texts(paper.ids) if scheme_of(text) != "pmcid")
    yield paper_key(Identifiers(), paper.title, paper.year)
    yield "title:" + digest(paper.citation, 20)
