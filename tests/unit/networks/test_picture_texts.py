"""The texts in the picture of a citation network: labels, tooltips and legend, whatever characters they hold."""

from __future__ import annotations

from typing import Any

import pytest
from defusedxml import ElementTree

from shared.networks.picture import svg
from shared.networks.roles import Network, NetworkPaper, roles_of
from tests.pictures import SVG
from tests.unit.networks.test_picture import drawn, groups, inside, labels, network, node, read, words


@pytest.mark.parametrize(
    ("paper", "label"),
    [
        ({"authors": ["Jane van der Maaten"]}, "van der M… 2016"),
        ({"authors": ["Jane Doe"], "year": None}, "Doe"),
        ({"authors": ["UK Biobank Consortium"]}, "UK Bioba… 2016"),
        ({"authors": ["Jane\nDoe"]}, "Doe 2016"),
        ({"authors": [], "title": "On mice"}, "On mice 2016"),
        ({"authors": ["\u202e\u05db\u05d4\u05df"]}, "\u05db\u05d4\u05df 2016"),
        ({"authors": [], "title": "\U0001f9e0\x07"}, "\U0001f9e0 2016"),
    ],
    ids=[
        "a long name",
        "no year",
        "a group",
        "a line end",
        "no author",
        "right to left",
        "emoji and a control character",
    ],
)
def test_a_label_is_the_first_family_name_and_the_year(paper: dict[str, Any], label: str) -> None:
    assert labels(read(network([node(1, **{"year": 2016, **paper})]))) == [label]


def test_a_paper_of_which_only_the_name_is_known_is_drawn_under_it() -> None:
    root = read(Network((NetworkPaper("pmid:123", None, False, 1), node(1)), ()))
    assert "pmid:123" in labels(root)
    assert words(root, "year") == ["no year", "2020"]


@pytest.mark.parametrize(
    "text", ['<script>alert("1")</script>', "a & b ]]> c", "'\"><", "\u202eabc\u05d0", "\U0001f9e0", "one\ntwo"]
)
def test_the_whole_title_is_the_tooltip_and_never_markup(text: str) -> None:
    root = read(network([node(1, title=text, authors=[text], journal=text)]))
    assert groups(root, "paper")[0].findtext(f"{SVG}title").startswith(f"{text}\n")
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "style", "defs", "marker", "path", "title", "rect", "g", "text", "circle",
    }  # fmt: skip


@pytest.mark.parametrize("bad", ["\x00", "\x0b", "\x1b", "\ud800", "\udfff", "\ufffe", "\uffff"], ids=ascii)
def test_characters_forbidden_in_text_files_are_left_out(bad: str) -> None:
    text = drawn(network([node(1, title=f"a{bad}b", authors=[f"A{bad}"], journal=f"c{bad}")]))
    assert bad.encode(errors="surrogatepass") not in text.encode()
    assert len(ElementTree.fromstring(text))


def test_the_legend_says_what_makes_a_paper_a_seed() -> None:
    found = network([node(1, seed=True), node(2)])
    legend = words(ElementTree.fromstring(svg(found, roles_of(found, 2025), seeds="cited in a debate")), "legend")
    assert legend[0] == "cited in a debate (1)"


def test_a_retracted_paper_is_crossed_out_and_the_legend_explains_it() -> None:
    root = read(network([node(1, retraction={"status": "retracted"}), node(2, 2019, retraction={"status": "none"})]))
    assert [it.get("text-decoration") for it in inside(root, "label")] == ["line-through", None]
    assert [it.findtext(f"{SVG}title").startswith("RETRACTED: ") for it in groups(root, "paper")].count(True) == 1
    assert words(root, "legend")[-1].endswith("struck through: retracted")
