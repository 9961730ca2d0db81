"""One run of a watch: a saved search that follows the papers that a context cites.

    cited papers -> look up in every source, in batches -> compare with the stored states -> events -> next batch

A paper and its events are stored together, before the position advances: if a run dies, its events are not repeated,
and the next run continues. What a context cites later is looked up by the next run.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from shared.bibliography.paper import MergedPaper
from shared.bibliography.paper_ids import read_id, scheme_of
from shared.clock import Deadline
from shared.errors import NotFound
from shared.legs.reports import reports_of
from shared.papers.dependencies import PaperDependencies
from shared.papers.lookup import look_up
from shared.papers.paper_request import PaperRequest
from shared.providers.provider import ProviderReply
from shared.saved_searches.events import new_events, preprint_key_of
from shared.saved_searches.new_events import NewEvent
from shared.saved_searches.run import PaperNews
from shared.saved_searches.seen import ReportedPaper, SeenSet, with_same_state
from shared.saved_searches.watched import LookedUpPaper, new_states, watched_paper
from shared.search.results import unranked
from shared.search.sizes.report_sizes import light_report

if TYPE_CHECKING:
    from shared.answers.graph import ContextMention
    from shared.answers.saved_search_runs import StateCounts, WatchRun
    from shared.graph.pages import GraphPage

# The papers of a context that are watched: those cited first; and the pages of its mentions that are read to find them.
MAX_PAPERS, MAX_PAGES = 1_000, 100
BATCH = 100  # as many names as sources take in one lookup
# A batch is looked up within BATCH_S, and not started with less than MIN_BATCH_S left, plus the longest processing.
BATCH_S, MIN_BATCH_S = 16.0, 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """The part of a stored watch that a run reads."""

    first_run: bool
    position: str | None  # the last id that an unfinished run has looked up


class WatchStore(Protocol):
    """The storage of a run that holds its watch's lease. Raises LeaseLost when it no longer does."""

    def write_news(self, news: Sequence[PaperNews]) -> None:
        """Store papers with their events; each paper completely, or not at all."""

    def save_position(self, position: str | None) -> None:
        """Store the progress of the run; None when every paper has been looked up."""


