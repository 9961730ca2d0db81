"""A year of one saved search over the sandbox: every paper is reported once, whatever sources and runs do."""

from __future__ import annotations

import json
import os
import random
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
import time_machine

from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from tests.simulations.saved_year import DAYS, FIRST_DAY, QUERY, Year, names_of

pytestmark = pytest.mark.slow

PROVIDERS = ("crossref", "openalex", "pubmed", "semantic_scholar")
# Daily takes four minutes: SAVED_YEAR_EVERY_DAYS=1.
EVERY_DAYS = int(os.environ.get("SAVED_YEAR_EVERY_DAYS", "5"))
# None of them is tried again within a run, which would take real time; breakers look at other kinds of failure.
FAULTS: tuple[Mapping[str, Any], ...] = ({"body": "truncated"}, {"status": 403}, {"body": "html"})


class Killed(BaseException):
    """The process is no more: nothing that a run could catch."""


@dataclass
class Outcome:
    """What the year has brought: the feed, oldest first, and on which day each run could have seen which works."""

    events: list[dict[str, Any]]
    reports: list[dict[str, Any]] = field(default_factory=list)
    first_seen: dict[str, int] = field(default_factory=dict)  # work -> day
    kinds_seen: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # work -> slots and standings
    killed: int = 0
    busy: int = 0


def _moment(day: int, minutes: int = 0) -> datetime:
    return datetime.combine(FIRST_DAY + timedelta(days=day), time(6), UTC) + timedelta(minutes=minutes)


def _call(running: Machine, method: str, path: str, body: Any = None, **query: str) -> dict[str, Any]:
    parameters = {name: [value] for name, value in query.items()}
    event = rest_event(method, path, body=json.dumps(body) if body else None, query=parameters)
    answer = running.invoke("dispatcher", event)
    assert answer["statusCode"] < 300, answer["body"]
    return dict(json.loads(answer["body"]))


