"""Where a DOI begins has one rule: each reader knows the prefixes that are divided further.

Sources: ISO 26324, and the DOI Handbook 2.2.2, which has the first example of PREFIXES.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from shared.bibliography.identifiers import DOI_START, read_doi
from shared.bibliography.printed_source import printed_plain
from shared.bibliography.reference_text import read_references
from shared.documents.entry_groups import looks_like_reference
from shared.papers.reference_request import Reference
from shared.papers.texts.copy_identity import is_of_paper
from shared.providers.records import europe_pmc
from shared.query.understanding import understand
from shared.references.id_writings import writings_of
from shared.references.markdown_citation import unmarked
from shared.references.printed_text import without_ids
from tests.growth import MOST, growth
from tests.unit.papers.test_copy_identity import printed

PREFIXES = ("10.1000.10", "10.1093.01", "10.1016.12.31", "10.1093", "10.48550", "10.123456789")


def _alone(prefix: str) -> bool:
    return read_doi(f"https://doi.org/{prefix}/Brain.2019") == f"{prefix}/brain.2019"


def _in_a_text(prefix: str) -> bool:
    return [it.id for it in read_references(f"As shown ({prefix}/brain.2019).")] == [f"{prefix}/brain.2019"]


def _among_words(prefix: str) -> bool:
    return understand(f"TREM2 {prefix}/brain.2019 mice").identifiers == (f"doi:{prefix}/brain.2019",)


def _with_blanks(prefix: str) -> bool:
    return understand(f"{prefix} / brain.2019").identifiers == (f"doi:{prefix}/brain.2019",)


def _as_a_file(prefix: str) -> bool:
    return understand(f"TREM2 {prefix}/brain.2019.pdf").identifiers == (f"doi:{prefix}/brain.2019",)


def _left_out(prefix: str) -> bool:
    return without_ids(f"Mice. {prefix}/brain.2019").split() == ["Mice."]


def _of_an_entry(prefix: str) -> bool:
    return looks_like_reference(f"Doe J. Memory in mice. {prefix}/brain.x")


def _in_the_next_line(prefix: str) -> bool:
    return printed_plain(f"{prefix}/\nbrain.2019").text == f"{prefix}/brain.2019"


def _on_the_first_page(prefix: str) -> bool:
    """Another DOI beside the paper's may be the one of the file."""
    own, both = f"{prefix}/example.1", f"{prefix}/example.1 {prefix}/other.2"
    found = [is_of_paper(printed("Eine Einteilung", footer=it), ["Mice"], [f"doi:{own}"]) for it in (own, both)]
    return found[0] is True and found[1] is not True


def _of_a_link(prefix: str) -> bool:
    link = {"id": "PPR1", "source": "PPR", "type": "Preprint in", "reference": f"medRxiv. doi: {prefix}/2020.06."}
    record = {"source": "MED", "id": "1", "title": "On mice", "commentCorrectionList": {"commentCorrection": [link]}}
    return [it.doi for it in europe_pmc.read_paper(record, 1).versions] == [f"{prefix}/2020.06"]


def _in_markdown(prefix: str) -> bool:
    return unmarked(f"Mice. [{prefix}/brain.2019](https://doi.org/{prefix}/brain.2019)").split() == ["Mice."]


def _from_a_file(prefix: str) -> bool:
    """With the blanks that a PDF has put into it."""
    reference = Reference.model_validate({"reference": f"Mice. {prefix} / brain.2019"})
    return f"doi:{prefix}/brain.2019" in [it.name for it in writings_of(reference, ())]


READERS: tuple[Callable[[str], bool], ...] = (
    _alone, _in_a_text, _among_words, _with_blanks, _as_a_file, _left_out, _of_an_entry, _in_the_next_line,
    _on_the_first_page, _of_a_link, _in_markdown, _from_a_file,
)  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
def test_a_prefix_may_be_divided_for_every_reader(reader: Callable[[str], bool]) -> None:
    assert [prefix for prefix in PREFIXES if not reader(prefix)] == []


@pytest.mark.parametrize("doi", ["10.123/abc", "10.1093./abc", "10.1093.x/abc", "10.1093.01", "11.1093.01/abc"])
def test_other_numbers_begin_no_doi(doi: str) -> None:
    assert read_doi(doi) is None
    assert not understand(f"TREM2 {doi} mice").identifiers


def test_an_endless_prefix_takes_linear_time() -> None:
    assert growth(lambda size: re.search(DOI_START, "10.1000." * size), 20_000) < MOST
