"""What the other requests for papers use of AWS: `python -m tests.benchmarks.cost_operations_usage --write`.

As `tests.benchmarks.cost_usage`, with the sandbox behind the providers' own functions. Each round is about other
papers, so that nothing was kept; the rows "kept" are asked again. The processor time of the child that reads a PDF is
the operating system's account of ended processes.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch
from urllib.parse import quote

from infra.functions import provider_names, provider_spec
from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.server import Sandbox
from infra.local.sandbox.texts.pdf import COPIES
from tests.benchmarks.cost_meter import Meter, Used, measured
from tests.benchmarks.cost_usage import MEASURED, figures, metered
from tests.unit.full_texts.written import texts_in

ROUNDS = 3
OPTIONAL = ("datacite", "dblp", "clinicaltrials", "core")
WORDS = {"dblp": ("attention", "graph", "learning"), None: ("TREM2", "microglia", "tau")}
JATS = sorted(texts_in("jats"))
UNREAD = [*JATS[ROUNDS:], COPIES[ROUNDS].doi]  # whose texts no round before asked for
SEEDS = [fact.pmid for fact in default_corpus().covered("pubmed") if fact.doi][:ROUNDS]
# How many legs follow one another in each, besides those at once.
SERIAL = {"passages": 2, "full text": 2, "similar": 2}


def get(local: Machine, path: str) -> Any:
    """A GET that must be answered."""
    return _answered(local, rest_event("GET", path))


def post(local: Machine, path: str, body: Any) -> Any:
    """A POST that must be answered."""
    return _answered(local, rest_event("POST", path, body=json.dumps(body)))


def _answered(local: Machine, event: Any) -> Any:
    answer = local.invoke("dispatcher", event)
    assert answer["statusCode"] == 200, answer["body"]
    return answer


def full_text(local: Machine, name: str) -> Any:
    """The full text of a paper, which must be shown."""
    answer = get(local, f"/v1/papers/{quote(name, safe='')}/fulltext")
    assert json.loads(answer["body"])["status"] == "available", answer["body"][:500]
    return answer


def operations() -> Iterator[tuple[str, Callable[[Machine, int], Any]]]:
    """Each request by its name in the table; it gets the number of the round."""
    for name in OPTIONAL:
        yield f"search of {provider_spec(name).title} alone", partial(_search, name)
    yield "full text (JATS)", lambda local, n: full_text(local, JATS[n])
    yield "full text (JATS), kept", lambda local, n: full_text(local, JATS[n])
    yield "full text (PDF)", lambda local, n: full_text(local, COPIES[n].doi)
    yield "full text (PDF), kept", lambda local, n: full_text(local, COPIES[n].doi)
    yield "passages of one paper", lambda local, n: _passages(local, [UNREAD[n]])
    yield "passages of one paper, texts kept", lambda local, n: _passages(local, [UNREAD[n]], "of patients")
    yield "similar papers of one", lambda local, n: get(local, f"/v1/papers/pmid:{SEEDS[n]}/similar")
    yield "similar papers of one, kept", lambda local, n: get(local, f"/v1/papers/pmid:{SEEDS[n]}/similar")


def _search(provider: str, local: Machine, number: int) -> Any:
    words = WORDS.get(provider, WORDS[None])[number]
    return post(local, "/v1/literature-search", {"query": words, "providers": [provider], "cite_in_kg": False})


def _passages(local: Machine, ids: list[str], more: str = "") -> Any:
    return post(local, "/v1/passages", {"question": f"What was measured {more}?", "ids": ids})


@contextmanager
def children_counted(meter: Meter) -> Iterator[None]:
    """The processor time of the processes that end meanwhile."""
    run = subprocess.run

    def counted(*args: Any, **kwargs: Any) -> Any:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            return run(*args, **kwargs)
        finally:
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            meter.used.cpu_ms["child"] += spent * 1000

    with patch.object(subprocess, "run", counted):
        yield


def of_operations() -> dict[str, Any]:
    """What each request uses: the median of its rounds."""
    found: dict[str, Any] = {}
    memory = {name: provider_spec(name).memory_mb for name in provider_names()}
    with (
        machine(sandbox=Sandbox(faults={})) as local,
        metered(local, None, [], provider_names()) as meter,
        children_counted(meter),
    ):
        assert local.sandbox
        post(local, "/v1/literature-search", {"query": "warm", "cite_in_kg": False})
        for name, ask in operations():
            rounds: list[tuple[Used, Counter[str], int]] = []
            for number in range(ROUNDS):
                local.sandbox.requests.clear()
                used, answer = measured(meter, partial(ask, local, number))
                sent = Counter(it.provider for it in local.sandbox.requests)
                rounds.append((used, sent, len(answer["body"].encode())))
            found[name] = {
                **figures([used for used, _, _ in rounds]),
                "requests": _median([sent for _, sent, _ in rounds]),
                "answer_bytes": round(statistics.median(size for *_, size in rounds)),
                "rounds": next((it for start, it in SERIAL.items() if name.startswith(start)), 1),
                "memory_mb": memory,
            }
    return {name: _without_unused(it) for name, it in found.items()}


def _median(counted: list[Counter[str]]) -> dict[str, float]:
    names = sorted({name for it in counted for name in it})
    return {name: statistics.median(it[name] for it in counted) for name in names}


def _without_unused(found: Mapping[str, Any]) -> dict[str, Any]:
    """Without the memory of functions that were not invoked."""
    invoked = {name: it for name, it in found["memory_mb"].items() if f"provider {name} invocations" in found["counts"]}
    return {**found, "memory_mb": invoked}


def main() -> None:
    """Print what was measured; with `--write`, keep it for the arithmetic."""
    os.environ["POWERTOOLS_METRICS_DISABLED"] = "false"
    os.environ.setdefault("CONTACT_EMAIL", "dev@university.example")
    for name in ("core", "dblp", "open_copy_text"):  # what a source makes wait for is no use of AWS
        os.environ[f"{name.upper()}_REQUESTS_PER_SECOND"] = "30"
    stored = json.loads(MEASURED.read_text(encoding="utf-8"))
    text = json.dumps({**stored, "operations": of_operations()}, indent=1)
    print(text)
    if "--write" in sys.argv:
        MEASURED.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
