"""Which sources may have the text of a paper, in which order they are queried, and whether the licence allows it.

The text of the requested id comes first, then PubMed Central's XML, whose parts are the most certain, then arXiv's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shared.bibliography.full_text import FullText
from shared.bibliography.licences import read_licence
from shared.bibliography.paper import Location, MergedPaper
from shared.bibliography.paper_ids import scheme_of, value_of
from shared.papers.paper_request import PaperRequest

SCHEMES = ("pmcid", "arxiv")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A source that may have the text, and the name to query it by."""

    provider: str
    name: str


def candidates(found: PaperRequest, sources: Mapping[str, Sequence[str]]) -> Iterator[Candidate]:
    """The sources in their order; `sources` maps each to the schemes of names that it accepts."""
    names = _names(found)
    own = scheme_of(found.name)
    for scheme in sorted(SCHEMES, key=lambda it: (it != own, SCHEMES.index(it))):
        for provider, accepted in sorted(sources.items()):
            if scheme in accepted:
                yield from (Candidate(provider, name) for name in names if scheme_of(name) == scheme)


def _names(found: PaperRequest) -> list[str]:
    """The names of the paper and of its versions, the requested one first."""
    versions = [f"arxiv:{it.arxiv}" for it in found.paper.versions if it.arxiv] if found.paper else []
    return list(dict.fromkeys([found.name, *sorted(found.names), *versions]))


def locations(paper: MergedPaper | None) -> Sequence[Location]:
    """The copies of a paper."""
    return paper.open_access.locations if paper else ()


def licence_of(text: FullText, name: str, paper: MergedPaper | None) -> str | None:
    """The licence that the document states, or else that a source states for the copy with this name."""
    stated = (it for it in locations(paper) if value_of(name).lower() in it.url.lower())
    return text.license or next((licence for it in stated if (licence := read_licence(it.license))), None)
