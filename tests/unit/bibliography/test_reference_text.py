"""The papers that a debate's text names, in the ways that people write them, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.bibliography.identifiers import Identifiers, citation_uri, paper_key
from shared.bibliography.reference_text import Mention, distinct_ids, read_references
from tests.growth import MOST, growth
from tests.unit.bibliography.references_as_written import BRACKETS, HASH_CHECK, LANCET, LOOK_ALIKES, NATURE, SICI, WAYS


def keys(mentions: list[Mention]) -> list[str]:
    return [{"paper_id": "s2"}.get(mention.kind, mention.kind) + ":" + mention.id for mention in mentions]


@pytest.mark.parametrize(("written", "named"), WAYS, ids=[str(written)[:70] for written, _ in WAYS])
def test_a_paper_is_found_however_it_is_written(written: str, named: str) -> None:
    assert keys(read_references(written)) == named.split()


@pytest.mark.parametrize("written", LOOK_ALIKES)
def test_a_look_alike_names_no_paper(written: str) -> None:
    assert read_references(written) == []


def test_a_long_debate_gives_every_paper_and_nothing_else() -> None:
    paragraphs = [str(written) for written, _ in WAYS]
    for place, look_alike in enumerate(LOOK_ALIKES):
        paragraphs.insert(2 * place, look_alike)
    debate = "\n\n* * *\n\n".join(f"Speaker {place} said:\n\n{text}" for place, text in enumerate(paragraphs))
    assert sorted(keys(read_references(debate))) == sorted(key for _, named in WAYS for key in named.split())


@pytest.mark.parametrize(
    ("text", "stood"),
    [
        ("🎉 see https://doi.org/10.1038/nature12373).", "https://doi.org/10.1038/nature12373"),
        ("a DOI:\u00a010.1000/182, b", "DOI:\u00a010.1000/182"),
        ("https://dl.acm.org/doi/10.1145/3292500.3330701", "10.1145/3292500.3330701"),
        ("x 10.1038/\u200bnature12373\u200b.", "10.1038/\u200bnature12373"),
        ("<td>10.1000/a(b)&lt;1:2&gt;&nbsp;</td>", "10.1000/a(b)&lt;1:2&gt;"),
        ("u=https%3A%2F%2Fdoi.org%2F10.1000%2F182%3Fx", "https%3A%2F%2Fdoi.org%2F10.1000%2F182"),
        ("10.1093/nar/\ngkv1234.\n", "10.1093/nar/\ngkv1234"),
        ("(arXiv:2101.00001v2 [cs.CL])", "arXiv:2101.00001v2"),
        ("(PMID: 0123)", "PMID: 0123"),
        ("see www.ncbi.nlm.nih.gov/pubmed/123/.", "www.ncbi.nlm.nih.gov/pubmed/123"),
    ],
)
def test_a_mention_names_the_text_and_its_place(text: str, stood: str) -> None:
    (mention,) = read_references(text)
    assert mention.text == stood
    assert text[mention.start : mention.end] == stood


def test_mentions_come_in_order_of_place_and_repeated() -> None:
    mentions = read_references("PMID 7, arXiv:2101.00001, 10.1000/182, https://arxiv.org/abs/2101.00001v3, pmid:7")
    assert keys(mentions) == ["pmid:7", "arxiv:2101.00001", "doi:10.1000/182", "arxiv:2101.00001", "pmid:7"]
    assert distinct_ids(mentions) == [("pmid", "7"), ("arxiv", "2101.00001"), ("doi", "10.1000/182")]


KNOWN = st.one_of(
    st.builds(Identifiers, doi=st.sampled_from((NATURE, SICI, BRACKETS, HASH_CHECK, LANCET, "10.1000/a_b.c-d"))),
    st.builds(Identifiers, pmid=st.integers(1, 99_999_999).map(str)),
    st.builds(Identifiers, arxiv=st.sampled_from(("2101.00001", "0704.0001", "hep-th/9901001", "math/0309136"))),
    st.builds(Identifiers, paper_id=st.text("0123456789abcdef", min_size=40, max_size=40)),
    st.builds(Identifiers, openalex=st.integers(1_000_000, 9_999_999_999).map("W{}".format)),
)
PROSE = st.text(st.characters(exclude_categories=("Cs", "Nd"), exclude_characters="\\&%<"), max_size=60)


@given(KNOWN, PROSE, PROSE)
def test_our_own_uri_and_key_are_found_in_any_prose(ids: Identifiers, before: str, after: str) -> None:
    key = f"arxiv:{ids.arxiv}" if ids.arxiv else paper_key(ids, None)
    assert keys(read_references(f"{before} {citation_uri(ids)} {key} {after}")) == [key, key]


PIECES = (
    "10.1000/", "10.1101/2024.01.01.123456v1", "(", ")", "[1]", "<1:", ">", "&lt;", "&amp;", "%2F", "%E2%80", "\\u00",
    "\\ud800", "\\_", "\n", "/", "#", "doi:", "https://doi.org/", "PMID: 123, ", "PMC12345", "arXiv:2101.00001",
    "１", "http://", "and ", ".", "x", "\u200b", "–1", "openalex.org/W123",
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_any_text_is_read_and_mentions_stand_apart(text: str) -> None:
    end = 0
    for mention in read_references(text):
        assert end <= mention.start < mention.end
        assert text[mention.start : mention.end] == mention.text
        end = mention.end


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    ["10.1000/((((", "10.1000/-", "10.1000/a\n", "10.1000/....", "PMID ", "PMIDs: 1, ", "&amp;", "<1:",
     "semanticscholar.org/paper/", "europepmc.org/a/"],
)  # fmt: skip
def test_a_hundred_kilobytes_of_beginnings_take_no_longer_than_their_length(piece: str) -> None:
    # A pattern that looks back over the whole text takes minutes.
    assert growth(lambda size: read_references(piece * (size // len(piece))), 100_000) < MOST
