"""The sentences with which kept full texts cite papers. Nothing is queried: only texts that somebody has read count.

A text counts if it would be shown: its licence allows it, and it says that it is the paper's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from shared.bibliography.citation_marks import numbers_in_marks
from shared.bibliography.full_text import FullText, Paragraph, placed_paragraphs
from shared.bibliography.licences import may_be_shown
from shared.bibliography.paper import MAX_SENTENCE_CHARS, MAX_SENTENCES, InTextCitation
from shared.bibliography.paper_ids import id_texts
from shared.bibliography.sentences import sentences
from shared.bibliography.text import fold
from shared.legs.leg import Leg
from shared.papers.dependencies import PaperDependencies
from shared.papers.links.merging import LinkedItem
from shared.papers.texts.copy_identity import is_of_paper
from shared.papers.texts.sources import PaperCopies, candidates, copies_of_merged, licence_of
from shared.query.question import TextOf

MAX_TEXTS = 20  # of the papers that cite one: a kept text may be a file of several MB
_CUT_WORDS = ("table", "figure", "formula", "code")  # their text has no sentences


class KeptText(NamedTuple):
    """A text, and the provider that it came from."""

    provider: str
    text: FullText


def kept_in_text(
    relation: str, head: PaperCopies, items: Sequence[LinkedItem], dependencies: PaperDependencies
) -> dict[int, tuple[str, InTextCitation]]:
    """For each item by its position, the provider whose kept text cites it, or cites the head, and the sentences."""
    if relation == "references":
        (kept,) = _kept_texts([head], dependencies)
        pairs = [(at, kept, _names(item)) for at, item in enumerate(items) if kept]
    else:
        citing = [(at, copies_of_merged(item.paper)) for at, item in enumerate(items) if item.paper][:MAX_TEXTS]
        texts = _kept_texts([copies for _, copies in citing], dependencies)
        pairs = [(at, kept, set(head.names)) for (at, _), kept in zip(citing, texts, strict=True) if kept]
    found = ((at, kept.provider, citing_sentences(kept.text, names)) for at, kept, names in pairs)
    return {at: (provider, InTextCitation(at + 1, texts)) for at, provider, texts in found if texts}


def _names(item: LinkedItem) -> set[str]:
    return {*id_texts(item.ids), *([item.key] if item.key else ())}


def _kept_texts(papers: Sequence[PaperCopies], dependencies: PaperDependencies) -> list[KeptText | None]:
    sources = dependencies.providers_supporting("full_text")
    wanted = [(number, it) for number, copies in enumerate(papers) for it in candidates(copies, sources)]
    legs = [Leg(it.provider, TextOf(it.name)) for _, it in wanted]
    entries = dependencies.legs.cache.read(legs, fresh=False) if legs else []
    found: dict[int, KeptText] = {}
    for (number, candidate), entry in zip(wanted, entries, strict=True):
        text, copies = entry.reply.full_text if entry.reply else None, papers[number]
        if text is None or number in found or not may_be_shown(licence_of(text, candidate.name, copies.locations)):
            continue
        if is_of_paper(text, copies.titles, copies.names):
            found[number] = KeptText(candidate.provider, text)
    return [found.get(number) for number in range(len(papers))]


def citing_sentences(text: FullText, names: Collection[str]) -> tuple[str, ...]:
    """The first sentences that cite the paper with one of these names, by the mark of its entry."""
    cited = {it.number: it.label for it in text.cited if not set(id_texts(it.ids)).isdisjoint(names)}
    found = (it for placed in placed_paragraphs(text) for it in _citing(placed.paragraph, cited))
    return tuple(dict.fromkeys(it[:MAX_SENTENCE_CHARS] for it in found))[:MAX_SENTENCES]


def _citing(paragraph: Paragraph, cited: Mapping[int, str | None]) -> Iterator[str]:
    """The sentences of a paragraph that cite any of these entries; of a single sentence, the paragraph knows."""
    wanted = [number for number in paragraph.cites if number in cited]
    if not wanted or paragraph.kind in _CUT_WORDS:
        return
    parts = [paragraph.text[start:end] for start, end in sentences(paragraph.text)]
    labels = [label for number in wanted if (label := fold(cited[number] or ""))]
    for part in parts:
        if len(parts) == 1 or set(wanted) & set(numbers_in_marks(part)) or any(it in fold(part) for it in labels):
            yield part
