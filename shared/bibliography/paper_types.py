"""The types of papers as people write them, and which of them are kinds of another.

A systematic review is a review, and a randomized trial is a clinical trial: who wants the wider type, wants both. The
registration of a trial reports nothing yet, so it is not a kind of clinical trial.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from shared.bibliography.paper import PAPER_TYPES
from shared.bibliography.words import words_of

# Papers about another paper, which they are not.
NOTICES = frozenset(("erratum", "retraction-notice"))
_PARENTS = {
    "systematic-review": "review",
    "meta-analysis": "review",
    "randomized-controlled-trial": "clinical-trial",
}
# Other names, in the singular, their words joined by hyphens.
_NAMES = {
    "article": "journal-article", "chapter": "book-chapter", "clinical-study": "clinical-trial",
    "conference": "conference-paper", "conference-proceeding": "conference-paper", "congress": "conference-paper",
    "controlled-clinical-trial": "clinical-trial", "correction": "erratum", "corrigendum": "erratum",
    "corrigenda": "erratum", "data-set": "dataset", "errata": "erratum", "journal-paper": "journal-article",
    "letter-to-editor": "letter", "metaanalysis": "meta-analysis", "paper": "journal-article", "phd-thesis":
    "dissertation", "pre-print": "preprint", "proceedings-article": "conference-paper", "published-erratum": "erratum",
    "registration": "clinical-trial-registration",
    "randomised-clinical-trial": "randomized-controlled-trial", "randomised-controlled-trial":
    "randomized-controlled-trial", "randomised-trial": "randomized-controlled-trial", "randomized-clinical-trial":
    "randomized-controlled-trial", "randomized-trial": "randomized-controlled-trial", "rct":
    "randomized-controlled-trial", "research-article": "journal-article", "retraction": "retraction-notice",
    "retraction-of-publication": "retraction-notice", "review-article": "review", "review-paper": "review",
    "systematic-literature-review": "systematic-review", "technical-report": "report", "thesis": "dissertation",
    "these": "dissertation", "trial": "clinical-trial", "trial-registration": "clinical-trial-registration",
}  # fmt: skip


def read_paper_type(text: str) -> str | None:
    """The type of PAPER_TYPES that a person means: `Clinical Trials`, `RCT`, `meta analysis`; None if there is none."""
    words = [word for word in words_of(text) if word != "the"]
    if not words:
        return None
    for last in _singulars(words[-1]):
        name = "-".join([*words[:-1], last])
        if name in PAPER_TYPES or name in _NAMES:
            return _NAMES.get(name, name)
    return None


def _singulars(word: str) -> tuple[str, ...]:
    """`trials` -> `trial`, `analyses` -> `analysis`; the word itself first."""
    return (word, word.removesuffix("s"), word.removesuffix("es") + "is")


def with_kinds(types: Iterable[str]) -> list[str]:
    """The types and all kinds of them: `review` is followed by `systematic-review` and `meta-analysis`."""
    wanted = list(types)
    return list(dict.fromkeys([*wanted, *(kind for kind, parent in _PARENTS.items() if parent in wanted)]))


def is_of_type(kind: str, wanted: Collection[str]) -> bool | None:
    """Whether a paper of this type has one of the wanted types.

    None if it can have: a record states one type, also of a review that is systematic and a meta-analysis.
    """
    parent = _PARENTS.get(kind)
    if kind in wanted or parent in wanted:
        return True
    possible = any(_PARENTS.get(other) in (kind, parent or kind) for other in wanted)
    return None if possible else False
