"""The picture of a citation network: what is where, that it can be read, and that it is the same every time."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from functools import cache
from typing import Any

import pytest
from defusedxml import ElementTree

from shared.networks.picture import svg
from shared.networks.roles import Edge, Network, NetworkPaper, roles_of
from tests.pictures import SHORT_AND_LONG_NAMES, SVG, Box, overlaps


def node(number: int, year: int | None = 2020, *, seed: bool = False, **paper: Any) -> NetworkPaper:
    authors = [f"A. {SHORT_AND_LONG_NAMES[number % len(SHORT_AND_LONG_NAMES)]}"]
    fields: Any = {"title": f"Title {number}", "authors": authors, "year": year, **paper}
    return NetworkPaper(f"doi:10.1000/{number:03}", fields, seed, 0 if seed else 1)


def network(nodes: list[NetworkPaper], *citations: tuple[int, int]) -> Network:
    """Citations by the numbers of the nodes."""
    ends = ((f"doi:10.1000/{source:03}", f"doi:10.1000/{target:03}") for source, target in citations)
    return Network(tuple(nodes), tuple(Edge(source, target, ("s2",)) for source, target in ends))


def made_up(count: int, first_year: int, years: int, citations: int, seeds: int = 2) -> Network:
    """One paper in twenty has no year, one in nine no citation count; the first ones are cited most."""
    chance = random.Random(count)
    nodes = [
        node(
            number,
            None if number % 20 == 19 else first_year + chance.randrange(years),
            seed=number % (count // seeds) == 0,
            citation_count=None if number % 9 == 8 else int(chance.paretovariate(0.9) * 10),
        )
        for number in range(count)
    ]
    pairs = [sorted((chance.randrange(count), int(count * chance.random() ** 2))) for _ in range(citations)]
    return network(nodes, *((high, low) for low, high in pairs))


NETWORKS = {
    "eight": made_up(8, 2010, 12, 10), "30": made_up(30, 1998, 27, 60), "30 of one year": made_up(30, 2020, 1, 60),
    "150": made_up(150, 1990, 36, 400), "150 of two years": made_up(150, 2020, 2, 400),
    "150 of 150 years": made_up(150, 1870, 156, 300), "200, a thousand lines": made_up(200, 1995, 30, 1_000),
    "60 seeds": made_up(60, 2019, 3, 100, seeds=60),
}  # fmt: skip
every_network = pytest.mark.parametrize("name", NETWORKS)


def drawn(found: Network) -> str:
    return svg(found, roles_of(found, 2025))


def read(found: Network) -> Any:
    return ElementTree.fromstring(drawn(found))


@cache
def picture(name: str) -> str:
    return drawn(NETWORKS[name])


def picture_of(name: str) -> tuple[Network, Any]:
    return NETWORKS[name], ElementTree.fromstring(picture(name))


def groups(root: Any, look: str) -> list[Any]:
    return [it for it in root.iter(f"{SVG}g") if it.get("class") == look]


def inside(root: Any, look: str) -> list[Any]:
    return [element for group in groups(root, look) for element in group]


def words(root: Any, look: str) -> list[str]:
    return [str(it.text) for it in inside(root, look) if it.tag == f"{SVG}text"]


def labels(root: Any) -> list[str]:
    return words(root, "strong") + words(root, "label")


def papers(root: Any) -> dict[str, tuple[float, float, float]]:
    """Centre and radius of each paper's shape, by the key in its tooltip."""
    found = {}
    for group in groups(root, "paper"):
        x, y, radius = (float(group.find(f"{SVG}circle").get(name)) for name in ("cx", "cy", "r"))
        found[group.findtext(f"{SVG}title").rpartition(" ")[2].split("\n")[-1]] = (x, y, radius)
    return found


def classes_of(root: Any, number: int) -> list[str]:
    (found,) = [it for it in groups(root, "paper") if f"10.1000/{number:03}" in it.findtext(f"{SVG}title")]
    return [it.get("class") for it in found if it.get("class")]


def boxes(root: Any, look: str) -> list[Box]:
    sides = [[float(it.get(name)) for name in ("x", "y", "width", "height")] for it in inside(root, look)]
    return [(x, y, x + width, y + height) for x, y, width, height in sides]


def shapes(root: Any) -> list[Box]:
    return [(x - r, y - r, x + r, y + r) for x, y, r in papers(root).values()]


