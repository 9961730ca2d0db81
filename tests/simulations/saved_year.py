"""A made-up year of one field: papers appear, late and with old dates, change their ids, are published and retracted.

Everything follows from a seed. `Year.corpus(day)` is what the sandbox's services hold on a day, `seen_by` which of the
works they show then: what a saved search must have reported is counted from that, not from its own reports.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact

FIRST_DAY = date(2026, 1, 1)
DAYS = 365
QUERY = "TREM2 microglia"
TOPICS = ("trem2-microglia-alzheimer",)
LONGEST_LAG = 14  # days from one index to the next
_SYLLABLES = ("ba", "cor", "den", "fi", "gal", "hu", "ka", "lim", "mer", "nos", "pul", "ra", "ser", "tau", "vo", "xi")


@dataclass(frozen=True, slots=True)
class State:
    """One record of a work from a day on, until another replaces it in the same `slot`."""

    day: int
    slot: str
    fact: Fact


@dataclass(slots=True)
class Work:
    """A work with all that becomes of its records, and the events due once it was seen."""

    name: str
    kind: str
    states: list[State] = field(default_factory=list)
    only: str | None = None  # the one index that holds it

    def on(self, day: int) -> list[State]:
        """Its records on a day: of each slot the newest."""
        now = {state.slot: state for state in self.states if state.day <= day}
        return list(now.values())


class _View(Corpus):
    """The corpus of a day, which each index receives with a delay of its own."""

    def __init__(self, facts: tuple[Fact, ...], holds: Callable[[str, Fact], bool]) -> None:
        super().__init__(facts)
        object.__setattr__(self, "_holds", holds)

    def covered(self, provider: str) -> list[Fact]:
        holds: Callable[[str, Fact], bool] = self._holds  # type: ignore[attr-defined]
        return [fact for fact in super().covered(provider) if holds(provider, fact)]


class Year:
    """The works of a year; `at_first` of them are older than it."""

    def __init__(self, *, at_first: int = 130, seed: int = 1) -> None:
        self._rng = random.Random(seed)
        factories = {
            "article": self._article, "late": self._late, "gains ids": self._gains_ids,
            "changes ids": self._changes_ids, "linked preprint": self._linked, "unlinked preprint": self._unlinked,
            "retracted": self._retracted,
        }  # fmt: skip
        self.works: list[Work] = []
        for number in range(at_first):
            kind = ("article", "changes ids", "retracted", "unlinked preprint")[0 if number % 8 else number // 8 % 4]
            self._add(kind, factories[kind], -self._rng.randrange(30, 2000))
        for kind, count in {"article": 30, "late": 20, "gains ids": 12, "changes ids": 12, "linked preprint": 12,
                            "unlinked preprint": 10, "retracted": 8}.items():  # fmt: skip
            for _ in range(count):
                self._add(kind, factories[kind], self._rng.randrange(1, DAYS - 60))

    def _add(self, kind: str, make: Callable[[Work, int], None], day: int) -> None:
        work = Work(f"work-{len(self.works)}", kind)
        make(work, day)
        self.works.append(work)

    def corpus(self, day: int) -> Corpus:
        """What the services hold on this day of the year (0 is the first)."""
        since = {id(state.fact): (work, state) for work in self.works for state in work.on(day)}

        def holds(provider: str, fact: Fact) -> bool:
            work, state = since[id(fact)]
            if work.only not in (None, provider):
                return False
            return state.day < 0 or day >= state.day + self._lag(provider, work)

        return _View(tuple(state.fact for _, state in since.values()), holds)

    def seen_by(self, day: int, providers: Collection[str]) -> dict[str, list[State]]:
        """The works that one of these services shows on this day, with the records that it shows."""
        corpus = self.corpus(day)
        of = {id(state.fact): (work.name, state) for work in self.works for state in work.on(day)}
        found: dict[str, list[State]] = {}
        for provider in sorted(providers):
            for fact in corpus.covered(provider):  # each of them has the words of QUERY
                name, state = of[id(fact)]
                found.setdefault(name, []).append(state)
        return found

    def _lag(self, provider: str, work: Work) -> int:
        return hashlib.sha256(f"{provider} {work.name}".encode()).digest()[0] % (LONGEST_LAG + 1)

    # How works come to be.

    def _article(self, work: Work, day: int) -> None:
        work.states.append(State(day, "article", self._fact(day - self._rng.randrange(8))))

    def _late(self, work: Work, day: int) -> None:
        fact = self._fact(day - self._rng.randrange(200, 900))
        appeared = str(fact.publication_date)
        work.states.append(
            State(day, "article", replace(fact, publication_date=appeared[: self._rng.choice((4, 7, 10))]))
        )

    def _gains_ids(self, work: Work, day: int) -> None:
        whole = self._fact(day)
        bare = replace(whole, doi=None, pmid=None, volume=None, pages=None)
        work.states += [State(day, "article", bare), State(day + self._rng.randrange(20, 60), "article", whole)]

    def _changes_ids(self, work: Work, day: int) -> None:
        first = self._fact(day)
        later = self._rng.choice((
            replace(first, s2_paper_id=self._hex(40)),
            replace(first, openalex_id=f"W98{self._digits(8)}"),
            replace(first, doi=self._doi()),
        ))  # fmt: skip
        after = self._rng.randrange(20, 200) if day >= 0 else self._rng.randrange(-day, DAYS - 30 - day)
        work.states += [State(day, "article", first), State(day + after, "article", later)]

    def _linked(self, work: Work, day: int) -> None:
        """Under another title, so that only the index that reports the relation can know it for the same."""
        work.only = "crossref"
        preprint, article = self._pair(day, after := self._rng.randrange(30, 150))
        article = replace(article, title=article.title.replace("TREM2", "Microglial TREM2 and", 1))
        doi, other = str(preprint.doi), str(article.doi)
        published = day + after
        work.states += [
            State(day, "preprint", preprint),
            State(published, "preprint", replace(preprint, versions=(other,))),
            State(published, "article", replace(article, versions=(doi,))),
        ]

    def _unlinked(self, work: Work, day: int) -> None:
        preprint, article = self._pair(day, after := self._rng.randrange(30, 150))
        work.states += [State(day, "preprint", preprint), State(day + after, "article", article)]

    def _retracted(self, work: Work, day: int) -> None:
        fact = self._fact(day)
        after = self._rng.randrange(30, 200) if day >= 0 else self._rng.randrange(-day + 30, DAYS - 30 - day)
        notice = {"status": "retracted", "notice_doi": self._doi()}
        work.states += [State(day, "article", fact), State(day + after, "article", replace(fact, retraction=notice))]

    # What they are made of.

    def _pair(self, day: int, after: int) -> tuple[Fact, Fact]:
        article = self._fact(day + after)
        on = _day(day)
        preprint = replace(
            article,
            type="preprint", journal="bioRxiv", doi=f"10.1101/{on:%Y.%m.%d}.{self._digits(6)}", pmid=None, volume=None,
            pages=None, s2_paper_id=self._hex(40), openalex_id=f"W98{self._digits(8)}", year=on.year,
            publication_date=on.isoformat(),
        )  # fmt: skip
        return preprint, article

    def _fact(self, day: int) -> Fact:
        on, words = _day(day), [self._word() for _ in range(6)]
        return Fact(
            title=f"TREM2 {' '.join(words[:3])} in microglia of {' '.join(words[3:])}",
            authors=tuple((self._word().title(), self._word().title()) for _ in range(4)),
            author_count=4,
            year=on.year,
            publication_date=on.isoformat(),
            journal=f"Journal of {self._word().title()}",
            volume=self._digits(2),
            pages=f"{self._digits(4)}",
            doi=self._doi(),
            pmid=f"39{self._digits(6)}",
            s2_paper_id=self._hex(40),
            openalex_id=f"W98{self._digits(8)}",
            citation_count=0,
            topics=TOPICS,
            abstract=f"What TREM2 does in microglia: {' '.join(self._word() for _ in range(8))}.",
        )

    def _word(self) -> str:
        return "".join(self._rng.choices(_SYLLABLES, k=4))

    def _doi(self) -> str:
        return f"10.5555/{self._word()}.{self._digits(6)}"

    def _hex(self, length: int) -> str:
        return "".join(self._rng.choices("0123456789abcdef", k=length))

    def _digits(self, length: int) -> str:
        return str(self._rng.randrange(10 ** (length - 1), 10**length))


def _day(day: int) -> date:
    return FIRST_DAY + timedelta(days=day)


def names_of(states: Collection[State]) -> Iterator[tuple[str, Any]]:
    """Every id that one of these records has had, with its kind."""
    for state in states:
        for name in ("doi", "pmid", "s2_paper_id", "openalex_id"):
            if value := getattr(state.fact, name):
                yield name, value.lower()
