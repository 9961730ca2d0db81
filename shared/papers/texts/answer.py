"""The answer with a full text: the sections that were requested, as many of their paragraphs as fit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from shared.answers.content_trust import marks
from shared.bibliography.full_text import FullText, PlacedParagraph, Section, placed_paragraphs
from shared.bibliography.identifiers import paper_key
from shared.bibliography.text import fold
from shared.errors import Unprocessable
from shared.papers.leg_summary import summary_of
from shared.papers.texts.full_text import FoundText
from shared.papers.texts.request import FullTextRequest
from shared.papers.texts.sources import version_of
from shared.search.sizes.token_budget import RESERVED, enough_for, kept_within, lightened, tokens

if TYPE_CHECKING:
    from shared.answers.full_texts import (
        FullTextAnswer,
        OutlineEntry,
        TextParagraph,
        TextReference,
        TextSection,
        TextSource,
    )
    from shared.answers.search import Truncated

NAMED_SECTIONS = 30  # in the message about a section that does not exist


def full_text_answer(found: FoundText, request: FullTextRequest, request_id: str, elapsed_ms: int) -> FullTextAnswer:
    """The answer. Raises Unprocessable for an unknown section, a start behind all text, and too small a budget."""
    text = found.shown
    placed = [] if text is None or request.outline else _requested(text, request)
    draft: FullTextAnswer = {
        "key": found.copies.key,
        "title": found.copies.title or (found.text.title if found.text else None),
        "status": found.status,
        "reason": found.reason,
        "source": _source(found),
        "outline": _outline(text, request) if text and (request.outline or _is_for_all(request)) else [],
        "sections": [],
        "references": [],
        "next_start": None,
        "hints": [],
        "truncated": None,
        **summary_of(found.answers),
        "search_time_ms": elapsed_ms,
        **marks(request_id),
    }
    references = {it["number"]: it for it in _references(text)}
    draft, _ = lightened(draft, request.max_tokens, 0)
    fitting, missing = _fitting(draft, placed, references, request.max_tokens)
    if fitting < len(placed):  # the text is more than the reports
        draft, _ = lightened(draft, request.max_tokens, math.inf)
        fitting, missing = _fitting(draft, placed, references, request.max_tokens)
    if placed and not fitting:
        enough = enough_for((request.max_tokens or 0) + missing)
        raise Unprocessable.field("max_tokens", f"too few: an answer with the next paragraph takes {enough}")
    return kept_within(_filled(draft, text, placed, fitting, references, request), request.max_tokens)


def _is_for_all(request: FullTextRequest) -> bool:
    return not (request.section or request.start or request.max_tokens)


def _source(found: FoundText) -> TextSource | None:
    if not found.text or not found.candidate:
        return None
    return {
        "provider": found.candidate.provider,
        "text_of": found.candidate.name,
        "url": found.text.url,
        "format": found.text.format,
        "version": version_of(found.text, found.candidate.name, found.copies.locations),
        "language": found.text.language,
        "license": found.licence,
        "license_text": found.text.license_text,
    }


def _requested(text: FullText, request: FullTextRequest) -> list[PlacedParagraph]:
    """The paragraphs of the section with all below it, or all, from `start` on. Raises Unprocessable if none follow."""
    wanted = {id(it) for it in _sections_of(text.sections, request.section)}
    within = [it for it in placed_paragraphs(text) if id(it.section) in wanted]
    following = [it for it in within if it.start >= request.start]
    if within and not following:
        what = "the section" if request.section else "the text"
        raise Unprocessable.field(
            "start", f"nothing follows: the last paragraph of {what} begins at {within[-1].start}"
        )
    return following


def _sections_of(sections: Sequence[Section], named: str | None) -> list[Section]:
    if named is None:
        return list(sections)
    folded = fold(named)
    heads = [it for it in sections if it.number == named.strip()] or [
        it for it in sections if it.path and fold(it.path[-1]) == folded
    ]
    if not heads:
        known = "; ".join(f"{it.number} {it.path[-1] if it.path else ''}" for it in sections[:NAMED_SECTIONS])
        raise Unprocessable.field("section", f"this text has no such section; its sections are: {known}")
    numbers = tuple(it.number for it in heads)
    return [it for it in sections if it.number in numbers or it.number.startswith(tuple(f"{n}." for n in numbers))]


def _outline(text: FullText, request: FullTextRequest) -> list[OutlineEntry]:
    """The sections that are requested, from `start` on."""
    starts, wanted = _starts(text), {id(it) for it in _sections_of(text.sections, request.section)}
    return [
        {
            "section": it.number,
            "path": list(it.path),
            "start": starts[number],
            "chars": sum(len(paragraph.text) for paragraph in it.paragraphs),
        }
        for number, it in enumerate(text.sections)
        if id(it) in wanted and starts[number] >= request.start
    ]


def _starts(text: FullText) -> list[int]:
    """Where each section begins; one without paragraphs of its own begins with the next."""
    first: dict[int, int] = {}
    for placed in placed_paragraphs(text):
        first.setdefault(id(placed.section), placed.start)
    starts, following = [], max((it.end for it in placed_paragraphs(text)), default=0)
    for section in reversed(text.sections):
        following = first.get(id(section), following)
        starts.append(following)
    return starts[::-1]


def _fitting(
    draft: FullTextAnswer,
    placed: Sequence[PlacedParagraph],
    references: Mapping[int, TextReference],
    max_tokens: int | None,
) -> tuple[int, float]:
    """How many paragraphs fit with what they cite, and how many tokens the next one is too large."""
    if max_tokens is None:
        return len(placed), 0.0
    left = max_tokens - tokens(draft) - RESERVED
    section: str | None = None
    cited: set[int] = set()
    for number, it in enumerate(placed):
        newly_cited = [n for n in dict.fromkeys(it.paragraph.cites) if n in references and n not in cited]
        left -= tokens(_paragraph(it)) + sum(tokens(references[n]) for n in newly_cited)
        left -= tokens(_section(it.section)) if it.section.number != section else 0
        if left < 0:
            return number, -left
        section = it.section.number
        cited.update(newly_cited)
    return len(placed), 0.0


def _filled(
    draft: FullTextAnswer,
    text: FullText | None,
    placed: Sequence[PlacedParagraph],
    fitting: int,
    references: Mapping[int, TextReference],
    request: FullTextRequest,
) -> FullTextAnswer:
    """The draft with the first paragraphs, and what these cite."""
    sections: list[TextSection] = []
    for it in placed[:fitting]:
        if not sections or sections[-1]["section"] != it.section.number:
            sections.append(_section(it.section))
        sections[-1]["paragraphs"].append(_paragraph(it))
    cited = {number for it in placed[:fitting] for number in it.paragraph.cites}
    is_whole = _is_for_all(request) and not request.outline
    left_out = len(placed) - fitting
    return {
        **draft,
        "sections": sections,
        "references": [it for number, it in references.items() if number in cited or is_whole],
        "next_start": placed[fitting].start if left_out else None,
        "truncated": _truncated(left_out, text, request),
    }


def _truncated(left_out: int, text: FullText | None, request: FullTextRequest) -> Truncated | None:
    if left_out:
        return {"results": left_out, "reason": f"max_tokens={request.max_tokens}: {left_out} paragraphs left out"}
    if text and text.is_cut and not request.outline:
        return {"results": 0, "reason": "the text is longer than is read: read the rest at source.url"}
    return None


def _paragraph(placed: PlacedParagraph) -> TextParagraph:
    it = placed.paragraph
    return {"kind": it.kind, "label": it.label, "start": placed.start, "text": it.text, "cites": list(it.cites)}


def _section(section: Section) -> TextSection:
    return {"section": section.number, "path": list(section.path), "language": section.language, "paragraphs": []}


def _references(text: FullText | None) -> Iterable[TextReference]:
    for it in text.cited if text else ():
        key = paper_key(it.ids, None)
        yield {"number": it.number, "key": None if key.startswith("title:") else key, "text": it.text}
