"""`POST /v1/citations`: records which papers a context cites, and says of each what is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.wiring.graph import STORE, TABLE, once, queue
from functions.dispatcher.wiring.papers import paper_dependencies
from shared.answers.content_trust import UNTRUSTED
from shared.aws.rest_api.request_body import idempotency_key, json_object, request_id, tenant_of
from shared.bibliography.paper_ids import read_id, scheme_of
from shared.bibliography.reference_text import Mention
from shared.canonical_json import canonical, digest
from shared.clock import now, timestamp
from shared.graph.citation_request import CitationRequest, graph_id, read_citations
from shared.graph.identity import is_id
from shared.graph.messages import citation_messages
from shared.graph.ownership import attributed, claim
from shared.graph.recorded_fitting import check_budget, fitted
from shared.graph.unidentified import unidentified_hints
from shared.legs.reports import Reports
from shared.papers.papers import PROVIDERS_FAILED, named_papers, unanswered_hints

if TYPE_CHECKING:
    from shared.answers.graph import CitationsAnswer, CitedPaper, ContextRef, GraphPaper, RecordedCitations
    from shared.answers.papers import PaperEntry
    from shared.graph.message_types import MentionJson

MAX_BODY_BYTES = 1_000_000
EXAMPLE = '{"context": {"type": "debate", "id": "42"}, "text": "… doi:10.7554/eLife.20391 …"}'
router = APIGatewayRouter()


@router.post("/v1/citations")
def cite() -> CitationsAnswer:
    """Record which papers a context cites, and where in its text; the same request within a day only once.

    Without an Idempotency-Key the body is the key: a request that is sent again because its answer was lost has the
    same body. The budget of the answer is not part of it: a larger one shows the rest of the stored answer. A stored
    answer that lacks what providers did not answer is made anew, and with its time: the same facts are recorded.
    """
    body = json_object(router.current_event, MAX_BODY_BYTES, example=EXAMPLE)
    request, mentions = read_citations(body)
    context: ContextRef = {"type": request.context.type, "id": request.context.id}
    check_budget(context, request.max_tokens)
    written = {name: value for name, value in body.items() if name != "max_tokens"}
    key = idempotency_key(router.current_event) or f"body {digest(canonical(written))}"
    tenant = tenant_of(router.current_event)
    is_new = False

    def record_now() -> RecordedCitations:
        nonlocal is_new
        is_new = True
        return _record(request, mentions, tenant, timestamp(now()))

    recorded = once(tenant, key, written, record_now, router.lambda_context)
    if not is_new and any(hint["reason"] == PROVIDERS_FAILED for hint in recorded["hints"]):
        recorded = _record(request, mentions, tenant, recorded["at"])
    answer = {**recorded, "content_trust": UNTRUSTED, "request_id": request_id(router.current_event)}
    return fitted(cast("CitationsAnswer", answer), request.max_tokens)


def _record(request: CitationRequest, mentions: Sequence[Mention], tenant: str, at: str) -> RecordedCitations:
    context: ContextRef = {"type": request.context.type, "id": request.context.id}
    claim(TABLE, context, tenant, shared=request.context.shared)
    ids = [graph_id(mention) for mention in mentions]
    known = STORE.known(list(dict.fromkeys(ids)))
    # The graph does not know its papers by a CorpusId: an edge to one would lead nowhere, so these are resolved first.
    looked_up, reports = _looked_up([name for name in known if scheme_of(name) == "corpus"])
    cited: list[MentionJson] = [
        {
            "id": key if (key := _key(looked_up.get(name))) else name,
            "where": None if request.text is None else mention.start,
            "text": mention.text,
        }
        for name, mention in zip(ids, mentions, strict=True)
    ]
    queue(citation_messages(context, cited, attributed(tenant, request.by), at))
    unknown = [name for name, paper in known.items() if paper is None]
    others, other_reports = _looked_up([name for name in unknown if scheme_of(name) != "corpus"])
    looked_up |= others
    reports |= other_reports
    return {
        "context": context,
        "at": at,
        "recorded": len(cited),
        "mentions": [
            _cited_paper(name, mention, known[name], looked_up.get(name))
            for name, mention in zip(ids, mentions, strict=True)
        ],
        "unresolved": [name for name in unknown if not _key(looked_up.get(name))],
        "hints": [*unidentified_hints(request.text or "", mentions), *unanswered_hints(looked_up.values(), reports)],
    }


def _looked_up(names: Sequence[str]) -> tuple[dict[str, PaperEntry], Reports]:
    """What providers answered of these papers, by name, and their reports; known papers were then sent to the graph."""
    lookup_names = {name: read_id(name) or name for name in names}
    found, reports = named_papers(list(lookup_names.values()), paper_dependencies(request_id(router.current_event)))
    return {name: found[known] for name, known in lookup_names.items() if known in found}, reports


def _key(entry: PaperEntry | None) -> str | None:
    """The key by which the graph has a paper that a provider knows."""
    paper = entry["paper"] if entry else None
    return paper["key"] if paper and is_id(paper["key"]) else None


def _cited_paper(name: str, mention: Mention, known: GraphPaper | None, looked_up: PaperEntry | None) -> CitedPaper:
    """One mention, and what the graph or else the providers know of its paper."""
    cited: CitedPaper = {
        "id": name,
        "key": None,
        "title": None,
        "retraction": None,
        "status": "not_found" if looked_up and looked_up["status"] == "not_found" else "not_in_graph",
        "start": mention.start,
        "end": mention.end,
        "text": mention.text,
    }
    if known:
        title, status = known["paper"]["title"], known["paper"]["retraction"]["status"]
        return {**cited, "key": known["key"], "title": title, "retraction": status, "status": "in_graph"}
    if looked_up and (key := _key(looked_up)) and (paper := looked_up["paper"]):
        status = paper["retraction"]["status"]
        return {**cited, "key": key, "title": paper["title"], "retraction": status, "status": "resolved"}
    return cited
