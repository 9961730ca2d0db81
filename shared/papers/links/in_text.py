"""How papers are cited in the text of the citing ones, merged over the sources that state it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from shared.bibliography.paper import MAX_SENTENCES, InTextCitation
from shared.bibliography.text import fold
from shared.papers.links.merging import Assertion, LinkList
from shared.search.sizes.abstract_cuts import cut_at_word

if TYPE_CHECKING:
    from shared.answers.in_text import Intent, InText

# The sentences of an entry, and their characters, with detail=compact and otherwise.
COMPACT, WHOLE = (1, 250), (5, 600)


def in_text_index(listings: Sequence[LinkList]) -> dict[Assertion, InTextCitation]:
    """What each source states of its assertions."""
    return {
        Assertion(listing.head, listing.relation, listing.provider, it.rank): it
        for listing in listings
        for it in listing.in_text
    }


def merged_in_text(
    assertions: Iterable[Assertion],
    index: Mapping[Assertion, InTextCitation],
    kept: tuple[str, InTextCitation] | None = None,
) -> InText | None:
    """What all sources state of one citation, and what a kept full text says; None if none states anything."""
    stated = [(assertion.provider, index[assertion]) for assertion in assertions if assertion in index]
    stated += [kept] if kept else []
    if not stated:
        return None
    sentences: dict[str, str] = {}
    for _, it in stated:
        for text in it.sentences:
            sentences.setdefault(fold(text), text)
    intents = {intent for _, it in stated for intent in it.intents}
    judged = [it.influential for _, it in stated if it.influential is not None]
    return {
        "sentences": list(sentences.values())[:MAX_SENTENCES],
        "intents": cast("list[Intent]", sorted(intents)),
        "influential": any(judged) if judged else None,
        "stated_by": sorted({provider for provider, _ in stated}),
    }


def sized_in_text(in_text: InText | None, detail: str) -> InText | None:
    """The same with as many and as long sentences as the answer shows."""
    if in_text is None:
        return None
    count, chars = COMPACT if detail == "compact" else WHOLE
    return {**in_text, "sentences": [cut_at_word(it, chars) or "" for it in in_text["sentences"][:count]]}
