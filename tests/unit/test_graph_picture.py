"""The picture of the graph: what is where, that it can be read, and that it is the same every time."""

from __future__ import annotations

import random
from typing import Any

import pytest
from defusedxml import ElementTree

from shared.graph.exports import Graph
from shared.graph.layout import HUBS, LABELS, Mark, Spot, curve
from shared.graph.picture import svg
from tests.pictures import SHORT_AND_LONG_NAMES, SVG, Box, overlaps
from tests.unit.graph_examples import DEBATE, NOON, result


def paper(number: int, year: int | None = 2020, **changes: Any) -> dict[str, Any]:
    key = f"doi:10.1000/{number:03}"
    authors = [f"A. {SHORT_AND_LONG_NAMES[number % len(SHORT_AND_LONG_NAMES)]}"]
    state = {"doi": key.removeprefix("doi:"), "title": f"Paper {number}", "authors": authors, "year": year, **changes}
    return {"key": key, "keys": [key], "ids": [key], "paper": result(**state), "first_seen": NOON}


def edge(source: int, target: int) -> dict[str, Any]:
    return {"source": f"doi:10.1000/{source:03}", "target": f"doi:10.1000/{target:03}", "providers": ["openalex"]}


def mention(number: int, relation: str = "cited_in") -> dict[str, Any]:
    said = {"context": DEBATE, "relation": relation, "at": NOON, "by": None, "where": None}
    return {"key": f"doi:10.1000/{number:03}", **said}


def graph_of(count: int, first_year: int = 1995, years: int = 30) -> Graph:
    """Papers over some years, one in twenty without; each cites one or two that are older or unknown, some a debate."""
    chance = random.Random(count)
    papers = [
        paper(number, None if number % 20 == 19 else first_year + chance.randrange(years)) for number in range(count)
    ]
    cites = [edge(number, chance.randrange(number)) for number in range(1, count) for _ in range(2)]
    return Graph(papers, cites, [mention(number) for number in range(0, count, 9)])


GRAPHS = {
    "five": graph_of(5), "thirty": graph_of(30), "thirty of one year": graph_of(30, 2020, 1), "150": graph_of(150),
    "150 of two years": graph_of(150, 2020, 2), "of four centuries": graph_of(60, 1640, 380),
}  # fmt: skip


def read(graph: Graph) -> Any:
    return ElementTree.fromstring(svg(graph))


def group(root: Any, look: str) -> list[Any]:
    return [element for found in root.iterfind(f"{SVG}g") if found.get("class") == look for element in found]


def numbers(element: Any, *names: str) -> tuple[float, ...]:
    return tuple(float(element.get(name)) for name in names)


def box(element: Any) -> Box:
    if element.tag == f"{SVG}circle":
        x, y, radius = numbers(element, "cx", "cy", "r")
        return x - radius, y - radius, x + radius, y + radius
    x, y, width, height = numbers(element, "x", "y", "width", "height")
    return x, y, x + width, y + height


def circle(root: Any, number: int) -> tuple[float, float, float]:
    (found,) = [it for it in group(root, "paper") if f"10.1000/{number:03}" in it.findtext(f"{SVG}title")]
    x, y, radius = numbers(found, "cx", "cy", "r")
    return x, y, radius


def words(root: Any, look: str) -> list[str]:
    return [str(element.text) for element in group(root, look)]


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS.keys())
def test_no_label_lies_on_another_or_on_a_shape(graph: Graph) -> None:
    root = read(graph)
    plates = [box(element) for element in group(root, "plate")]
    shapes = [box(element) for look in ("paper", "context") for element in group(root, look)]
    assert len(plates) == len(words(root, "label")) > 0
    assert not overlaps(plates, shapes)


def test_an_empty_graph_is_a_picture_that_says_so() -> None:
    assert words(read(Graph()), "legend")[0] == "papers: 0 · citations between them: 0 · contexts: 0"


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS.keys())
def test_all_is_inside_the_picture(graph: Graph) -> None:
    root = read(graph)
    _, _, width, height = map(float, root.get("viewBox").split())
    boxes = [box(element) for look in ("plate", "paper", "context", "band") for element in group(root, look)]
    assert all(left >= 0 and top >= 0 and right <= width and bottom <= height for left, top, right, bottom in boxes)
    assert height <= 800


def test_thirty_papers_are_all_labelled() -> None:
    root = read(GRAPHS["thirty"])
    assert len(words(root, "label")) == 31
    assert "without a label" not in words(root, "legend")[0]


def test_of_150_the_most_cited_are_labelled_and_the_rest_counted() -> None:
    root = read(GRAPHS["150"])
    assert len(words(root, "label")) == LABELS + 1
    assert words(root, "legend")[0].endswith("without a label: 110 of the smaller")
    plates = [box(element) for element in group(root, "plate")]
    radii: dict[bool, list[float]] = {True: [], False: []}
    for element in group(root, "paper"):
        x, y, radius = numbers(element, "cx", "cy", "r")
        radii[any(left < x < right and 0 < top - y < 20 for left, top, right, _ in plates)].append(radius)
    assert len(radii[True]) == LABELS
    assert sorted(radii[True])[HUBS] >= max(radii[False])


def test_a_paper_that_cites_many_is_labelled_though_nobody_cites_it() -> None:
    papers = [paper(0, authors=["A. Hub"]), *(paper(number, 2000, citation_count=9) for number in range(1, 60))]
    labels = words(read(Graph(papers, [edge(0, number) for number in range(1, 60)])), "label")
    assert len(labels) == LABELS
    assert "Hub 2020" in labels


