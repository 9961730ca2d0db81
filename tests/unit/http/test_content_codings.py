"""Compressed bodies: read as they were sent, in bounded steps, and refused where they grow without end."""

from __future__ import annotations

import gzip
import random
import zlib
from itertools import chain, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.providers.content_codings import FREE_BYTES, MAX_RATIO, STEP_BYTES, TooCompressed, Undecodable, decoded


def pieces(body: bytes, size: int) -> list[bytes]:
    return [body[at : at + size] for at in range(0, len(body), size)]


@given(
    st.binary(max_size=2_000),
    st.sampled_from(["gzip", "x-gzip", "deflate", "gzip, gzip", "GZIP , identity", "identity", ""]),
    st.integers(1, 50),
)
def test_a_body_is_read_whatever_the_pieces_in_which_it_comes(body: bytes, codings: str, size: int) -> None:
    sent = body
    for name in codings.lower().split(","):
        sent = gzip.compress(sent) if "gzip" in name else zlib.compress(sent) if "deflate" in name else sent
    assert b"".join(decoded(pieces(sent, size), codings)) == body


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("extra", [-1, 0, 1])
def test_a_body_of_just_some_steps_is_read_to_its_end(layers: int, extra: int) -> None:
    body = random.Random(1).randbytes(3 * STEP_BYTES + extra)
    sent = gzip.compress(body)
    codings = "gzip" if layers == 1 else "gzip, gzip"
    found = list(decoded([sent if layers == 1 else gzip.compress(sent)], codings))
    assert b"".join(found) == body
    assert max(map(len, found)) <= STEP_BYTES


def test_an_honest_ratio_is_no_bomb() -> None:
    record = b'{"title": "Microglia in health and disease", "year": 2021, "authors": [{"family": "Smith"}]},'
    body = record * 20_000
    assert len(body) > FREE_BYTES
    rng = random.Random(1)
    varied = b"".join(record.replace(b"Microglia", rng.randbytes(6).hex().encode()) for _ in range(20_000))
    assert b"".join(decoded([gzip.compress(varied)], "gzip")) == varied


@pytest.mark.parametrize("layers", [1, 2])
def test_a_bomb_ends_after_the_first_megabyte(layers: int) -> None:
    packed = gzip.compress(bytes(50_000_000))
    given = 0
    with pytest.raises(TooCompressed, match=f"more than {MAX_RATIO} to one"):
        for piece in decoded(
            [packed if layers == 1 else gzip.compress(packed)], "gzip" if layers == 1 else "gzip,gzip"
        ):
            given += len(piece)
    assert given <= FREE_BYTES + STEP_BYTES


def test_empty_blocks_without_end_are_given_to_the_caller_one_by_one() -> None:
    head = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
    endless = decoded(chain([head], repeat(b"\x00\x00\x00\xff\xff")), "gzip")
    assert [next(endless) for _ in range(1_000)] == [b""] * 1_000


def test_bytes_after_the_end_are_ignored_and_not_stored() -> None:
    assert b"".join(decoded([gzip.compress(b"{}"), *[b"more"] * 1_000], "gzip")) == b"{}"


BAD = {
    "three codings": (b"", "gzip, gzip, gzip"),
    "not asked for": (b"{}", "br"),
    "not compressed": (b"{}", "gzip"),
    "cut off": (gzip.compress(bytes(range(200)))[:-20], "gzip"),
    "cut off in its head": (b"\x1f", "gzip"),
}


@pytest.mark.parametrize(("body", "codings"), BAD.values(), ids=BAD)
def test_a_body_not_in_its_codings_is_an_error_and_never_a_shorter_body(body: bytes, codings: str) -> None:
    with pytest.raises(Undecodable):
        list(decoded([body], codings))


def test_no_body_has_no_codings() -> None:
    assert list(decoded([], "gzip")) == []
