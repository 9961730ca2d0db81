"""How papers cite one another in their texts, as Semantic Scholar states it beside each reference and citation.

https://api.semanticscholar.org/api-docs/graph. Of most pairs it has no text; of others one to many snippets, a few of
them twice, with characters of markup. The sentences are written for this project; they say nothing of any paper.
"""

from __future__ import annotations

import zlib
from typing import Any

from infra.local.sandbox.facts import Fact

_SENTENCES = (
    ("background", "Earlier work on this question ({cited}) left the mechanism open."),
    ("methodology", "All samples were prepared by the protocol of {cited}, with p &lt; 0.05."),
    ("result", "Our estimates agree with those of {cited} within their error."),
    (None, "See also {cited}."),
)


def edge_of(citing: Fact, cited: Fact) -> dict[str, Any]:
    """Return the fields of a pair; which it has depends on the titles alone."""
    number = zlib.crc32(f"{citing.title}|{cited.title}".encode())
    count = (0, 0, 1, 2, 5)[number % 5]
    name = f"{next((family for family, _ in cited.authors if family), 'Anon')} {cited.year or 'n.d.'}"
    found = [_SENTENCES[(number // 5 + place) % len(_SENTENCES)] for place in range(count)]
    contexts = [sentence.format(cited=name) for _, sentence in found]
    intents = list(dict.fromkeys(intent for intent, _ in found if intent))
    return {
        "contexts": contexts,
        "intents": intents,
        "contextsWithIntent": [
            {"context": text, "intents": [intent] if intent else []}
            for (intent, _), text in zip(found, contexts, strict=True)
        ],
        "isInfluential": count > 2,
    }
