"""Where a picture of a citation network has everything: joined papers together, labels where there is space."""

from __future__ import annotations

import pytest

from shared.networks.curve import curve
from shared.networks.layout import LABEL_WIDTH, MIN_PROMINENT_RADIUS, Mark, Spot, short, timeline, width_of


def mark(number: int, year: int | None = 2020, weight: float = 0.1, label: str = "Deczkowska 2020") -> Mark:
    return Mark(f"{number:03}", label, "", weight, year)


def test_two_groups_that_do_not_cite_each_other_are_one_above_the_other() -> None:
    marks = [mark(number, 2000 + number // 2) for number in range(12)]
    lines = [(f"{high:03}", f"{low:03}") for low in range(12) for high in range(low + 2, 12, 2)]
    spots = timeline(marks, lines).spots
    even, odd = ([spots[f"{number:03}"].y for number in range(part, 12, 2)] for part in (0, 1))
    assert max(even) < min(odd) or max(odd) < min(even)


def crowded() -> list[Mark]:
    """One year with most papers, and so many others that it is narrow."""
    return [mark(number, 2020 if number < 110 else 1900 + number % 40) for number in range(150)]


@pytest.mark.slow
def test_the_least_important_nodes_have_no_label_where_space_is_short() -> None:
    spots = timeline(crowded(), []).spots
    bare = [int(name) for name, spot in spots.items() if not spot.labelled]
    assert len(spots) == 150
    assert bare
    assert min(bare) > 110 / 3


@pytest.mark.slow
def test_the_most_important_nodes_have_a_label_at_any_density() -> None:
    prominent = {mark.name for mark in crowded()[::2]}
    spots = timeline(crowded(), [], prominent).spots
    assert all(spots[name].labelled for name in prominent)
    assert not all(spot.labelled for spot in spots.values())


@pytest.mark.slow
def test_the_picture_grows_to_show_all_labels() -> None:
    everyone = {mark.name for mark in crowded()}
    plan = timeline(crowded(), [], everyone)
    assert all(spot.labelled for spot in plan.spots.values())
    assert plan.height > timeline(crowded(), []).height
    assert plan.width == timeline(crowded(), []).width


def test_a_year_with_more_papers_is_wider() -> None:
    columns = timeline([mark(1, 2019), *(mark(number) for number in range(2, 12))], []).columns
    assert [it.title for it in columns] == ["2019", "2020"]
    assert columns[0].width < columns[1].width / 3
    assert columns[1].left == pytest.approx(columns[0].left + columns[0].width, abs=0.1)


def test_a_prominent_mark_is_large_enough_for_its_colours() -> None:
    spots = timeline([mark(1, weight=0), mark(2, weight=0)], [], {"002"}).spots
    assert spots["001"].radius < spots["002"].radius == MIN_PROMINENT_RADIUS


@pytest.mark.parametrize("text", ["a" * 300, "\u5c71" * 60, "\U0001f469\u200d\U0001f52c" * 40, "W" * 90, " \n "])
def test_a_cut_label_has_its_year_and_is_no_wider_than_allowed(text: str) -> None:
    cut = short(text, " 2016")
    assert cut.endswith(" 2016")
    assert width_of(cut) <= LABEL_WIDTH
    assert "\u200d…" not in cut


def test_marks_of_direction_do_not_turn_the_year_around() -> None:
    assert short("\u202eabc", " 2016") == "abc 2016"


def test_an_edge_is_drawn_around_papers_in_its_way() -> None:
    left, middle, right = (Spot(Mark(str(x), "", "", 1.0), x, 100, 8, labelled=True) for x in (0.0, 100.0, 200.0))
    straight, around = curve(right, left), curve(right, left, [left, middle, right])
    assert {y for _, y in straight} == {100}
    assert around[1][1] < 90
    assert (around[0], around[3]) == (straight[0], straight[3])
