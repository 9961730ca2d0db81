"""Papers as references are compared with them, each read once however many tests use it."""

from __future__ import annotations

from collections.abc import Iterable

from shared.bibliography.paper import MergedPaper
from shared.query.question import Citation
from shared.references.judgement import Judgement
from shared.references.known_paper import KnownPaper
from shared.references.same_citation import Judge

_KNOWN: dict[int, KnownPaper] = {}  # by `id`; they hold their papers, so that no other gets the same one


def known(papers: Iterable[MergedPaper]) -> list[KnownPaper]:
    """The papers with what is read of them."""
    found = []
    for paper in papers:
        if id(paper) not in _KNOWN:
            _KNOWN[id(paper)] = KnownPaper(paper)
        found.append(_KNOWN[id(paper)])
    return found


def judge(citation: Citation, papers: Iterable[MergedPaper]) -> Judgement:
    """Which of these papers the citation means."""
    return Judge(citation).judge(known(papers))
