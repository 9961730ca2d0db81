"""Papers by name: every provider that can be asked for one is asked for it once, all names of a request together.

    1. names that one provider alone can read (OpenAlex's W…)   -> ask it, and learn the paper's other names
    2. a provider that translates between all names             -> ask it, unless every paper has its DOI already
    3. all others, each by the name that it likes best          -> one leg a provider
    4. few papers only: who could not be asked before for want of a name, and now can

So a hundred names of mixed kinds cost each provider one question (the reader of step 1 a second one, for the other
papers), and a DOI alone waits for nobody. Each step but the last leaves time for the next; a request too short for
steps asks everybody at once, by the names that it came with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from shared.bibliography.identifiers import ARXIV_DOI
from shared.bibliography.paper import MergedPaper, Paper, RecordId
from shared.bibliography.paper_ids import best_name, names_of, scheme_of, value_of
from shared.clock import STEP_S, Deadline
from shared.errors import Outcome
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer
from shared.merging.merge import merge
from shared.papers.dependencies import PapersWorld
from shared.query.question import Lookup
from shared.search.integrity import with_integrity

# With more names than this nobody is asked a second time (4).
FEW = 10
# Of the time that is left, what each of the first two steps may take, and the third when a fourth may follow.
SHARE, SHARE_OF_THE_THIRD = 0.4, 0.6
# What is at arXiv has this DOI as well, which some hold a paper by; a published article's own DOI is asked for first.
_DOI_OF_ARXIV = f"doi:{ARXIV_DOI}"


@dataclass(slots=True)
class Sought:
    """One paper asked for: its names as far as they are known, and how each provider that was asked for it ended."""

    name: str
    names: set[str]
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    paper: MergedPaper | None = None
    indexes: frozenset[str] = frozenset()  # the providers that hold papers, not only copies of some

    @property
    def is_denied(self) -> bool:
        """Whether somebody who holds papers has answered."""
        return any(outcome.answered for name, outcome in self.outcomes.items() if name in self.indexes)

    @property
    def answered_by(self) -> list[str]:
        """The providers that told what they have, be it nothing."""
        return sorted(name for name, outcome in self.outcomes.items() if outcome.answered)

    @property
    def failed(self) -> dict[str, str]:
        """The providers that did not answer, and how; one that this deployment has no key for was never asked."""
        return {
            name: outcome.value
            for name, outcome in sorted(self.outcomes.items())
            if not outcome.answered and outcome is not Outcome.SKIPPED_NO_KEY
        }

    @property
    def has_own_doi(self) -> bool:
        """Whether a DOI of the paper is known, other than arXiv's."""
        return best_name(self._better_names(), ["doi"]) is not None

    def name_in(self, schemes: Sequence[str]) -> str | None:
        """The name to ask for by these schemes: of several of one scheme the one asked for; arXiv's DOI at need."""
        best = best_name(self._better_names(), schemes) or best_name(self.names, schemes)
        return self.name if best and scheme_of(self.name) == scheme_of(best) else best

    def _better_names(self) -> set[str]:
        return {name for name in self.names if not name.startswith(_DOI_OF_ARXIV)}


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What became of each name, in the order asked, and of each leg."""

    sought: Sequence[Sought]
    answers: Sequence[LegAnswer]
    left_out: Sequence[str]  # providers that do not take so many names at once


def look_up(
    names: Sequence[str],
    world: PapersWorld,
    deadline: Deadline,
    *,
    fresh: bool = False,
    only: Collection[str] | None = None,
    part: float = 1.0,
) -> LookedUp:
    """Ask for these names, each once. Raises nothing.

    `only` names the providers that may be asked; `part` is what it may take of the time that is left.
    """
    search = _Lookup(names, world, deadline, fresh=fresh, only=only, part=part)
    search.run()
    return LookedUp(search.sought, search.answers, sorted(search.left_out))


class _Lookup:
    def __init__(
        self,
        names: Sequence[str],
        world: PapersWorld,
        deadline: Deadline,
        *,
        fresh: bool,
        only: Collection[str] | None,
        part: float,
    ) -> None:
        self._world, self._deadline, self._fresh = world, deadline, fresh
        self._until = deadline.share(part)
        offering = world.offering("lookup")
        self._schemes = {name: offering[name] for name in offering if only is None or name in only}
        indexes = frozenset(world.offering("search"))
        self.sought = [Sought(name, {name, *_also(name)}, indexes=indexes) for name in dict.fromkeys(names)]
        self.answers: list[LegAnswer] = []
        self.left_out: set[str] = set()
        self._records: list[Paper] = []
        # Of each provider the names that it was asked for, and how that ended.
        self._told: defaultdict[str, dict[str, Outcome]] = defaultdict(dict)

    def run(self) -> None:
        """All steps, and one paper out of all records of each."""
        everyone = dict.fromkeys(self._schemes, self.sought)
        few, hurried = len(self.sought) <= FEW, SHARE * self._left() < STEP_S
        if not hurried:
            self._ask(self._of_one_reader(), SHARE)
            if not all(it.has_own_doi for it in self.sought):
                self._ask({name: everyone[name] for name in everyone if self._translates(name)}, SHARE)
        self._ask(everyone, SHARE_OF_THE_THIRD if few and not hurried else 1.0)
        if few:
            self._ask(everyone, 1.0)
        self._merge()

    def _left(self) -> float:
        return max(0.0, self._until - self._deadline.monotonic())

    def _translates(self, provider: str) -> bool:
        return self._world.abilities[provider].translates

    def _of_one_reader(self) -> dict[str, list[Sought]]:
        """Who alone can read a name, and those names; not a translator, who is asked for all names next."""
        readers: defaultdict[str, list[str]] = defaultdict(list)
        for provider, schemes in self._schemes.items():
            for scheme in schemes:
                readers[scheme].append(provider)
        found: defaultdict[str, list[Sought]] = defaultdict(list)
        for it in self.sought:
            match readers[scheme_of(it.name)]:
                case [provider] if not self._translates(provider):
                    found[provider].append(it)
        return found

    def _ask(self, whom: Mapping[str, Sequence[Sought]], share: float) -> None:
        """One leg for each provider that has not been asked for some of these papers and can be."""
        wanted: dict[str, list[tuple[Sought, str]]] = {}
        new: dict[str, tuple[str, ...]] = {}
        for provider, papers in whom.items():
            unasked = [it for it in papers if provider not in it.outcomes]
            named = [(it, name) for it in unasked if (name := it.name_in(self._schemes[provider]))]
            names = {name for _, name in named} - self._told[provider].keys()
            if len(names) > self._world.abilities[provider].lookup_names:
                self.left_out.add(provider)
            else:
                wanted[provider] = named
                new |= {provider: tuple(sorted(names))} if names else {}
        if new:
            self._hear(new, share)
        for provider, named in wanted.items():
            for it, name in named:
                it.outcomes[provider] = self._told[provider][name]

    def _hear(self, names: Mapping[str, tuple[str, ...]], share: float) -> None:
        """Ask these providers for these names, and keep what they tell."""
        legs = [Leg(provider, Lookup(its_names)) for provider, its_names in names.items()]
        until = self._deadline.monotonic() + share * self._left()
        answers = answer_legs(legs, self._world.legs, until=until, fresh=self._fresh)
        self._world.observe(answers)
        self.answers += answers
        for answer, (provider, its_names) in zip(answers, names.items(), strict=True):
            self._records += answer.reply.papers
            self._told[provider] |= dict.fromkeys(its_names, answer.reply.outcome)
        self._learn()

    def _learn(self) -> None:
        """The names that the records tell of each paper, also by way of each other."""
        told: defaultdict[str, list[int]] = defaultdict(list)
        for number, record in enumerate(self._records):
            for name in _names(record):
                told[name].append(number)
        for it in self.sought:
            waiting, seen = list(it.names), set[int]()
            while waiting:
                for number in set(told[waiting.pop()]) - seen:
                    seen.add(number)
                    if not _is_another(self._records[number], it.name):
                        new = _names(self._records[number]) - it.names
                        it.names |= new
                        waiting += new

    def _merge(self) -> None:
        """Which paper each name means: of several the one that has it for its key, then the one most say it is."""
        papers = merge((RecordId(it.provider, 0, number), it) for number, it in enumerate(self._records))
        by_name: defaultdict[str, list[MergedPaper]] = defaultdict(list)
        for paper in papers:
            for name in set().union(*map(_names, paper.records)):
                by_name[name].append(paper)
        for it in self.sought:
            if found := by_name[it.name]:
                best = min(found, key=lambda paper: (paper.key != it.name, -_answers(paper, it.name), paper.key))
                it.paper = with_integrity(best, [name for name in self._silent(it) if name in self._world.tracking])

    def _silent(self, it: Sought) -> list[str]:
        """Who might know the paper and did not answer, or was not asked though it could have been."""
        return [
            name
            for name, schemes in self._schemes.items()
            if (not it.outcomes[name].answered if name in it.outcomes else it.name_in(schemes))
        ]


def _also(name: str) -> list[str]:
    return [_DOI_OF_ARXIV + value_of(name)] if scheme_of(name) == "arxiv" else []


def _names(record: Paper) -> set[str]:
    return {*record.asked, *names_of(record.ids)}


def _is_another(record: Paper, name: str) -> bool:
    """Whether a record is of another paper, with which this one has only a name in common (a supplement's DOI)."""
    scheme = scheme_of(name)
    return name not in _names(record) and any(scheme_of(other) == scheme for other in names_of(record.ids))


def _answers(paper: MergedPaper, name: str) -> int:
    """How many records were given as the answer to this name."""
    return sum(name in record.asked for record in paper.records)
