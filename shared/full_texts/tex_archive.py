"""The TeX files of an arXiv source package: a gzipped tar, one gzipped file, or a tar or a file without gzip.

Nothing is written to a disk: links and paths in the archive lead nowhere. Decompression, members and their sizes are
bounded. Source: https://info.arxiv.org/help/unpack.html; tar: POSIX.1-2017, pax.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping

from shared.compression import UnreadableStream, inflater

MAX_BYTES = 60_000_000  # decompressed; packages with many figures have some ten
MAX_RATIO, FREE_BYTES = 200, 2_000_000
MAX_MEMBERS, MAX_FILES, MAX_FILE_BYTES, MAX_TEX_BYTES = 5_000, 300, 3_000_000, 10_000_000
_STEP = 1 << 20
_GZIP = b"\x1f\x8b"
_TEXTS = (".tex", ".bbl", ".ltx", ".latex")


class UnreadableArchive(ValueError):
    """The package is damaged, too large, or packed more densely than any real one."""


def tex_files(package: bytes) -> Mapping[str, str]:
    """The TeX files by their paths; none where the package is a PDF. Raises UnreadableArchive."""
    data = _unpacked(package) if package.startswith(_GZIP) else package
    if data.startswith(b"%PDF"):
        return {}
    if data[257:262] != b"ustar":
        return {"main.tex": _text(data[:MAX_FILE_BYTES])} if b"\\" in data[:100_000] else {}
    try:
        return _members(data)
    except (tarfile.TarError, ValueError, OverflowError, EOFError, OSError, LookupError) as error:
        raise UnreadableArchive("a tar archive that is damaged") from error


def _unpacked(package: bytes) -> bytes:
    reading = inflater()
    unpacked, rest = bytearray(), package
    try:
        while rest and not reading.eof:
            unpacked += reading.decompress(rest, _STEP)
            rest = reading.unconsumed_tail
            read = len(package) - len(rest)
            if len(unpacked) > MAX_BYTES or len(unpacked) > max(FREE_BYTES, MAX_RATIO * read):
                raise UnreadableArchive("an archive that grows too much when it is unpacked")
    except UnreadableStream as error:
        raise UnreadableArchive("a gzip file that is damaged") from error
    if not reading.eof:
        raise UnreadableArchive("a gzip file without its end")
    return bytes(unpacked)


def _members(data: bytes) -> Mapping[str, str]:
    files: dict[str, str] = {}
    total = 0
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for number, member in enumerate(archive):
            if number >= MAX_MEMBERS:
                raise UnreadableArchive(f"an archive of more than {MAX_MEMBERS:,} members")
            if not member.isreg() or not member.name.lower().endswith(_TEXTS):
                continue
            opened = archive.extractfile(member)
            content = opened.read(MAX_FILE_BYTES) if opened else b""
            total += len(content)
            if total > MAX_TEX_BYTES or len(files) >= MAX_FILES:
                raise UnreadableArchive("an archive with too many TeX files")
            files[member.name.removeprefix("./")] = _text(content)
    return files


def _text(content: bytes) -> str:
    """The text with LF at the ends of its lines; TeX reads CR LF, and CR alone, as it."""
    content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")