# A page of the context's mentions, oldest first, by its cursor. Raises NotFound if the owner may not read the context.
ReadContext = Callable[[str | None], "GraphPage[ContextMention]"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchDependencies:
    """The adapters and the clock of a run."""

    papers: PaperDependencies
    read_context: ReadContext
    run_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """The papers that a context cites: their ids, and how many papers are not watched."""

    names: Sequence[str] = ()  # in alphabetical order
    left_out: int = 0  # cited after the first MAX_PAPERS, or known by title only
    all_read: bool = True  # False: the context has more mentions than are read, or may not be read


@dataclass(slots=True)
class _Progress:
    """What a run has done so far."""

    looked_up: int = 0
    not_found: int = 0
    unanswered: int = 0
    events: Counter[str] = field(default_factory=Counter)
    replies: list[ProviderReply] = field(default_factory=list)
    longest_processing_s: float = 0.0  # of one batch, after its sources had answered


def cited_papers(read_context: ReadContext) -> Cited:
    """Read the ids of the papers that a context cites. Papers that it was only shown are not cited."""
    found: dict[str, None] = {}
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        try:
            page = read_context(cursor)
        except NotFound:
            return Cited(all_read=False)
        found |= dict.fromkeys(mention["key"] for mention in page.items if mention["relation"] == "cited_in")
        cursor = page.cursor
        if cursor is None:
            break
    names = list(dict.fromkeys(name for key in found if (name := read_id(key)) and scheme_of(name) != "title"))
    watched = names[:MAX_PAPERS]
    return Cited(names=sorted(watched), left_out=len(found) - len(watched), all_read=cursor is None)


def run_watch(
    watch: Watch,
    known: Sequence[ReportedPaper],
    store: WatchStore,
    dependencies: WatchDependencies,
    *,
    until: float,
) -> WatchRun:
    """Look for new states until `until` (monotonic seconds) and return the report.

    Raises LeaseLost and storage errors, also when the context cannot be read.
    """
    papers = dependencies.papers
    started, cited = papers.now(), cited_papers(dependencies.read_context)
    # Where nothing waits behind a position, its run has ended: the context has changed since, and cites less or others.
    waiting = [name for name in cited.names if name > (watch.position or "")] or list(cited.names)
    run = _Run(known, store, dependencies)
    while waiting and until - papers.monotonic() > MIN_BATCH_S + run.progress.longest_processing_s:
        batch, waiting = waiting[:BATCH], waiting[BATCH:]
        run.look_up(batch, min(until, papers.monotonic() + BATCH_S))
        store.save_position(batch[-1] if waiting else None)
    return _report(watch, cited, run.progress, len(waiting), dependencies, started)


class _Run:
    """The state of a run in progress."""

    def __init__(self, known: Sequence[ReportedPaper], store: WatchStore, dependencies: WatchDependencies) -> None:
        self._store, self._dependencies = store, dependencies
        self._known, self._seen = {it.number: it for it in known}, SeenSet(known)
        self.progress = _Progress()

    def look_up(self, names: Sequence[str], until: float) -> None:
        """Query every source for these papers and store the news."""
        papers, progress = self._dependencies.papers, self.progress
        deadline = Deadline(papers.monotonic, round(1000 * (until - papers.monotonic())))
        result = look_up(names, papers, deadline, fresh=True)
        answered = papers.monotonic()
        self._write(self._news(_found_papers(result.requests)))
        progress.replies += [answer.reply for answer in result.answers]
        progress.looked_up += len(names)
        unanswered = [it for it in result.requests if _is_unanswered(it, papers.tracking)]
        progress.unanswered += len(unanswered)
        progress.not_found += sum(it.paper is None and it not in unanswered for it in result.requests)
        progress.longest_processing_s = max(progress.longest_processing_s, papers.monotonic() - answered)

    def _news(self, found: Sequence[LookedUpPaper]) -> list[PaperNews]:
        news: dict[int, PaperNews] = {}  # by number: two papers that are found apart may be one stored paper
        for looked_up, before in zip(found, self._seen.matches([looked_up.paper for looked_up in found]), strict=True):
            before = [self._known[it.number] for it in before]
            number = before[0].number if before else 1 + max(self._known, default=0)
            events = tuple(self._events(looked_up, before))
            for known in with_same_state(watched_paper(looked_up, number, before), before):
                own = events if known.number == number else ()
                if known in before and not own:
                    continue
                self._known[known.number] = known
                self._seen.update([known])
                earlier = news.get(known.number, PaperNews(known))
                full = (unranked(looked_up.paper),) if own else ()
                news[known.number] = PaperNews(known, earlier.events + own, earlier.full + full)
        return list(news.values())

    def _events(self, looked_up: LookedUpPaper, before: Sequence[ReportedPaper]) -> list[NewEvent]:
        at, run_id = self._dependencies.papers.now(), self._dependencies.run_id
        preprint_key = preprint_key_of(before) or looked_up.names[0]
        return [
            {**event, "at_start": state.at_start}
            for state in new_states(looked_up, before)
            for event in new_events([state.type], unranked(looked_up.paper), preprint_key, at=at, run_id=run_id)
        ]

    def _write(self, news: Sequence[PaperNews]) -> None:
        """Write to the graph first, which accepts repeated papers, then to the feed, which must not repeat events."""
        if full := [result for it in news for result in it.full]:
            self._dependencies.papers.publish(full, None)
        self._store.write_news([replace(it, full=()) for it in news])
        self.progress.events.update(event["type"] for it in news for event in it.events)


def _found_papers(requests: Sequence[PaperRequest]) -> list[LookedUpPaper]:
    """The papers that were found, each once, with all ids by which the context cites it."""
    found: defaultdict[str, list[PaperRequest]] = defaultdict(list)
    papers: dict[str, MergedPaper] = {}
    for request in requests:
        if request.paper:
            papers.setdefault(request.paper.key, request.paper)
            found[request.paper.key].append(request)
    return [
        LookedUpPaper(
            paper=papers[key],
            names=[it.name for it in same],
            answered_by=frozenset().union(*(it.answered_by for it in same)),
        )
        for key, same in found.items()
    ]


def _is_unanswered(request: PaperRequest, tracking: Collection[str]) -> bool:
    """Whether a source that tracks retractions did not answer for the paper, or none that may have it."""
    silent = [request.outcomes.get(name) for name in request.may_know if name in tracking]  # None: not queried
    failed = any(outcome is None or outcome.unanswered for outcome in silent)
    return failed or (request.paper is None and not request.not_found)


def _report(
    watch: Watch, cited: Cited, progress: _Progress, left: int, dependencies: WatchDependencies, started_at: str
) -> WatchRun:
    reports = {name: light_report(it) for name, it in sorted(reports_of(progress.replies).items())}
    events: StateCounts = {
        "retracted": progress.events["retracted"],
        "corrected": progress.events["corrected"],
        "expression_of_concern": progress.events["expression_of_concern"],
        "now_published": progress.events["now_published"],
    }
    return {
        "run_id": dependencies.run_id,
        "started_at": started_at,
        "ended_at": dependencies.papers.now(),
        "first_run": watch.first_run,
        "complete": cited.all_read and not (left or progress.unanswered or cited.left_out),
        "events": events,
        "providers": reports,
        "papers": {
            "cited": len(cited.names) + cited.left_out,
            "looked_up": progress.looked_up,
            "not_found": progress.not_found,
            "unanswered": progress.unanswered,
            "left": left,
            "left_out": cited.left_out,
        },
    }
