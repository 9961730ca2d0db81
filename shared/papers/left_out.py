"""Papers of a lookup for which a provider was not queried, because it takes fewer names at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from shared.legs.leg import LegAnswer
from shared.outcomes import Outcome
from shared.providers.capabilities import ProviderCapabilities
from shared.providers.provider import failed

if TYPE_CHECKING:
    from shared.answers.search import Hint

LISTED = 10  # ids in a hint
Named = TypeVar("Named")


def within_limit(
    named: Sequence[tuple[Named, str]], queried: Collection[str], most: int, *, in_part: bool
) -> tuple[list[tuple[Named, str]], list[Named]]:
    """Which of the named papers a provider may be queried for, and which are left out.

    `queried`: the names that it was queried for before. It takes `most` at once; if there are more, it gets the first
    ones (`in_part`, with those before) or none.
    """
    new = [name for name in dict.fromkeys(name for _, name in named) if name not in queried]
    room = max(0, most - len(queried)) if in_part else most if len(new) <= most else 0
    left = set(new[room:])
    return [it for it in named if it[1] not in left], [one for one, name in named if name in left]


def reports_left_out(
    answers: Sequence[LegAnswer], left_out: Mapping[str, int], capabilities: Mapping[str, ProviderCapabilities]
) -> list[LegAnswer]:
    """The answers of a lookup, with those of providers that were not queried for so many papers.

    A provider that was not queried at all counts as an answer without papers: it only adds to papers that others have.
    """
    queried = {answer.reply.provider for answer in answers}
    reports = []
    for answer in answers:
        if count := left_out.get(answer.reply.provider):
            note = f"{_limit(answer.reply.provider, capabilities)}: it was not queried for the other {count}"
            answer = replace(answer, reply=replace(answer.reply, warnings=(*answer.reply.warnings, note)))
        reports.append(answer)
    for name in sorted(left_out.keys() - queried):
        reply = failed(name, name, Outcome.SKIPPED_UNSUPPORTED_FILTER, _limit(name, capabilities))
        reports.append(LegAnswer(replace(reply, total_estimate=0)))
    return reports


def _limit(provider: str, capabilities: Mapping[str, ProviderCapabilities]) -> str:
    return f"it takes at most {capabilities[provider].lookup_names} ids at once"


def left_out_hints(
    left_out: Mapping[str, Sequence[str]], texts: Mapping[str, str], capabilities: Mapping[str, ProviderCapabilities]
) -> list[Hint]:
    """For which ids a provider was not queried, and what to do. `texts`: the ids as they were sent, by name."""
    hints: list[Hint] = []
    for provider, names in sorted(left_out.items()):
        ids = [texts.get(name, name) for name in names]
        listed = ", ".join(ids[:LISTED]) + (f" and {len(ids) - LISTED} more" if len(ids) > LISTED else "")
        most = capabilities[provider].lookup_names
        message = f"{provider} takes {most} ids at once and was not queried for {listed}: send these by {most}."
        hints.append({"reason": "too_many_ids", "message": message})
    return hints
