"""The merged lists of similar papers, without what is no other paper, in the order of the sources' votes.

The seeds themselves are left out, with their versions and notices: records that merge with a seed's record, share an id
with it, are linked with it as a version, or have its title and an author of it, whatever the year (working papers come
out years before their articles), or its title with or without a subtitle and all of its authors; notices of retraction,
of concern and of correction, whosesoever they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import MergedPaper, Paper
from shared.bibliography.paper_ids import id_texts
from shared.bibliography.words import words_of
from shared.matching.title_features import read_title
from shared.papers.links.merging import LinkedItem
from shared.papers.paper_request import PaperRequest
from shared.search.ranking.rank_votes import joint_vote

if TYPE_CHECKING:
    from shared.answers.similar import LeftOut, Vote

WHOLE_TITLE_WORDS = 5  # of a title that may be another's without the subtitle
NOTICES = ("erratum", "retraction-notice")
NOTICE_KINDS = frozenset({"erratum", "retraction"})
_VOTE_UNIT = 10**9  # of an order, which is made of whole numbers


@dataclass(frozen=True, slots=True)
class SimilarList:
    """One list of similar papers: its voter, which several lists may share, and the measure of each rank."""

    voter: str
    scores: Sequence[float] = ()


@dataclass(slots=True)
class Seeds:
    """The names that belong to the seeds, and their titles with the family names of their authors."""

    names: set[str] = field(default_factory=set)
    titles: list[tuple[list[str], set[str]]] = field(default_factory=list)

    @classmethod
    def of(cls, seeds: Sequence[PaperRequest]) -> Self:
        """Those of these seeds, which were found."""
        own = cls()
        for seed in seeds:
            own._add(seed)
        return own

    def _add(self, seed: PaperRequest) -> None:
        self.names |= seed.names
        if paper := seed.paper:
            self.names |= _all_names(paper)
            notice = paper.retraction
            self.names |= set(id_texts(Identifiers(doi=notice.notice_doi, pmid=notice.notice_pmid)))
            self.titles += [(words, _families(it)) for it in paper.records if (words := words_of(it.title))]

    def is_own(self, item: LinkedItem) -> bool:
        """Whether the item is a seed or a version of one."""
        names = {item.key, *id_texts(item.ids)} | (_all_names(item.paper) if item.paper else set())
        return not self.names.isdisjoint(names) or bool(item.paper and any(map(self._is_version, item.paper.records)))

    def _is_version(self, record: Paper) -> bool:
        words, families = words_of(record.title), _families(record)
        return any(
            (words == title and families & own) or (_begins(words, title) and len(own) > 1 and families == own)
            for title, own in self.titles
        )

    def is_notice(self, paper: MergedPaper) -> bool:
        """Whether it is a notice by its type, or by a title that holds a seed's title after a notice's first words."""
        if paper.type in NOTICES:
            return True
        words = words_of(paper.title)
        return bool(NOTICE_KINDS & read_title(paper.title).kinds) and any(
            _holds(words, title) for title, _ in self.titles
        )


def _all_names(paper: MergedPaper) -> set[str]:
    """The names of all records and of the versions that they state."""
    versions = (Identifiers(doi=it.doi, pmid=it.pmid, arxiv=it.arxiv) for it in paper.versions)
    ids = [paper.ids, *versions, *(record.ids for record in paper.records)]
    return {paper.key}.union(*map(id_texts, ids))


def _families(record: Paper) -> set[str]:
    return {word for author in record.authors for word in words_of(author.family or "")}


def _begins(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether the shorter one, if it is long enough to be a title, begins the longer one."""
    least = min(len(one), len(other))
    return least >= WHOLE_TITLE_WORDS and list(one[:least]) == list(other[:least])


def _holds(words: Sequence[str], part: Sequence[str]) -> bool:
    return any(list(words[at : at + len(part)]) == list(part) for at in range(len(words) - len(part) + 1))


def place_of(item: LinkedItem, sources: Mapping[str, SimilarList]) -> float:
    """What the votes for an item are worth together, one for each voter."""
    best: dict[str, int] = {}
    for assertion in item.assertions:
        voter = sources[assertion.provider].voter
        best[voter] = min(assertion.position, best.get(voter, assertion.position))
    return joint_vote(best.values())


def order_of(item: LinkedItem, sources: Mapping[str, SimilarList]) -> tuple[tuple[int, ...], str, str]:
    """The sort key: the strongest votes first."""
    return (-round(place_of(item, sources) * _VOTE_UNIT),), item.key or "~", item.text or ""


def votes_of(item: LinkedItem, sources: Mapping[str, SimilarList]) -> dict[str, Vote]:
    """The best rank of the item in each source's list, with the source's own measure."""
    ranks: dict[str, int] = {}
    for assertion in item.assertions:
        ranks[assertion.provider] = min(assertion.position, ranks.get(assertion.provider, assertion.position))
    return {name: {"rank": rank, "score": _measure(sources[name], rank)} for name, rank in sorted(ranks.items())}


def _measure(source: SimilarList, rank: int) -> float | None:
    return source.scores[rank - 1] if 0 < rank <= len(source.scores) else None


def without_own(items: Sequence[LinkedItem], seeds: Seeds) -> tuple[list[LinkedItem], dict[LeftOut, int]]:
    """The other papers of which something is known, and how many items were left out for which reason."""
    kept: list[LinkedItem] = []
    left_out: dict[LeftOut, int] = {"seeds": 0, "notices": 0, "unknown": 0}
    for item in items:
        if seeds.is_own(item):
            left_out["seeds"] += 1
        elif item.paper is None:
            left_out["unknown"] += 1
        elif seeds.is_notice(item.paper):
            left_out["notices"] += 1
        else:
            kept.append(item)
    return kept, left_out
