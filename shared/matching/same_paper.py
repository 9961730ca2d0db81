"""Whether two records are one paper: a predicate of named rules, read from top to bottom.

Identifiers come first, vetoes second, resemblance last. Missing is never different. What a veto keeps apart, or what
resembles without proof, is DOUBTFUL when the titles are near: such pairs are linked, not merged, because a false merge
loses a paper and a miss only shows a line twice.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from shared.matching.evidence import Evidence
from shared.matching.features import Features
from shared.matching.rules import (
    GROUP_VETOES,
    IDENTITIES,
    LIKE_VETOES,
    RESEMBLANCES,
    VETOES,
    all_differs,
    two_pmids,
)
from shared.matching.title_likeness import Likeness


class Decision(Enum):
    """What a comparison comes to."""

    SAME = "same"
    DISPUTED = "disputed"  # one id, stated for two papers
    DOUBTFUL = "doubtful"
    DIFFERENT = "different"


class Verdict(NamedTuple):
    """A decision, the rule that made it, and how strong its grounds are (only to order the joins of a group)."""

    decision: Decision
    reason: str
    strength: int = 0  # above BY_ID: an identifier joins them

    def __bool__(self) -> bool:
        """True when the two are one paper."""
        return self.decision is Decision.SAME


_UNLIKE = Verdict(Decision.DIFFERENT, "unlike titles")


def compare(a: Features, b: Features) -> Verdict:
    """Compare two records; true when they are versions or records of one paper."""
    evidence = Evidence(a, b)
    if not a.ids.isdisjoint(b.ids):
        for strength, rule in IDENTITIES:
            reason = rule(evidence)
            if reason:
                return Verdict(Decision.SAME, reason, strength)
        if (differs := all_differs(evidence)) and not a.identity.isdisjoint(b.identity):
            return Verdict(Decision.DISPUTED, f"same id, but {differs}")
    if evidence.title is Likeness.UNLIKE and not evidence.translated:
        return _UNLIKE
    alike = a.names[:1] == b.names[:1] and not _may_contradict(a, b)  # as most pairs of one paper's records
    for veto in LIKE_VETOES if alike else VETOES:
        reason = veto(evidence)
        if reason:
            return _doubtful_or_different(evidence, reason)
    for strength, rule in RESEMBLANCES:
        reason = rule(evidence)
        if reason:
            return Verdict(Decision.SAME, reason, strength)
    return _doubtful_or_different(evidence, "like titles, but too little to tell")


def contradict(a: Features, b: Features, *, joined_by_id: bool) -> bool:
    """Whether two records must not meet in one group, whatever joins each of them to a third.

    Ids may bring together what resemblance must not: a preprint and its article in one answer, each with its PMID.
    """
    if not _may_contradict(a, b):
        return False
    e = Evidence(a, b)
    if joined_by_id:
        return bool((two_pmids(e) and not e.other_version) or all_differs(e))
    if any(rule(e) for _, rule in IDENTITIES):
        return False
    return any(veto(e) for veto in GROUP_VETOES)


def _may_contradict(a: Features, b: Features) -> bool:
    """Whether any rule could find a contradiction, by quick tests; records of a group mostly agree in all this."""
    x, y = a.titles[0], b.titles[0]
    pmid, other_pmid = a.paper.ids.pmid, b.paper.ids.pmid
    return bool(
        a.answer == b.answer
        or (pmid and other_pmid and pmid != other_pmid)
        or (a.kind and b.kind and a.kind != b.kind)
        or len(a.titles) + len(b.titles) > 2
        or x.generic
        or y.generic
        or x.kinds != y.kinds
        or x.numbers != y.numbers
        or (x.compact != y.compact and a.names[:1] != b.names[:1])
    )


def _doubtful_or_different(e: Evidence, reason: str) -> Verdict:
    """Near-duplicates are doubtful, all others different."""
    known = e.authors_agree or (e.authors is None and e.weight > 3)
    return Verdict(Decision.DOUBTFUL if known and e.title >= Likeness.CUT else Decision.DIFFERENT, reason)
