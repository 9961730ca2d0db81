"""The ids in a reference, and what they prove about the paper that it means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rapidfuzz import fuzz

from shared.bibliography.name_patterns import CAPITAL
from shared.bibliography.paper import MergedPaper
from shared.bibliography.paper_ids import NAMED_SCHEMES, bare_pmids, read_id, what_to_write
from shared.bibliography.reference_text import read_references
from shared.bibliography.stop_words import STOP_WORDS
from shared.bibliography.words import words_of
from shared.papers.reference_request import Reference
from shared.query.question import Citation
from shared.references.citation_text import read_citation
from shared.references.id_writings import assumed_names
from shared.references.judgement import Candidate, Judgement
from shared.references.known_paper import KnownPaper
from shared.references.names_in_citation import read_author
from shared.references.printed_text import is_only_ids, without_ids
from shared.references.same_citation import MAX_CANDIDATES, Judge, versions_of_one
from shared.references.tagged_citation import FIELD_NAMES, is_record

MOST_NOTED = 2  # words of a note beside an id, other than these; a title has more
_INITIALS = re.compile(rf"[^\W\d_] {CAPITAL}{{1,3}}\b|\b{CAPITAL}\.")
_NOTED = STOP_WORDS | frozenset(words_of(
    "access accessed also article available cf cited doi full here http https link open paper pdf ref reference see "
    "supplement supplementary text"
))  # fmt: skip
MIN_FIRST_WORDS = 4  # of a title that is cited without its subtitle beside an id
MIN_LIKENESS = 85  # of two titles, in percent, one of which is a garbled form of the other


def names_in(reference: Reference) -> tuple[str, ...]:
    """The normalised names of the ids in a reference's fields and in its text.

    Beside other fields, a DOI that is only assumed for an address is none; it may be confirmed (`id_writings`).
    """
    text = reference.citation.text or ""
    assumed = {name for it in reference.ids for name in assumed_names(it)} if has_fields(reference.citation) else ()
    from_fields = [name for it in reference.ids if (name := read_id(it)) not in assumed]
    from_text = [f"{NAMED_SCHEMES[mention.kind]}:{mention.id}" for mention in read_references(text)]
    bare = [f"pmid:{number}" for number in bare_pmids(lone_number(reference))[:MAX_CANDIDATES]]
    return tuple(dict.fromkeys(name for name in (*from_fields, *from_text, *bare, read_id(text)) if name))


def lone_number(reference: Reference) -> str:
    """The text of a reference that is a number, or several, and nothing else; "" if anything else is cited.

    Beside an id it is the number of a record in somebody's list.
    """
    text = reference.citation.text or ""
    return text if bare_pmids(text) and not reference.ids and not has_fields(reference.citation) else ""


def has_fields(citation: Citation) -> bool:
    """Whether it has more than ids: a field that a paper can be compared with."""
    text = citation.text or ""
    printed = bool(text) and not is_only_ids(text) and not read_id(text) and not bare_pmids(text)
    return bool(printed or citation.title or citation.journal or citation.authors or citation.year)


def with_ids(judge: Judge, names: Sequence[str], judgement: Judgement, candidates: Sequence[KnownPaper]) -> Judgement:
    """The judgement of a reference that has ids, by the paper that they name and by what the rest of it says.

    An id that names the paper of the text, or a version of it, confirms it. One that names another paper makes the
    reference `mismatched`. One that names no paper is reported in `differs`; a match by the title alone becomes
    `ambiguous`. `names` is empty if none of the reference's ids could be parsed.
    """
    named = holders(names, candidates)
    if judgement.status == "matched":
        best, *others = judgement.candidates
        if any(best.paper is it.paper or versions_of_one(best.paper, it.paper) for it in named):
            return replace(judgement, candidates=(_with_id(best), *others))
        if not named:
            status = "ambiguous" if best.agrees == ("title",) else judgement.status
            reason = "only the title agrees, and the id is not that of the paper" if status == "ambiguous" else None
            best = replace(best, differs=(*best.differs, "id"), reason=reason)
            return replace(judgement, status=status, candidates=(best, *others))
    if not named:
        return judgement
    compared = [judge.weigh(paper) for paper in named]
    meant = [one for one in compared if judgement.status != "matched" and _is_described(judge.citation, one)]
    if meant:
        return Judgement("matched", (_with_id(meant[0]),))
    unlike = [one for one in compared if judgement.status != "matched" and _differs_by_title_only(one)]
    if unlike:
        return Judgement("ambiguous", (replace(_with_id(unlike[0]), reason="the id names it, but the title differs"),))
    found = judgement.status == "matched"
    if found:
        best, *others = judgement.candidates
        judgement = replace(judgement, candidates=(replace(best, differs=(*best.differs, "id")), *others))
    return replace(
        judgement, status="mismatched", named=compared[0].paper, compared=_with_id(compared[0]), is_found=found
    )


def by_ids(names: Sequence[str], candidates: Sequence[KnownPaper], text: str = "") -> Judgement:
    """The judgement of a reference without other fields: the paper with these ids; `ambiguous` if there are several.

    So is a `text` that is numbers alone, of which nothing says that they are PMIDs.
    """
    found = tuple(Candidate(it.paper, 1.0, ("id",), ()) for it in holders(names, candidates))
    to_add = what_to_write(text) if bare_pmids(text) else None
    doubt = to_add or ("the ids name several papers" if len(found) > 1 else None)
    if doubt:
        shown = tuple(replace(one, reason=doubt) for one in found[:MAX_CANDIDATES])
        return Judgement("ambiguous", shown, reason=to_add)
    return Judgement("matched" if found else "not_found", found)


def holders(names: Sequence[str], candidates: Sequence[KnownPaper]) -> list[KnownPaper]:
    """The papers with one of these ids, the paper of the first id first."""
    places = {name: place for place, name in enumerate(names)}
    found = [(min(places[name] for name in own), it.paper.key, it) for it in candidates
             if (own := places.keys() & it.names)]  # fmt: skip
    return [it for *_, it in sorted(found, key=lambda one: one[:2])]


def _with_id(candidate: Candidate) -> Candidate:
    return replace(candidate, agrees=(*candidate.agrees, "id"), reason=None)


def _is_described(citation: Citation, candidate: Candidate) -> bool:
    """Whether the rest of a reference can describe the paper that its id names.

    Less is needed than without an id: a garbled title, no title at all with an author, or the very place.
    """
    paper, agrees, differs = candidate.paper, candidate.agrees, candidate.differs
    if "title" in agrees or _is_note(citation):
        return True
    others_agree = [name for name in agrees if name != "title"]
    if {"authors", "volume", "pages"} <= set(agrees) and "journal" not in differs:
        return True  # a translated title
    line = without_ids(citation.text or "")
    title = citation.title or (read_citation(citation.text).title if citation.text else None)
    recorded = words_of(paper.title)
    if f" {' '.join(recorded)} " in f" {' '.join(words_of(line))} " and len(recorded) > 2:
        return True
    if title is None and not _has_other_words(line, paper):
        is_author = "authors" not in differs or _begins_with_later_author(citation, paper)
        return is_author and (bool(others_agree) or not differs)
    cited = words_of(title or "")
    if len(cited) >= MIN_FIRST_WORDS and recorded[: len(cited)] == cited and differs == ("title",):
        return "authors" in agrees  # its subtitle was dropped
    if _is_one_word_exchanged(cited, recorded) and "authors" in agrees and len(others_agree) > 1:
        return True
    likeness = fuzz.ratio(" ".join(words_of(title or line)), " ".join(recorded))
    return likeness >= MIN_LIKENESS and bool(others_agree) and "authors" not in differs


def _is_one_word_exchanged(cited: Sequence[str], recorded: Sequence[str]) -> bool:
    """Whether one word of a title stands in the place of another: `TREM2 variants in Parkinson's disease`."""
    if len(cited) != len(recorded) or sum(word not in STOP_WORDS for word in recorded) < MIN_FIRST_WORDS:
        return False
    return sum(ours != theirs for ours, theirs in zip(cited, recorded, strict=True)) == 1


def _begins_with_later_author(citation: Citation, paper: MergedPaper) -> bool:
    """Whether the first of the cited authors is one of the paper's, but not its first."""
    names = citation.authors or (read_citation(citation.text).authors if citation.text else ())
    first = read_author(names[0]) if names else None
    family = words_of((first.family or first.display) if first else "")
    return bool(family) and any(words_of(it.family or it.display) == family for it in paper.authors[1:])


