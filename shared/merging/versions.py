"""All versions of one paper that its records describe: preprints, the published article, later editions.

A version is described by its own records, or by the ids with which another version links to it. Entries that share an
id are one version. A paper with only one known version has no list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from operator import attrgetter

from shared.bibliography.identifiers import arxiv_of_doi
from shared.bibliography.paper import Paper, Version
from shared.bibliography.preprints import is_preprint
from shared.merging.pool import Choice, Pool, most_agreed

_RELATIONS = ("published", "version", "preprint")  # in the order in which they are listed


def versions_of(pool: Pool) -> Choice[tuple[Version, ...]]:
    """The versions, the published one first, and the providers that describe them."""
    records = pool.records
    if _one_version(pool):
        return (), ()
    doi, _ = most_agreed(pool.values(attrgetter("ids.doi")))
    known: list[tuple[Version, set[str]]] = []
    for version, provider in sorted(_entries(records), key=lambda entry: (_completeness(entry[0]), repr(entry))):
        _add(known, version, provider)
    if len(known) < 2:
        return (), ()
    versions = sorted((_one_published(version, doi) for version, _ in known), key=_order)
    return tuple(versions), tuple(sorted(set().union(*(names for _, names in known))))


def _one_published(version: Version, doi: str | None) -> Version:
    """A second published version is just another version."""
    if version.relation == "published" and version.doi and doi and version.doi != doi:
        return replace(version, relation="version")
    return version


def _order(version: Version) -> tuple[int, str, str]:
    return _RELATIONS.index(version.relation), version.publication_date or "9999", repr(version)


def _one_version(pool: Pool) -> bool:
    """Whether there is no sign of a second one: no link, no preprint beside an article, no second id."""
    if len(pool.published) < len(pool.records):
        return False
    dois, pmids = set(), set()
    for record in pool.records:
        if record.versions or record.ids.arxiv:
            return False
        dois.add(record.ids.doi or None)
        pmids.add(record.ids.pmid or None)
    return len(dois - {None}) < 2 and len(pmids - {None}) < 2


def _entries(records: Sequence[Paper]) -> Iterator[tuple[Version, str]]:
    for record in records:
        yield _own(record), record.provider
        if record.ids.arxiv and not is_preprint(record):
            yield Version("preprint", arxiv=record.ids.arxiv), record.provider
        for version in record.versions:
            yield _with_arxiv_id(version), record.provider


def _own(record: Paper) -> Version:
    """What the record itself is; the arXiv id of an article's record names its preprint."""
    preprint = is_preprint(record)
    arxiv = record.ids.arxiv or arxiv_of_doi(record.ids.doi)
    return Version(
        relation="preprint" if preprint else "published",
        doi=None if arxiv_of_doi(record.ids.doi) else record.ids.doi,
        pmid=record.ids.pmid,
        arxiv=arxiv if preprint else None,
        title=record.title,
        journal=record.journal,
        publication_date=record.publication_date or (str(record.year) if record.year else None),
    )


def _with_arxiv_id(version: Version) -> Version:
    arxiv = arxiv_of_doi(version.doi)
    return replace(version, doi=None, arxiv=version.arxiv or arxiv) if arxiv else version


def _completeness(version: Version) -> tuple[int, int]:
    """The sort key of an entry: those with more ids first, which join the others; then records before bare links."""
    ids = sum(1 for value in (version.doi, version.pmid, version.arxiv) if value)
    return -ids, version.title is None


def _add(known: list[tuple[Version, set[str]]], version: Version, provider: str) -> None:
    for number, (other, providers) in enumerate(known):
        if _same_version(other, version):
            known[number] = (_filled(other, version), providers | {provider})
            return
    known.append((version, {provider}))


def _same_version(a: Version, b: Version) -> bool:
    """By a shared id; without ids, a published record is the published version that is known."""
    pairs = ((a.doi, b.doi), (a.pmid, b.pmid), (a.arxiv, b.arxiv))
    if any(x and x == y for x, y in pairs):
        return True
    differ = any(x and y for x, y in pairs)
    return not differ and a.relation == b.relation


def _filled(version: Version, other: Version) -> Version:
    """Fill in missing values from another entry of the same version; a bare "version" is the least exact relation."""
    lacking = [field.name for field in fields(Version) if getattr(version, field.name) is None]
    relations = {version.relation, other.relation} - {"version"} or {"version"}
    return replace(
        version,
        **{name: getattr(other, name) for name in lacking},
        relation=min(relations, key=_RELATIONS.index),
    )
