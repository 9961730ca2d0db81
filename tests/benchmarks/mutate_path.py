"""The way of a reply through production, in memory: cache, merge, filters, ranks, pages, counts, JSON, files, graph."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from infra.functions import provider_names
from shared.bibliography.paper import Paper
from shared.bibliography.paper_ids import scheme_of
from shared.canonical_json import compact_json
from shared.errors import AllProvidersFailed, MessageRefused, NotFound
from shared.exports.formats import FORMATS
from shared.graph.messages import is_storable, messages
from shared.graph.received import read_message
from shared.graph.writes import write_message
from shared.legs.leg import Leg, LegDependencies, LegEntry
from shared.outcomes import Outcome
from shared.papers.dependencies import PaperDependencies
from shared.papers.links.lists import get_links
from shared.papers.papers import get_papers
from shared.papers.reference_request import ResolveRequest
from shared.papers.request import LinksRequest, PapersRequest
from shared.papers.texts.sources import ADDRESS
from shared.providers.provider import ProviderReply, reply_from_json, reply_to_json
from shared.query.question import Links, Listing, Lookup, Match, TextOf
from shared.references.resolve import resolve
from shared.search.requests.search_request import read_request
from shared.search.result_set_page import FacetRequest, ResultSetRequest, Waiting, facets_answer, result_set_answer
from shared.search.run import SearchDependencies, run_search
from shared.validation import validated
from tests.benchmarks.mutate_answers import Exchange, module_of
from tests.benchmarks.mutate_reading import read_text, read_to_the_end
from tests.benchmarks.mutate_sources import capabilities
from tests.published_schemas import validate
from tests.unit.graph.memory_table import MemoryTable

SEEN_AT = "2026-11-20T12:00:00Z"
FILTERS: tuple[Mapping[str, Any], ...] = (
    {"min_citations": 3}, {"journal": "Nature"}, {"author": "Smith J"}, {"include_retracted": False},
    {"open_access": True}, {"publication_types": ["review", "journal-article"]}, {"exclude_preprints": True},
    {"language": "en"}, {"field_of_study": "medicine"}, {"max_tokens": 600}, {"abstract_chars": 40},
)  # fmt: skip
QUERIES = (
    "TREM2 microglia", "How does TREM2 change microglia?", '"microglia" AND (TREM2[tiab] OR tau) NOT "zzyzx plugh"',
    "TREM2 mikroglya",
)  # fmt: skip
SIZES = ("standard", "compact", "full")
_NO_WAITING = Waiting(lambda: 0.0, lambda _: None)


class Report(Protocol):
    """Receives each defect: its category and the exception that shows it."""

    def __call__(self, category: str, error: BaseException) -> None:
        """Count one defect."""


@contextmanager
def counting(report: Report, category: str, *expected: type[BaseException]) -> Iterator[None]:
    """Count what is raised inside, but for the expected errors."""
    try:
        yield
    except expected:
        pass
    except AssertionError as error:
        report("contract violation", error)
    except Exception as error:  # whatever it is, the run goes on
        report(category, error)


def through_cache(reply: ProviderReply) -> ProviderReply:
    """The reply as the provider's Lambda returns it and the cache stores and reads it."""
    stored = json.dumps(reply_to_json(reply), allow_nan=False, ensure_ascii=False).encode()
    read = reply_from_json(json.loads(stored))
    assert read == reply, "the reply that was read is not the one that was stored"
    return read


class _Cache:
    """No reply is stored, and every lease is granted."""

    def read(self, legs: Sequence[Leg], *, fresh: bool) -> list[LegEntry]:
        del fresh
        return [LegEntry() for _ in legs]

    def read_metadata(self, legs: Sequence[Leg]) -> list[LegEntry]:
        return [LegEntry() for _ in legs]

    def lease(self, leg: Leg, seen: LegEntry) -> bool:
        del leg, seen
        return True

    def renew(self, legs: Sequence[Leg], seconds: float = 0.0) -> None:
        del legs

    def store(self, leg: Leg, reply: ProviderReply) -> None:
        del leg, reply

    def release(self, leg: Leg, failure: ProviderReply | None) -> None:
        del leg, failure


