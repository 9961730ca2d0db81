"""The rules of `matching`, by name: identities, vetoes, resemblances.

A rule looks at the evidence and gives its reason, or None when it has nothing to say. Missing never says anything.
"""

from __future__ import annotations

from collections.abc import Callable

from shared.matching.evidence import Authorship, Evidence
from shared.matching.features import Features
from shared.matching.recurring_pieces import other_place, recurring_title
from shared.matching.title_likeness import Likeness

BY_ID = 100  # the strength above which an identifier speaks

Rule = Callable[[Evidence], str | None]


def all_differs(e: Evidence) -> str | None:
    """Neither title nor authors, DOI and year agree: an id that both have is a mistake in one of the records.

    One year is a coincidence between two DOIs; of a translated title nothing can be said, so the DOIs must differ.
    """
    if e.title > Likeness.REWORDED or e.authors is not Authorship.OTHER or e.full_citation:
        return None
    apart = e.doi is False if e.translated or e.years_apart == 0 else e.doi is not True
    return "other title, authors and DOI" if apart else None


# --- identities -----------------------------------------------------------------------------------------------------


def _shared_pmid(e: Evidence) -> str | None:
    pmid = e.a.paper.ids.pmid
    return "same PMID" if pmid and pmid == e.b.paper.ids.pmid and not all_differs(e) else None


def _shared_id(e: Evidence) -> str | None:
    """PMCID, arXiv, Semantic Scholar, OpenAlex or NCT."""
    if e.a.identity.isdisjoint(e.b.identity) or (two_pmids(e) and not e.other_version) or all_differs(e):
        return None
    return "same id"


def _linked_versions(e: Evidence) -> str | None:
    """One names the other as its preprint, its article or another version."""
    if not (e.a.links or e.b.links) or (two_pmids(e) and not e.other_version):
        return None
    if not (_names(e.a, e.b) or _names(e.b, e.a)):
        return None
    return None if e.title is Likeness.UNLIKE and e.authors is Authorship.OTHER else "linked versions"


def _names(a: Features, b: Features) -> bool:
    return not a.links.isdisjoint(b.identity) or (b.doi is not None and f"doi:{b.doi}" in a.links)


def _shared_doi(e: Evidence) -> str | None:
    """A DOI, unless it stands for many: the abstracts of a supplement share one."""
    if not e.doi or two_pmids(e) or e.other_kind or e.other_part:
        return None
    if e.title >= Likeness.NEAR:
        return "same doi"
    if e.title is Likeness.REWORDED and e.page is not False and e.authors_agree:
        return "same doi"
    return "same doi" if e.translated and e.page is not False and e.authors is not Authorship.OTHER else None


IDENTITIES: tuple[tuple[int, Rule], ...] = (
    (140, _shared_pmid), (130, _shared_id), (120, _linked_versions), (110, _shared_doi),
)  # fmt: skip

# --- vetoes ---------------------------------------------------------------------------------------------------------


def two_pmids(e: Evidence) -> str | None:
    """PubMed numbers each paper once (and a preprint apart from its article)."""
    a, b = e.a.paper.ids.pmid, e.b.paper.ids.pmid
    return "different PMIDs" if a and b and a != b else None


def _registration(e: Evidence) -> str | None:
    """A trial's registration often has the title and first author of the paper that reports the trial."""
    one, other = e.a.registration, e.b.registration
    reason = "different trials" if one and other else "one is the registration of a trial"
    return reason if one != other else None


def _data_set(e: Evidence) -> str | None:
    """The data of a paper are deposited under its title and authors; a record without a known type may be of either."""
    one, other = e.a.paper.type, e.b.paper.type
    return "one is a data set" if one and other and one != other and "dataset" in (one, other) else None


def _two_arxiv_ids(e: Evidence) -> str | None:
    a, b = e.a.paper.ids.arxiv, e.b.paper.ids.arxiv
    return "different arXiv ids" if a and b and a != b else None


def _two_dois(e: Evidence) -> str | None:
    """Two articles, unless all else of the citation agrees; a preprint has another DOI than its article."""
    return "different DOIs" if e.doi is False and not e.other_version and not e.full_citation else None


def _other_piece(e: Evidence) -> str | None:
    return "one is about the other (reply, comment, erratum, retraction)" if e.other_kind or e.other_type else None


def _other_part(e: Evidence) -> str | None:
    if e.same_numbers:
        return None
    if e.other_part or ((e.other_number or e.one_part) and not e.full_citation):
        return "other part or number"
    return None


def _other_authors(e: Evidence) -> str | None:
    if e.authors is None or e.authors > Authorship.FEW or (e.full_citation and e.title >= Likeness.SPELLING):
        return None
    return "other authors"


def _years_apart(e: Evidence) -> str | None:
    return "years more than one apart" if (e.years_apart or 0) > 1 else None


def _one_answer(e: Evidence) -> str | None:
    """A provider's answer hardly ever lists one work twice, save a preprint beside its article."""
    if e.a.answer != e.b.answer or (e.full_citation and e.title >= Likeness.SPELLING) or _preprint_of_article(e):
        return None
    return "two hits of one answer"


