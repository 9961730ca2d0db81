"""Which sources may have the text of a paper, in which order they are queried, and whether the licence allows it.

The text of the requested id comes first, then PubMed Central's XML, arXiv's source, and a located copy, whose parts
are the least certain. A located copy is fetched only if a source states a licence for it that allows to show it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shared.bibliography.full_text import FullText
from shared.bibliography.licences import may_be_shown, read_licence
from shared.bibliography.paper import Location, MergedPaper
from shared.bibliography.paper_ids import scheme_of, value_of
from shared.papers.paper_request import PaperRequest

SCHEMES = ("pmcid", "arxiv", "url")
MAX_COPIES = 2  # located ones that are fetched
MAX_URL_CHARS = 550
_NO_DOCUMENTS = ("doi.org/", "europepmc.org/", "ncbi.nlm.nih.gov/", "arxiv.org/abs/")


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
    """The names of the paper and of its versions, the requested one first, and the addresses of open copies."""
    versions = [f"arxiv:{it.arxiv}" for it in found.paper.versions if it.arxiv] if found.paper else []
    copies = [f"url:{it.url}" for it in locations(found.paper) if _is_document(it)][:MAX_COPIES]
    return list(dict.fromkeys([found.name, *sorted(found.names), *versions, *copies]))


def locations(paper: MergedPaper | None) -> Sequence[Location]:
    """The copies of a paper."""
    return paper.open_access.locations if paper else ()


def _is_document(copy: Location) -> bool:
    return (
        may_be_shown(read_licence(copy.license))
        and len(copy.url) <= MAX_URL_CHARS
        and not any(host in copy.url for host in _NO_DOCUMENTS)
    )


def licence_of(text: FullText, name: str, paper: MergedPaper | None) -> str | None:
    """The licence that the document states, or else that a source states for the copy with this name."""
    stated = (it for it in locations(paper) if value_of(name).lower() in it.url.lower())
    return text.license or next((licence for it in stated if (licence := read_licence(it.license))), None)
