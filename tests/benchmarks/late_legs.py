"""How much of a first page a late leg changes: questions of the sandbox's corpus, with and without each provider.

`python -m tests.benchmarks.late_legs`, some minutes: it asks every provider's function once for each question, then
ranks what came with and without one of them.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from infra.functions import provider_spec, searched_by_default
from infra.local.machine import machine
from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.server import Sandbox
from shared.legs.leg import Leg, LegAnswer
from shared.providers.provider import ProviderReply, reply_from_json
from shared.query.question import question_to_json
from shared.search.disciplines import disciplines_of
from shared.search.ranked_set import ranked_set
from shared.search.requests.search_request import SearchRequest
from tests.benchmarks.corpus_queries import TOPICS

PROVIDERS = searched_by_default()
INTEGRITY = tuple(name for name in PROVIDERS if provider_spec(name).tracks_integrity)
FIRST_PAGE, TITLES, SEED = 10, 60, 1


@dataclass(frozen=True)
class Question:
    """A query, and what each provider answers."""

    text: str
    replies: Mapping[str, ProviderReply]

    def first_page(self, *, without: frozenset[str] = frozenset()) -> list[str]:
        """The keys of its ten best papers."""
        request = SearchRequest.model_validate({"query": self.text})
        names = [name for name in PROVIDERS if name not in without]
        legs = [Leg(name, request.leg_query(self.text)) for name in names]
        answers = [LegAnswer(self.replies[name]) for name in names]
        return [
            paper["key"] for paper in ranked_set(request, legs, answers, INTEGRITY).result_set["results"][:FIRST_PAGE]
        ]


def texts() -> Iterator[str]:
    """Keywords, questions, alternatives and names of every topic, and titles."""
    for keywords, subject, alternatives, name in TOPICS.values():
        yield from (keywords, f"What is known about {subject}?", " OR ".join(alternatives), name)
    titles = sorted({fact.title for fact in default_corpus().facts if len(fact.title.split()) > 3})
    yield from random.Random(SEED).sample(titles, TITLES)


def questions() -> Iterator[Question]:
    """Ask every provider's function."""
    with machine(sandbox=Sandbox(faults={})) as local:
        for text in texts():
            query = SearchRequest.model_validate({"query": text}).leg_query(text)
            event = {**question_to_json(query), "timeout_ms": 14_000, "request_id": "late legs"}
            yield Question(text, {name: reply_from_json(local.invoke(name, dict(event))) for name in PROVIDERS})


def changes(of: Question) -> Iterator[tuple[str, bool, int]]:
    """For each provider: whether the question is of its discipline, and how many papers of the page it decides."""
    whole = of.first_page()
    fields = disciplines_of([of.text])
    for name in PROVIDERS:
        own = bool(provider_spec(name).disciplines & (fields | {"any"}))
        yield name, own, len(set(whole) - set(of.first_page(without=frozenset({name}))))


def report() -> None:
    """By provider, and by whether the question is of its discipline."""
    counts: defaultdict[tuple[str, bool], list[int]] = defaultdict(list)
    for question in questions():
        for name, own, number in changes(question):
            counts[name, own].append(number)
    print("| provider | discipline | questions | first pages changed | papers of ten |\n|---|---|---|---|---|")
    for (name, own), numbers in sorted(counts.items()):
        of, changed, papers = len(numbers), sum(map(bool, numbers)) / len(numbers), sum(numbers) / len(numbers)
        print(f"| {name} | {'its own' if own else 'another'} | {of} | {changed:.0%} | {papers:.2f} |")


if __name__ == "__main__":
    report()
