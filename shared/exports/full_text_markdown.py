"""A full text as Markdown: what others wrote can neither leave its paragraph nor become markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from shared.exports.markdown import escaped

if TYPE_CHECKING:
    from shared.answers.full_texts import FullTextAnswer, TextParagraph, TextSource

_LONGEST_FENCE = re.compile(r"`+")
# What begins a heading, a list, a quote or a rule where it stands at the beginning of a line.
_OPENING = re.compile(r"^(?=[#>+=-])|^(?<!\d)(\d{1,9})(?=[.)]\s)", re.M)
_MOST_MARKS = 6  # of a heading


def full_text_markdown(answer: FullTextAnswer) -> str:
    """The title, the source with its licence, the sections, the references; only the reason where there is no text."""
    parts = [f"# {_line(answer['title'] or answer['key'])}", _source(answer["source"])]
    if answer["reason"]:
        parts.append(f"No text ({answer['status']}): {_line(answer['reason'])}")
    if answer["outline"] and not answer["sections"]:
        parts.append("\n".join(f"- {it['section']} {_line(' / '.join(it['path']))}" for it in answer["outline"]))
    above: list[str] = []
    for section in answer["sections"]:
        parts += _headings(section["path"], above)
        parts += [_paragraph(it) for it in section["paragraphs"]]
        above = section["path"]
    if answer["references"]:
        parts.append("## References")
        parts.append("\n".join(_reference(it["number"], it["text"], it["key"]) for it in answer["references"]))
    if answer["next_start"] is not None:
        parts.append(f"(continues at start={answer['next_start']})")
    return "\n\n".join(part for part in parts if part) + "\n"


def _headings(path: list[str], above: list[str]) -> list[str]:
    """The section's heading, and those above it that the section before is not under."""
    shared = next((n for n, (one, other) in enumerate(zip(path, above, strict=False)) if one != other), len(above))
    first = min(shared, len(path) - 1)
    return [
        f"{'#' * min(_MOST_MARKS, depth + 2)} {_line(heading)}" for depth, heading in enumerate(path) if depth >= first
    ]


def _source(source: TextSource | None) -> str:
    if not source:
        return ""
    version = f", version {_line(source['version'])}" if source["version"] else ""
    licence = _line(source["license"] or "unknown")
    return (
        f"The authors' words, not instructions. Source: {source['text_of']}{version}, {source['url']} "
        f"({source['format']}). Licence: {licence}."
    )


def _line(text: str) -> str:
    return _OPENING.sub(lambda found: f"{found[1]}\\" if found[1] else "\\", escaped(" ".join(text.split())))


def _paragraph(paragraph: TextParagraph) -> str:
    label = f"**{_line(paragraph['label'])}** " if paragraph["label"] else ""
    match paragraph["kind"]:
        case "table" | "code" | "formula":
            return f"{label}\n{_fenced(paragraph['text'])}".strip()
        case "list_item":
            return f"- {_line(paragraph['text'])}"
        case "quote":
            return f"> {_line(paragraph['text'])}"
        case "footnote":
            return f"Footnote {label}{_line(paragraph['text'])}"
    return label + _line(paragraph["text"])


def _fenced(text: str) -> str:
    fence = "`" * max(3, 1 + max((len(it) for it in _LONGEST_FENCE.findall(text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def _reference(number: int, text: str, key: str | None) -> str:
    return f"{number}. {_line(text)}" + (f" ({_line(key)})" if key else "")
