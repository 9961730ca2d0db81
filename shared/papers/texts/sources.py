"""Which sources may have the text of a paper, in which order they are queried, and whether the licence allows it.

The text of the requested id comes first, then PubMed Central's XML, whose parts are the most certain, then arXiv's.
Last come the files of located copies, which have no structure: of those only whose licence allows to show them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from shared.bibliography.full_text import FullText
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.licences import may_be_shown, read_licence
from shared.bibliography.paper import Location, MergedPaper
from shared.bibliography.paper_ids import id_texts, scheme_of, value_of
from shared.merging.open_access import BEST_VERSION_FIRST
from shared.papers.paper_request import PaperRequest

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper

SCHEMES = ("pmcid", "arxiv")
ADDRESS = "url"  # the scheme of a copy's address; no caller can name one, because `read_id` does not know it
MAX_COPIES = 2  # of one paper, that are fetched
# Addresses of pages about papers, which lead to no file.
_PAGES = ("://doi.org/", "://dx.doi.org/", "://hdl.handle.net/", "arxiv.org/abs/", "pubmed.ncbi.nlm.nih.gov/")


@dataclass(frozen=True, slots=True)
class PossibleSource:
    """A source that may have the text, and the name to query it by."""

    provider: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperCopies:
    """What is known of the places where a paper's text may be."""

    name: str  # as requested, in normal form
    key: str
    titles: Sequence[str]  # the title, and its other forms
    names: Sequence[str]  # of the paper and of its versions, the requested one first
    locations: Sequence[Location] = ()
    failed: Sequence[str] = ()  # providers that may know more names or places, and did not answer

    @property
    def title(self) -> str | None:
        """The title, if any source knows it."""
        return self.titles[0] if self.titles else None


def copies_of(found: PaperRequest) -> PaperCopies:
    """The copies of a paper that was looked up."""
    if found.paper:
        return replace(copies_of_merged(found.paper, found.name, *sorted(found.names)), failed=list(found.unanswered))
    names = list(dict.fromkeys([found.name, *sorted(found.names)]))
    return PaperCopies(name=found.name, key=found.name, titles=(), names=names, failed=list(found.unanswered))


def copies_of_merged(paper: MergedPaper, *names: str) -> PaperCopies:
    """The copies of a paper; `names`: those it is known by, the requested one first, if not the ids of its records."""
    known = names or tuple(sorted(name for record in paper.records for name in id_texts(record.ids)))
    versions = [name for it in paper.versions for name in _version_names(it.doi, it.arxiv)]
    return PaperCopies(
        name=known[0] if known else paper.key,
        key=paper.key,
        titles=_titles(paper),
        names=list(dict.fromkeys([*known, *versions])),
        locations=paper.open_access.locations,
    )


def _version_names(doi: str | None, arxiv: str | None) -> list[str]:
    return [f"{scheme}:{value}" for scheme, value in (("doi", doi), ("arxiv", arxiv)) if value]


def _titles(paper: MergedPaper) -> list[str]:
    records = [title for record in paper.records for title in (record.title, *record.alternative_titles)]
    versions = [it.title for it in paper.versions if it.title]
    return list(dict.fromkeys([paper.title, *records, *versions]))


def copies_of_stored(paper: StoredPaper, *others: StoredPaper, failed: Sequence[str] = ()) -> PaperCopies:
    """The copies of a paper of a result set, with those that `others`, the same paper of other answers, have."""
    names, locations = [paper["key"]], []
    for it in (paper, *others):
        names += id_texts(Identifiers(**it["external_ids"]))
        names += [name for own in it["versions"] for name in _version_names(own.get("doi"), own.get("arxiv"))]
        locations += [Location(**location) for location in it["open_access"].get("locations", ())]
    return PaperCopies(
        name=paper["key"],
        key=paper["key"],
        titles=list(dict.fromkeys(it["title"] for it in (paper, *others))),
        names=list(dict.fromkeys(names)),
        locations=locations,
        failed=failed,
    )


def candidates(copies: PaperCopies, sources: Mapping[str, Sequence[str]]) -> Iterator[PossibleSource]:
    """The sources in their order; `sources` maps each to the schemes of names that it accepts."""
    own = scheme_of(copies.name)
    for scheme in sorted(SCHEMES, key=lambda it: (it != own, SCHEMES.index(it))):
        for provider, accepted in sorted(sources.items()):
            if scheme in accepted:
                yield from (PossibleSource(provider, name) for name in copies.names if scheme_of(name) == scheme)
    for provider, accepted in sorted(sources.items()):
        if ADDRESS in accepted:
            yield from (PossibleSource(provider, f"{ADDRESS}:{it.url}") for it in copies_to_fetch(copies.locations))


def copies_to_fetch(locations: Sequence[Location]) -> list[Location]:
    """The copies of which a file may be fetched and shown, the best first: what looks like a PDF, then by version."""
    usable = [
        it for it in locations if may_be_shown(read_licence(it.license)) and not any(page in it.url for page in _PAGES)
    ]
    ranked = sorted(usable, key=lambda it: ("pdf" not in it.url.lower(), _rank(it.version)))
    return list({it.url: it for it in ranked}.values())[:MAX_COPIES]


def _rank(version: str | None) -> int:
    return BEST_VERSION_FIRST.index(version) if version in BEST_VERSION_FIRST else len(BEST_VERSION_FIRST)


def version_of(text: FullText, name: str, locations: Sequence[Location]) -> str | None:
    """The version that the document states, or else that a source states for the copy at this address."""
    return text.version or next((it.version for it in locations if name == f"{ADDRESS}:{it.url}" and it.version), None)


def licence_of(text: FullText, name: str, locations: Sequence[Location]) -> str | None:
    """The licence that the document states, or, of one that has no statement, a source for the copy with this name."""
    if text.license_text:  # what its publisher wrote counts, also where it names no known licence
        return text.license
    stated = (it for it in locations if value_of(name).lower() in it.url.lower())
    return text.license or next((licence for it in stated if (licence := read_licence(it.license))), None)
