"""Two callers of one machine over HTTP, who ask nearly the same: neither may see what only the other typed.

Every pair of requests is asked as A, B, A again, A's next page, and A's stored result set with its counts; some pairs
also begin jobs and read texts. The sources are those of the sandbox; one of them may fail while a caller skips the
cache. The machine keeps its caches from pair to pair.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from unittest.mock import patch

import httpx
from hypothesis import strategies as st

from infra.functions import provider_names
from infra.local.gateway import application
from infra.local.machine import machine
from infra.local.sandbox.server import Sandbox
from shared.query.syntax import normalise, tidy
from tests.http_server import serving
from tests.simulations.two_callers_jobs import Jobs

PROVIDERS = ("crossref", "europe_pmc", "openalex")
PATH = "/v1/literature-search"
# Found by few papers, or by none, or with a word that none has; each is also typed in other capitals.
QUESTIONS = (
    "TREM2 R47H", "zzqqxxvv plugh", "TREM2 AND zzyzx", "glymphatic clearance", "glymfatic pathway astrocyte",
    '(R47H[tiab] OR "lecanemab") NOT zzyzx',
)  # fmt: skip
MOST_FILTERS = 5
ONE_IN = 20  # pairs also begins jobs
OPERATORS = {"AND", "OR", "NOT"}
# Everything that a request may be limited by, lifted: 5,000 pairs arrive within minutes.
UNLIMITED = {
    "FRESH_REQUESTS_PER_MINUTE": "50000", "FRESH_REQUESTS_PER_HOUR": "500000",
    **{f"{name.upper()}_REQUESTS_PER_SECOND": "1000" for name in provider_names()},
    **{f"{name.upper()}_CONCURRENCY": "100" for name in provider_names()},
}  # fmt: skip
# Queries and warnings are cut to the room that the rest leaves: they may differ with the digits of a time.
_TIMES = {"elapsed_ms", "source", "retrieved_at", "retry_after_s", "effective_query", "warnings"}
_BY_ROOM = ("truncated", "next_cursor", "next_actions", "hints", "query")
_FORM = {"max_results", "detail", "max_tokens", "abstract_chars"}
_EVERY_CALL = {"query", "max_results", "cursor", "providers"}


@dataclass(frozen=True, slots=True)
class Ask:
    """One request, and a provider that fails while it is answered."""

    fields: Mapping[str, Any]
    failing: str | None = None
    has_jobs: bool = False  # the caller begins jobs of the same words as well


@dataclass(slots=True)
class Callers:
    """Both callers' connection, and what was seen so far."""

    client: httpx.Client
    sandbox: Sandbox
    jobs: Jobs
    seen: Counter[str] = field(default_factory=Counter)

    def ask(self, key: str, request: Ask) -> dict[str, Any]:
        """The answer, or the problem if the only source failed; one that answers 418 is not asked again for it."""
        self.sandbox.faults.clear()
        if request.failing:
            self.sandbox.faults[request.failing] = {"status": 418}
        answer = self.client.post(PATH, json=dict(request.fields), headers={"x-api-key": key})
        self.sandbox.faults.clear()
        assert answer.status_code == 200 or (answer.status_code == 502 and request.failing), answer.text
        return dict(answer.json())

    def check(self, one: Ask, other: Ask) -> None:
        """Ask both, and hold the answers against what each has typed."""
        first, others, again = self.ask("alice", one), self.ask("bob", other), self.ask("alice", _well(one))
        self.seen["pairs"] += 1
        for answer in (first, again):
            _is_of(answer, one, other)
        _is_of(others, other, one)
        assert again["complete"], "asking again, with every source well, completes an answer"
        if one.has_jobs:
            self.seen["jobs"] += 1
            self.jobs.check({"alice": one.fields, "bob": other.fields}, {"alice": _typed(one), "bob": _typed(other)})
        if "results" not in first:
            return
        self.seen["empty"] += not first["total_count"]
        self.seen["hinted"] += bool(first["hints"])
        self._result_set(again, one, other)
        self.seen["healed"] += not first["complete"]
        if first["complete"]:
            self.seen["kept"] += 1
            before, after = _said(first), _said(again)
            if "max_tokens" in one.fields:
                _same_start(before, after)
            assert after == before, {name: (it, after[name]) for name, it in before.items() if it != after[name]}
        if first["next_cursor"]:
            self._next_page(first, one, other)

    def _result_set(self, answer: dict[str, Any], one: Ask, other: Ask) -> None:
        """The stored result set, and its counts, are those of this request."""
        path = f"/v1/result-sets/{answer['result_set_id']}"
        for place in (path, f"{path}/facets"):
            read = self.client.get(place, headers={"x-api-key": "alice"}).json()
            whole = json.dumps(read, ensure_ascii=False).casefold()
            assert not [mark for mark in _marks(other) - _marks(one) if mark.casefold() in whole]
            assert (read["query"], read["matching"]) == (one.fields["query"], answer["total_count"])
            self.seen["stored"] += 1

    def _next_page(self, first: dict[str, Any], one: Ask, other: Ask) -> None:
        self.seen["pages"] += 1
        form = {name: one.fields[name] for name in _FORM & one.fields.keys()}
        page = self.ask("alice", Ask({**form, "cursor": first["next_cursor"]}))
        _is_of(page, one, other)
        reported = ("result_set_id", "total_count", "complete", "providers_searched", "query")
        assert {name: page[name] for name in reported} == {name: first[name] for name in reported}
        assert not {it["key"] for it in page["results"]} & {it["key"] for it in first["results"]}


