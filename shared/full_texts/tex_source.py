r"""One LaTeX document out of the files of a package: inclusions and simple macros resolved, comments removed.

Nothing is executed: TeX's programming commands stay as they are. Macros with arguments are not expanded.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

from shared.bibliography.tex_text import without_comments

MAX_CHARS = 2_000_000
MAX_INCLUSIONS = 200
MAX_MACROS, MAX_MACRO_CHARS, MAX_ROUNDS = 300, 200, 3
MAX_ARGUMENT = 20_000
_INCLUSION = re.compile(r"\\(?:input|include|subfile)\s{0,3}\{([^{}\n]{1,200})\}")
_BIBLIOGRAPHY = re.compile(r"\\bibliography\s{0,3}\{[^{}]{1,500}\}|\\printbibliography\b(?:\[[^\]\n]{0,200}\])?")
_MACRO = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand)\*?\s{0,3}\{?\\([A-Za-z]{2,30})\}?\s{0,3}(?=\{)"
    r"|\\def\s{0,3}\\([A-Za-z]{2,30})\s{0,3}(?=\{)"
)
_NAME = re.compile(r"\\([A-Za-z]{2,30})(?![A-Za-z])")
_BRACE = re.compile(r"\\.|[{}]", re.S)
_DOCUMENT = re.compile(r"\\begin\s{0,3}\{document\}")


def document_of(files: Mapping[str, str]) -> str | None:
    """The text of the main document, preamble and body; None if no file begins a document."""
    mains = [name for name, text in sorted(files.items()) if _DOCUMENT.search(text)]
    if not mains:
        return None
    main = min(mains, key=lambda name: (name.count("/"), "supp" in name.lower(), -len(files[name])))
    text = _with_bibliography(_included(files, main), files, main)
    return _with_macros(text[:MAX_CHARS])


def _included(files: Mapping[str, str], main: str) -> str:
    """The main file with the others at their places; what is included twice, or in itself, is read once."""
    parts: list[str] = []
    waiting: list[tuple[str, str]] = [(without_comments(files[main]), posixpath.dirname(main))]
    read = {main}
    chars = inclusions = 0
    while waiting and chars <= MAX_CHARS:
        text, folder = waiting.pop()
        found = _INCLUSION.search(text) if inclusions < MAX_INCLUSIONS else None
        before = text[: found.start()] if found else text
        parts.append(before)
        chars += len(before)
        if not found:
            continue
        inclusions += 1
        waiting.append((text[found.end() :], folder))
        name = _path(files, found[1].strip(), folder)
        if name and name not in read:
            read.add(name)
            waiting.append((without_comments(files[name]), folder))
    return "".join(parts)


def _path(files: Mapping[str, str], name: str, folder: str) -> str | None:
    for base in (folder, ""):
        for suffix in ("", ".tex"):
            path = posixpath.normpath(posixpath.join(base, name + suffix))
            if path in files:
                return path
    return None


def _with_bibliography(text: str, files: Mapping[str, str], main: str) -> str:
    """The text with the formatted bibliography (.bbl) in place of the command that prints it."""
    stem = main.rpartition(".")[0]
    names = [f"{stem}.bbl", *sorted(name for name in files if name.endswith(".bbl"))]
    formatted = next((files[name] for name in names if name in files), None)
    if formatted is None or "\\bibitem" in text:
        return text
    return _BIBLIOGRAPHY.sub(lambda _: without_comments(formatted), text, count=1)


def _with_macros(text: str) -> str:
    """Macros without arguments replaced by what they stand for, a few rounds deep and never beyond MAX_CHARS."""
    macros: dict[str, str] = {}
    closings = closing_braces(text) if _MACRO.search(text) else {}
    for found in _MACRO.finditer(text):
        meaning = argument(text, found.end(), closings)
        if meaning is not None and len(meaning) <= MAX_MACRO_CHARS and "#" not in meaning and len(macros) < MAX_MACROS:
            macros[found[1] or found[2]] = meaning
    opening = _DOCUMENT.search(text)
    body = text[opening.end() :] if opening else text
    preamble = text[: opening.end()] if opening else ""
    room = MAX_CHARS - len(body)

    def meaning_of(found: re.Match[str]) -> str:
        nonlocal room
        meaning = macros.get(found[1], found[0])
        room -= len(meaning)
        return meaning if room > 0 else found[0]

    for _ in range(MAX_ROUNDS if macros else 0):
        expanded = _NAME.sub(meaning_of, body)
        if expanded == body:
            break
        body = expanded
    return preamble + body


def closing_braces(text: str) -> Mapping[int, int]:
    """Where each brace that opens is closed; one that is never closed is not in it."""
    closings: dict[int, int] = {}
    opened: list[int] = []
    for brace in _BRACE.finditer(text):
        if brace[0] == "{":
            opened.append(brace.start())
        elif brace[0] == "}" and opened:
            closings[opened.pop()] = brace.start()
    return closings


def argument(text: str, opening: int, closings: Mapping[int, int]) -> str | None:
    """What stands within the braces that open at this place; None if none do, or they do not close nearby."""
    end = closings.get(opening)
    return None if end is None or end - opening > MAX_ARGUMENT else text[opening + 1 : end]