def test_years_go_from_left_to_right_with_the_unknown_before_them_and_contexts_after() -> None:
    root = read(Graph([paper(0, 2021), paper(1, 1999), paper(2, None), paper(3, 2010)], [], [mention(0)]))
    assert words(root, "year") == ["year unknown", "1999", "2010", "2021", "cited or shown in"]
    x = [circle(root, number)[0] for number in (2, 1, 3, 0)]
    assert x == sorted(set(x))
    (context,) = group(root, "context")
    assert box(context)[0] > x[-1]


def test_many_years_share_columns_that_say_which() -> None:
    years = words(read(Graph([paper(number, 1980 + number) for number in range(40)])), "year")
    assert years == [
        "1980–1984",
        "1985–1989",
        "1990–1994",
        "1995–1999",
        "2000–2004",
        "2005–2009",
        "2010–2014",
        "2015–2019",
    ]


def test_a_paper_is_larger_the_more_often_it_is_cited_here_then_anywhere() -> None:
    counts = {0: 0, 1: 0, 2: 9_000, 3: 10, 4: None}
    papers = [paper(number, citation_count=count) for number, count in counts.items()]
    root = read(Graph(papers, [edge(2, 0), edge(3, 0), edge(3, 1)], []))
    radii = [circle(root, number)[2] for number in (0, 1, 2, 3, 4)]
    assert radii == sorted(set(radii), reverse=True)


def test_being_shown_makes_no_paper_larger() -> None:
    (one, other) = group(read(Graph([paper(0), paper(1)], [], [mention(0, "shown_in")])), "paper")
    assert one.get("r") == other.get("r")


def test_contexts_are_squares_with_lines_of_their_own() -> None:
    root = read(Graph([paper(0), paper(1)], [edge(1, 0)], [mention(0), mention(1, "shown_in")]))
    assert [len(group(root, look)) for look in ("cites", "cited_in", "shown_in", "context")] == [1, 1, 1, 1]
    assert group(root, "context")[0].findtext(f"{SVG}title") == "debate 7"
    assert "debate 7" in words(root, "label")


def test_what_was_shown_and_then_cited_has_one_line() -> None:
    root = read(Graph([paper(0)], [], [mention(0), mention(0, "shown_in")]))
    assert (len(group(root, "cited_in")), len(group(root, "shown_in"))) == (1, 0)


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        ({"authors": ["Jane van der Maaten"]}, "van der M… 2016"),
        ({"authors": ["Jane Doe"], "year": None}, "Doe"),
        ({"authors": ["UK Biobank Consortium"]}, "UK Bioban… 2016"),
        ({"authors": [], "title": "On mice"}, "On mice 2016"),
        ({"authors": ["Jane\nDoe"]}, "Doe 2016"),
    ],
    ids=["a long name", "no year", "a group", "no author", "a line end"],
)
def test_a_label_is_the_first_family_name_and_the_year(changes: dict[str, Any], label: str) -> None:
    assert words(read(Graph([paper(0, **{"year": 2016, **changes})])), "label") == [label]


def test_a_paper_that_is_only_cited_is_there_under_its_key() -> None:
    root = read(Graph([paper(0)], [edge(0, 1)]))
    assert words(root, "year")[0] == "year unknown"
    assert circle(root, 1)
    assert words(root, "legend")[0] == "papers: 2 · citations between them: 1 · contexts: 0"


@pytest.mark.parametrize(
    "text", ['<script>alert("1")</script>', "a & b ]]> c", "'\"><", "\u202eabc\u05d0", "\U0001f9e0", "one\ntwo"]
)
def test_a_title_is_the_tooltip_and_never_markup(text: str) -> None:
    context = {**mention(0), "context": {"type": "debate", "id": text}}
    root = read(Graph([paper(0, title=text, authors=[text])], [], [context]))
    assert group(root, "paper")[0].findtext(f"{SVG}title") == f"{text} (doi:10.1000/000)"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "style", "defs", "marker", "path", "title", "rect", "g", "text", "circle"
    }  # fmt: skip


def test_a_retracted_paper_says_so_in_its_tooltip() -> None:
    root = read(Graph([paper(0, retraction={"status": "retracted", "notice_doi": None, "date": None})]))
    assert group(root, "paper")[0].findtext(f"{SVG}title").startswith("RETRACTED: ")


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS.keys())
def test_the_same_graph_in_any_order_is_the_same_text(graph: Graph) -> None:
    assert svg(Graph(graph.papers[::-1], graph.cites[::-1], graph.mentions[::-1])) == svg(graph)


def test_it_brings_its_own_ground_for_light_and_dark() -> None:
    root = read(GRAPHS["five"])
    ground = next(it for it in root.iterfind(f"{SVG}rect") if it.get("class") == "ground")
    assert ground.get("fill") == "#ffffff"
    assert "prefers-color-scheme: dark" in root.findtext(f"{SVG}style")


def test_a_line_goes_around_what_is_in_its_way() -> None:
    left, middle, right = (Spot(Mark(str(x), "", "", 1.0), x, 100, 8, labelled=True) for x in (0.0, 100.0, 200.0))
    straight, around = curve(right, left), curve(right, left, [left, middle, right])
    assert {y for _, y in straight} == {100}
    assert around[1][1] < 90
    assert (around[0], around[3]) == (straight[0], straight[3])