def _one_source(e: Evidence) -> str | None:
    """A source has de-duplicated itself: only the place, or title and first author, tell that two of its hits are one.

    Another source's record may still join the two, so this is not a veto on groups.
    """
    if e.a.paper.provider != e.b.paper.provider or e.volume or e.page or _preprint_of_article(e):
        return None
    if e.title >= Likeness.SPELLING and e.authors in (Authorship.FIRST, None):
        return None
    return "two records of one source"


def _other_work(e: Evidence) -> str | None:
    """Ids name two works; without ids, chains of records resemble more than their ends."""
    return all_differs(e) if e.a.ids and e.b.ids else None


VETOES: tuple[Rule, ...] = (
    two_pmids, _registration, _data_set, recurring_title, _two_arxiv_ids, _other_piece, _other_part, _other_authors,
    _years_apart, _two_dois, _one_answer, _one_source,
)  # fmt: skip

# Those of them that may hold of two records that have one first author and agree in what the others compare.
LIKE_VETOES: tuple[Rule, ...] = (_registration, _data_set, _two_arxiv_ids, _years_apart, _two_dois, _one_source)
GROUP_VETOES: tuple[Rule, ...] = (two_pmids, other_place, _one_answer, _other_piece, _other_part, _other_work)

# --- resemblances ---------------------------------------------------------------------------------------------------


def _same_citation(e: Evidence) -> str | None:
    """The same volume and page under a title that is like enough."""
    if e.title is Likeness.UNLIKE or not e.full_citation:
        return None
    return "same volume and page" if e.title > Likeness.REWORDED or e.authors is Authorship.FIRST else None


def _translation(e: Evidence) -> str | None:
    """Another title for what stands on the same page."""
    one_place = e.translated and e.full_citation and e.authors in (Authorship.FIRST, None)
    return "translated title, same volume and page" if one_place else None


def _same_page(e: Evidence) -> str | None:
    """The same page of a year under one title, the volume being unknown or misread."""
    enough = Likeness.SPELLING if e.volume is False else Likeness.CUT
    one_page = e.page and e.years_apart == 0 and e.title >= enough and e.authors_agree
    return "same page and title" if one_page else None


def _same_title(e: Evidence) -> str | None:
    if e.title < Likeness.SPELLING or not e.authors_agree or e.years_apart not in (0, None):
        return None
    if e.volume is False or e.page is False:
        return None
    return "same title and authors"


def _same_title_in_volume(e: Evidence) -> str | None:
    """One title of one first author in one volume: the page is an article number in one of the records."""
    if e.title < Likeness.SPELLING or e.authors is not Authorship.FIRST or e.years_apart != 0:
        return None
    # of a column, each issue has a piece under one title
    if e.volume and e.issue is False and e.page is False and e.weight < 4:
        return None
    one_place = e.journal is not False if e.volume else e.journal and e.volume is None
    return "same title, first author and volume" if one_place else None


def _same_title_next_year(e: Evidence) -> str | None:
    """Online in December, in print in January."""
    if e.title < Likeness.SPELLING or not e.authors_agree or e.years_apart != 1:
        return None
    if e.volume is False or e.page is False or not (e.volume or e.page or (e.journal and e.weight > 4)):
        return None
    return "same title and authors, a year apart"


def _title_alone(e: Evidence) -> str | None:
    """Without authors the title must say much: more without the year too, less where the place agrees."""
    if e.title < Likeness.SPELLING or e.authors is not None or e.years_apart not in (0, None):
        return None
    if e.volume is False or e.page is False or e.journal is False:
        return None
    enough = 4 if e.volume or e.page or e.journal else 5
    return "same title, authors missing" if e.weight >= enough + (2 if e.years_apart is None else 0) else None


def _cut_title(e: Evidence) -> str | None:
    """A title without its subtitle, or with a note added; not `Design of X` or `X: study protocol` and X."""
    if e.title is not Likeness.CUT or not e.authors_agree or e.years_apart not in (0, None) or e.weight < 4:
        return None
    if e.led_into or e.one_plan or e.volume is False or e.page is False or (e.journal is False and not _reference(e)):
        return None
    return "same authors, title cut"


def _reference(e: Evidence) -> bool:
    """One is only an entry of a reference list: no year, volume or page; its journal is what stood there."""
    return e.authors is Authorship.FIRST and e.weight > 4 and (_is_bare(e.a) or _is_bare(e.b))


def _is_bare(record: Features) -> bool:
    return record.year is None and record.volume is None and record.page is None and record.doi is None


def _preprint_of_article(e: Evidence) -> str | None:
    """A preprint has no volume and page, and another DOI, than its article; title and authors decide."""
    if e.other_version and e.title >= Likeness.SPELLING and e.authors_agree:
        return "preprint and article of one title"
    return None


RESEMBLANCES: tuple[tuple[int, Rule], ...] = (
    (90, _same_citation), (85, _translation), (80, _same_page), (70, _same_title), (60, _preprint_of_article),
    (50, _same_title_in_volume), (40, _title_alone), (30, _cut_title), (20, _same_title_next_year),
)  # fmt: skip
