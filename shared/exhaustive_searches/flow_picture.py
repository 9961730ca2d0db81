"""The identification and screening of an exhaustive search as a flow diagram in SVG.

The boxes are those of PRISMA 2020 (https://doi.org/10.1136/bmj.n71) that a search can fill in; what is screened,
retrieved and included afterwards is the reviewers'. Equal searches have equal pictures, byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shared.bibliography.text import xml_text
from shared.exhaustive_searches.record import flow_of
from shared.networks.picture import FONT, Look

if TYPE_CHECKING:
    from shared.answers.exhaustive_searches import Flow
    from shared.exhaustive_searches.progress import ExhaustiveSearch

BOX, GAP, MARGIN, LINE = 330, 60, 20, 17
LOOKS: dict[str, Look] = {
    "ground": {"fill": "#ffffff", "class_": "ground"},
    "box": {"fill": "#ffffff", "stroke": "#5b6676", "class_": "box"},
    "line": {"fill": "#111822", "class_": "line", **FONT},
    "arrow": {"stroke": "#5b6676"},
    "head": {"fill": "#5b6676"},
}
# Overrides LOOKS in viewers that support style sheets.
DARK = "@media (prefers-color-scheme: dark) { .ground, .box { fill: #151a22 } .line { fill: #e6ebf2 } }"


def flow_svg(search: ExhaustiveSearch) -> str:
    """The picture. The counts of the search must be known."""
    import drawsvg

    flow = flow_of(search.progress)
    if flow is None:
        raise ValueError("the search has not ended")
    left, right = _left(flow), _right(flow)
    heights = [_height(lines) for lines in left]
    tops = [MARGIN]
    for height, beside in zip(heights, (_height(right), *heights[1:]), strict=True):
        tops.append(tops[-1] + max(height, beside) + GAP // 2)
    width = 2 * MARGIN + 2 * BOX + GAP
    drawing = drawsvg.Drawing(width, tops[-1] - GAP // 2 + MARGIN, id_prefix="flow-", role="img")
    drawing.append_css(DARK)
    drawing.append_title("Flow of records: identification and screening")
    drawing.append(drawsvg.Rectangle(0, 0, width, tops[-1] - GAP // 2 + MARGIN, **LOOKS["ground"]))
    for number, (lines, top) in enumerate(zip(left, tops, strict=False)):
        _box(drawsvg, drawing, MARGIN, top, lines)
        if number:
            _arrow(
                drawsvg, drawing, (MARGIN + BOX / 2, tops[number - 1] + heights[number - 1]), (MARGIN + BOX / 2, top)
            )
    beside = MARGIN + BOX + GAP
    _box(drawsvg, drawing, beside, tops[0], right)
    middle = tops[0] + min(heights[0], _height(right)) / 2
    _arrow(drawsvg, drawing, (MARGIN + BOX, middle), (beside, middle))
    return str(drawing.as_svg())


def _left(flow: Flow) -> list[list[str]]:
    sources = [f"{xml_text(name)} (n = {count})" for name, count in flow["by_source"].items()]
    return [
        [f"Records identified from databases (n = {flow['identified']}):", *sources],
        [f"Records to be screened (n = {flow['to_screen']})"],
    ]


def _right(flow: Flow) -> list[str]:
    automatic = sum(flow["excluded"].values()) + sum(flow["undecided"].values())
    reasons = [f"– filter {name} (n = {count})" for name, count in flow["excluded"].items()]
    reasons += [f"– no data for the filter {name} (n = {count})" for name, count in flow["undecided"].items()]
    return [
        "Records removed before screening:",
        f"Duplicate records removed (n = {flow['duplicates_removed']})",
        f"Marked as ineligible by automation tools (n = {automatic})",
        *reasons,
    ]


def _height(lines: Sequence[str]) -> int:
    return LINE * len(lines) + 14


def _box(drawsvg: Any, drawing: Any, left: float, top: float, lines: Sequence[str]) -> None:
    drawing.append(drawsvg.Rectangle(left, top, BOX, _height(lines), **LOOKS["box"]))
    for number, text in enumerate(lines):
        style = {**LOOKS["line"], "font_weight": "normal" if number else "bold"}
        drawing.append(drawsvg.Text(text, x=left + 10, y=top + LINE * (number + 1) + 2, **style))


def _arrow(drawsvg: Any, drawing: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A line with a head that points down or to the right."""
    drawing.append(drawsvg.Line(*start, *end, **LOOKS["arrow"]))
    x, y = end
    down = start[0] == end[0]
    head = (x - 4, y - 7, x + 4, y - 7, x, y) if down else (x - 7, y - 4, x - 7, y + 4, x, y)
    drawing.append(drawsvg.Lines(*head, close=True, **LOOKS["head"]))
