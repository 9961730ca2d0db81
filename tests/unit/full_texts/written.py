"""What the sandbox's written texts must be read as: derived from the texts, not from any format."""

from __future__ import annotations

from infra.local.sandbox.texts.written_texts import Block, Written, pieces, written_texts
from shared.bibliography.full_text import BETWEEN, FullText

Paragraph = tuple[str, str | None, str, tuple[int, ...]]  # kind, label, text, cites
KINDS = {"item": "list_item"}


def texts_in(form: str) -> list[str]:
    """Return the ids of the texts that are served in a format."""
    return [it.id for it in written_texts().values() if it.format == form]


def expected(
    text: Written, *, between: str = ", ", footnote_label: str | None = None
) -> list[tuple[str, list[Paragraph]]]:
    """Return the heading and paragraphs of each section; `between` joins the numbers of a citation."""
    sections = []
    for part in text.parts:
        paragraphs: list[Paragraph] = []
        for block in part.blocks:
            paragraphs.append(_paragraph(block, between))
            notes = [it.text for it in pieces(block.text) if it.kind == "footnote"]
            paragraphs += [("footnote", footnote_label, note, ()) for note in notes if block.kind != "formula"]
        sections.append((part.heading, paragraphs))
    return sections


def _paragraph(block: Block, between: str) -> Paragraph:
    if block.kind == "formula":
        return ("formula", block.label or None, block.text, ())
    lines = [block.text, *(" | ".join(row) for row in block.rows)]
    shown = "\n".join("".join(_shown(it.kind, it.text, between) for it in pieces(line)) for line in lines)
    cites = [int(n) for line in lines for it in pieces(line) if it.kind == "cite" for n in it.text.split(",")]
    return (KINDS.get(block.kind, block.kind), block.label or None, shown, tuple(dict.fromkeys(cites)))


def _shown(kind: str, text: str, between: str) -> str:
    if kind == "cite":
        return f"[{between.join(text.split(','))}]"
    return {"footnote": "", "power": f"^{text}"}.get(kind, text)


def read(text: FullText) -> list[tuple[str, list[Paragraph]]]:
    """Return the same of a full text that was read."""
    return [
        (it.path[-1] if it.path else "", [(p.kind, p.label, p.text, p.cites) for p in it.paragraphs])
        for it in text.sections
    ]


def text_of(full_text: FullText) -> str:
    """The text in which offsets count, in characters (code points)."""
    return BETWEEN.join(it.text for section in full_text.sections for it in section.paragraphs)
