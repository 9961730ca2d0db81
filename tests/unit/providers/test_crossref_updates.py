"""Retractions and corrections: what Crossref reports on a paper, on a notice, and when it reports nothing."""

from __future__ import annotations

from typing import Any

import pytest

from functions.providers import crossref
from shared.bibliography.paper import Retraction, RetractionStatus
from tests.recorded.every_recording import needs_recordings, replay_recording
from tests.replay import OWN_RECORDINGS, replay
from tests.unit.providers.test_crossref_records import paper_of, papers

OWN = OWN_RECORDINGS / "crossref"
NONE, UNKNOWN = Retraction(RetractionStatus.NONE), Retraction(RetractionStatus.UNKNOWN)
RETRACTED, CORRECTED = RetractionStatus.RETRACTED, RetractionStatus.CORRECTED


def update(kind: str, doi: str = "10.5555/notice", *day: int) -> list[dict[str, Any]]:
    """One update as Crossref writes it."""
    return [{"DOI": doi, "type": kind, "label": kind, "source": "publisher", "updated": {"date-parts": [list(day)]}}]


@pytest.mark.parametrize(
    ("doi", "retraction"),
    [
        pytest.param(
            "10.1073/pnas.1414271111", Retraction(CORRECTED, "10.1073/pnas.1507001112", "2015-05-04"), id="corrected"
        ),
        pytest.param(
            "10.1016/s0140-6736(97)11096-0",
            Retraction(RETRACTED, "10.1016/s0140-6736(10)60175-4", "2010-02-06"),
            id="corrected-then-retracted-by-two-sources",
        ),
        pytest.param(
            "10.1016/s0140-6736(20)31180-6",
            Retraction(RETRACTED, "10.1016/s0140-6736(20)31324-6", "2020-06-05"),
            id="doubted-then-retracted",
        ),
        pytest.param(
            "10.5555/doubted.2021",
            Retraction(RetractionStatus.CONCERN, "10.5555/doubt.2022", "2022-01-03"),
            id="corrected-then-doubted",
        ),
        pytest.param("10.1371/journal.ppat.1008184", NONE, id="a-new-version-of-itself"),
        pytest.param("10.1155/2019/7803293", NONE, id="no-updates-in-a-selected-record"),
        pytest.param("10.1155/2020/5109831", UNKNOWN, id="a-title-of-a-notice-or-of-a-retracted-paper"),
    ],
)
def test_the_gravest_update_decides(doi: str, retraction: Retraction) -> None:
    assert papers("updates.json")[doi].retraction == retraction


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        pytest.param("retraction", "retracted", id="retraction"),
        pytest.param("removal", "retracted", id="removal"),
        pytest.param("withdrawal", "retracted", id="withdrawal"),
        pytest.param("expression_of_concern", "concern", id="concern"),
        pytest.param("partial_retraction", "corrected", id="partial-retraction"),
        pytest.param("correction", "corrected", id="correction"),
        pytest.param("corrigendum", "corrected", id="corrigendum"),
        pytest.param("erratum", "corrected", id="erratum"),
        pytest.param("addendum", "none", id="addendum"),
        pytest.param("clarification", "none", id="clarification"),
        pytest.param("new_edition", "none", id="new-edition"),
    ],
)
def test_each_kind_of_update_has_its_meaning(kind: str, status: str) -> None:
    assert paper_of(**{"updated-by": update(kind)}).retraction.status == status


def test_the_first_of_several_retractions_is_returned_in_any_order() -> None:
    first, second = update("retraction", "10.5555/first", 2019, 5), update("retraction", "10.5555/second", 2021)
    undated = update("retraction", "10.5555/undated")
    expected = Retraction(RETRACTED, "10.5555/first", "2019-05")
    assert paper_of(**{"updated-by": [*undated, *second, *first]}).retraction == expected
    assert paper_of(**{"updated-by": [*first, *undated, *second]}).retraction == expected


def test_a_selection_without_updates_leaves_the_standing_unknown() -> None:
    paper = papers("narrow_selection.json")["10.1155/2022/8341966"]
    assert (paper.retraction, paper.type) == (UNKNOWN, None)


@pytest.mark.parametrize(
    ("title", "status"),
    [
        pytest.param("RETRACTED: Ileal-lymphoid-nodular hyperplasia", "retracted", id="capitals"),
        pytest.param("RETRACTED ARTICLE: A study", "retracted", id="retracted-article"),
        pytest.param("Retracted Article: A study", "retracted", id="retracted-article-of-the-rsc"),
        pytest.param("[RETRACTED] A study", "retracted", id="capitals-in-brackets"),
        pytest.param("[Retracted] A study", "retracted", id="brackets"),
        pytest.param("Retracted: A study", "unknown", id="notice-or-paper"),
        pytest.param("WITHDRAWN: Antibiotics for the common cold", "unknown", id="out-of-date-or-wrong"),
        pytest.param("Retracted papers go on being cited", "none", id="about-retractions"),
    ],
)
def test_a_retraction_mark_in_the_title_counts_when_there_are_no_updates(title: str, status: str) -> None:
    assert paper_of(title=[title]).retraction.status == status


