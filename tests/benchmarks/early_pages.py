"""What an early response would have shown, and how long people would have waited, by the rule that sends it.

`python -m tests.benchmarks.early_pages`, some ten minutes: arrivals of a simulated day (arrival_times.py), each with
the questions of the sandbox's corpus (late_legs.py); the figures are of the half on which no rule was fitted.

changed   the first ten papers differ, as a set or in their order, from those of the complete result set
bound     is sent when the tenth paper leads the eleventh by as much as the missing legs' votes can add (`votes`), or by
          a lead fitted on the other half (`fitted`)
oracle    is sent when the set is that of the complete page, which only an oracle knows
ids       as if PubMed's leg handed over its ids when its first request is answered, and its records later: not built
cached    with the share of answers from stored result sets that a day of repeated questions has (zipf.py)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from shared.legs.leg import Leg
from shared.providers.provider import ProviderReply
from shared.search.disciplines import unrelated
from shared.search.ranked_set import merged_of
from shared.search.ranking.formula import rank
from shared.search.requests.search_request import SearchRequest
from tests.benchmarks.arrival_times import TWO_STEPS, Arrivals, arrivals
from tests.benchmarks.late_legs import FIRST_PAGE, INTEGRITY, PROVIDERS, Question, questions
from tests.simulations.scheduled_arrivals import Load
from tests.simulations.scheduled_load import DISCIPLINES, quantile

Names = frozenset[str]
MIRRORS = {"pubmed": "europe_pmc", "europe_pmc": "pubmed"}  # the same family of indexes
SEARCHES = 250  # of the day, from the fastest to the slowest, each with every question
MOST_CHANGED = 0.03
LEADS = tuple(n / 8 for n in range(33))
CACHED = 0.83  # of the searches of a day of repeated questions (tests/benchmarks/zipf.py)


@dataclass(frozen=True, slots=True)
class Shown:
    """A first page: its keys, and the lead of its last paper over the next one.

    `votes`: the most that votes can add to a paper outside it, what the most voted paper leads the least voted one.
    """

    keys: Sequence[str]
    lead: float
    votes: float

    def changed(self, whole: Shown) -> tuple[bool, bool]:
        """Whether the set, and the order, is another than that of the complete page."""
        return set(self.keys) != set(whole.keys), self.keys != whole.keys


@dataclass
class Pages:
    """The first pages of one question, by the legs that are missing; `ids`: with PubMed's ids, without its records."""

    question: Question
    others: Names
    unknown_from: float  # the first place of a paper in PubMed's list that no other provider has found
    _shown: dict[tuple[Names, bool], Shown] = field(default_factory=dict)

    def of(self, missing: Names, *, ids: bool = False) -> Shown:
        """The page without these legs."""
        key = missing, ids and TWO_STEPS in missing
        if key not in self._shown:
            replies = dict(self.question.replies)
            if key[1]:
                replies[TWO_STEPS], missing = with_ids_alone(replies), missing - {TWO_STEPS}
            self._shown[key] = shown(self.question.text, {n: replies[n] for n in PROVIDERS if n not in missing})
        return self._shown[key]


def with_ids_alone(replies: Mapping[str, ProviderReply]) -> ProviderReply:
    """PubMed's reply as places of papers whose records other providers have sent."""
    known = {paper.ids.pmid: paper for name in PROVIDERS if name != TWO_STEPS for paper in replies[name].papers}
    papers = (
        replace(known[it.ids.pmid], provider=it.provider, rank=it.rank, relaxed=it.relaxed)
        for it in replies[TWO_STEPS].papers
        if it.ids.pmid and it.ids.pmid in known
    )
    return replace(replies[TWO_STEPS], papers=tuple(papers))


def shown(text: str, replies: Mapping[str, ProviderReply]) -> Shown:
    """The first page of these replies."""
    request = SearchRequest.model_validate({"query": text})
    legs = [Leg(name, request.leg_query(text)) for name in replies]
    merged, _ = merged_of(legs, list(replies.values()), INTEGRITY)
    ranked = rank(merged, request.wordings, {it.provider: it.family for it in replies.values()})
    sums = [math.fsum(it.score_parts.values()) for it in ranked]
    votes = [it.score_parts["votes"] for it in ranked]
    return Shown(
        keys=[it.paper.key for it in ranked[:FIRST_PAGE]],
        lead=sums[FIRST_PAGE - 1] - sums[FIRST_PAGE] if len(sums) > FIRST_PAGE else 0.0,
        votes=max(votes, default=0.0) - min(votes, default=0.0),
    )


Rule = Callable[[Pages, Arrivals, float], bool]  # whether an answer is sent at this moment


def waits_for(may_be_pending: Callable[[Pages, Arrivals, float], Names]) -> Rule:
    """A rule by which only such legs may be pending."""
    return lambda pages, of, at: of.missing(at) <= may_be_pending(pages, of, at)


def others_or_mirrored(pages: Pages, of: Arrivals, at: float) -> Names:
    """Legs of another discipline, and those whose family of indexes has answered."""
    missing = of.missing(at) | of.failed
    return pages.others | {name for name, mirror in MIRRORS.items() if mirror not in missing}


def stays(pages: Pages, of: Arrivals, at: float, *, ids: bool = False) -> bool:
    """What an oracle knows."""
    missing = of.missing(at)
    return not pages.of(missing | of.failed, ids=ids).changed(pages.of(of.failed))[0]


def lead_of(least: Callable[[Shown], float]) -> Rule:
    """A rule by which a page is sent when it has so large a lead."""

    def sends(pages: Pages, of: Arrivals, at: float) -> bool:
        page = pages.of(of.missing(at) | of.failed)
        return page.lead >= least(page)

    return sends


