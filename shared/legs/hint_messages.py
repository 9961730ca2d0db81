"""What hints say of providers that did not answer: those that reject this deployment's key, where repeating the request
cannot help, those for which an earlier answer is shown, and the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from shared.errors import KEY_REJECTED, REQUEST_REFUSED
from shared.outcomes import Outcome

if TYPE_CHECKING:
    from shared.answers.search import LegReport

_MESSAGES = {
    KEY_REJECTED: "Rejected the operator's key or address: {names}. Their papers are missing here; the same request "
    "does not help until the operator has set a valid key.",
    REQUEST_REFUSED: "Refused the request without a reason (HTTP 403): {names}. Their papers are missing here; the "
    "same request does not help. Where every request is refused, the operator's key or address is the cause.",
}


def missing_message(names: str) -> str:
    """What is said of the providers, named so, whose papers a search lacks because they did not answer."""
    return f"Did not answer: {names}. Their papers are missing here; search again."


def is_refused(report: LegReport) -> bool:
    """Whether the provider has rejected the operator's key, or refused this request and not said why."""
    return any(_says(report, words) for words in _MESSAGES)


def refused_messages(reports: Mapping[str, LegReport]) -> Iterator[str]:
    """A message for each kind of refusal, with the providers."""
    left = dict(reports)
    for words, message in _MESSAGES.items():
        if refused := {name: report for name, report in left.items() if _says(report, words)}:
            yield message.format(names=", ".join(f"{name} ({it['outcome']})" for name, it in refused.items()))
        left = {name: report for name, report in left.items() if name not in refused}


def stale_messages(reports: Mapping[str, LegReport]) -> Iterator[str]:
    """A message with the providers that did not answer now, and of which an earlier answer is used; none if none is."""
    stale = {name: report for name, report in reports.items() if report["source"] == "stale"}
    may_help = any(not _has_refusal(report) for report in stale.values())
    if stale:
        again = "; ask again for newer papers" if may_help else ""
        yield f"Did not answer now: {', '.join(stale)}. Their papers here are of an earlier answer{again}."


def _has_refusal(report: LegReport) -> bool:
    return any(words in warning for words in _MESSAGES for warning in report["warnings"])


def _says(report: LegReport, words: str) -> bool:
    return not Outcome(report["outcome"]).answered and any(words in warning for warning in report["warnings"])