@pytest.mark.parametrize(
    ("doi", "kind"),
    [
        pytest.param("10.1073/pnas.1507001112", "erratum", id="correction"),
        pytest.param("10.1016/s0140-6736(10)60175-4", "retraction-notice", id="retraction"),
        pytest.param("10.1371/journal.ppat.1008184", "journal-article", id="an-article-that-updates-itself"),
        pytest.param("10.1016/s0140-6736(97)11096-0", "journal-article", id="the-retracted-paper"),
    ],
)
def test_a_record_that_updates_another_is_a_notice(doi: str, kind: str) -> None:
    assert papers("updates.json")[doi].type == kind


@pytest.mark.parametrize("doi", ["10.1073/pnas.1507001112", "10.1016/s0140-6736(10)60175-4"])
def test_a_notice_is_not_itself_corrected_or_retracted(doi: str) -> None:
    assert papers("updates.json")[doi].retraction == NONE


def test_a_paper_that_retracts_itself_in_place_stays_a_paper() -> None:
    own = update("retraction", "10.5555/12345678", 2020)
    paper = paper_of(**{"update-to": own, "updated-by": own})
    assert (paper.type, paper.retraction.status) == ("journal-article", "retracted")


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        pytest.param("Correction: A study", "erratum", id="colon"),
        pytest.param("Author Correction: A study", "erratum", id="author-correction"),
        pytest.param("Correction to “A study”", "erratum", id="quotes"),
        pytest.param("Corrections to “A study”", "erratum", id="several-corrections"),
        pytest.param("Erratum", "erratum", id="erratum"),
        pytest.param("Errata", "erratum", id="errata"),
        pytest.param("Corrigenda: A study", "erratum", id="corrigenda"),
        pytest.param("Retraction of “A study”", "retraction-notice", id="retraction-in-quotes"),
        pytest.param("Correction.", "erratum", id="nothing-else"),
        pytest.param("Department of Error", "erratum", id="the-lancet"),
        pytest.param("Retraction Note: A study", "retraction-notice", id="retraction-note"),
        pytest.param("Retraction notice to “A study”", "retraction-notice", id="retraction-notice"),
        pytest.param("Retraction: A study", "retraction-notice", id="retraction"),
        pytest.param("Retraction of the pupil in cats", "journal-article", id="an-article-on-retracting"),
        pytest.param("Correction of myopia in children", "journal-article", id="an-article-on-correcting"),
        pytest.param("Corrections officers at work", "journal-article", id="officers"),
    ],
)
def test_a_notice_that_names_no_paper_is_known_by_its_title(title: str, kind: str) -> None:
    assert paper_of(title=[title]).type == kind


def test_the_correction_without_its_update_is_an_erratum() -> None:
    assert papers("abstracts.json")["10.2196/43211"].type == "erratum"


@needs_recordings
@pytest.mark.parametrize(
    ("name", "kind", "retraction"),
    [
        pytest.param(
            "work-updated-by-correction.json",
            "journal-article",
            Retraction(CORRECTED, "10.1073/pnas.1507001112", "2015-05-04"),
            id="corrected",
        ),
        pytest.param("work-update-to-and-updated-by-new-version.json", "journal-article", NONE, id="new-version"),
        pytest.param("work-correction-notice.json", "erratum", NONE, id="correction-notice"),
        pytest.param("list-select-retracted-paper-carries-no-mark.json", None, UNKNOWN, id="selected-without-updates"),
    ],
)
def test_a_recorded_work_has_its_standing(name: str, kind: str | None, retraction: Retraction) -> None:
    (paper,) = replay_recording(crossref, name).papers
    assert (paper.type, paper.retraction) == (kind, retraction)


@needs_recordings
def test_the_recorded_title_of_a_retraction_is_not_an_unretracted_paper() -> None:
    leg = replay_recording(crossref, "list-100-rows-includes-retracted-notice-title.json")
    (marked,) = [paper for paper in leg.papers if paper.title.startswith("Retracted:")]
    assert (marked.ids.doi, marked.retraction) == ("10.1155/2020/5109831", UNKNOWN)


def test_every_update_of_our_own_bodies_is_read_without_a_warning() -> None:
    assert replay(crossref, OWN / "updates.json").warnings == ()
