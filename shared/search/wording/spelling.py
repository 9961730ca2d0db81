"""The spelling that a provider suggests, as a query: its telling words corrected, all others as they were typed.

A provider is asked for the telling words alone. What the papers found have is not misspelt, whatever a provider's index
lacks, and neither is a short word in capitals (`RAG`), which is an abbreviation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from shared.bibliography.text import fold
from shared.query.understanding import understand

if TYPE_CHECKING:
    from shared.answers.search import Hint

MOST_CHARS = 200  # of a suggested query; of a longer one, the words alone are named
ABBREVIATION_CHARS = 6
_DID_YOU_MEAN = "Did you mean: "


def spelling_hints(
    wordings: Sequence[str], suggestions: Iterable[str], texts: Iterable[str], people: Callable[[], Iterable[str]]
) -> list[Hint]:
    """A hint for each suggestion that changes a word which no paper found has.

    `texts`: the papers' titles and abstracts; `people`: their authors.
    """
    distinct = list(dict.fromkeys(suggestions))
    if not distinct:
        return []
    said = fold(" ".join([*texts, *people()]))
    messages = [_message(wordings, suggestion, said) for suggestion in distinct]
    return [{"reason": "spelling", "message": it} for it in dict.fromkeys(filter(None, messages))]


def suggested_query(wordings: Sequence[str], hints: Iterable[Hint]) -> str | None:
    """The query that a hint on the spelling suggests in place of a single wording."""
    messages = [it["message"] for it in hints if it["reason"] == "spelling"]
    return messages[0].removeprefix(_DID_YOU_MEAN) if len(wordings) == len(messages) == 1 else None


def _message(wordings: Sequence[str], suggestion: str, said: str) -> str | None:
    for wording in wordings:
        changes = _changes(wording, suggestion)
        if changes is None:
            continue
        changes = {old: new for old, new in changes.items() if fold(old) not in said and not _is_abbreviation(old)}
        text = wording
        for old, new in changes.items():
            text = re.sub(rf"(?i)(?<!\w){re.escape(old)}(?!\w)", new, text)  # `new` is letters, digits and blanks
        if text == wording:
            return None
        return _DID_YOU_MEAN + (text if len(text) <= MOST_CHARS else ", ".join(changes.values())[:MOST_CHARS])
    return _DID_YOU_MEAN + suggestion[:MOST_CHARS]


def _changes(wording: str, suggestion: str) -> dict[str, str] | None:
    """The telling words that are spelt otherwise in the suggestion; None if the two do not go together word by word."""
    telling, parts = understand(wording).telling, fold(suggestion).split()
    sizes = [len(fold(word).split()) for word in telling]  # a compound may be several words to a provider
    if sum(sizes) != len(parts):
        return None
    changes, at = {}, 0
    for word, size in zip(telling, sizes, strict=True):
        new = " ".join(parts[at : at + size])
        at += size
        if new != fold(word):
            changes[word] = new.capitalize() if word[:1].isupper() and not word.isupper() else new
    return changes


def _is_abbreviation(word: str) -> bool:
    return word.isupper() and len(word) <= ABBREVIATION_CHARS
