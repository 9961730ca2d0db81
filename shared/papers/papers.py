"""Papers by id, as callers get them: every id asked has its answer, and nothing that failed looks like "not found".

found        `paper`, from the graph where that knows enough and is fresh, else from the providers
not_found    `answered_by` names who does not hold it
unanswered   nobody who might know it answered
not_asked    `reason`: no id, or none that anybody can be asked for
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from shared.answers.envelope import envelope, in_order
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Retraction
from shared.bibliography.paper_ids import EXAMPLES, read_id, scheme_of
from shared.clock import Deadline
from shared.errors import AllProvidersFailed, NotFound
from shared.legs.leg import FRESH_S
from shared.legs.reports import cache_state, complete, reports_of, someone_answered
from shared.papers.dependencies import PapersWorld
from shared.papers.lookup import LookedUp, Sought, look_up
from shared.papers.request import MAX_IDS, PapersRequest
from shared.search.page import unranked
from shared.search.publishing import publish_results
from shared.search.request import Sized
from shared.search.sizes import COMPACT_FIELDS, RESULT_FIELDS, sized, within_budget
from shared.validation import validated

# What the graph keeps of a paper; what it does not have is nobody's to tell without asking.
GRAPH_FIELDS = frozenset({
    "key", "title", "authors", "author_count", "year", "publication_date", "journal", "type", "doi", "pmid", "paper_id",
    "external_ids", "citation_count", "citation_uri", "retraction", "provider_scores", "best_provider", "best_score",
    "score", "score_parts",
})  # fmt: skip
# What a debate's citations may wait for papers that the graph does not know.
NAMED_MS = 8_000
STATUSES = ("found", "not_found", "unanswered", "not_asked")
FIELDS = (
    "papers", *STATUSES, "search_time_ms", "complete", "providers", "cache", "kg", "hints", "truncated", "request_id",
    "content_trust",
)  # fmt: skip
_NO_ID = f"this is no id of a paper; write {EXAMPLES}"
_TITLE_ONLY = "a paper without any id cannot be looked up: search for its title"
Entry = dict[str, Any]


def get_papers(request: PapersRequest, world: PapersWorld, *, whole: bool = False) -> dict[str, Any]:
    """One answer an id, in the order asked; `whole` papers are as in a result set, whatever size was asked for.

    Raises AllProvidersFailed when nobody answered and nothing is known.
    """
    deadline = Deadline(world.monotonic, request.timeout_ms)
    names = [read_id(text) for text in request.ids]
    wanted = [name for name in dict.fromkeys(names) if name and scheme_of(name) != "title"]
    known = {} if request.fresh else from_graph(wanted, request, world)
    looked = look_up([name for name in wanted if name not in known], world, deadline, fresh=request.fresh)
    if not known and looked.answers:
        someone_answered([answer.reply for answer in looked.answers])
    sought = {it.name: it for it in looked.sought}
    entries = [_entry(text, name, known, sought) for text, name in zip(request.ids, names, strict=True)]
    kg = _published(entries, request, world)
    truncated, report = None if whole else fit(entries, request), report_on(looked)
    statuses = [entry["status"] for entry in entries]
    own = {"papers": entries, **{status: statuses.count(status) for status in STATUSES}, "truncated": truncated}
    shared = envelope(report, kg=kg, search_time_ms=deadline.elapsed_ms(), request_id=world.request_id)
    return in_order(FIELDS, own, shared)


def get_paper(request: PapersRequest, world: PapersWorld) -> dict[str, Any]:
    """The paper of one id. Raises NotFound, naming who does not hold it, or AllProvidersFailed."""
    answer = get_papers(request, world)
    (entry,) = answer.pop("papers")
    if entry["status"] == "found":
        return {**entry, **{name: value for name, value in answer.items() if name not in STATUSES}}
    raise not_found(entry)


def named_papers(names: Sequence[str], world: PapersWorld) -> dict[str, Entry]:
    """Of the papers that a text names and the graph does not know, those that providers hold; the graph is told.

    `{name: {key, title}}`; a help, so that it takes no more than NAMED_MS, and is empty when nobody answers.
    """
    if not names:
        return {}
    asked = validated(PapersRequest, {"ids": list(names[:MAX_IDS]), "fields": ["key", "title"], "timeout_ms": NAMED_MS})
    try:
        entries = get_papers(asked, world)["papers"]
    except AllProvidersFailed:
        return {}
    return {entry["name"]: entry["paper"] for entry in entries if entry["paper"]}


def not_found(entry: Entry) -> NotFound:
    """That nobody who answered holds it; to be asked again when somebody did not answer."""
    if entry["status"] == "not_asked":
        return NotFound(f"{entry['id'][:100]!r}: {entry['reason']}", hint="POST /v1/literature-search takes titles.")
    told = f"{entry['name']} is not held by {', '.join(entry['answered_by'])}"
    if entry["unanswered"]:
        told += "; no answer from " + ", ".join(f"{name} ({how})" for name, how in entry["unanswered"].items())
    error = NotFound(told, hint="Check the id, or resolve the reference by its title: POST /v1/resolve.")
    error.retryable = bool(entry["unanswered"])
    return error


def report_on(looked: LookedUp) -> dict[str, Any]:
    """What the legs say of an answer."""
    reports = reports_of([answer.reply for answer in looked.answers])
    many = [
        {
            "reason": "too_many_ids",
            "message": f"{name} takes fewer ids at once and was not asked: ask in smaller parts.",
        }
        for name in looked.left_out
    ]
    return {
        "complete": complete(reports, ()),
        "providers": reports,
        "cache": cache_state(looked.answers),
        "hints": many,
    }


def from_graph(names: Sequence[str], request: Sized, world: PapersWorld) -> dict[str, dict[str, Any]]:
    """The papers that the graph knows well enough for what is asked of them, seen within a day."""
    if not names or not _wanted_fields(request) <= GRAPH_FIELDS:
        return {}
    now = datetime.fromisoformat(world.now())
    return {
        name: graph_result(state)
        for name, state in world.known(names).items()
        if state and _enough(state["paper"], request) and _age_s(state, now) < FRESH_S
    }


def _wanted_fields(request: Sized) -> frozenset[str]:
    compact = request.detail == "compact" and not request.fields
    wanted = request.fields or (COMPACT_FIELDS if compact else RESULT_FIELDS)
    unseen = not request.include_abstract or (compact and request.abstract_chars is None)
    return frozenset(wanted) - ({"abstract"} if unseen else set())


def _enough(paper: Mapping[str, Any], request: Sized) -> bool:
    """Whether it keeps what tells a paper, all authors where all are wanted, and the notice of what is said of it."""
    retraction = paper["retraction"]
    all_authors = request.detail == "full" and "authors" in _wanted_fields(request)
    cut = all_authors and len(paper["authors"]) != paper["author_count"]
    stands = retraction["status"] == "none" or (retraction["status"] != "unknown" and retraction["notice_doi"])
    return bool(all(paper[name] for name in ("title", "authors", "year")) and stands and not cut)


def _age_s(state: Mapping[str, Any], now: datetime) -> float:
    return (now - datetime.fromisoformat(state["seen_at"])).total_seconds()


def graph_result(state: Mapping[str, Any]) -> dict[str, Any]:
    """What the graph keeps of a paper in the form of a result; the rest is null."""
    paper = state["paper"]
    ids = {**asdict(Identifiers()), **paper["external_ids"]}
    standing = {**asdict(Retraction()), **paper["retraction"]}
    told = {**paper, **{name: ids[name] for name in ("doi", "pmid", "paper_id")}, "key": state["key"]}
    scores: Mapping[str, Any] = {"provider_scores": {}, "score_parts": {}}
    return {**dict.fromkeys(RESULT_FIELDS), **scores, **told, "external_ids": ids, "retraction": standing}


def _entry(text: str, name: str | None, known: Mapping[str, dict[str, Any]], sought: Mapping[str, Sought]) -> Entry:
    entry: Entry = {
        "id": text, "name": name, "status": "not_asked", "paper": None, "source": None, "answered_by": [],
        "unanswered": {}, "reason": None,
    }  # fmt: skip
    if held := known.get(name or ""):
        return {**entry, "status": "found", "paper": held, "source": "graph"}
    it = sought.get(name or "")
    if it is None:
        return {**entry, "reason": _TITLE_ONLY if name else _NO_ID}
    entry |= {"answered_by": it.answered_by, "unanswered": it.failed}
    if it.paper:
        return {**entry, "status": "found", "paper": unranked(it.paper), "source": "providers"}
    if it.answered_by or it.failed:
        return {**entry, "status": "not_found" if it.is_denied else "unanswered"}
    return {**entry, "reason": "no provider can be asked for this kind of id"}


def _published(entries: Iterable[Entry], request: PapersRequest, world: PapersWorld) -> dict[str, int]:
    """Papers that the providers told of go to the graph, each once."""
    found = {entry["paper"]["key"]: entry["paper"] for entry in entries if entry["source"] == "providers"}
    return publish_results(list(found.values()), request, world.publish)


def fit(entries: Sequence[Entry], request: Sized) -> dict[str, Any] | None:
    """The entries' papers in the size asked for; those beyond the budget are null, which is told."""
    whole = [entry for entry in entries if entry["paper"]]
    shown, truncated = within_budget([sized(entry["paper"], request) for entry in whole], request.max_tokens)
    for number, entry in enumerate(whole):
        entry["paper"] = shown[number] if number < len(shown) else None
    left = len(whole) - len(shown)
    reason = f"max_tokens={request.max_tokens}: {left} papers are null; ask for their ids alone"
    return truncated and {"results": left, "reason": reason}