def ids_known(pages: Pages, of: Arrivals, at: float, *, first: int = 1_000) -> bool:
    """PubMed's ids are there, and others have the records of the first ones; besides, only arXiv's leg is missing."""
    known = of.ids_s <= at and pages.unknown_from > first
    return of.missing(at) <= {"arxiv", *((TWO_STEPS,) if known else ())}


def first_ids_known(pages: Pages, of: Arrivals, at: float) -> bool:
    """The same for the first ten."""
    return ids_known(pages, of, at, first=FIRST_PAGE)


@dataclass(frozen=True, slots=True)
class Row:
    """A rule, and from when on it is tried, in seconds: then, and whenever a leg arrives."""

    name: str
    sends: Rule
    from_s: float = 3.0
    ids: bool = False

    def sent_at(self, pages: Pages, of: Arrivals) -> float | None:
        """When the answer is sent before its last leg."""
        later = sorted(it for it in of.seconds.values() if it > self.from_s)
        return next((at for at in [self.from_s, *later][: len(later)] if self.sends(pages, of, at)), None)


def rows(fitted: float) -> Sequence[Row]:
    """All rules; `fitted` is a lead."""
    return (
        Row("wait for all", lambda *_: False),
        Row("any leg", lambda *_: True),
        Row("arXiv's alone, 2 s", waits_for(lambda *_: frozenset({"arxiv"})), 2.0),
        Row("arXiv's alone", waits_for(lambda *_: frozenset({"arxiv"}))),
        Row("of other disciplines, 2 s", waits_for(lambda pages, *_: pages.others), 2.0),
        Row("of other disciplines", waits_for(lambda pages, *_: pages.others)),
        Row("of other disciplines or mirrored", waits_for(others_or_mirrored)),
        Row("of other disciplines, mirrored or arXiv's", waits_for(lambda *it: others_or_mirrored(*it) | {"arxiv"})),
        Row("bound: votes", lead_of(lambda page: page.votes)),
        Row("bound: fitted", lead_of(lambda _: fitted)),
        Row("oracle", stays),
        Row("ids: all known, or arXiv's", ids_known, ids=True),
        Row("ids: the first ten known, or arXiv's", first_ids_known, ids=True),
        Row("ids: any leg", lambda *_: True, ids=True),
        Row("ids: oracle", lambda pages, of, at: stays(pages, of, at, ids=True), ids=True),
    )


@dataclass
class Figures:
    """Of one row: the waits of people, in seconds, and how many first pages changed."""

    waits: list[float] = field(default_factory=list)
    early: int = 0
    sets: int = 0
    orders: int = 0

    def add(self, row: Row, pages: Pages, of: Arrivals) -> None:
        """One search for one question."""
        last = max(of.seconds.values(), default=0.0)
        at = row.sent_at(pages, of)
        self.waits.append(last if at is None else at)
        if at is not None:
            page = pages.of(of.missing(at) | of.failed, ids=row.ids and of.ids_s <= at)
            changed_set, changed_order = page.changed(pages.of(of.failed))
            self.early, self.sets, self.orders = self.early + 1, self.sets + changed_set, self.orders + changed_order


def measured(row: Row, of: Iterable[Pages], day: Sequence[Arrivals]) -> Figures:
    """Every question at every search."""
    figures = Figures()
    for pages in of:
        for it in day:
            figures.add(row, pages, it)
    return figures


def fit(of: Sequence[Pages], day: Sequence[Arrivals]) -> float:
    """The smallest lead with which at most 3 % of the pages change; infinite if there is none."""
    for lead in LEADS:
        found = measured(Row("", lead_of(partial(_constant, lead))), of, day)
        if found.sets <= MOST_CHANGED * len(found.waits):
            return lead
    return math.inf


def _constant(lead: float, _: Shown) -> float:
    return lead


def pages_of(question: Question) -> Pages:
    """Of a question whose providers have all answered."""
    replies = question.replies
    known = {it.ids.pmid for name in PROVIDERS if name != TWO_STEPS for it in replies[name].papers}
    unknown = min((it.rank for it in replies[TWO_STEPS].papers if it.ids.pmid not in known), default=math.inf)
    return Pages(question, unrelated([question.text], DISCIPLINES), unknown)


def line(name: str, it: Figures) -> str:
    """A line of the table; p95 also with the cached answers of a day of repeated questions."""
    number = len(it.waits)
    uncached = 1 - CACHED
    p95_of_all = quantile(it.waits, 1 - 0.05 / uncached)
    return (
        f"| {name} | {it.early / number:.0%} | {quantile(it.waits, 0.5):.1f} | {quantile(it.waits, 0.95):.1f} "
        f"| {it.sets / number:.1%} | {it.orders / number:.1%} "
        f"| {p95_of_all:.1f} | {uncached * it.sets / number:.1%} | {uncached * it.orders / number:.1%} |"
    )


def report(pages: Sequence[Pages], day: Sequence[Arrivals]) -> None:
    """The table: rules fitted on every second question, figures of the others."""
    chosen = sorted(day, key=lambda it: max(it.seconds.values()))[:: max(len(day) // SEARCHES, 1)]
    lead = fit(pages[::2], chosen)
    print(
        f"{len(pages)} questions, half of them reported; {len(day)} searches, {len(chosen)} of them taken; lead {lead}"
    )
    print("| sent | early | p50 s | p95 s | set changed | order changed | p95 s, cached | set | order |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    for row in rows(lead):
        print(line(row.name, measured(row, pages[1::2], chosen)), flush=True)


if __name__ == "__main__":
    report([pages_of(it) for it in questions()], arrivals(Load(saved=0, credits=None)))
