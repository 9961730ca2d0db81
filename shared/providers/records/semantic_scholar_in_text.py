"""How papers cite one another in their texts, as Semantic Scholar's references and citations state it.

https://api.semanticscholar.org/api-docs/graph: beside each paper stand the snippets of text that cite it, the intents
of the citation and whether it is influential. For most pairs there is no text: the lists are empty, and `isInfluential`
is false.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.bibliography.paper import MAX_SENTENCE_CHARS, MAX_SENTENCES, InTextCitation
from shared.bibliography.text import plain_text

IN_TEXT_FIELDS = "contexts,intents,isInfluential"
_INTENTS = {"background": "background", "methodology": "method", "result": "result"}


def read_in_text(body: Any) -> list[InTextCitation]:
    """The in-text citations of a page of links, with the ranks of the papers; none for a page of another form."""
    items = body.get("data") if isinstance(body, Mapping) else None
    found = (_in_text(rank, item) for rank, item in enumerate(items if isinstance(items, list) else (), start=1))
    return [it for it in found if it]


def _in_text(rank: int, item: Any) -> InTextCitation | None:
    if not isinstance(item, Mapping):
        return None
    texts = (plain_text(it) for it in _texts(item.get("contexts")))
    sentences = dict.fromkeys(text[:MAX_SENTENCE_CHARS] for text in texts if text)
    intents = {_INTENTS[it] for it in _texts(item.get("intents")) if it in _INTENTS}
    influential = item.get("isInfluential") is True
    if not (sentences or intents or influential):
        return None
    return InTextCitation(rank, tuple(sentences)[:MAX_SENTENCES], tuple(sorted(intents)), influential)


def _texts(value: Any) -> list[str]:
    return [it for it in value if isinstance(it, str)] if isinstance(value, list) else []
