"""What two callers of one machine leave there: their exhaustive searches, checks of references, and requests for texts.

Each begins jobs of nearly the same words. Neither may read the other's job, and nothing that only one typed may be in
what the other reads, although both jobs share what the sources have answered.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from infra.local.machine import Machine

SEARCHES, CHECKS = "/v1/exhaustive-searches", "/v1/reference-checks"
TEXT = "/v1/papers/PMC5762154/fulltext"
NOT_OF_A_JOB = {"max_results", "detail", "ranking", "sort", "max_tokens", "abstract_chars", "cite_in_kg", "fresh"}
MAX_RECORDS, MOST_STEPS = 30, 8
LONG = 31  # references: more than are checked within a request


@dataclass(frozen=True, slots=True)
class Job:
    """A job of one caller: where it is read, and the texts of its answers and files."""

    owner: str
    places: tuple[str, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Jobs:
    """Begins jobs and reads them."""

    client: httpx.Client
    machine: Machine

    def check(self, fields: Mapping[str, Mapping[str, Any]], typed: Mapping[str, Collection[str]]) -> None:
        """Begin the jobs of the callers with these keys; raise AssertionError where one sees the other's."""
        jobs = [job for key, it in fields.items() for job in (self._search(key, it), self._list(key, typed[key]))]
        for job in jobs:
            for key in fields.keys() - {job.owner}:
                self._is_not_shown(job, key)
                _raise_if_in(job.texts, set(typed[key]) - set(typed[job.owner]))
        for key, marks in typed.items():
            texts = self._texts(key, marks)
            for other in typed.keys() - {key}:
                _raise_if_in(texts, set(typed[other]) - set(marks))

    def _search(self, key: str, fields: Mapping[str, Any]) -> Job:
        """An exhaustive search, read to its end, with its report, picture and file."""
        body = {name: it for name, it in fields.items() if name not in NOT_OF_A_JOB}
        begun = self._sent(key, "POST", SEARCHES, {**body, "max_records": MAX_RECORDS})
        assert begun.status_code in (200, 202), begun.text
        place = f"{SEARCHES}/{begun.json()['search_id']}"
        found = begun
        for _ in range(MOST_STEPS):
            if found.json()["state"] in ("done", "failed"):
                break
            self.machine.invoke("exhaustive_searcher", _turn(begun.json()["search_id"]))
            found = self._sent(key, "GET", place)
        assert found.json()["state"] == "done", found.text
        places = (place, f"{place}/report", f"{place}/report?format=svg", f"{place}/papers")
        read = [self._sent(key, "GET", it) for it in places]
        assert [it.status_code for it in read] == [200] * len(places)
        return Job(key, places, tuple(it.text for it in (begun, *read)))

    def _list(self, key: str, typed: Collection[str]) -> Job:
        """A long list of references, which nobody works through."""
        words = " ".join(sorted(typed))
        lines = [f"Smith J. A study of {words} number {n}. Nature. 2020;{n}:1-9." for n in range(LONG)]
        begun = self._sent(key, "POST", CHECKS, {"references": lines, "cite_in_kg": False})
        assert begun.status_code == 202, begun.text
        place = f"{CHECKS}/{begun.json()['check_id']}"
        read = self._sent(key, "GET", place)
        assert read.status_code == 200, read.text
        return Job(key, (place, f"{place}/document"), (begun.text, read.text))

    def _texts(self, key: str, typed: Collection[str]) -> list[str]:
        """A text, a section that it does not have, and the page for people, each with what the caller types."""
        words = {"section": " ".join(sorted(typed)) or "zzqq"}
        unknown = self._sent(key, "GET", TEXT, params=words)
        whole = self._sent(key, "GET", TEXT)
        page = self.client.get("/", params={"q": words["section"]}, headers={"x-api-key": key, "Accept": "text/html"})
        statuses = [it.status_code for it in (unknown, whole, page)]
        assert statuses == [422, 200, 200], [it.text[:500] for it in (unknown, whole, page)]
        return [unknown.text, whole.text, page.text]

    def _is_not_shown(self, job: Job, key: str) -> None:
        for place in job.places:
            refused = self._sent(key, "GET", place)
            assert refused.status_code == 404, f"{place}: {refused.text}"

    def _sent(
        self, key: str, method: str, path: str, body: Any = None, params: Mapping[str, str] | None = None
    ) -> httpx.Response:
        return self.client.request(method, path, json=body, params=params, headers={"x-api-key": key})


def _turn(search_id: str) -> dict[str, Any]:
    record = {
        "messageId": "m1", "receiptHandle": "r1", "body": f'{{"search_id": "{search_id}"}}',
        "attributes": {"ApproximateReceiveCount": "1"}, "messageAttributes": {}, "eventSource": "aws:sqs",
    }  # fmt: skip
    return {"Records": [record]}


def _raise_if_in(texts: Collection[str], marks: Collection[str]) -> None:
    for text in texts:
        whole = text.casefold()
        found = [mark for mark in marks if mark.casefold() in whole]
        assert not found, f"{found} is the other caller's: {text[:2_000]}"
