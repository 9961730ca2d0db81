"""Why a candidate is not the paper that a reference means, or not surely, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rapidfuzz import fuzz

from shared.bibliography.stop_words import STOP_WORDS
from shared.bibliography.words import words_of
from shared.query.question import Citation
from shared.references.citation_text import read_citation
from shared.references.judgement import Candidate

MIN_LIKENESS = 55  # of titles, in percent: below it a candidate is not near
MIN_FIELDS = 2  # that agree, for a candidate of another title to be near
MOST_WORDS = 3  # named of each title
TOO_SHORT = "too little to tell: give the title as well"


def nearest(citation: Citation, refused: Sequence[Candidate], most: int) -> tuple[Candidate, ...]:
    """Of the refused candidates that resemble the reference at most so many, the nearest first, with the reasons."""
    title = citation.title or read_citation(citation.text or "").title or citation.text or ""
    ours = " ".join(sorted(words_of(title)))
    ranked = []
    for one in refused:
        likeness = fuzz.ratio(ours, " ".join(sorted(words_of(one.paper.title))))
        if likeness >= MIN_LIKENESS or len(one.agrees) >= MIN_FIELDS:
            ranked.append((-likeness - 15 * len(one.agrees), one.paper.key, one))
    return tuple(_with_reason(one, title) for *_, one in sorted(ranked, key=lambda it: it[:2])[:most])


def unsure_because(candidate: Candidate) -> str:
    """Why a candidate with the title is not surely the paper."""
    if candidate.differs:
        return f"{_listed(candidate.differs)} {'differs' if len(candidate.differs) == 1 else 'differ'}"
    return "too few fields agree"


def title_difference(cited: str, recorded: str) -> str:
    """The words that only one of two titles has: `title has “parkinson” for “alzheimer”`."""
    ours, theirs = words_of(cited), words_of(recorded)
    if ours and theirs[: len(ours)] == ours and len(theirs) > len(ours) + MOST_WORDS:
        return "only the first words of its title"
    only_ours = [word for word in ours if word not in theirs and word not in STOP_WORDS]
    only_theirs = [word for word in theirs if word not in ours and word not in STOP_WORDS]
    if max(len(only_ours), len(only_theirs)) > MOST_WORDS:
        return "another title"
    if only_ours and only_theirs:
        return f"title has “{' '.join(only_ours)}” for “{' '.join(only_theirs)}”"
    if only_ours or only_theirs:
        return f"title {'adds' if only_ours else 'lacks'} “{' '.join(only_ours or only_theirs)}”"
    return "title words in another order"


def _with_reason(candidate: Candidate, title: str) -> Candidate:
    others = [name for name in candidate.differs if name != "title"]
    reason = title_difference(title, candidate.paper.title) if "title" not in candidate.agrees else ""
    also = f"{_listed(others)} {'differs' if len(others) == 1 else 'differ'}" if others else ""
    return replace(candidate, reason="; ".join(part for part in (reason, also) if part) or "too few fields agree")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]
