"""The knowledge graph as a picture (SVG): papers by year, what they cite, and the contexts that cite them.

To be seen on any background: the picture brings its own, dark where the reader prefers that. What each shape means is
written below it. The same graph is the same text.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any
from unicodedata import combining, east_asian_width

from shared.graph.layout import CELL_WIDTH, MARGIN, Layout, Mark, curve, layout
from shared.graph.part import Entry, Graph, joined
from shared.person_names import read_name

FONT = {"font_size": 11, "font_family": "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"}
LOOKS: dict[str, dict[str, Any]] = {
    "ground": {"fill": "#ffffff", "stroke": "#d5dae1"},
    "band": {"fill": "#f4f6f9"},
    "cites": {"fill": "none", "stroke": "#8494aa"},
    "cited_in": {"fill": "none", "stroke": "#c4561a"},
    "shown_in": {"fill": "none", "stroke": "#c4561a", "stroke_dasharray": "3 4"},
    "cites_arrow": {"fill": "#8494aa"},
    "context_arrow": {"fill": "#c4561a"},
    "paper": {"fill": "#2f6db5", "stroke": "#ffffff"},
    "context": {"fill": "#c4561a", "stroke": "#ffffff"},
    "plate": {"fill": "#ffffff", "fill_opacity": 0.75},
    "label": {"fill": "#222b38", "text_anchor": "middle", **FONT},
    "year": {"fill": "#5b6676", "text_anchor": "middle", **FONT},
    "legend": {"fill": "#5b6676", **FONT},
}
# Wins over the looks above in readers that know style sheets.
DARK = """@media (prefers-color-scheme: dark) {
.ground { fill: #151a22; stroke: #333c49 } .band { fill: #1b222c } .plate { fill: #151a22 } .label { fill: #e4e9f0 }
.year, .legend { fill: #9aa6b6 } .paper { fill: #5e9ce6; stroke: #151a22 } .context { fill: #ee8a4d; stroke: #151a22 }
.cites { stroke: #6f7f95 } .cites_arrow { fill: #6f7f95 } .cited_in, .shown_in { stroke: #ee8a4d }
.context_arrow { fill: #ee8a4d } }"""
# Of a small letter in the widest of the fonts above.
LETTER_WIDTH = 6.7
LABEL_LETTERS = (CELL_WIDTH - 4) / LETTER_WIDTH
FOOTER, LINE_HEIGHT = 62, 17
LEAST_WIDTH = 540
# With more lines than that, each is fainter, and does not look for a way around the shapes.
MANY_LINES = 60

Line = tuple[str, str, str]


def svg(graph: Graph) -> str:
    """The picture: a circle a paper, a square a context, larger the more often it is cited here; lines as arrows."""
    import drawsvg

    graph = joined([graph])
    lines = _lines(graph)
    plan = layout(_marks(graph, lines), [(source, target) for source, target, _ in lines])
    width, height = max(plan.width, LEAST_WIDTH), plan.height + FOOTER
    drawing = drawsvg.Drawing(width, height, id_prefix="graph-", role="img")
    drawing.append_css(DARK)
    drawing.append(drawsvg.Title("Papers and what they cite"))
    drawing.append(drawsvg.Rectangle(0.5, 0.5, width - 1, height - 1, rx=8, class_="ground", **LOOKS["ground"]))
    for group in (
        *_columns(drawsvg, plan),
        *_curves(drawsvg, plan, lines),
        *_shapes(drawsvg, plan),
        *_labels(drawsvg, plan),
        _legend(drawsvg, plan, graph),
    ):
        drawing.append(group)
    return str(drawing.as_svg())


def _lines(graph: Graph) -> list[Line]:
    """From what cites or shows to what is cited or shown; of what was shown and then cited, the citation alone."""
    said = {(_context(it), it["key"], str(it["relation"])) for it in graph.mentions}
    shown_too = {(context, key, "shown_in") for context, key, relation in said if relation == "cited_in"}
    return sorted({(edge["source"], edge["target"], "cites") for edge in graph.cites} | (said - shown_too))


def _context(mention: Entry) -> str:
    return f"context:{mention['context']['type']}:{mention['context']['id']}"


def _marks(graph: Graph, lines: Sequence[Line]) -> list[Mark]:
    """Papers weigh by how often they are cited here, equal ones by how often anywhere; contexts by what they name."""
    papers: dict[str, Any] = {end: None for source, target, _ in lines for end in (source, target)}
    papers |= {entry["key"]: entry["paper"] for entry in graph.papers}
    contexts = {_context(mention): mention["context"] for mention in graph.mentions}
    cited = Counter(target for _, target, kind in lines if kind != "shown_in")
    named = Counter(source for source, *_ in lines)
    most = max(map(_citations, papers.values()), default=0)
    marks = []
    for name, paper in papers.items():
        if context := contexts.get(name):
            label = f"{context['type']} {context['id']}"
            marks.append(Mark(name, _short(label), label, named[name], is_context=True))
        else:
            weight = cited[name] + 0.9 * math.log1p(_citations(paper)) / math.log1p(most + 1)
            marks.append(Mark(name, _label(name, paper), _tooltip(name, paper), weight, paper and paper["year"]))
    return marks


def _citations(paper: Entry | None) -> int:
    return max(0, (paper and paper["citation_count"]) or 0)


def _label(key: str, paper: Entry | None) -> str:
    """The first author's family name and the year; without an author the title, without a title the key."""
    if paper is None:
        return _short(key)
    author = read_name(next(iter(paper["authors"]), None))
    name = (author.family or author.display) if author else paper["title"]
    return _short(name, f" {paper['year']}" if paper["year"] is not None else "")


def _short(text: str, end: str = "") -> str:
    """Cut to the width of a cell."""
    text = " ".join(text.split())
    if _length(text + end) > LABEL_LETTERS:
        while _length(f"{text}…{end}") > LABEL_LETTERS:
            text = text[:-1]
        text = f"{text.rstrip()}…"
    return text + end


def _length(text: str) -> float:
    """In small letters: ideographs count twice, marks upon other letters not at all."""
    return sum(0 if combining(it) else 2 if east_asian_width(it) in "WF" else 1.3 if it.isupper() else 1 for it in text)


def _tooltip(key: str, paper: Entry | None) -> str:
    if paper is None:
        return key
    flag = "RETRACTED: " if paper["retraction"]["status"] == "retracted" else ""
    return f"{flag}{paper['title']} ({key})"


def _group(drawsvg: Any, look: str, elements: Sequence[Any], **more: Any) -> Any:
    return drawsvg.Group(elements, class_=look, **LOOKS[look], **more)


def _columns(drawsvg: Any, plan: Layout) -> list[Any]:
    """Every other column is shaded."""
    bands = [
        drawsvg.Rectangle(column.left, MARGIN, column.width, plan.height - MARGIN, rx=4) for column in plan.columns[::2]
    ]
    years = [drawsvg.Text(it.title, None, it.left + it.width / 2, MARGIN + 16) for it in plan.columns]
    return [_group(drawsvg, "band", bands), _group(drawsvg, "year", years)]


def _curves(drawsvg: Any, plan: Layout, lines: Sequence[Line]) -> list[Any]:
    opacity = 0.8 if len(lines) <= MANY_LINES else 0.45
    obstacles = list(plan.spots.values()) if len(lines) <= MANY_LINES else []
    groups = []
    for kind, arrow in (("cites", "cites_arrow"), ("shown_in", "context_arrow"), ("cited_in", "context_arrow")):
        marker = drawsvg.Marker(-6, -3, 0, 3, orient="auto", markerUnits="userSpaceOnUse")
        marker.append(drawsvg.Lines(-6, -3, 0, 0, -6, 3, close=True, class_=arrow, **LOOKS[arrow]))
        curves = []
        for source, target in (line[:2] for line in lines if line[2] == kind):
            (x, y), *others = curve(plan.spots[source], plan.spots[target], obstacles)
            curves.append(drawsvg.Path(marker_end=marker).M(x, y).C(*(part for point in others for part in point)))
        groups.append(_group(drawsvg, kind, curves, stroke_width=1.2, opacity=opacity))
    return groups


def _shapes(drawsvg: Any, plan: Layout) -> list[Any]:
    shapes: dict[str, list[Any]] = {"paper": [], "context": []}
    for _, spot in sorted(plan.spots.items()):
        x, y, r = round(spot.x, 1), round(spot.y, 1), spot.radius
        square = spot.mark.is_context
        shape = drawsvg.Rectangle(x - r, y - r, 2 * r, 2 * r, rx=2) if square else drawsvg.Circle(x, y, r)
        shape.append_title(spot.mark.tooltip)
        shapes["context" if square else "paper"].append(shape)
    return [_group(drawsvg, look, some) for look, some in shapes.items()]


def _labels(drawsvg: Any, plan: Layout) -> list[Any]:
    """Each below its shape, on a plate that keeps the lines off it."""
    plates, labels = [], []
    for _, spot in sorted(plan.spots.items()):
        if spot.labelled:
            wide, x = round(_length(spot.mark.label) * LETTER_WIDTH, 1), round(spot.x, 1)
            top = round(spot.y + spot.radius + 1, 1)
            plates.append(drawsvg.Rectangle(round(x - wide / 2, 1), top, wide, 14, rx=3))
            labels.append(drawsvg.Text(spot.mark.label, None, x, round(top + 10.5, 1)))
    return [_group(drawsvg, "plate", plates), _group(drawsvg, "label", labels)]


def _legend(drawsvg: Any, plan: Layout, graph: Graph) -> Any:
    contexts = sum(spot.mark.is_context for spot in plan.spots.values())
    unlabelled = sum(not spot.labelled for spot in plan.spots.values())
    papers = len(plan.spots) - contexts
    counts = f"papers: {papers} · citations between them: {len(graph.cites)} · contexts: {contexts}"
    told = (
        counts + (f" · without a label: {unlabelled} of the smaller" if unlabelled else ""),
        "● a paper, larger the more often it is cited here; arrows lead to what is cited",
        "■ a context, such as a debate; dashed lines lead to what was only shown there",
    )
    lines = [drawsvg.Text(text, None, MARGIN, plan.height + 16 + n * LINE_HEIGHT) for n, text in enumerate(told)]
    return _group(drawsvg, "legend", lines)