def _well(request: Ask) -> Ask:
    return Ask({name: it for name, it in request.fields.items() if name != "fresh"})


def _is_of(answer: Mapping[str, Any], own: Ask, other: Ask) -> None:
    """Raises AssertionError if an answer holds a text of the other caller, or echoes something else than its own."""
    whole = json.dumps(answer, ensure_ascii=False).casefold()
    for mark in _marks(other) - _marks(own):
        assert mark.casefold() not in whole, f"{mark!r} is the other caller's"
    if "results" not in answer:
        return
    written = json.dumps([answer[name] for name in ("query", "hints", "next_actions")], ensure_ascii=False)
    reports = json.dumps(answer["providers"], ensure_ascii=False)
    for day in _days(other) - _days(own):
        assert day not in written + reports, f"{day!r} is the other caller's"
    words = tidy(str(other.fields["query"]))
    if words != tidy(str(own.fields["query"])):
        assert words not in written, f"{words!r} is the other caller's spelling"
        # Reports of legs have the query in the form that all spellings have in common.
        assert words == normalise(words) or words not in reports, f"{words!r} is the other caller's spelling"
    assert not _words(other) - _words(own) & _words_of(json.dumps(answer["hints"], ensure_ascii=False))
    assert answer["query"] == own.fields["query"]
    for action in answer["next_actions"]:
        if action["tool"] == "literature_search":
            assert action["arguments"].keys() <= _EVERY_CALL | own.fields.keys()


def _marks(request: Ask) -> set[str]:
    """The names and words that only this caller types."""
    named = {str(request.fields[name]) for name in ("author", "journal") if name in request.fields}
    return named.union(*(wording.split() for wording in request.fields.get("queries", ()))) - {"TREM2"}


def _typed(request: Ask) -> set[str]:
    """The same, and the day: all that no source and no other caller has written."""
    return _marks(request) | _days(request)


def _words(request: Ask) -> set[str]:
    """The words of the query, in this caller's spelling."""
    return _words_of(str(request.fields["query"])) - OPERATORS