class _Threads:
    """Runs each leg at once."""

    def submit(self, work: Callable[[], ProviderReply | None]) -> Future[ProviderReply | None]:
        future: Future[ProviderReply | None] = Future()
        future.set_result(work())
        return future

    def wait(self, futures: Collection[Future[ProviderReply | None]], seconds: float) -> None:
        del futures, seconds


@dataclass(slots=True)
class _ResultSets:
    """Result sets as they are stored: as JSON."""

    stored: dict[str, bytes] = field(default_factory=dict)
    requests: dict[str, str] = field(default_factory=dict)

    def get(self, result_set_id: str) -> Any:
        found = self.stored.get(result_set_id)
        return json.loads(found) if found else None

    def find_by_request(self, request_key: str) -> Any:
        return self.get(self.requests.get(request_key, ""))

    def put(self, result_set: Any, request_key: str | None, fresh_s: float) -> bool:
        del fresh_s
        data = json.dumps(result_set, ensure_ascii=False, allow_nan=False).encode()
        self.stored[result_set["result_set_id"]] = data
        self.requests[request_key or ""] = result_set["result_set_id"]
        return True


@dataclass(slots=True)
class Production:
    """One case's way through production. `replies` are by provider and operation; other legs are empty."""

    replies: Mapping[tuple[str, str], ProviderReply]
    chance: random.Random
    report: Report
    head: Paper | None = None
    _result_sets: _ResultSets = field(default_factory=_ResultSets)
    _table: MemoryTable = field(default_factory=MemoryTable)

    def run(self, exchange: Exchange) -> None:
        """The production path of the exchange's operation."""
        match exchange.question:
            case Lookup(names):
                self._papers(names)
            case Links(relation, name):
                self._links(relation, name)
            case Match(citations):
                self._resolve(citations)
            case TextOf(name) if scheme_of(name) == ADDRESS:
                pass  # no caller can name one
            case TextOf(name):
                with counting(self.report, "unhandled exception", AllProvidersFailed):
                    read_text(name, self._paper_dependencies(), self._check)
            case Listing():
                self._search()
                self._read_to_the_end()
            case _:
                self._search()

    def _search(self) -> None:
        providers = sorted({provider for provider, _ in self.replies})
        terms: dict[str, Any] = {"providers": providers, "max_results": 100}
        terms["query"] = self.chance.choice(QUERIES)
        if self.chance.random() < 0.2:
            terms["queries"] = ["microglial receptor"]
        terms["sort"] = self.chance.choice(("relevance", "citations", "date", "date"))
        terms["ranking"] = self.chance.choice(("balanced", "relevance", "impact"))
        if self.chance.random() < 0.3:
            terms |= {"date_from": "2001-02", "date_to": "2025"}
        if self.chance.random() < 0.15:
            terms |= self.chance.choice(FILTERS)
        dependencies = SearchDependencies(
            look_up=lambda *_, **__: (),
            legs=self._leg_dependencies(),
            result_sets=self._result_sets,
            publish=self._publish,
            observe=lambda _: None,
            disciplines=dict.fromkeys(providers, ("any",)),
            tracks_integrity=[name for name, it in capabilities().items() if it.tracks_integrity],
            monotonic=lambda: 0.0,
            request_id="r",
        )
        for detail in SIZES:
            request = read_request({**terms, "detail": detail, "cite_in_kg": detail == SIZES[0]}, provider_names())
            with counting(self.report, "unhandled exception"):
                answer = run_search(request, dependencies)
                self._check("/v1/literature-search", answer)
        for result_set_id in self._result_sets.stored:
            self._export(self._result_sets.get(result_set_id)["results"])
        self._read_again()

    def _read_again(self) -> None:
        """The stored result sets, their counts, and the papers of each value that was counted."""
        sets = self._result_sets
        for name in sets.stored:
            with counting(self.report, "unhandled exception"):
                form = {"detail": self.chance.choice(SIZES), "max_tokens": self.chance.choice((None, 1_000))}
                page = result_set_answer(name, validated(ResultSetRequest, form), sets, "r", _NO_WAITING)
                self._check(f"/v1/result-sets/{name}", page, "GET")
                counted = facets_answer(name, validated(FacetRequest, {}), sets, "r")
                self._check(f"/v1/result-sets/{name}/facets", counted, "GET")
                for facet in ("year", "venue", "type", "source"):
                    for value in counted["facets"][facet]["values"][:2]:
                        chosen = validated(FacetRequest, {facet: [value["value"]]})
                        left = facets_answer(name, chosen, sets, "r")["matching"]
                        assert left == value["count"], f"{facet} {value}: {left} papers pass"

    def _papers(self, names: Sequence[str]) -> None:
        request = validated(PapersRequest, {"ids": list(names), "detail": self.chance.choice(SIZES)})
        with counting(self.report, "unhandled exception", AllProvidersFailed):
            answer = get_papers(request, self._paper_dependencies())
            self._check("/v1/papers", answer)
        with counting(self.report, "unhandled exception", AllProvidersFailed):
            whole = get_papers(request, self._paper_dependencies(), whole=True)
            self._export([entry["paper"] for entry in whole["papers"] if entry["paper"]])

    def _read_to_the_end(self) -> None:
        """An exhaustive search over the same replies; a leg after the first gets the same page once more."""
        providers = sorted({provider for provider, _ in self.replies})
        terms = self.chance.choice(({}, *(it for it in FILTERS if not it.keys() & {"max_tokens", "abstract_chars"})))
        with counting(self.report, "unhandled exception"):
            read_to_the_end(providers, terms, self._leg_dependencies(), self._check, self._export)

    def _links(self, relation: Any, name: str) -> None:
        sort = self.chance.choice((None, "bibliography", "citations", "date"))
        terms = {"id": name, "sort": sort, "max_results": 100, "detail": self.chance.choice(SIZES)}
        with counting(self.report, "unhandled exception", NotFound, AllProvidersFailed):
            answer = get_links(relation, validated(LinksRequest, terms), self._paper_dependencies())
            self._check(f"/v1/papers/{name}/{relation}", answer, "GET")
        self._read_again()

    def _resolve(self, citations: Sequence[Any]) -> None:
        fields = ("title", "year", "journal", "volume", "pages")
        references = [{name: value for name in fields if (value := getattr(it, name))} for it in citations]
        request = validated(ResolveRequest, {"references": references, "detail": self.chance.choice(SIZES)})
        with counting(self.report, "unhandled exception", AllProvidersFailed):
            self._check("/v1/resolve", resolve(request, self._paper_dependencies()))

    def _leg_dependencies(self) -> LegDependencies:
        return LegDependencies(
            cache=_Cache(), threads=_Threads(), ask=self._ask, refusals=lambda _: {}, monotonic=lambda: 0.0,
            jitter=lambda: 0.0,
        )  # fmt: skip

    def _paper_dependencies(self) -> PaperDependencies:
        return PaperDependencies(
            legs=self._leg_dependencies(), capabilities=capabilities(), result_sets=self._result_sets,
            known=lambda _: {}, publish=self._publish, observe=lambda _: None, monotonic=lambda: 0.0,
            now=lambda: SEEN_AT, request_id="r",
        )  # fmt: skip

    def _ask(self, leg: Leg, seconds: float) -> ProviderReply:
        del seconds
        operation = leg.question.operation.replace("listing", "search")
        if reply := self.replies.get((leg.provider, operation)):
            return reply
        family = module_of(leg.provider).SPEC.family
        empty = ProviderReply(provider=leg.provider, family=family, outcome=Outcome.EMPTY)
        if self.head and isinstance(leg.question, Lookup):
            found = replace(self.head, provider=leg.provider, rank=1, asked=leg.question.names)
            return replace(empty, outcome=Outcome.OK, papers=(found,))
        return empty

    def _publish(self, results: Sequence[Any], context: Any) -> Any:
        """As the queue and the writer do it."""
        for message in messages(results, context, SEEN_AT):
            with counting(self.report, "graph message refused"):
                try:
                    read = read_message(json.dumps(message))
                except MessageRefused as error:
                    self.report("graph message refused", error)
                else:
                    write_message(read, self._table)
        queued = sum(map(is_storable, results))
        return {"queued": queued, "skipped": len(results) - queued}

    def _check(self, path: str, answer: Any, method: str = "POST") -> None:
        text = compact_json(answer)
        with counting(self.report, "invalid JSON"):
            json.dumps(answer, allow_nan=False, ensure_ascii=False).encode()
            validate(path, method, 200, json.loads(text))

    def _export(self, results: Sequence[Any]) -> None:
        for form in FORMATS.values():
            with counting(self.report, "export failure"):
                form.write(results).encode()
