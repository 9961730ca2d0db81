"""Compression: of the values that we store ourselves, and of what others send.

Values are stored in zlib's format (RFC 1950), whose checksum finds damaged bytes. ISA-L writes and reads that format in
a fraction of zlib's time, and each reads what the other wrote. What others send is read by zlib alone, step by step:
`isal` does not say what of its input it has not read yet.
"""

from __future__ import annotations

import zlib

from isal import isal_zlib

# A value up to this size may fit into an item of DynamoDB, which is billed by its size: zlib needs fewer bytes, and
# little time for so few. Larger ones become files, which are not.
SMALL_BYTES = 70_000
# Of ISA-L's levels 0 to 3: the third takes twice the time for 3 to 4 % fewer bytes.
_LEVEL = 2
_IsalError: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # its stub says that it is an instance
UnreadableStream = zlib.error  # raised by what `inflater` returns, and by zipfile


class Damaged(ValueError):
    """The bytes are no stored value, not all of one, or one that is too large."""


def compressed(data: bytes) -> bytes:
    """A value as it is stored for hours or days."""
    return zlib.compress(data) if len(data) <= SMALL_BYTES else isal_zlib.compress(data, _LEVEL)


def smallest(data: bytes) -> bytes:
    """A value in the fewest bytes, for what is kept for good or has little room."""
    return zlib.compress(data, 9)


def decompressed(packed: bytes, most_bytes: int = 0) -> bytes:
    """The value, of at most so many bytes (0: any), whichever library wrote it. Raises Damaged."""
    reading = isal_zlib.decompressobj()
    try:
        data: bytes = reading.decompress(packed, most_bytes)
    except _IsalError as error:
        raise Damaged("not compressed") from error
    if not reading.eof:
        raise Damaged("cut off or too large")
    return data


def inflater() -> zlib._Decompress:
    """Reads a stream of gzip or zlib piece by piece. It raises UnreadableStream."""
    return zlib.decompressobj(32 + zlib.MAX_WBITS)
