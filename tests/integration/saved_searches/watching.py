"""A debate that cites seven papers, and what becomes of them day by day in the sandbox."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.server import Sandbox
from tests.integration.saved_searches.faults import RUNNER, around_calls, writes_a_search
from tests.integration.saved_searches.requests import rows

PATH = "/v1/saved-searches"
START = datetime(2026, 11, 22, 6, tzinfo=UTC)
DEBATE = {"type": "debate", "id": "42"}
TOPICS = ("trem2-microglia-alzheimer",)
NONE = {"retracted": 0, "corrected": 0, "expression_of_concern": 0, "now_published": 0}


def _article(number: int, title: str, **other: Any) -> Fact:
    fields: dict[str, Any] = {
        "title": title, "authors": ((f"Author{number}", "Ann"), (f"Second{number}", "Bob")), "author_count": 2,
        "year": 2024, "publication_date": "2024-03-05", "journal": "Journal of Glia", "volume": "7",
        "pages": f"{number}00", "doi": f"10.5555/glia.{number}", "pmid": f"3900000{number}",
        "s2_paper_id": f"{number}" * 40, "openalex_id": f"W980000000{number}", "topics": TOPICS,
    }  # fmt: skip
    return Fact(**{**fields, **other})


def _preprint(number: int, title: str) -> Fact:
    doi = f"10.1101/2024.01.0{number}.57430{number}"
    return _article(number, title, type="preprint", journal="bioRxiv", doi=doi, pmid=None, volume=None, pages=None)


SOUND = _article(1, "Microglial lipid droplets in the ageing cortex")
RETRACTED = _article(2, "Amyloid clearance by engineered macrophages")
CORRECTED = _article(3, "Synapse loss measured by expansion microscopy")
CONCERN = _article(4, "Plasma biomarkers of prodromal dementia")
PREPRINT = _preprint(5, "Spatial transcriptomes of plaque niches")
ARTICLE = _article(6, "Spatial transcriptomes of plaque niches", versions=(PREPRINT.doi,))
EARLIER = _article(7, "Tau seeding in organoids", retraction={"status": "retracted", "notice_doi": "10.5555/notice.7"})
CITED = (SOUND, RETRACTED, CORRECTED, CONCERN, PREPRINT, EARLIER)


def marked(fact: Fact, status: str) -> Fact:
    """The paper with a notice."""
    return replace(fact, retraction={"status": status, "notice_doi": f"{fact.doi}.notice"})


class _Shown(Corpus):
    """What every index holds: all of the papers, but for PubMed and arXiv, which need their own ids."""

    def covered(self, provider: str) -> list[Fact]:
        needed = {"pubmed": "pmid", "arxiv": "arxiv_id"}.get(provider)
        return [fact for fact in self.facts if needed is None or getattr(fact, needed)]

    def find(self, provider: str, **ids: str | None) -> Fact | None:
        wanted = {(name, str(value).lower()) for name, value in ids.items() if value}
        for fact in self.covered(provider):
            if any((name, str(getattr(fact, name)).lower()) in wanted for name in ids):
                return fact
        return None


class Watching:
    """A machine over the sandbox, on a given day."""

    def __init__(self, running: Machine, sandbox: Sandbox, traveller: time_machine.Traveller) -> None:
        self.running, self.sandbox, self._traveller = running, sandbox, traveller
        self.papers = {fact.doi: fact for fact in CITED}
        self._day = 0
        self.on(0)

    def on(self, day: int, *papers: Fact, minutes: int = 0) -> None:
        """It is this day, on which these papers have changed or are new."""
        self._day = day
        self.papers |= {paper.doi: paper for paper in papers}
        self.sandbox.corpus = _Shown(tuple(self.papers.values()))
        self._traveller.move_to(START + timedelta(days=day, minutes=minutes))

    def call(self, method: str, path: str, body: Any = None, *, key: str = "one", **query: str) -> tuple[int, Any]:
        """An HTTP request of the caller with this key; its status and answer."""
        parameters = {name: [value] for name, value in query.items()}
        event = rest_event(
            method, path, headers={"x-api-key": key}, body=json.dumps(body) if body else None, query=parameters
        )
        answer = self.running.invoke("dispatcher", event)
        return answer["statusCode"], json.loads(answer["body"] or "null")

    def cite(self, *papers: Fact, key: str = "one", context: Mapping[str, Any] = DEBATE) -> int:
        """The context cites these papers; the status of the request."""
        dois = [paper.doi for paper in papers]
        status, _ = self.call("POST", "/v1/citations", {"context": context, "papers": dois}, key=key)
        self.running.drain_queue()
        return status

    def watch(self, *, key: str = "one", **fields: Any) -> dict[str, Any]:
        """A new watch of the debate."""
        body = {"watch": DEBATE, "schedule": "rate(1 day)", **fields}
        status, answer = self.call("POST", PATH, body, key=key)
        assert status == 201, answer
        return dict(answer)

    def event(self, saved: Mapping[str, Any], due: str | None = None) -> dict[str, Any]:
        """What EventBridge brings on this day."""
        time = due or (START + timedelta(days=self._day)).strftime("%Y-%m-%dT%H:%M:%SZ")
        owner = next(str(row["owner"]) for row in rows() if row.get("id") == saved["id"])
        detail = {"owner": owner, "search_id": saved["id"]}
        event = {"source": "literature-search.schedules", "detail-type": "Scheduled Search", "detail": detail}
        return {"id": "e", "time": time, **event}

    def run(self, saved: Mapping[str, Any], due: str | None = None) -> dict[str, Any]:
        """The scheduled run of this day; its report."""
        return dict(self.running.invoke(RUNNER, self.event(saved, due)))

    def feed(self, saved: Mapping[str, Any], **query: str) -> list[dict[str, Any]]:
        """The whole feed, the oldest event first."""
        status, answer = self.call("GET", f"{PATH}/{saved['id']}/new", limit="100", **query)
        assert (status, answer["next_cursor"]) == (200, None)
        return list(reversed(answer["events"]))

    def reported(self, saved: Mapping[str, Any]) -> list[tuple[str, str, bool]]:
        """Every event's type and DOI, and whether it was so at the start; sorted, as batches have no order."""
        return sorted((it["type"], it["key"].removeprefix("doi:"), it["at_start"]) for it in self.feed(saved))


@contextmanager
def watching(**changes: Any) -> Iterator[Watching]:
    """A fresh machine whose debate cites CITED."""
    sandbox = Sandbox(corpus=_Shown(CITED), **changes)
    with time_machine.travel(START, tick=True) as traveller, machine(sandbox=sandbox) as running:
        made = Watching(running, sandbox, traveller)
        assert made.cite(*CITED) == 200
        yield made


class Killed(BaseException):
    """The process is no more: nothing that a run could catch."""


def dies_at_write(monkeypatch: pytest.MonkeyPatch, number: int, *, after: bool = False) -> list[str]:
    """The process ends before its n-th write to the saved searches, or right after it; the writes that were made."""
    made: list[str] = []

    def count(operation: str, arguments: dict[str, Any], call: Callable[[], Any]) -> Any:
        if not writes_a_search(operation, arguments):
            return call()
        made.append(operation)
        if len(made) < number:
            return call()
        if after:
            call()
        raise Killed

    around_calls(monkeypatch, count)
    return made
