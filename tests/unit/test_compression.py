"""Stored values: zlib reads what is written, what zlib wrote is read, and damaged bytes are refused as zlib does."""

from __future__ import annotations

import gzip
import json
import random
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.compression import SMALL_BYTES, Damaged, compressed, decompressed, smallest

RECORDS = json.dumps([{"title": f"Microglia {number % 7}", "year": 1990 + number} for number in range(40)]).encode()
LARGE = RECORDS * (SMALL_BYTES // len(RECORDS) + 1)
# As it may be stored: by either library.
STORED = {"small": (compressed(RECORDS), RECORDS), "smallest": (smallest(RECORDS), RECORDS),
          "large": (compressed(LARGE), LARGE)}  # fmt: skip
# Where a library's buffers are full or the other one writes, and beside it.
SIZES = [0, 1, 2, *(size + by for size in (16_384, 32_768, SMALL_BYTES, 131_072, 1_000_000) for by in (-1, 0, 1))]
of_each_kind = pytest.mark.parametrize(("packed", "text"), STORED.values(), ids=STORED)


def texts(size: int) -> list[bytes]:
    """Values of a size: of records, of one byte, and of bytes that do not get smaller."""
    return [(RECORDS * (size // len(RECORDS) + 1))[:size], bytes(size), random.Random(size).randbytes(size)]


def read(packed: bytes, most_bytes: int = 0) -> bytes | None:
    """The value, or None for one that is refused."""
    try:
        return decompressed(packed, most_bytes)
    except Damaged:
        return None


def read_by_zlib(packed: bytes) -> bytes | None:
    try:
        return zlib.decompress(packed)
    except zlib.error:
        return None


@pytest.mark.parametrize("size", SIZES)
def test_zlib_reads_what_is_written_and_what_zlib_wrote_is_read(size: int) -> None:
    for text in texts(size):
        for packed in (compressed(text), smallest(text)):
            assert zlib.decompress(packed) == decompressed(packed) == text
        for level in (0, 1, 6, 9):
            assert decompressed(zlib.compress(text, level)) == text


@given(st.binary(max_size=3_000), st.integers(0, 9), st.integers(9, 15), st.integers(1, 9), st.integers(0, 4))
def test_every_form_in_which_zlib_writes_is_read(text: bytes, level: int, bits: int, memory: int, how: int) -> None:
    writer = zlib.compressobj(level, zlib.DEFLATED, bits, memory, how)
    packed = writer.compress(text) + writer.flush()
    assert decompressed(packed) == zlib.decompress(packed) == text


@pytest.mark.parametrize("step", [64, 256, 1_024])
def test_a_block_may_end_one_byte_behind_a_full_buffer(step: int) -> None:
    """ISA-L before 2.32 took such a block for the last one, on ARM."""
    text = bytes(random.Random(3).choices(b"abcd", k=132_096))
    writer = zlib.compressobj(strategy=zlib.Z_HUFFMAN_ONLY)
    packed = writer.compress(text[:1]) + writer.flush(zlib.Z_BLOCK)
    for at in range(1, len(text), step):
        packed += writer.compress(text[at : at + step]) + writer.flush(zlib.Z_BLOCK)
    assert decompressed(packed + writer.flush()) == text


def test_a_value_that_may_fit_into_an_item_is_as_small_as_zlib_makes_it() -> None:
    for size in (100, 10_000, SMALL_BYTES):
        assert all(len(compressed(text)) <= len(zlib.compress(text)) for text in texts(size))


@of_each_kind
def test_a_value_that_is_cut_off_is_refused_wherever_it_ends(packed: bytes, text: bytes) -> None:
    assert read(packed) == text
    assert [at for at in range(len(packed)) if read(packed[:at]) is not None] == []


@of_each_kind
def test_a_changed_bit_is_refused_or_changes_nothing(packed: bytes, text: bytes) -> None:
    for bit in range(0, 8 * len(packed), 3):
        changed = bytearray(packed)
        changed[bit // 8] ^= 1 << bit % 8
        found = read(bytes(changed))
        assert found in (None, text)
        assert read_by_zlib(bytes(changed)) in (None, found)  # zlib reads nothing that is refused here


@given(st.binary(max_size=200))
def test_other_bytes_are_refused(other: bytes) -> None:
    for packed in (other, b"\x78\x9c" + other):
        assert read(packed) == read_by_zlib(packed)


@pytest.mark.parametrize("other", [b"", gzip.compress(RECORDS), zlib.compress(RECORDS)[2:-4]], ids=["", "gzip", "raw"])
def test_other_formats_are_refused(other: bytes) -> None:
    with pytest.raises(Damaged):
        decompressed(other)


@of_each_kind
def test_bytes_behind_the_end_are_ignored(packed: bytes, text: bytes) -> None:
    assert decompressed(packed + b"more") == text
    assert decompressed(packed * 2) == text


@pytest.mark.parametrize("size", [1, 1_000, 16_384, SMALL_BYTES + 1, 131_072])
def test_a_value_may_have_just_as_many_bytes_as_are_allowed(size: int) -> None:
    for text in texts(size):
        for packed in (compressed(text), smallest(text)):
            assert decompressed(packed, size) == text
            if size > 1:  # 0 is no bound
                with pytest.raises(Damaged, match="too large"):
                    decompressed(packed, size - 1)


def test_a_value_that_grows_too_much_takes_no_more_memory_than_is_allowed() -> None:
    packed = zlib.compress(bytes(50_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(Damaged, match="too large"):
            decompressed(packed, 1_000_000)
        assert tracemalloc.get_traced_memory()[1] < 3_000_000
    finally:
        tracemalloc.stop()
