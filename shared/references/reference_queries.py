"""Queries the sources for the references of one request, in the order that `shared.references.resolve` describes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from shared.bibliography.paper import MergedPaper
from shared.bibliography.paper_ids import scheme_of
from shared.canonical_json import chunks_of
from shared.clock import Deadline
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer
from shared.papers.dependencies import PaperDependencies
from shared.papers.lookup import look_up
from shared.papers.paper_request import PaperRequest
from shared.papers.reference_request import ResolveRequest
from shared.query.question import Match
from shared.references.reference_state import Candidates, ReferenceState

# The most references that are sent to all providers at once; more go to one provider after the other, which spares the
# slow ones.
FEW_REFERENCES = 5
# A source that allows fewer requests a second is queried last, for what the others left open.
FEW_REQUESTS = 1.0
# The duration of a wave, in seconds: a slow provider gets no more than it can answer in this time, so that no leg
# spends its timeout waiting for the rate limiter.
WAVE_S = 5.0
# Of the time of a request with ids: what step 1 may use, so that the ids are looked up at all.
FIRST_SHARE = 0.6


class ReferenceQueries:
    """The references of one request, what was queried for them, and the papers found."""

    def __init__(
        self, request: ResolveRequest, dependencies: PaperDependencies, deadline: Deadline, refused: Mapping[int, str]
    ) -> None:
        self._fresh, self._dependencies, self._deadline = request.fresh, dependencies, deadline
        self.references = [ReferenceState.of(it, refused.get(it.place)) for it in request.references]
        self.answers: list[LegAnswer] = []
        self.opened: dict[str, MergedPaper] = {}  # the matched papers in full, by key
        self._candidates = Candidates()
        self._known: set[str] = set()  # the ids that a source knows
        self._until = deadline.until

    def match_without_ids(self) -> None:
        """Match the references without ids, as long as there is time left for the others."""
        if any(reference.has_ids for reference in self.references):
            self._until = self._deadline.share(FIRST_SHARE)
        self._match([it for it in _open(self.references) if not it.has_ids])
        self._until = self._deadline.until

    def match_with_ids(self) -> None:
        """Match the references whose ids do not name their papers."""
        self._match([it for it in _open(self.references) if it.has_ids])

    def look_up_ids(self) -> None:
        """Look up the ids in all references, and with them the papers matched so far, in one lookup."""
        self._look_up_for({place: it.names for place, it in enumerate(self.references)})
        others = {place: [writing.name for writing in it.writings]
                  for place, it in enumerate(self.references) if it.writings and not it.has_confirmed_id}  # fmt: skip
        if self._look_up_for(others):
            for place in others:
                self.references[place] = self.references[place].as_known(self._known)
            self._candidates.judge(self.references, self._deadline)

    def _look_up_for(self, names: Mapping[int, Sequence[str]]) -> bool:
        """Look up the names given with the places of their references; whether there was any."""
        wanted = list(dict.fromkeys(name for of_one in names.values() for name in of_one))
        if not wanted:
            return False
        requests = self._look_up([*wanted, *self._unopened()])
        for place, of_one in names.items():
            for name in of_one:
                self.references[place].outcomes |= requests[name].outcomes
                paper = requests[name].paper
                self._candidates.add([self.references[place]], paper.records if paper else ())
        self._known |= {name for name in wanted if requests[name].paper}
        self.opened |= {request.paper.key: request.paper for request in requests.values() if request.paper}
        self._candidates.judge(self.references, self._deadline)
        return True

    def _match(self, references: Sequence[ReferenceState]) -> None:
        """Query one provider after the other for those of the references that are not matched yet."""
        capabilities = self._dependencies.capabilities
        providers = sorted(
            self._dependencies.providers_supporting("match"),
            key=lambda name: (-capabilities[name].requests_per_second * capabilities[name].match_titles, name),
        )
        slow = [name for name in providers if capabilities[name].requests_per_second < FEW_REQUESTS]
        providers = [name for name in providers if name not in slow]
        if len(references) <= FEW_REFERENCES:
            sizes = {
                name: 1 if capabilities[name].finds_misspelt else capabilities[name].match_titles for name in providers
            }
            self._query(sizes.items(), references)
            self._query([(name, capabilities[name].match_titles) for name in slow], _open(references))
            return
        matchers = [name for name in providers if capabilities[name].match_citations > 1]
        for name in matchers:
            self._query([(name, capabilities[name].match_citations)], _open(references))
        for name in sorted(set(providers) - set(matchers), key=providers.index):
            self._query_in_waves(name, capabilities[name].match_titles, _open(references))
        for name in slow:  # one request for all that say so spares several of each provider for misspelt titles
            named = [it for it in _open(references) if it.is_printed_at(name)]
            self._query_in_waves(name, capabilities[name].match_titles, named)
        for name in (name for name in providers if capabilities[name].finds_misspelt):
            self._query_in_waves(name, 1, _open(references), least_s=WAVE_S)
        for name in slow:
            rest = [it for it in _open(references) if name not in it.outcomes]
            self._query_in_waves(name, capabilities[name].match_titles, rest)

    def _query_in_waves(self, name: str, size: int, references: Sequence[ReferenceState], least_s: float = 0.0) -> None:
        """Query a provider for these references, `size` a request, while at least `least_s` seconds are left."""
        wave = max(1, round(WAVE_S * self._dependencies.capabilities[name].requests_per_second)) * size
        for some in chunks_of(references, wave):
            if least_s and self._until - self._dependencies.monotonic() < least_s:
                return
            self._query([(name, size)], some)

    def _query(self, providers: Iterable[tuple[str, int]], references: Sequence[ReferenceState]) -> None:
        """Query each provider, given with its references per request, and judge all references again."""
        sent: list[tuple[Leg, Sequence[ReferenceState]]] = []
        for name, size in providers:
            for batch in chunks_of(references, size):
                sent.append((Leg(name, Match(tuple(reference.query for reference in batch))), batch))
        if not sent:
            return
        legs = [leg for leg, _ in sent]
        answers = answer_legs(legs, self._dependencies.legs, until=self._until, fresh=self._fresh)
        self._dependencies.observe(answers)
        self.answers += answers
        for answer, (leg, batch) in zip(answers, sent, strict=True):
            self._candidates.add(batch, answer.reply.papers)
            for position, reference in enumerate(batch):
                if position not in answer.reply.not_queried:
                    reference.outcomes[leg.provider] = answer.reply.outcome
        self._candidates.judge(self.references, self._deadline)

    def open_matches(self) -> None:
        """Look up the matched papers in full, in one lookup: only then their retraction status is known."""
        if names := self._unopened():
            self._look_up(names, only=self._dependencies.not_optional)

    def _unopened(self) -> list[str]:
        """The keys of the matched papers that were not looked up yet."""
        shown = [paper.key for reference in self.references if (paper := reference.judgement.shown_in_full)]
        return sorted({key for key in shown if scheme_of(key) != "title"} - self.opened.keys())

    def _look_up(self, names: Sequence[str], only: Collection[str] | None = None) -> dict[str, PaperRequest]:
        found = look_up(names, self._dependencies, self._deadline, fresh=self._fresh, only=only)
        self.answers += found.answers
        self.opened |= {request.name: request.paper for request in found.requests if request.paper}
        return {request.name: request for request in found.requests}

    def meant(self) -> dict[str, MergedPaper]:
        """The papers in full that references are matched with."""
        keys = {paper.key for reference in self.references if (paper := reference.judgement.shown_in_full)}
        return {key: paper for key, paper in self.opened.items() if key in keys}


def _open(references: Iterable[ReferenceState]) -> list[ReferenceState]:
    """The references that are not matched and can be searched for."""
    return [it for it in references if it.can_be_searched and it.judgement.status != "matched"]
