"""The answer with passages: as many as fit, what was read of each paper, and why there is nothing if so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.answers.content_trust import marks
from shared.clock import OUT_OF_TIME
from shared.papers.leg_summary import joined
from shared.papers.texts.full_text import FoundText
from shared.passages.papers import CollectedPapers
from shared.passages.ranking import Scored
from shared.passages.request import MAX_PAPERS, PassagesRequest
from shared.passages.reranking import RerankedPassages
from shared.search.sizes.report_sizes import sized_reports
from shared.search.sizes.token_budget import fit_entries, kept_within, truncated_by

if TYPE_CHECKING:
    from shared.answers.passages import Passage, PassagesAnswer, PassagesStatus, ReadPaper, ReadTextStatus, UnreadId
    from shared.answers.search import Hint, StoredPaper

DIGITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPassages:
    """The papers, their full texts in the same order (none if they were not requested), and the passages to show."""

    collected: CollectedPapers
    texts: Sequence[FoundText]
    late: Collection[int]  # ranks of papers whose text came when the time was over
    cut: Collection[int]  # ranks of those whose text has more than was read
    ordered: RerankedPassages  # those to show

    @property
    def papers(self) -> Sequence[StoredPaper]:
        """The papers by rank."""
        return self.collected.papers


def passages_answer(found: FoundPassages, request: PassagesRequest, request_id: str, elapsed_ms: int) -> PassagesAnswer:
    """The answer within `max_tokens`. Raises Unprocessable if not even its frame fits."""
    read = [_read_paper(rank, found) for rank in range(len(found.papers))]
    status = _status(found, read)
    legs = joined(found.collected.legs)
    draft: PassagesAnswer = {
        "question": request.text,
        "status": status,
        "passages": [],
        "returned": 0,
        "papers_read": dict(Counter(it["full_text"] for it in read)),
        "read": read,
        "not_read": list(found.collected.not_read),
        "result_set_id": found.collected.result_set_id,
        "hints": [*_hints(status, found, read), *found.ordered.hints, *found.collected.hints],
        "truncated": None,
        **legs,
        "search_time_ms": elapsed_ms,
        **marks(request_id),
    }
    draft["providers"] = sized_reports(legs["providers"], "compact")
    passages = [_passage(it, part, found) for it, part in zip(found.ordered.passages, found.ordered.parts, strict=True)]
    draft, fitting, cuts = fit_entries(draft, passages, request.max_tokens, entries_first=True)
    answer: PassagesAnswer = {
        **draft,
        "passages": fitting,
        "returned": len(fitting),
        "truncated": truncated_by(len(passages) - len(fitting), {}, request.max_tokens, cuts),
    }
    counts = Counter(it["key"] for it in fitting)
    for paper in answer["read"]:
        paper["passages"] = counts[paper["key"]]
    return kept_within(answer, request.max_tokens)


def _passage(scored: Scored, part: float | None, found: FoundPassages) -> Passage:
    candidate = scored.candidate
    rank, place = candidate.paragraph.text.paper, candidate.paragraph.place
    paper = found.papers[rank]
    text = found.texts[rank] if candidate.paragraph.text.is_full else None
    return {
        "key": paper["key"],
        "title": paper["title"],
        "citation_uri": paper["citation_uri"],
        "of": "full_text" if text else "abstract",
        "text_of": text.candidate.name if text and text.candidate else paper["key"],
        "section": place.section.number,
        "path": list(place.section.path),
        "kind": place.paragraph.kind,
        "start": candidate.start,
        "end": candidate.end,
        "text": candidate.quoted,
        "before": candidate.before,
        "after": candidate.after,
        "license": text.licence if text else None,
        "score": round(scored.score, DIGITS),
        "score_parts": {
            "text": round(scored.text, DIGITS),
            "headings": round(scored.headings, DIGITS),
            "section": round(scored.section, DIGITS),
            "coverage": round(scored.coverage, DIGITS),
            "rerank": None if part is None else round(part, DIGITS),
        },
    }


def _read_paper(rank: int, found: FoundPassages) -> ReadPaper:
    paper = found.papers[rank]
    text = found.texts[rank] if found.texts else None
    status = _text_status(text, is_late=rank in found.late)
    read: ReadPaper = {
        "key": paper["key"],
        "title": paper["title"],
        "abstract": bool(paper["abstract"]),
        "full_text": status,
        "passages": 0,
    }
    if reason := _reason(rank, status, text, found):
        read["reason"] = reason
    if text and text.read_at:
        read["url"] = text.read_at
    if text and text.licence:
        read["license"] = text.licence
    return read


def _reason(rank: int, status: ReadTextStatus, text: FoundText | None, found: FoundPassages) -> str | None:
    """What is peculiar to this paper: the status and the hints say what many papers share."""
    if status == "available":
        return "not all of it was read, because it is long" if rank in found.cut else None
    return None if text is None or status == "not_reached" else text.own_reason


def _text_status(text: FoundText | None, *, is_late: bool) -> ReadTextStatus:
    if text is None:
        return "not_requested"
    if is_late or (text.waiting and not text.answers):
        return "not_reached"
    return text.status


def _status(found: FoundPassages, read: Sequence[ReadPaper]) -> PassagesStatus:
    if found.ordered.passages:
        return "found"
    has_text = any(it["abstract"] or it["full_text"] == "available" for it in read)
    return "nothing_bears_on_it" if has_text else "no_text"


def _unread(text: FoundText, read: ReadPaper) -> str:
    return (text.reason if read["full_text"] == "unanswered" else None) or OUT_OF_TIME


def _no_papers(not_read: Sequence[UnreadId]) -> str:
    if any(it["status"] == "unanswered" for it in not_read):
        return "No paper could be read now: for an id in `not_read` that is unanswered, a source did not answer."
    return "No paper was found for these ids: see `not_read`." if not_read else "There are no papers to read."


def _hints(status: PassagesStatus, found: FoundPassages, read: Sequence[ReadPaper]) -> list[Hint]:
    hints: list[Hint] = []
    unread = [rank for rank, it in enumerate(read) if it["full_text"] in ("unanswered", "not_reached")]
    if status == "nothing_bears_on_it":
        papers = "paper" if len(read) == 1 else f"{len(read)} papers"
        hints.append(
            {
                "reason": "nothing_bears_on_it",
                "message": f"No sentence of the {papers} read has enough of the question's words. "
                "Word it as a paper would, or search for other papers.",
            }
        )
    elif status == "no_text":
        message = "None of the papers has an abstract or an open full text."
        hints.append({"reason": "no_text", "message": message if read else _no_papers(found.collected.not_read)})
    if unread:
        why = "; ".join(sorted({_unread(found.texts[rank], read[rank]) for rank in unread}))
        texts = "full text of 1 paper" if len(unread) == 1 else f"full texts of {len(unread)} papers"
        unread_now = f"The {texts} could not be read now ({why})"
        hints.append({"reason": "unread_texts", "message": f"{unread_now}: ask again, or with a larger timeout_ms."})
    if found.collected.beyond:
        message = f"The first {MAX_PAPERS} papers were read; {found.collected.beyond} rank below them: pass their ids."
        hints.append({"reason": "papers_beyond", "message": message})
    return hints
