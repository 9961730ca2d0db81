"""How the graph stores in-text citations: within bounds, and joined to the same in any order. Pure.

Of a citation the longest SENTENCES sentences are stored. What a join leaves out by a fixed order, no later join brings
back; so it is commutative, associative and idempotent.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from shared.bibliography.text import fold, xml_text
from shared.search.sizes.abstract_cuts import cut_at_word

if TYPE_CHECKING:
    from shared.answers.in_text import Intent, InText

# An item with ids of usual length stays below 1 kB, which is one write unit. Semantic Scholar cuts its snippets: of 47
# recorded ones none has more than 340 bytes, and 22 of the 24 citations that have any have one or two.
SENTENCES, SENTENCE_BYTES = 2, 340
STATED_BY = 4
_ELLIPSIS_BYTES = 3


def joined_in_text(stated: Iterable[InText]) -> InText | None:
    """What all of these state of one citation, within the bounds; None if they state nothing."""
    stated = list(stated)
    texts = {text for it in stated for sentence in it["sentences"] if (text := _bounded(sentence))}
    longest: dict[str, str] = {}
    for text in sorted(texts, key=lambda text: (-len(text), text)):
        longest.setdefault(fold(text), text)
    intents: list[Intent] = sorted({intent for it in stated for intent in it["intents"]})
    judged = [it["influential"] for it in stated if it["influential"] is not None]
    influential = any(judged) if judged else None
    if not (longest or intents or influential):
        return None
    return {
        "sentences": list(longest.values())[:SENTENCES],
        "intents": intents,
        "influential": influential,
        "stated_by": sorted({name for it in stated for name in it["stated_by"]})[:STATED_BY],
    }


def in_text_cells(it: InText) -> dict[str, str]:
    """The same as texts for tables and GraphML: `intents`, `influential`, `sentences`; without what is not stated."""
    influential = None if it["influential"] is None else "yes" if it["influential"] else "no"
    cells = {"intents": "; ".join(it["intents"]), "influential": influential, "sentences": " | ".join(it["sentences"])}
    return {name: text for name, text in cells.items() if text}


def _bounded(sentence: str) -> str:
    """One line without characters that neither SQS nor XML accepts, of at most SENTENCE_BYTES, cut at a word."""
    text = " ".join(xml_text(sentence).split())
    data = text.encode()
    if len(data) <= SENTENCE_BYTES:
        return text
    chars = len(data[: SENTENCE_BYTES - _ELLIPSIS_BYTES + 1].decode(errors="ignore"))
    return cut_at_word(text, chars) or ""
