"""Looks papers up by name: each provider that accepts one of their names is queried once for all of them together.

    1. names that a single provider accepts (OpenAlex's W…)     -> query it, to learn the papers' other names
    2. a provider that translates between all kinds of names    -> query it, unless the DOI of every paper is known
    3. all other providers, each by the name it accepts best    -> one leg per provider
    4. of a few papers only: providers whose kind of name was unknown before and has been learnt since
    5. registries, for papers of which no other has a record; by ids that only they accept in step 3

So a hundred names of mixed kinds cost one query per provider (two for the provider of step 1), and a lookup by DOI
alone has a single round. Each step but the last leaves time for the next. A request too short for several steps
queries all providers at once, by the names in the request.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from shared.bibliography.paper import MergedPaper, Paper, RecordId
from shared.bibliography.paper_ids import id_texts, scheme_of
from shared.clock import STEP_S, Deadline
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer
from shared.merging.merge import merge
from shared.outcomes import Outcome
from shared.papers.dependencies import PaperDependencies
from shared.papers.left_out import reports_left_out, within_limit
from shared.papers.paper_request import PaperRequest, arxiv_doi_names
from shared.query.question import Lookup
from shared.search.integrity import with_integrity

# The most names for which step 4 is made.
FEW_NAMES = 10
# The share of the remaining time for each of steps 1 and 2, for step 3 if others may follow, for step 4 before step 5.
STEP_SHARE, THIRD_STEP_SHARE, LAST_STEP_SHARE = 0.4, 0.6, 0.5


@dataclass(frozen=True, slots=True)
class LookupResult:
    """The requested papers in the order of the request, and the legs that were sent for them."""

    requests: Sequence[PaperRequest]
    answers: Sequence[LegAnswer]
    left_out: Mapping[str, Sequence[str]]  # provider -> papers it was not queried for: it accepts fewer names at once


def look_up(
    names: Sequence[str],
    dependencies: PaperDependencies,
    deadline: Deadline,
    *,
    fresh: bool = False,
    only: Collection[str] | None = None,
    part: float = 1.0,
    in_part: bool = False,
) -> LookupResult:
    """Look up these names; repeated names count once. Raises nothing: failures are in the outcomes.

    Arguments:
        fresh: query again even if the cache has an answer.
        only: the providers that may be queried; None for all.
        part: the share of the remaining time that the lookup may use.
        in_part: query a provider that accepts fewer names at once for the first ones; otherwise it is left out.
    """
    lookup = _Lookup(names, dependencies, deadline, fresh=fresh, only=only, part=part, in_part=in_part)
    lookup.run()
    return LookupResult(lookup.requests, lookup.answers, lookup.left_out)


class _Lookup:
    def __init__(
        self,
        names: Sequence[str],
        dependencies: PaperDependencies,
        deadline: Deadline,
        *,
        fresh: bool,
        only: Collection[str] | None,
        part: float,
        in_part: bool,
    ) -> None:
        self._dependencies, self._deadline, self._fresh, self._in_part = dependencies, deadline, fresh, in_part
        self._until = deadline.share(part)
        supporting = dependencies.providers_supporting("lookup")
        schemes = {name: supporting[name] for name in supporting if only is None or name in only}
        optional = {name for name in schemes if only is None and dependencies.capabilities[name].optional}
        self._schemes = {name: schemes[name] for name in schemes if name not in optional}
        self._registries = {name: schemes[name] for name in optional if dependencies.capabilities[name].registry}
        self._without_record: set[str] = set()
        indexes = frozenset(dependencies.providers_supporting("search"))
        new = partial(PaperRequest, indexes=indexes, registries=frozenset(self._registries))
        self.requests = [new(name, {name, *arxiv_doi_names(name)}) for name in dict.fromkeys(names)]
        self.answers: list[LegAnswer] = []
        self.left_out: dict[str, list[str]] = {}
        self._records: list[Paper] = []
        # For each provider the names it was queried for, with the outcome.
        self._outcomes: defaultdict[str, dict[str, Outcome]] = defaultdict(dict)

    def run(self) -> None:
        """Take all steps, then merge the records of each paper."""
        all_providers = dict.fromkeys(self._schemes, self.requests) | self._of_registries_alone()
        few, hurried = len(self.requests) <= FEW_NAMES, STEP_SHARE * self._remaining_s() < STEP_S
        if not hurried:
            self._query(self._single_readers(), STEP_SHARE)
            if not all(request.has_own_doi for request in self.requests):
                translators = {name: all_providers[name] for name in all_providers if self._translates(name)}
                self._query(translators, STEP_SHARE)
        self._query(all_providers, THIRD_STEP_SHARE if self._registries or (few and not hurried) else 1.0)
        if few:
            self._query(all_providers, LAST_STEP_SHARE if self._registries else 1.0)
        self._query_registries()
        counts = {provider: len(names) for provider, names in self.left_out.items()}
        self.answers = reports_left_out(self.answers, counts, self._dependencies.capabilities)
        self._merge()

    def _of_registries_alone(self) -> dict[str, list[PaperRequest]]:
        """The requests by ids that only registries accept, by registry."""
        unread = [it for it in self.requests if scheme_of(it.name) not in set().union(*self._schemes.values())]
        return dict.fromkeys(self._registries, unread) if unread else {}

    def _query_registries(self) -> None:
        """Query the registries for the papers that no index has, which now need their answers; if an index answered."""
        held = set().union(*map(_names, self._records))
        unheld = [request for request in self.requests if not request.names & held]
        missing = [request for request in unheld if request.has_answer_of_index or not request.outcomes]
        self._without_record = {request.name for request in missing}
        if missing and self._registries:
            self._query(dict.fromkeys(self._registries, missing), 1.0)

    def _remaining_s(self) -> float:
        return max(0.0, self._until - self._deadline.monotonic())

    def _translates(self, provider: str) -> bool:
        return self._dependencies.capabilities[provider].translates

    def _single_readers(self) -> dict[str, list[PaperRequest]]:
        """The providers that alone accept a requested name, with those requests; no translators: they are step 2."""
        readers: defaultdict[str, list[str]] = defaultdict(list)
        for provider, schemes in self._schemes.items():
            for scheme in schemes:
                readers[scheme].append(provider)
        by_reader: defaultdict[str, list[PaperRequest]] = defaultdict(list)
        for request in self.requests:
            match readers[scheme_of(request.name)]:
                case [provider] if not self._translates(provider):
                    by_reader[provider].append(request)
        return by_reader

    def _schemes_of(self, provider: str) -> Sequence[str]:
        return self._schemes.get(provider) or self._registries[provider]

    def _query(self, requests_of: Mapping[str, Sequence[PaperRequest]], share: float) -> None:
        """Send one leg to each provider for those of its requests that it has not been queried for and accepts."""
        named_by: dict[str, list[tuple[PaperRequest, str]]] = {}
        new_names: dict[str, tuple[str, ...]] = {}
        for provider, requests in requests_of.items():
            pending = [request for request in requests if provider not in request.outcomes]
            named = [(request, name) for request in pending if (name := request.name_in(self._schemes_of(provider)))]
            queried, most = self._outcomes[provider], self._dependencies.capabilities[provider].lookup_names
            named_by[provider], left = within_limit(named, queried, most, in_part=self._in_part)
            if left:  # also of an earlier step, for the same papers
                self.left_out[provider] = [request.name for request in left]
            if names := {name for _, name in named_by[provider]} - queried.keys():
                new_names[provider] = tuple(sorted(names))
        if new_names:
            self._send(new_names, share)
        for provider, named in named_by.items():
            for request, name in named:
                request.outcomes[provider] = self._outcomes[provider][name]

    def _send(self, names_for: Mapping[str, tuple[str, ...]], share: float) -> None:
        """Query each provider for its names, and store the records and outcomes."""
        legs = [Leg(provider, Lookup(names)) for provider, names in names_for.items()]
        until = self._deadline.monotonic() + share * self._remaining_s()
        answers = answer_legs(legs, self._dependencies.legs, until=until, fresh=self._fresh)
        self._dependencies.observe(answers)
        self.answers += answers
        for answer, (provider, names) in zip(answers, names_for.items(), strict=True):
            self._records += answer.reply.papers
            self._outcomes[provider] |= dict.fromkeys(names, answer.reply.outcome)
            if answer.reply.outcome.answered:
                unanswered = [name for position, name in enumerate(names) if position in answer.reply.not_queried]
                self._outcomes[provider] |= dict.fromkeys(unanswered, Outcome.UNAVAILABLE)
        self._learn_names()

    def _learn_names(self) -> None:
        """Add to each request the names in its records, and in the records that those names lead to."""
        records_with: defaultdict[str, list[int]] = defaultdict(list)
        for number, record in enumerate(self._records):
            for name in _names(record):
                records_with[name].append(number)
        for request in self.requests:
            waiting, visited = list(request.names), set[int]()
            while waiting:
                for number in set(records_with[waiting.pop()]) - visited:
                    visited.add(number)
                    if not _is_another_paper(self._records[number], request.name):
                        new = _names(self._records[number]) - request.names
                        request.names |= new
                        waiting += new

    def _merge(self) -> None:
        """Set the paper of each request: the one with this name as its key, else the one most records say it is."""
        papers = merge(
            (RecordId(record.provider, record.wording, number), record)
            for number, record in enumerate(self._records, start=1)
        )
        by_name: defaultdict[str, list[MergedPaper]] = defaultdict(list)
        for paper in papers:
            for name in set().union(*map(_names, paper.records)):
                by_name[name].append(paper)
        tracking = self._dependencies.tracking
        for request in self.requests:
            name = request.name
            request.may_know = self._may_know(request)
            if found := by_name[name]:
                best = min(found, key=lambda paper: (paper.key != name, -_answers(paper, name), paper.key))
                request.paper = with_integrity(best, [name for name in request.may_know if name in tracking])

    def _may_know(self, request: PaperRequest) -> list[str]:
        """The providers that accept a name of the paper and did not answer or were not queried."""
        needed = self._schemes | (self._registries if request.name in self._without_record else {})
        return [
            provider
            for provider, schemes in needed.items()
            if (not request.outcomes[provider].answered if provider in request.outcomes else request.name_in(schemes))
        ]


def _names(record: Paper) -> set[str]:
    return {*record.asked, *id_texts(record.ids)}


def _is_another_paper(record: Paper, name: str) -> bool:
    """Whether a record is of another paper that only shares a name with this one (the DOI of a supplement)."""
    scheme = scheme_of(name)
    return name not in _names(record) and any(scheme_of(other) == scheme for other in id_texts(record.ids))


def _answers(paper: MergedPaper, name: str) -> int:
    """How many of the paper's records a provider returned for this name."""
    return sum(name in record.asked for record in paper.records)
