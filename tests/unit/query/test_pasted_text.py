"""What comes along with a title or a claim that was pasted."""

from __future__ import annotations

import pytest

from shared.query.understanding import understand


@pytest.mark.parametrize(("text", "same", "note"), [
    ("Title: Stroke in mice Authors: Smith J, Jones K Year: 2017", "Stroke in mice", "send authors, year beside"),
    ("Authors: Smith J; Title: Stroke in mice; Year: 2019", "Stroke in mice", "send authors, year beside"),
    ("title: Stroke in mice, author: Smith", "Stroke in mice", "send author beside"),
    ("Title: Advice to authors: a survey Year: 2001", "Advice to authors: a survey Year: 2001", "Title: as a label"),
    ("author: Ioannidis bias", "Ioannidis bias", "author: as a label"),
    ("Risk is higher in smokers (OR 2.5, 95% CI 1.2-3.4)", "Risk is higher in smokers", "figures in parentheses"),
    ("Statins lowered LDL (p = 0.03) in adults", "Statins lowered LDL in adults", "figures in parentheses"),
    ("Pleural effusions by echography in adults [abstract]", "Pleural effusions by echography in adults", "[abstract]"),
])  # fmt: skip
def test_it_is_left_out_with_a_note(text: str, same: str, note: str) -> None:
    read = understand(text)
    assert (read.node, read.title) == (understand(same).node, understand(same).title)
    assert any(note in it for it in read.notes)


@pytest.mark.parametrize("text", [
    "Title: Stroke in mice", "The p-value (p<0.05) fallacy: a view", "stroke[abstract]", "stroke in mice[abstract]",
    'author:"John Ioannidis"', "(95% CI)",
])  # fmt: skip
def test_other_labels_and_brackets_mean_what_they_meant(text: str) -> None:
    assert not any("record" in it or "medium" in it for it in understand(text).notes)


@pytest.mark.parametrize(("text", "same"), [
    ('author: "John Ioannidis"', 'author:"John Ioannidis"'),
    ('journal: "Lancet" AND sepsis', 'journal:"Lancet" AND sepsis'),
    ('stroke AND title: "old mice"', 'stroke AND title:"old mice"'),
])  # fmt: skip
def test_a_blank_before_the_phrase_of_a_field_means_nothing(text: str, same: str) -> None:
    assert understand(text).node == understand(same).node
