"""A citation network as an SVG picture: papers by year, arrows to the papers that they cite, colours for the roles.

The picture has a background of its own, dark if the reader prefers a dark colour scheme, and a legend. Equal networks
have equal pictures, byte for byte.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from shared.bibliography.person_names import read_name
from shared.bibliography.text import xml_text
from shared.networks.curve import curve
from shared.networks.layout import MARGIN, Layout, Mark, Spot, label_box, short, timeline, width_of
from shared.networks.roles import Network, NetworkPaper, NodeRoles

Look: TypeAlias = dict[str, str | float]  # attributes of an SVG element
FONT: Look = {"font_size": 11, "font_family": "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"}
LOOKS: dict[str, Look] = {
    "ground": {"fill": "#ffffff", "stroke": "#d5dae1"},
    "band": {"fill": "#f4f6f9"},
    "axis": {"stroke": "#b9c2ce"},
    "cites": {"fill": "none", "stroke": "#8494aa"},
    "cites_arrow": {"fill": "#8494aa"},
    "seed": {"fill": "#d0541c"},
    "key": {"fill": "#2368b4"},
    "bridge": {"fill": "#b0589b"},
    "rising": {"fill": "#12906a"},
    "other": {"fill": "#9aa7b8"},
    "ring": {"fill": "#ffffff", "stroke": "#d0541c", "stroke_width": 2},
    "plate": {"fill": "#ffffff", "fill_opacity": 0.75},
    "label": {"fill": "#3a4554", "text_anchor": "middle", **FONT},
    "strong": {"fill": "#111822", "text_anchor": "middle", "font_weight": "bold", **FONT},
    "year": {"fill": "#5b6676", "text_anchor": "middle", **FONT},
    "legend": {"fill": "#5b6676", **FONT},
}
# Overrides LOOKS in viewers that support style sheets.
DARK = """@media (prefers-color-scheme: dark) {
.ground { fill: #151a22; stroke: #333c49 } .band { fill: #1b222c } .axis { stroke: #4a5666 } .plate { fill: #151a22 }
.label { fill: #c6cfdb } .strong { fill: #ffffff } .year, .legend { fill: #9aa6b6 }
.ring { fill: #151a22; stroke: #f08a4b }
.seed { fill: #f08a4b } .key { fill: #62a3ec } .bridge { fill: #d98bc6 } .rising { fill: #3fc496 }
.other { fill: #6d7b8d } .cites { stroke: #71829a } .cites_arrow { fill: #71829a } }"""
MEANINGS = {
    "seed": "asked for",
    "key": "key: the most cited by the others",
    "bridge": "bridge: joins parts of it",
    "rising": "rising: new and much cited",
    "other": "other papers",
}
TOP, AXIS, LINE_HEIGHT = 12, 30, 18
# The distance from a seed's ring to the circle in it, in pixels.
RING = 3.5
# With more lines than these, each line is fainter; from the first limit on, curves do not avoid papers.
MANY_LINES, VERY_MANY_LINES = 60, 500


def svg(network: Network, roles: Mapping[str, NodeRoles], *, seeds: str = MEANINGS["seed"]) -> str:
    """The picture, with a circle for each paper, larger if it is cited more; `seeds` is the legend's name for seeds."""
    import drawsvg

    looks = {node.key: _looks(node, roles[node.key]) for node in network.nodes}
    lines = [(edge.source, edge.target) for edge in network.edges]
    prominent = {key for key, look in looks.items() if look != ["other"]}
    retracted = {node.key for node in network.nodes if node.is_retracted}
    plan = timeline(_marks(network, roles, looks), lines, prominent)
    legend, bottom = _legend(drawsvg, plan, network, looks, {**MEANINGS, "seed": seeds})
    width, height = plan.width, TOP + bottom
    drawing = drawsvg.Drawing(width, height, id_prefix="network-", role="img")
    drawing.append_css(DARK)
    drawing.append(drawsvg.Title("A citation network by year"))
    drawing.append(drawsvg.Rectangle(0.5, 0.5, width - 1, height - 1, rx=8, class_="ground", **LOOKS["ground"]))
    drawing.append(
        drawsvg.Group(
            [
                *_years(drawsvg, plan),
                _curves(drawsvg, plan, lines),
                *(_paper(drawsvg, spot, looks[name]) for name, spot in plan.spots.items()),
                *_labels(drawsvg, plan, prominent, retracted),
                legend,
            ],
            transform=f"translate(0 {TOP})",
        )
    )
    return str(drawing.as_svg())


def _looks(node: NetworkPaper, role: NodeRoles) -> list[str]:
    return [*(["seed"] if node.seed else []), *role.roles] or ["other"]


def _marks(network: Network, roles: Mapping[str, NodeRoles], looks: Mapping[str, Sequence[str]]) -> list[Mark]:
    """The marks of all papers: seeds first, then those with roles, then the most cited in the network and overall."""
    most = max(map(_citations, network.nodes), default=0)
    order = sorted(
        network.nodes,
        key=lambda node: (
            not node.seed,
            looks[node.key] == ["other"],
            -roles[node.key].cited_within,
            -_citations(node),
            node.key,
        ),
    )
    return [
        Mark(
            node.key,
            _label(node),
            _tooltip(node, looks[node.key]),
            math.sqrt(_citations(node) / (most or 1)),
            node.year,
        )
        for node in order
    ]


def _citations(node: NetworkPaper) -> int:
    return max(0, node.citation_count or 0)


def _label(node: NetworkPaper) -> str:
    """The first author's family name and the year; without an author the title, without a title the key."""
    author = read_name(next(iter(node.authors), None))
    name = (author.family or author.display) if author else node.title or node.key
    return short(xml_text(name), "" if node.year is None else f" {node.year}")


def _tooltip(node: NetworkPaper, looks: Sequence[str]) -> str:
    title = f"{'RETRACTED: ' if node.is_retracted else ''}{node.title or node.key}"
    count = node.citation_count
    facts = [
        "; ".join(name for name in node.authors[:3] if name),
        node.journal,
        str(node.year or ""),
        "" if count is None else f"cited {count:,} times",
        ", ".join(look for look in looks if look != "other"),
        node.key,
    ]
    return xml_text(f"{title}\n{' · '.join(fact for fact in facts if fact)}")


def _group(drawsvg: Any, look: str, elements: Sequence[Any], **more: Any) -> Any:
    return drawsvg.Group(elements, class_=look, **LOOKS[look], **more)


def _years(drawsvg: Any, plan: Layout) -> list[Any]:
    """The shaded columns of every other year, the axis, and as many labels as fit, the widest columns first."""
    bands = [drawsvg.Rectangle(column.left, 0, column.width, plan.height, rx=2) for column in plan.columns[::2]]
    labels: list[tuple[float, float, str]] = []
    ends = [*plan.columns[:1], *plan.columns[-1:]]
    for column in dict.fromkeys([*ends, *sorted(plan.columns, key=lambda column: (-column.width, column.left))]):
        middle, half = column.left + column.width / 2, width_of(column.title) / 2 + 3
        if all(abs(middle - other) >= half + wide for other, wide, _ in labels):
            labels.append((middle, half, column.title))
    texts = [drawsvg.Text(title, None, round(x, 1), plan.height + 20) for x, _, title in sorted(labels)]
    ticks = [drawsvg.Line(round(x, 1), plan.height, round(x, 1), plan.height + 6) for x, *_ in sorted(labels)]
    line = drawsvg.Line(MARGIN, plan.height, plan.width - MARGIN, plan.height)
    return [_group(drawsvg, "band", bands), _group(drawsvg, "axis", [line, *ticks]), _group(drawsvg, "year", texts)]


def _curves(drawsvg: Any, plan: Layout, lines: Sequence[tuple[str, str]]) -> Any:
    few = len(lines) <= MANY_LINES
    opacity = 0.75 if few else 0.45 if len(lines) <= VERY_MANY_LINES else 0.3
    obstacles = list(plan.spots.values()) if few else []
    marker = drawsvg.Marker(-6, -3, 0, 3, orient="auto", markerUnits="userSpaceOnUse")
    marker.append(drawsvg.Lines(-6, -3, 0, 0, -6, 3, close=True, class_="cites_arrow", **LOOKS["cites_arrow"]))
    curves = []
    for source, target in lines:
        (x, y), *others = curve(plan.spots[source], plan.spots[target], obstacles)
        curves.append(drawsvg.Path(marker_end=marker).M(x, y).C(*(part for point in others for part in point)))
    return _group(drawsvg, "cites", curves, stroke_width=1, opacity=opacity)


def _paper(drawsvg: Any, spot: Spot, looks: Sequence[str]) -> Any:
    """The shapes of a paper, with the full title in their tooltip."""
    group = drawsvg.Group(list(_shapes(drawsvg, spot, looks)), class_="paper")
    group.append_title(spot.mark.tooltip)
    return group


def _shapes(drawsvg: Any, spot: Spot, looks: Sequence[str]) -> Iterator[Any]:
    """A circle, divided into sectors if the paper has several roles; for a seed within a ring."""
    if looks[0] != "seed":
        yield from _sectors(drawsvg, spot, spot.radius, looks)
    else:
        yield drawsvg.Circle(spot.x, spot.y, spot.radius - 1, class_="ring", **LOOKS["ring"])
        yield from _sectors(drawsvg, spot, spot.radius - RING, looks[1:] or looks)


def _sectors(drawsvg: Any, spot: Spot, r: float, looks: Sequence[str]) -> Iterator[Any]:
    x, y = spot.x, spot.y
    yield drawsvg.Circle(x, y, round(r, 1), class_=looks[0], **LOOKS[looks[0]])
    for number, look in enumerate(looks[1:], 1):
        start, end = (math.tau * part / len(looks) - math.pi / 2 for part in (number, number + 1))
        (x1, y1), (x2, y2) = ((round(x + r * math.cos(it), 1), round(y + r * math.sin(it), 1)) for it in (start, end))
        yield (
            drawsvg.Path(class_=look, **LOOKS[look]).M(x, y).L(x1, y1).A(round(r, 1), round(r, 1), 0, 0, 1, x2, y2).Z()
        )


def _labels(drawsvg: Any, plan: Layout, prominent: set[str], retracted: set[str]) -> list[Any]:
    """The labels below the papers, each on a plate that hides the lines behind it."""
    plates: list[Any] = []
    texts: dict[str, list[Any]] = {"label": [], "strong": []}
    for name, spot in sorted(plan.spots.items()):
        if spot.labelled:
            left, top, right, bottom = label_box(spot)
            plates.append(drawsvg.Rectangle(round(left, 1), round(top, 1), round(right - left, 1), bottom - top, rx=3))
            line = {"text_decoration": "line-through"} if name in retracted else {}
            text = drawsvg.Text(spot.mark.label, None, spot.x, round(top + 10.5, 1), **line)
            texts["strong" if name in prominent else "label"].append(text)
    return [_group(drawsvg, "plate", plates), *(_group(drawsvg, look, some) for look, some in texts.items())]


def _legend(
    drawsvg: Any, plan: Layout, network: Network, looks: Mapping[str, Sequence[str]], meanings: Mapping[str, str]
) -> tuple[Any, float]:
    """The legend, with rows as wide as the picture: colours, counts, remarks; and its lower edge in pixels."""
    legend = _group(drawsvg, "legend", [])
    x, y = float(MARGIN), plan.height + AXIS + LINE_HEIGHT
    for look, meaning in meanings.items():
        text = f"{meaning} ({sum(look in some for some in looks.values())})"
        wide = 17 + width_of(text)
        if x > MARGIN and x + wide > plan.width - MARGIN:
            x, y = float(MARGIN), y + LINE_HEIGHT
        sample = Spot(Mark(look, "", "", 0), x + 6, y - 4, 8 if look == "seed" else 6, labelled=False)
        for shape in _shapes(drawsvg, sample, [look]):
            legend.append(shape)
        legend.append(drawsvg.Text(text, None, x + 17, y))
        x += wide + 8
    remarks = _remarks(plan, network)
    for number, text in enumerate(remarks, 1):
        legend.append(drawsvg.Text(text, None, MARGIN, y + number * LINE_HEIGHT))
    return legend, y + (len(remarks) + 1) * LINE_HEIGHT


def _remarks(plan: Layout, network: Network) -> list[str]:
    """The last lines of the legend."""
    bare = sum(not spot.labelled for spot in plan.spots.values())
    counts = [_citations(node) for node in network.nodes if node.citation_count is not None]
    sizes = f"the largest {max(counts):,} times" if counts else "not known of any of these"
    return [
        f"papers: {len(network.nodes)} · citations between them: {len(network.edges)}"
        + (f" · without a label for want of room: {bare}" if bare else ""),
        f"the larger a circle the more often it is cited, anywhere; {sizes}",
        "arrows lead to what is cited; years without papers are left out"
        + ("; struck through: retracted" if any(node.is_retracted for node in network.nodes) else ""),
    ]
