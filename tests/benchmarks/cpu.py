"""What a search costs of the processor: a miss, a coalesced answer, a hit, and one leg beyond its parsing.

CPU time, not wall time. botocore does all of its work but the network's; moto's and the provider's part of a leg are
taken away, so that what remains is what the functions spend in Lambda. Beside each stands its ratio to one `json.dumps`
of the result set in the same run, since machines differ.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any
from unittest.mock import patch

from moto.core.models import botocore_stubber

from infra.functions import provider_spec, searched_by_default
from infra.local import dynamodb_hook, lambda_hook, s3_hook
from infra.local.gateway import rest_event
from infra.local.lambda_hook import InvocationContext
from infra.local.machine import _INVOKED, Machine, machine
from infra.local.resources import PREFIX
from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.paper import Location, OpenAccess, Paper
from shared.providers.provider import Page
from shared.search.result_sets.kept_pages import KeptPages
from tests.benchmarks.miss_stages import REST, STAGES, StageTimes
from tests.benchmarks.processor_share import WHOLE_MB
from tests.benchmarks.speed import cpu_s, legs_of_a_hundred

REPEATS = 9
QUESTION = "glacier hydrology model"
HIT_ELSEWHERE, LEG = "a hit in another process", "one leg of 100 beyond its parsing"
DISPATCHER_MB, PROVIDER_MB = 1024, 256


class Spent:
    """CPU seconds that were not the functions' own, by thread."""

    def __init__(self) -> None:
        self._by_thread: dict[int, float] = {}
        self._nesting = threading.local()

    @contextmanager
    def counted(self) -> Iterator[None]:
        """What runs inside is not the functions' own work."""
        started = time.thread_time()
        try:
            yield
        finally:
            thread = threading.get_ident()
            self._by_thread[thread] = self._by_thread.get(thread, 0.0) + time.thread_time() - started

    def total(self, thread: int | None = None) -> float:
        """Of one thread, or of all."""
        return sum(self._by_thread.values()) if thread is None else self._by_thread.get(thread, 0.0)


def records_of(provider: str) -> list[Paper]:
    """A hundred records with about as much in them as a source's have."""
    copy = OpenAccess(is_oa=True, url="https://example.org/a.pdf", locations=(Location("https://example.org/a.pdf"),))
    cited = tuple(f"doi:10.1000/{number}" for number in range(30))
    papers = [paper for paper in legs_of_a_hundred() if paper.provider == provider]
    return [
        replace(paper, citation_count=paper.rank, open_access=copy, journal="Annals of Glaciology", references=cited)
        for paper in papers
    ]


@contextmanager
def measured_machine(spent: Spent) -> Iterator[Machine]:
    """A machine whose clients sign and parse as in the cloud, and whose moto counts as spent elsewhere."""
    with ExitStack() as stack:
        for hook in (dynamodb_hook, s3_hook):
            stack.enter_context(patch.object(hook, "OPERATIONS", frozenset()))
        local = stack.enter_context(machine(sandbox=None))
        process = botocore_stubber.process_request

        def counted(request: Any) -> Any:
            with spent.counted():
                return process(request)

        stack.enter_context(patch.object(botocore_stubber, "process_request", counted))
        yield local


def leg_handler(provider: str) -> Callable[[Any, Any], Any]:
    """The provider's function without its requests and parsing."""
    papers = records_of(provider)
    page = Page(papers=papers, total=4_321, effective_query=QUESTION)
    spec = replace(provider_spec(provider), operations={"search": ()}, needs_key=False)
    return provider_handler(spec, search=lambda question, client: page)


class Legs:
    """Provider functions that answer at once with what they answered the first time, or when `held` is set."""

    def __init__(self, local: Machine, spent: Spent) -> None:
        self._local, self._spent = local, spent
        self.handlers = {name: leg_handler(name) for name in searched_by_default()}
        self.events: dict[str, Any] = {}  # the first of each function
        self._answers: dict[str, Any] = {}
        self.held: threading.Event | None = None
        self.waiting = 0

    @contextmanager
    def canned(self) -> Iterator[Legs]:
        """While inside, `lambda.invoke` reaches them, and what they spend is not the dispatcher's."""
        respond = lambda_hook._response

        def counted(url: str, status: int, body: Any, headers: dict[str, str]) -> Any:
            with self._spent.counted():
                return respond(url, status, body, headers)

        functions = {f"{PREFIX}-{name}": partial(self._answer, name) for name in self.handlers}
        with patch.object(lambda_hook, "_response", counted), patch.dict(_INVOKED, functions):
            yield self

    def _answer(self, name: str, event: Any, context: Any) -> Any:
        with self._spent.counted():
            if name not in self._answers:
                self.events[name], self._answers[name] = event, self.handlers[name](event, context)
            self.waiting += 1
        if self.held:
            self.held.wait()
        return self._answers[name]