@every_network
def test_no_label_lies_on_another_or_on_a_paper(name: str) -> None:
    _, root = picture_of(name)
    plates, circles = boxes(root, "plate"), shapes(root)
    assert len(plates) == len(labels(root)) > 0
    assert not overlaps(plates, circles)


@every_network
def test_every_paper_and_every_citation_is_drawn_once(name: str) -> None:
    found, root = picture_of(name)
    assert len(groups(root, "paper")) == len(found.nodes)
    assert papers(root).keys() == {it.key for it in found.nodes}
    assert len([it for it in inside(root, "cites") if it.tag == f"{SVG}path"]) == len(found.edges)


@every_network
def test_all_is_inside_a_picture_that_fits_a_screens_width(name: str) -> None:
    _, root = picture_of(name)
    _, _, width, height = map(float, root.get("viewBox").split())
    assert width <= 1_400
    everything = [*boxes(root, "plate"), *boxes(root, "band"), *shapes(root)]
    assert all(x >= 0 and y >= 0 and right <= width and low < height - 90 for x, y, right, low in everything)


@every_network
def test_years_run_from_left_to_right_after_the_unknown_ones(name: str) -> None:
    found, root = picture_of(name)
    at, by_year = papers(root), defaultdict(list)
    for it in found.nodes:
        by_year[it.year or 0].append(at[it.key][0])
    columns = [by_year[year] for year in sorted(by_year)]
    assert all(max(one) < min(next_one) for one, next_one in itertools.pairwise(columns))


@every_network
def test_seeds_and_papers_with_roles_always_have_a_label(name: str) -> None:
    found, root = picture_of(name)
    with_roles = [key for key, it in roles_of(found, 2025).items() if it.roles]
    with_roles += [it.key for it in found.nodes if it.seed and it.key not in with_roles]
    assert len(words(root, "strong")) == len(with_roles)


def test_thirty_papers_all_have_a_label_and_of_150_those_without_are_counted() -> None:
    assert len(labels(picture_of("30")[1])) == 30
    root = picture_of("150 of 150 years")[1]
    assert 130 < len(labels(root)) < 150
    assert words(root, "legend")[5].endswith(f"without a label for want of room: {150 - len(labels(root))}")


def test_the_year_labels_are_apart_and_the_first_and_the_last_are_there() -> None:
    root = picture_of("150 of 150 years")[1]
    places = [float(it.get("x")) for it in inside(root, "year")]
    assert all(next_one - one > 28 for one, next_one in itertools.pairwise(places))
    last = max(it.year or 0 for it in NETWORKS["150 of 150 years"].nodes)
    assert (words(root, "year")[0], words(root, "year")[-1]) == ("no year", str(last))


def test_a_paper_is_larger_the_more_often_it_is_cited_within_bounds() -> None:
    counts = {1: None, 2: 10, 3: 1_000, 4: 90_000}
    at = papers(read(network([node(number, 2000, citation_count=count) for number, count in counts.items()])))
    radii = [at[f"doi:10.1000/{number:03}"][2] for number in counts]
    assert radii == sorted(set(radii))
    assert 4 <= radii[0] < radii[-1] <= 17


def test_colours_show_the_roles_and_a_seed_has_a_ring() -> None:
    nodes = [node(1, 2024, citation_count=9), node(2, 2003), node(3, 2001, seed=True), node(4, 2002, seed=True)]
    root = read(network(nodes, (2, 1), (3, 1)))
    assert classes_of(root, 1) == ["key", "bridge", "rising"]
    assert classes_of(root, 2) == ["other"]
    assert classes_of(root, 3) == classes_of(root, 4) == ["ring", "seed"]
    assert [text.partition(":")[0] for text in words(root, "legend")[:5]] == [
        "asked for (2)", "key", "bridge", "rising", "other papers (1)",
    ]  # fmt: skip


@every_network
def test_the_same_network_is_the_same_bytes(name: str) -> None:
    found = NETWORKS[name]
    turned = Network(found.nodes[::-1], found.edges[::-1])
    assert drawn(turned).encode() == picture(name).encode()


def test_an_empty_network_is_a_picture_that_says_so() -> None:
    assert "papers: 0 · citations between them: 0" in words(read(Network((), ())), "legend")


def test_the_picture_has_a_background_for_light_and_dark() -> None:
    root = picture_of("eight")[1]
    assert [it.get("fill") for it in root.iterfind(f"{SVG}rect") if it.get("class") == "ground"] == ["#ffffff"]
    assert "prefers-color-scheme: dark" in root.findtext(f"{SVG}style")