def _words_of(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def _days(request: Ask) -> set[str]:
    """The day that only this caller types, as sources write it."""
    day = str(request.fields.get("date_from", ""))
    return {day, day.replace("-", "/")} - {""}


def _said(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer without times, and without where its legs come from."""
    reports = answer["providers"].items()
    shown = {name: it for name, it in answer.items() if name not in {"search_time_ms", "request_id", "cache", "kg"}}
    return {**shown, "providers": {name: {k: v for k, v in it.items() if k not in _TIMES} for name, it in reports}}


def _same_start(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Leave in both what does not depend on the room in a budget of tokens: the first papers, the outcomes, the counts.

    The budget counts the times of the reports too, so that the same answer may show a paper or a report more next time.
    """
    shown = min(len(before["results"]), len(after["results"]))
    for answer in (before, after):
        answer["results"] = [paper["key"] for paper in answer["results"][:shown]]
        answer["providers"] = {name: report["outcome"] for name, report in answer["providers"].items()}
        for name in _BY_ROOM:
            del answer[name]


def _spelled(words: str, capitals: list[bool], blanks: int) -> str:
    """The same words with other capitals and white space; operators stay as they are."""
    parts = [
        word
        if word in OPERATORS or "[" in word
        else "".join(c.upper() if up else c.lower() for c, up in zip(word, capitals, strict=False))
        for word in words.split()
    ]
    return (" " * blanks).join(parts)


def _asks(mark: str) -> st.SearchStrategy[Ask]:
    """Requests of the caller with this mark."""
    marked = st.integers(10, 49).map((mark + "{}").format)
    spelling = st.builds(
        _spelled, st.sampled_from(QUESTIONS), st.lists(st.booleans(), min_size=12, max_size=12), st.integers(1, 3)
    )
    day = "1742" if mark < "m" else "1851"
    all_or_some = st.just(list(PROVIDERS)) | st.lists(st.sampled_from(PROVIDERS), min_size=1, unique=True)
    filters = {
        "author": marked,
        "journal": marked.map("Journal of {}".format),
        "date_from": st.integers(1, 28).map((day + "-05-{:02}").format),
        "max_results": st.integers(1, 12),
        "sort": st.sampled_from(["relevance", "citations", "date"]),
        "detail": st.sampled_from(["compact", "full"]),
        "ranking": st.sampled_from(["relevance", "impact"]),
        "fresh": st.just(True),
        "queries": marked.map(lambda mark: [f"TREM2 {mark}"]),
        "language": st.sampled_from(["en", "de"]),
        "publication_types": st.just(["review"]),
        "exclude_preprints": st.just(True),
        "open_access": st.just(True),
        "max_tokens": st.sampled_from([700, 1_000, 5_000]),
        "abstract_chars": st.sampled_from([0, 80]),
    }
    always = {"query": spelling, "providers": all_or_some, "cite_in_kg": st.just(False)}
    # With all of them, hardly any request would find a paper.
    names = st.lists(st.sampled_from(sorted(filters)), max_size=MOST_FILTERS, unique=True)
    fields = names.flatmap(lambda some: st.fixed_dictionaries(always | {name: filters[name] for name in some}))
    has_jobs = st.integers(0, ONE_IN - 1).map(lambda number: number == ONE_IN // 2)
    return st.builds(Ask, fields, st.one_of(st.none(), st.sampled_from(PROVIDERS)), has_jobs)


def _pair(one: Ask, other: Ask, same_words: bool) -> tuple[Ask, Ask]:
    return one, replace(other, fields={**other.fields, "query": one.fields["query"]}) if same_words else other


PAIRS = st.builds(_pair, _asks("alfaqx"), _asks("zuluqx"), st.booleans())


@contextmanager
def unshared_failures() -> Iterator[None]:
    """A failure counts for the request alone: no caller waits for two seconds until it is forgotten."""
    with patch("shared.aws.dynamodb.leg_cache.FAILURE_S", 0.0):
        yield


@contextmanager
def two_callers() -> Iterator[Callers]:
    """Both callers of a machine over HTTP, without limits."""
    sandbox = Sandbox(faults={})
    with (
        patch.dict(os.environ, UNLIMITED),
        machine(sandbox=sandbox) as local,
        unshared_failures(),
        serving(application(local)) as address,
        httpx.Client(base_url=address, timeout=30) as client,
    ):
        yield Callers(client, sandbox, Jobs(client, local))
