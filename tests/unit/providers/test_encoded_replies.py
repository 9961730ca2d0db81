"""Replies as bytes: read back as they were, trusted only in the form of this version, checked in any other."""

from __future__ import annotations

import json
import zlib
from dataclasses import fields, replace
from typing import Any

import pytest

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import (
    Author,
    Location,
    OpenAccess,
    Paper,
    Pointer,
    Retraction,
    RetractionStatus,
    Version,
)
from shared.field_checks import checked
from shared.outcomes import Outcome
from shared.providers import encoded_replies
from shared.providers.encoded_replies import EncodedReply, decode_reply, encode_reply, form, read_encoded
from shared.providers.provider import ProviderReply, failed

REPLY = ProviderReply(
    provider="crossref",
    family="crossref",
    outcome=Outcome.OK,
    papers=(Paper(provider="crossref", rank=1, title="Größe und Gewicht", year=1999),),
    not_queried=(3,),
    retry_after_s=1.5,
)


def plain(reply: ProviderReply) -> ProviderReply:
    return ProviderReply(**{field.name: getattr(reply, field.name) for field in fields(ProviderReply)})


def rewritten(name: str = "", **changes: Any) -> bytes:
    """The text of the reply in this form, with other values."""
    text = json.loads(zlib.decompress(encode_reply(REPLY)))
    text["form"] = name or text["form"]
    text["reply"].update(changes)
    return json.dumps(text).encode()


def test_a_reply_with_every_field_is_read_back_as_it_was() -> None:
    ids = Identifiers(doi="10.1000/1", pmid="1", pmcid="PMC1", arxiv="2401.00001", paper_id="0" * 40, openalex="W12")
    copy = OpenAccess(is_oa=True, url="https://example.org/a", locations=(Location("https://example.org/a"),))
    paper = Paper(
        provider="crossref", rank=1, title="Größe \u2028 und <b>", ids=ids, authors=(Author("O'Neil", "Ann"), Author()),
        author_count=2, year=1999, publication_date="1999-02", type="review", language="de", abstract="A\n\t\"b\"",
        citation_count=0, open_access=copy, retraction=Retraction(RetractionStatus.CONCERN, notice_doi="10.1000/2"),
        versions=(Version("preprint", arxiv="2401.00001"),), references=("doi:10.1000/3",), asked=("10.1000/1",),
        alternative_titles=("大小",), relaxed=True,
    )  # fmt: skip
    pointers = (Pointer(rank=1, ids=ids, text="A line"),)
    reply = replace(
        REPLY,
        papers=(paper,),
        pointers=pointers,
        warnings=("one",),
        retrieved_at="2026-01-01T00:00:00Z",
        spelling="size",
    )
    checked_reply, notes = checked(ProviderReply, reply)
    assert not notes
    assert plain(read_encoded(encode_reply(checked_reply))) == reply


def test_a_reply_keeps_its_bytes_when_only_its_source_changes() -> None:
    encoded = encode_reply(REPLY)
    cached = replace(read_encoded(encoded), source="cache", elapsed_ms=0)
    assert isinstance(cached, EncodedReply)
    assert cached.encoded == encoded


def test_a_reply_of_another_form_is_checked_value_by_value() -> None:
    papers = [{"provider": "crossref", "rank": 1, "title": "T", "year": 12}, {"provider": "crossref", "rank": 2}]
    reply = decode_reply(rewritten("of an older version", papers=papers))
    assert [(paper.title, paper.year) for paper in reply.papers] == [("T", None)]


@pytest.mark.parametrize("papers", [[{"provider": "crossref"}], "none", [{"provider": 1, "rank": 1, "title": "T"}]])
def test_even_in_our_form_a_value_of_another_type_is_refused(papers: object) -> None:
    with pytest.raises(ValueError, match="papers"):
        decode_reply(rewritten(papers=papers))


@pytest.mark.parametrize(
    "damaged", [b"", b"plain", zlib.compress(b"{}"), zlib.compress(b"[" * 5_000), encode_reply(REPLY)[:-3]]
)
def test_other_bytes_are_refused(damaged: bytes) -> None:
    with pytest.raises(ValueError):
        read_encoded(damaged)


def test_damaged_bytes_are_refused() -> None:
    encoded = bytearray(encode_reply(REPLY))
    encoded[-1] ^= 1  # of the checksum
    with pytest.raises(ValueError, match="not compressed"):
        read_encoded(bytes(encoded))


def test_bytes_that_decompress_to_more_than_any_reply_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoded_replies, "MAX_BYTES", 100)
    with pytest.raises(ValueError, match="too large"):
        read_encoded(encode_reply(REPLY))


def test_the_form_changes_with_what_a_reply_is_held_to() -> None:
    declared = encoded_replies._declaration(ProviderReply)
    assert "Text(longest=20000)" in declared  # an abstract
    assert "AtMost(count=2000)" in declared  # papers
    assert "('a DOI in its normal form', 500)" in declared
    assert "spelling: " in declared  # every field by its name
    assert " at 0x" not in declared  # the same in every process
    assert form() == form()


def test_a_failure_is_encoded_as_well() -> None:
    reply = failed("crossref", "crossref", Outcome.TIMEOUT, "too slow", retry_after_s=2.0)
    assert plain(read_encoded(encode_reply(reply))) == reply
