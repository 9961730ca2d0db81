"""Which sources may have the text of a paper, in which order they are queried, and whether the licence allows it.

The text of the requested id comes first, then PubMed Central's XML, whose parts are the most certain, then arXiv's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.bibliography.full_text import FullText
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.licences import read_licence
from shared.bibliography.paper import Location
from shared.bibliography.paper_ids import id_texts, scheme_of, value_of
from shared.papers.paper_request import PaperRequest

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper

SCHEMES = ("pmcid", "arxiv")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A source that may have the text, and the name to query it by."""

    provider: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperCopies:
    """What is known of the places where a paper's text may be."""

    name: str  # as requested, in normal form
    key: str
    title: str | None
    names: Sequence[str]  # of the paper and of its versions, the requested one first
    locations: Sequence[Location] = ()
    failed: Sequence[str] = ()  # providers that may know more names or places, and did not answer


def copies_of(found: PaperRequest) -> PaperCopies:
    """The copies of a paper that was looked up."""
    paper = found.paper
    versions = [f"arxiv:{it.arxiv}" for it in paper.versions if it.arxiv] if paper else []
    return PaperCopies(
        name=found.name,
        key=paper.key if paper else found.name,
        title=paper.title if paper else None,
        names=list(dict.fromkeys([found.name, *sorted(found.names), *versions])),
        locations=paper.open_access.locations if paper else (),
        failed=list(found.failed),
    )


def copies_of_stored(paper: StoredPaper, *others: StoredPaper, failed: Sequence[str] = ()) -> PaperCopies:
    """The copies of a paper of a result set, with those that `others`, the same paper of other answers, have."""
    names, locations = [paper["key"]], []
    for it in (paper, *others):
        names += id_texts(Identifiers(**it["external_ids"]))
        names += [f"arxiv:{version['arxiv']}" for version in it["versions"] if version.get("arxiv")]
        locations += [Location(**location) for location in it["open_access"].get("locations", ())]
    return PaperCopies(
        name=paper["key"],
        key=paper["key"],
        title=paper["title"],
        names=list(dict.fromkeys(names)),
        locations=locations,
        failed=failed,
    )


def candidates(copies: PaperCopies, sources: Mapping[str, Sequence[str]]) -> Iterator[Candidate]:
    """The sources in their order; `sources` maps each to the schemes of names that it accepts."""
    own = scheme_of(copies.name)
    for scheme in sorted(SCHEMES, key=lambda it: (it != own, SCHEMES.index(it))):
        for provider, accepted in sorted(sources.items()):
            if scheme in accepted:
                yield from (Candidate(provider, name) for name in copies.names if scheme_of(name) == scheme)


def licence_of(text: FullText, name: str, locations: Sequence[Location]) -> str | None:
    """The licence that the document states, or else that a source states for the copy with this name."""
    stated = (it for it in locations if value_of(name).lower() in it.url.lower())
    return text.license or next((licence for it in stated if (licence := read_licence(it.license))), None)