class _YearOfRuns:
    def __init__(self, running: Machine, sandbox: Sandbox, year: Year) -> None:
        self._running, self._sandbox, self._year = running, sandbox, year
        self._rng = random.Random(7)
        self.reported = Outcome([])
        self._search = ""

    def live(self) -> Outcome:
        with time_machine.travel(_moment(0), tick=True):
            self._sandbox.corpus = self._year.corpus(0)
            request = {"query": QUERY, "providers": list(PROVIDERS), "cite_in_kg": False}
            body = {"search": request, "schedule": f"rate({EVERY_DAYS} days)"}
            self._search = _call(self._running, "POST", "/v1/saved-searches", body)["id"]
        for day in range(0, DAYS, EVERY_DAYS):
            with time_machine.travel(_moment(day), tick=True):
                self._day(day)
        with time_machine.travel(_moment(DAYS), tick=True):
            self.reported.events = self._feed()
        return self.reported

    def _day(self, day: int) -> None:
        self._sandbox.corpus = self._year.corpus(day)
        down = {name for name in PROVIDERS if day and self._rng.random() < 0.2}
        self._sandbox.faults = {name: dict(self._rng.choice(FAULTS)) for name in down}
        for name, states in self._year.seen_by(day, set(PROVIDERS) - down).items():
            self.reported.first_seen.setdefault(name, day)
            self.reported.kinds_seen[name] |= {state.slot for state in states}
            self.reported.kinds_seen[name] |= {"retracted" for state in states if state.fact.retraction}
        luck = self._rng.random()
        with ExitStack() as later:
            if luck < 0.1:
                self._killed(day)
                later.enter_context(time_machine.travel(_moment(day, minutes=5), tick=True))
            elif luck < 0.2:
                self._at_the_same_time(day)
            self._run(day)
            if luck > 0.9:
                assert self._run(day)["skipped"] == "already_run"

    def _run(self, day: int) -> dict[str, Any]:
        event = {
            "id": f"execution-{day}", "time": _moment(day).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "source": "literature-search.schedules", "detail-type": "Scheduled Search",
            "detail": {"owner": "local", "search_id": self._search},
        }  # fmt: skip
        report = dict(self._running.invoke("saved_search_runner", event))
        if "skipped" not in report:
            self.reported.reports.append(report)
        return report

    def _killed(self, day: int) -> None:
        """At one of its writes; the next run finds the lease held, and waits until it has ended."""
        with _dies_at(self._rng.randrange(1, 4)), pytest.raises((Killed, AssertionError)):
            self._run(day)
            raise AssertionError("it was over before it could be killed")
        self.reported.killed += 1

    def _at_the_same_time(self, day: int) -> None:
        faults: list[BaseException] = []

        def run() -> None:
            try:
                self._run(day)
            except Exception as error:  # counted below
                faults.append(error)

        threads = [threading.Thread(target=run) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [type(error).__name__ for error in faults] in (["RunUnderWay"], []), [*map(repr, faults)]
        self.reported.busy += len(faults)

    def _feed(self) -> list[dict[str, Any]]:
        every = "new_paper,now_published,retracted,baseline"
        page = _call(self._running, "GET", f"/v1/saved-searches/{self._search}/new", types=every, limit="100")
        found = list(page["events"])
        while page["next_cursor"]:
            cursor = str(page["next_cursor"])
            page = _call(
                self._running, "GET", f"/v1/saved-searches/{self._search}/new", types=every, limit="100", cursor=cursor
            )
            found += page["events"]
        return found[::-1]


@contextmanager
def _dies_at(number: int) -> Iterator[None]:
    """The process ends at its n-th write to DynamoDB's saved searches, counted from the lease."""
    left = [number]

    def count(params: Mapping[str, Any], **_: Any) -> None:
        body = params["body"]
        if "saved-searches" in (body if isinstance(body, str) else body.decode()):
            left[0] -= 1
            if left[0] < 0:
                raise Killed

    from functions.saved_search_runner import wiring

    events = wiring.TABLE.meta.client.meta.events
    names = [f"before-call.dynamodb.{name}" for name in ("TransactWriteItems", "UpdateItem")]
    for name in names:
        events.register(name, count)
    try:
        yield
    finally:
        for name in names:
            events.unregister(name, count)


@pytest.fixture(scope="module")
def year() -> Year:
    return Year()


@pytest.fixture(scope="module")
def outcome(year: Year) -> Iterator[Outcome]:
    sandbox = Sandbox()
    with machine(sandbox=sandbox) as running:
        yield _YearOfRuns(running, sandbox, year).live()


def _works_reported(year: Year, outcome: Outcome, *kinds: str) -> list[tuple[str, dict[str, Any]]]:
    """The events of these kinds, each with the work that it is about."""
    names = {name: work.name for work in year.works for name in names_of(work.states)}
    fields = {"doi": "doi", "pmid": "pmid", "paper_id": "s2_paper_id", "openalex": "openalex_id"}
    found = []
    for event in outcome.events:
        if event["type"] in kinds:
            # A paper that OpenAlex alone has is shown by its key.
            ids = event["paper"] | dict([event["key"].split(":", 1)])
            about = {names[fields[it], ids[it].lower()] for it in fields if ids.get(it)}
            assert len(about) == 1, (about, event)
            found.append((about.pop(), event))
    return found


def _day_of(event: Mapping[str, Any]) -> int:
    return (datetime.fromisoformat(event["at"]).date() - FIRST_DAY).days


def test_every_paper_is_reported_once_and_none_is_missing(year: Year, outcome: Outcome) -> None:
    count = Counter(name for name, _ in _works_reported(year, outcome, "new_paper", "baseline"))
    assert {name for name, times in count.items() if times > 1} == set()
    assert set(outcome.first_seen) - set(count) == set()
    assert len(count) > 200


def test_a_paper_is_reported_by_the_first_run_that_can_see_it(year: Year, outcome: Outcome) -> None:
    days = {name: _day_of(event) for name, event in _works_reported(year, outcome, "new_paper", "baseline")}
    assert days == outcome.first_seen


def test_the_first_results_are_reported_as_baseline_and_all_others_as_new(year: Year, outcome: Outcome) -> None:
    kinds = {name: event["type"] for name, event in _works_reported(year, outcome, "new_paper", "baseline")}
    expected = {name: "new_paper" if day else "baseline" for name, day in outcome.first_seen.items()}
    assert kinds == expected


def test_a_preprint_that_gets_published_is_reported_once_as_published(year: Year, outcome: Outcome) -> None:
    count = Counter(name for name, _ in _works_reported(year, outcome, "now_published"))
    first_reported = dict(_works_reported(year, outcome, "new_paper", "baseline"))
    expected = {
        name
        for name, slots in outcome.kinds_seen.items()
        if {"preprint", "article"} <= slots and first_reported[name]["paper"].get("type") == "preprint"
    }
    assert count == Counter(expected)
    assert len(expected) > 10


def test_a_retraction_is_reported_once(year: Year, outcome: Outcome) -> None:
    count = Counter(name for name, _ in _works_reported(year, outcome, "retracted"))
    expected = {name for name, kinds in outcome.kinds_seen.items() if "retracted" in kinds}
    assert count == Counter(expected)
    assert len(expected) > 10


def test_the_year_contained_every_kind_of_fault(outcome: Outcome) -> None:
    incomplete = sum(not report["complete"] for report in outcome.reports)
    assert incomplete > len(outcome.reports) / 4
    assert outcome.killed > 5
    assert outcome.busy > 0
    assert max(report["windows"]["all"] for report in outcome.reports) > 2
    numbers = [event["number"] for event in outcome.events]
    assert numbers == list(range(1, len(numbers) + 1))