def post(local: Machine, **fields: Any) -> dict[str, Any]:
    """One search; raises unless it is answered."""
    event = rest_event("POST", "/v1/literature-search", body=json.dumps({"query": QUESTION, **fields}))
    answer = local.functions[f"{PREFIX}-dispatcher"](event, InvocationContext(f"{PREFIX}-dispatcher"))
    if answer["statusCode"] != 200:
        raise RuntimeError(answer["body"])
    return dict(json.loads(answer["body"]))


def least(spent: Spent, work: Callable[[int], object]) -> float:
    """The least own CPU of several runs, in seconds: noise only adds."""
    best = float("inf")
    for number in range(REPEATS):
        started, other = time.process_time(), spent.total()
        work(number)
        best = min(best, time.process_time() - started - (spent.total() - other))
    return best


def stages_of_a_miss(local: Machine, spent: Spent) -> dict[str, float]:
    """The least own CPU of each stage of several misses, in seconds; the timing itself counts to the rest."""
    runs: list[dict[str, float]] = []
    for number in range(REPEATS):
        started, other = time.process_time(), spent.total()
        with StageTimes(spent.total).measured() as times:
            post(local, query=f"{QUESTION} in stages {number}")
        whole = time.process_time() - started - (spent.total() - other)
        runs.append({**times.seconds, REST: whole - times.seconds.total()})
    names = dict.fromkeys([*STAGES.values(), REST])
    return {name: min(run[name] for run in runs) for name in names}


def waiter(local: Machine, spent: Spent, legs: Legs, query: str) -> float:
    """The own CPU of a search that waits for the legs of an equal one, in seconds; it polls for half a second."""
    thread, released = threading.get_ident(), threading.Event()
    legs.held, legs.waiting = released, 0
    with ThreadPoolExecutor(1) as pool:
        leader = pool.submit(post, local, query=query)
        while legs.waiting < len(legs.handlers):
            time.sleep(0.01)
        threading.Timer(0.5, released.set).start()
        started, other = time.thread_time(), spent.total(thread)
        answer = post(local, query=query)
        own = time.thread_time() - started - (spent.total(thread) - other)
        leader.result()
    if answer["cache"] != "coalesced":
        raise RuntimeError(f"the second search was answered as {answer['cache']}")
    legs.held = None
    return own


def hit_elsewhere(local: Machine) -> None:
    """A hit in a process that has not answered the question before, in which nothing of it is kept."""
    searches = import_module("functions.dispatcher.wiring.searches")
    with patch.object(searches, "PAGES", KeptPages()), patch.object(searches.PUBLISH, "_remembered", {}):
        post(local)


def report() -> None:
    """Print the figures."""
    os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "CRITICAL")
    spent = Spent()
    with measured_machine(spent) as local, Legs(local, spent).canned() as legs:
        first = post(local)
        stored: Any = import_module("functions.dispatcher.wiring.legs").result_sets().get(first["result_set_id"])
        result_set = {**stored, "results": list(stored["results"])}
        dumped = cpu_s(lambda: json.dumps(result_set), 5)
        event = legs.events["crossref"]
        figures = {
            f"a miss of {len(legs.handlers)} legs of 100": least(
                spent, lambda it: post(local, query=f"{QUESTION} {it}")
            ),
            "the same without the graph": least(
                spent, lambda it: post(local, query=f"{QUESTION} and {it}", cite_in_kg=False)
            ),
            "a coalesced answer": min(waiter(local, spent, legs, f"{QUESTION} or {it}") for it in range(3)),
            "a hit": least(spent, lambda _: post(local)),
            HIT_ELSEWHERE: least(spent, lambda _: hit_elsewhere(local)),
            "a hit without the graph": least(spent, lambda _: post(local, cite_in_kg=False)),
            LEG: least(spent, lambda _: json.dumps(legs.handlers["crossref"](event, InvocationContext("crossref")))),
        }
        stages = stages_of_a_miss(local, spent)
    print("\n| own CPU, warm | ms | ratio to `json.dumps` of the result set |\n|---|---|---|")
    for name, seconds in figures.items():
        print(f"| {name} | {seconds * 1000:.1f} | {seconds / dumped:.2f} |", flush=True)
    print(f"\n`json.dumps` of the result set: {dumped * 1000:.1f} ms")
    hit_ms, leg_ms = (1000 * figures[name] for name in (HIT_ELSEWHERE, LEG))
    print("At the share of a processor that Lambda gives for the memory, milliseconds:")
    print(f"a hit in another process {hit_ms * WHOLE_MB / DISPATCHER_MB:.0f} ({DISPATCHER_MB} MB), ", end="")
    print(f"one leg {leg_ms * WHOLE_MB / PROVIDER_MB:.0f} ({PROVIDER_MB} MB)")
    print("\n| stage of a miss | ms | ratio |\n|---|---|---|")
    for name, seconds in stages.items():
        print(f"| {name} | {seconds * 1000:.1f} | {seconds / dumped:.2f} |")


if __name__ == "__main__":
    report()
