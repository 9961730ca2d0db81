"""How the passages that bear on a question are found. Read this first.

    request -> papers -> abstracts and open full texts -> candidate passages -> scores -> the best -> answer

     1  functions/dispatcher/routes/passages.py   the route
     2  shared/passages/request.py                what may be requested
     3  shared/passages/papers.py                 the papers: of a result set, by id, or found by a search
     4  shared/papers/texts/full_text.py          their full texts, from the sources of texts, in parallel
     5  shared/passages/candidates.py             the sentences that may be shown, with their offsets
     6  shared/passages/ranking.py                their scores, and which are shown
     7  shared/passages/reranking.py              the best ones by a model, where one is deployed
     8  shared/passages/answer.py                 the answer's JSON

No step says whether a passage supports or contradicts anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shared.bibliography.full_text import Paragraph, PlacedParagraph, Section, placed_paragraphs
from shared.clock import Deadline
from shared.papers.dependencies import PaperDependencies
from shared.papers.leg_summary import summary_of
from shared.papers.texts.full_text import FoundText, find_texts
from shared.passages.answer import FoundPassages, passages_answer
from shared.passages.candidates import ReadParagraph, ReadText, read_paragraphs
from shared.passages.papers import collect
from shared.passages.ranking import ParagraphPool, Structure, chosen
from shared.passages.request import PassagesRequest
from shared.passages.reranking import RERANKED, reranked
from shared.passages.words import QuestionWords
from shared.search.ranking.reranker import PASSAGES_S, Reranker, scorer_of
from shared.search.requests.search_request import SearchRequest

if TYPE_CHECKING:
    from shared.answers.passages import PassagesAnswer
    from shared.answers.search import SearchAnswer, StoredPaper

# The share of the time left for the texts; the rest is for reading them.
TEXTS_PART = 0.85
ABSTRACT = "abstract"


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageDependencies:
    """What one request needs from outside the domain."""

    papers: PaperDependencies
    search: Callable[[SearchRequest], SearchAnswer]
    reranker: Reranker | None = None


def find_passages(request: PassagesRequest, dependencies: PassageDependencies) -> PassagesAnswer:
    """The best passages. Raises Expired, AllProvidersFailed, and what a search raises."""
    deadline = Deadline(dependencies.papers.monotonic, request.timeout_ms)
    collected = collect(request, dependencies.papers, dependencies.search, deadline)
    until = deadline.share(TEXTS_PART)
    texts = find_texts(collected.copies, dependencies.papers, until, fresh=request.fresh)
    if answers := [answer for it in texts for answer in it.answers]:
        collected.legs.append(summary_of(answers))
    question = QuestionWords.of(request.text)
    read = _read(collected.papers, texts, question, deadline)
    pool = ParagraphPool(question, read.paragraphs, Structure())
    most = max(request.max_passages, RERANKED if dependencies.reranker else 0)
    best = chosen(pool.scored(lambda: deadline.over), most, request.max_per_paper)
    scorer = scorer_of(dependencies.reranker, lambda: min(PASSAGES_S, deadline.until - dependencies.papers.monotonic()))
    ordered = reranked(best, request.text, scorer)
    late = read.late | pool.unscored
    found = FoundPassages(
        collected=collected, texts=texts, late=late, cut=read.cut, ordered=ordered.first(request.max_passages)
    )
    return passages_answer(found, request, dependencies.papers.request_id, deadline.elapsed_ms())


@dataclass(slots=True)
class _Read:
    """The paragraphs that were read, and the ranks of the papers whose full text came too late or was cut."""

    paragraphs: list[ReadParagraph] = field(default_factory=list)
    late: set[int] = field(default_factory=set)
    cut: set[int] = field(default_factory=set)


def _read(
    papers: Sequence[StoredPaper], texts: Sequence[FoundText], question: QuestionWords, deadline: Deadline
) -> _Read:
    """All abstracts, then the full texts by rank as long as there is time."""
    read = _Read()
    for rank, paper in enumerate(papers):
        if paper["abstract"]:
            read.paragraphs += read_paragraphs(abstract_of(rank, paper), question)
    for rank, found in enumerate(texts):
        if found.shown and deadline.over:
            read.late.add(rank)
        elif found.shown:
            placed = list(placed_paragraphs(found.shown))
            text = ReadText(paper=rank, title=papers[rank]["title"], paragraphs=placed, is_full=True)
            paragraphs = list(read_paragraphs(text, question))
            read.paragraphs += paragraphs
            if found.shown.is_cut or len(paragraphs) < len(placed) or any(it.is_cut for it in paragraphs):
                read.cut.add(rank)
    return read


def abstract_of(rank: int, paper: StoredPaper) -> ReadText:
    """The abstract as a text of one paragraph."""
    only = Paragraph(text=paper["abstract"] or "")
    section = Section(number=ABSTRACT, path=("Abstract",), paragraphs=(only,))
    return ReadText(paper=rank, title=paper["title"], paragraphs=[PlacedParagraph(section, only, 0)])
