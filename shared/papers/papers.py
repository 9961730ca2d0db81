"""Papers by id: one entry per requested id, where a failed provider is never mistaken for a missing paper.

found        `paper`, from the graph if that has all requested fields and is fresh, else from the providers
not_found    `answered_by` names the providers that answered without it
unanswered   no provider that might have it answered
not_asked    `reason`: not an id, or one that no provider accepts
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from shared.answers.content_trust import marks
from shared.bibliography.paper import RetractionStatus
from shared.bibliography.paper_ids import read_id, scheme_of, what_to_write
from shared.clock import Deadline
from shared.errors import NotFound, Unanswered
from shared.legs.hint_messages import is_refused, refused_messages
from shared.legs.reports import Reports, raise_if_all_failed
from shared.outcomes import Outcome
from shared.papers.dependencies import PaperDependencies
from shared.papers.fitting import fitted
from shared.papers.graph_papers import from_graph
from shared.papers.left_out import left_out_hints
from shared.papers.leg_summary import summary_of
from shared.papers.lookup import look_up
from shared.papers.paper_request import PaperRequest
from shared.papers.request import MAX_IDS, PapersRequest
from shared.search.publishing import publish_results
from shared.search.results import unranked
from shared.validation import validated

if TYPE_CHECKING:
    from shared.answers.papers import PaperAnswer, PaperEntry, PapersAnswer
    from shared.answers.search import Hint, LegReport, Paper, Queued, StoredPaper

# The longest time that recording the citations of a debate waits for papers that the graph does not have.
NAMED_MS = 8_000
NAMED_FIELDS = ("key", "title", "retraction")
# The fields to which providers that take fewer ids at once add something.
OPEN_ACCESS = {"open_access", "is_oa"}
PROVIDERS_FAILED = "providers_failed"
NO_PROVIDER_FOR_ID = "no provider can be asked for this kind of id"
_TITLE_ONLY = "a paper without any id cannot be looked up: search for its title"


@dataclass(frozen=True, slots=True)
class IdOutcome:
    """The outcome for one requested id."""

    id: str  # as it was sent
    name: str | None  # normalised; None when it is not a valid id
    status: Literal["found", "not_found", "unanswered", "not_asked"] = "not_asked"
    paper: StoredPaper | None = None
    source: Literal["graph", "providers"] | None = None
    answered_by: Sequence[str] = ()
    unanswered: Mapping[str, Outcome] = field(default_factory=dict)
    reason: str | None = None  # why no provider was queried

    def to_answer(self, paper: Paper | None) -> PaperEntry:
        """The entry of the answer, with the paper in the requested size."""
        return {
            "id": self.id,
            "name": self.name,
            "status": self.status,
            "paper": paper,
            "source": self.source,
            "answered_by": list(self.answered_by),
            "unanswered": dict(self.unanswered),
            "reason": self.reason,
        }


def get_papers(
    request: PapersRequest, dependencies: PaperDependencies, *, whole: bool = False, even_unanswered: bool = False
) -> PapersAnswer:
    """One entry per id, in the order of the request; with `whole`, papers are complete whatever size was requested.

    Raises AllProvidersFailed, or Overloaded, when no provider answered and the graph has none of the papers; not with
    `even_unanswered`: the entries say it then.
    """
    deadline = Deadline(dependencies.monotonic, request.timeout_ms)
    names = [read_id(text) for text in request.ids]
    wanted = [name for name in dict.fromkeys(names) if name and scheme_of(name) != "title"]
    known = {} if request.fresh else from_graph(wanted, request, dependencies)
    unknown = [name for name in wanted if name not in known]
    shows_copies = whole or not request.fields or not OPEN_ACCESS.isdisjoint(request.fields)
    found = look_up(unknown, dependencies, deadline, fresh=request.fresh, in_part=shows_copies)
    if not known and found.answers and not even_unanswered:
        raise_if_all_failed([answer.reply for answer in found.answers])
    requests = {it.name: it for it in found.requests}
    entries = [_entry(text, name, known, requests) for text, name in zip(request.ids, names, strict=True)]
    texts = {name: text for text, name in zip(request.ids, names, strict=True) if name}
    kg = _published(entries, request, dependencies)
    legs = summary_of(found.answers)
    statuses = [entry.status for entry in entries]
    answer: PapersAnswer = {
        "papers": [entry.to_answer(entry.paper) for entry in entries],
        "found": statuses.count("found"),
        "not_found": statuses.count("not_found"),
        "unanswered": statuses.count("unanswered"),
        "not_asked": statuses.count("not_asked"),
        "search_time_ms": deadline.elapsed_ms(),
        **legs,
        "kg": kg,
        "hints": left_out_hints(found.left_out, texts, dependencies.capabilities),
        "truncated": None,
        **marks(dependencies.request_id),
    }
    return answer if whole else fitted(answer, "papers", request)


def get_paper(request: PapersRequest, dependencies: PaperDependencies) -> PaperAnswer:
    """The paper of one id. Raises NotFound, Unanswered or AllProvidersFailed, which name the providers."""
    answer = get_papers(request, dependencies)
    (entry,) = answer["papers"]
    if entry["status"] != "found":
        reports = [report for name, report in answer["providers"].items() if name in entry["unanswered"]]
        waits = [report.get("retry_after_s") for report in reports]
        raise no_paper_error(
            entry["id"],
            entry["name"],
            entry["answered_by"],
            entry["unanswered"],
            is_certain=entry["status"] == "not_found",
            not_queried=entry["reason"],
            retry_after_s=min(filter(None, waits), default=None),
        )
    return {
        **entry,
        "search_time_ms": answer["search_time_ms"],
        "complete": answer["complete"],
        "providers": answer["providers"],
        "cache": answer["cache"],
        "kg": answer["kg"],
        "hints": answer["hints"],
        "truncated": answer["truncated"],
        **marks(answer["request_id"]),
    }


def named_papers(names: Sequence[str], dependencies: PaperDependencies) -> tuple[dict[str, PaperEntry], Reports]:
    """What providers answered of the first MAX_IDS papers with these names, by name, and the providers' reports.

    It takes at most NAMED_MS. The entries have NAMED_FIELDS; the papers are also published to the graph.
    """
    if not names:
        return {}, {}
    fields = {"ids": list(names[:MAX_IDS]), "fields": NAMED_FIELDS, "timeout_ms": NAMED_MS}
    answer = get_papers(validated(PapersRequest, fields), dependencies, even_unanswered=True)
    return {entry["name"]: entry for entry in answer["papers"] if entry["name"]}, answer["providers"]


def unanswered_hints(entries: Iterable[PaperEntry], reports: Mapping[str, LegReport]) -> list[Hint]:
    """A hint with the providers that did not answer of these papers, each with NAMED_FIELDS, if something is missing.

    Of a paper that was found, the retraction status is, where a provider that tracks retractions did not answer.
    """
    failed: dict[str, Outcome] = {}
    for entry in entries:
        paper = entry["paper"]
        is_unknown = paper is not None and paper["retraction"]["status"] == RetractionStatus.UNKNOWN
        if is_unknown or entry["status"] == "unanswered":
            failed |= entry["unanswered"]
    if not failed:
        return []
    refused = {name: report for name, report in reports.items() if name in failed and is_refused(report)}
    names = ", ".join(f"{name} ({how})" for name, how in sorted(failed.items()) if name not in refused)
    said = f"Did not answer: {names}. What they know of these papers is missing here; send the request again."
    messages = [*([said] if names else []), *refused_messages(refused)]
    return [{"reason": PROVIDERS_FAILED, "message": " ".join(messages)}]


def no_paper_error(
    requested: str,
    name: str | None,
    answered_by: Sequence[str],
    unanswered: Mapping[str, Outcome],
    *,
    is_certain: bool,
    not_queried: str | None = None,
    retry_after_s: float | None = None,
) -> NotFound | Unanswered:
    """The error for a paper that no answering provider has; `Unanswered` if one that would know did not answer.

    `is_certain`: all that would know have answered. `not_queried`: the reason why no provider was queried, if so.
    `retry_after_s`: when the first of those that did not answer can be queried again, where one states it.
    """
    if not_queried is not None:
        return NotFound(f"{requested[:100]!r}: {not_queried}", hint="POST /v1/literature-search takes titles.")
    message = f"{name} is not held by {', '.join(answered_by)}"
    if unanswered:
        message += "; no answer from " + ", ".join(f"{provider} ({how})" for provider, how in unanswered.items())
    if unanswered and not is_certain:
        return Unanswered(message, retry_after_s=retry_after_s)
    return NotFound(message, hint="Check the id, or resolve the reference by its title: POST /v1/resolve.")


def _entry(
    text: str, name: str | None, known: Mapping[str, StoredPaper], requests: Mapping[str, PaperRequest]
) -> IdOutcome:
    entry = IdOutcome(text, name)
    if paper := known.get(name or ""):
        return replace(entry, status="found", paper=paper, source="graph")
    request = requests.get(name or "")
    if request is None:
        return replace(
            entry, reason=_TITLE_ONLY if name else f"this is not an id of a paper; {what_to_write(entry.id)}"
        )
    entry = replace(entry, answered_by=request.answered_by, unanswered=request.unanswered)
    if request.paper:
        return replace(entry, status="found", paper=unranked(request.paper), source="providers")
    if request.answered_by or request.unanswered:
        return replace(entry, status="not_found" if request.not_found else "unanswered")
    return replace(entry, reason=NO_PROVIDER_FOR_ID)


def _published(entries: Sequence[IdOutcome], request: PapersRequest, dependencies: PaperDependencies) -> Queued:
    """Publish the papers that came from the providers to the graph, each once."""
    papers = [entry.paper for entry in entries if entry.paper and entry.source == "providers"]
    return publish_results(list({paper["key"]: paper for paper in papers}.values()), request, dependencies.publish)