def _differs_by_title_only(candidate: Candidate) -> bool:
    """Whether the paper has authors, year and journal of the reference, and another title: perhaps a translation."""
    return {"authors", "year", "journal"} <= set(candidate.agrees) and candidate.differs == ("title",)


def _is_note(citation: Citation) -> bool:
    """Whether a line says nothing of a paper beside its id: no author, no year, no volume, and hardly a word.

    Of `cf. doi:…, p. 483` or `TREM2 paper, doi:…`, what was parsed as a title, a journal or a name is none.
    """
    text = citation.text
    if not text or citation.title or citation.authors:
        return False
    read = read_citation(text)
    named = any(name[:1].isupper() for name in read.authors)
    if named or read.year or read.volume or _INITIALS.search(without_ids(text)):
        return False
    words = [word for word in words_of(without_ids(text)) if word.isalpha() and word not in _NOTED]
    return len(words) <= MOST_NOTED


def _has_other_words(line: str, paper: MergedPaper) -> bool:
    """Whether a printed reference has words that may be another paper's title."""
    known = {
        word
        for text in (paper.journal, paper.title, *(it.display for it in paper.authors))
        for word in words_of(text or "")
    }
    known |= STOP_WORDS | FIELD_NAMES if is_record(line) else STOP_WORDS
    others = [word for word in words_of(line) if word.isalpha() and len(word) > 3 and word not in known]
    return len(others) > 2
