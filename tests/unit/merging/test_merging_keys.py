"""No two results of one answer have the same key, and each key depends on its paper alone."""

from __future__ import annotations

from shared.bibliography.paper import MergedPaper, Paper
from tests.unit.records import merge_records, record

SUPPLEMENT = "10.2337/db15386741"
ANEURYSM = record(
    "A DPP-4 inhibitor but not incretins suppresses the progression of abdominal aorta aneurysms",
    "Kohashi, K.; Hiromura, M.; Mori, Y.", 2015, "Diabetes 64:A134", doi=SUPPLEMENT, provider="crossref",
)  # fmt: skip
MACROPHAGES = record(
    "A sodium glucose cotransporter-2 inhibitor prevents the progression of macrophage-driven atherosclerosis",
    "Terasaki, M.; Hiromura, M.; Mori, Y.", 2015, "Diabetes 64:A134-A135", doi=SUPPLEMENT, provider="crossref",
)  # fmt: skip
NEPHRITIS = record("Nephritis in mice without podocin", doi=SUPPLEMENT, pmid="26046175", provider="pubmed")


def by_title(*papers: Paper) -> dict[str, MergedPaper]:
    return {paper.title: paper for paper in merge_records(papers)}


def test_abstracts_that_share_a_doi_keep_it_and_are_cited_by_it_but_have_keys_of_their_own() -> None:
    merged = merge_records([ANEURYSM, MACROPHAGES])
    assert {paper.ids.doi for paper in merged} == {SUPPLEMENT}
    assert {paper.citation_uri for paper in merged} == {f"https://doi.org/{SUPPLEMENT}"}
    assert [paper.key.partition(":")[0] for paper in merged] == ["title", "title"]
    assert merged[0].key != merged[1].key


def test_a_shared_doi_leaves_the_key_to_the_next_id() -> None:
    assert by_title(ANEURYSM, NEPHRITIS)[NEPHRITIS.title].key == "pmid:26046175"


def test_the_key_under_a_shared_doi_does_not_depend_on_the_other_paper() -> None:
    one, other = by_title(ANEURYSM, MACROPHAGES), by_title(ANEURYSM, NEPHRITIS)
    assert one[ANEURYSM.title].key == other[ANEURYSM.title].key


def test_a_doi_of_one_paper_is_its_key() -> None:
    assert by_title(ANEURYSM)[ANEURYSM.title].key == f"doi:{SUPPLEMENT}"


def test_namesakes_without_ids_have_keys_of_their_own() -> None:
    title = "Atypical hemolytic uremic syndrome"
    noris = record(title, "Noris, Marina; Remuzzi, Giuseppe", 2009, "N Engl J Med 361:1676-87")
    loirat = record(title, "Loirat, Chantal; Frémeaux-Bacchi, Véronique", 2009, "Orphanet J Rare Dis 6:60")
    assert len({paper.key for paper in merge_records([noris, loirat])}) == 2


def test_duplicates_of_one_answer_are_counted() -> None:
    twins = [record("Editorial", year=2014, provider="crossref", rank=rank) for rank in (1, 2)]
    first, second = sorted(paper.key for paper in merge_records(twins))
    assert second == f"{first}-2"


def test_near_duplicates_under_one_doi_name_each_others_key() -> None:
    title = "Reciprocal relations in irreversible processes"
    papers = [
        record(text, "Onsager, Lars", 1931, doi="10.1103/physrev.37.405") for text in (title, f"Erratum: {title}")
    ]
    first, second = merge_records(papers)
    assert [link.key for link in first.possible_duplicates] == [second.key]
    assert [link.key for link in second.possible_duplicates] == [first.key]
