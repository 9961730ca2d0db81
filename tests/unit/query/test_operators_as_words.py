"""Operators in capitals that the words beside them show to be words."""

from __future__ import annotations

import pytest

from shared.query.syntax import All, AnyOf, Words
from shared.query.understanding import understand


@pytest.mark.parametrize(("text", "telling"), [
    ("noise in the OR during surgery", "noise surgery"),
    ("handoff from OR to ICU", "handoff ICU"),
    ("Virtual reality in the OR", "Virtual reality"),
    ("Smoking and lung cancer (OR 2.5)", "Smoking lung cancer 2.5"),
    ("smoking and lung cancer (OR = 2.5)", "smoking lung cancer 2.5"),
    ("pooled OR of 0.75 for mortality with statins", "pooled 0.75 mortality statins"),
    ("mortality OR 95% CI with statins", "mortality 95% CI statins"),
    ("music in the operating room (OR)", "music operating room"),
    ("what is NOT known about long covid", "long covid"),
    ("patients who are NOT on dialysis", "patients dialysis"),
    ("Do NOT resuscitate orders in nursing homes", "resuscitate orders nursing homes"),
    ("OR gates and AND gates in genetic circuits", "gates genetic circuits"),
    ("NOT gate in DNA computing", "gate DNA computing"),
    ("Google Scholar: the NOT so new engine", "Google Scholar engine"),
    ("results of the UND study in Grand Forks", "und Grand Forks"),
    ("OR nurses and burnout", "nurses burnout"),
])  # fmt: skip
def test_an_operator_is_a_word_where_its_neighbours_show_it(text: str, telling: str) -> None:
    understood = understand(text)
    assert understood.kind in ("sentence", "question")
    assert understood.telling == tuple(telling.split())


@pytest.mark.parametrize("text", [
    "asthma OR COPD", "In OR Ga doping", "pain AND gate control theory", "18S OR 5.8S rRNA", "PM10 OR 2.5",
    "hepatitis a OR hepatitis b", "IL-6 OR 1.25(OH)2D3", "Diabetes UND Adipositas",
    "april OR may OR june", "grape must OR wine", "global warming OR 1.5 degrees",
])  # fmt: skip
def test_an_operator_between_terms_stays_one(text: str) -> None:
    assert understand(text).kind == "expression"


@pytest.mark.parametrize(("text", "terms"), [
    ("(run in OR washout) AND trial", ("run", "washout")),
    ("(dropout OR drop in OR attrition) AND (trial OR study)", ("dropout", "drop", "attrition")),
    ("(depression OR anxiety) AND nurses in the OR", ("depression", "anxiety")),
    ("(april OR may OR june) AND rain", ("april", "may", "june")),
])  # fmt: skip
def test_an_operator_in_a_group_stays_one(text: str, terms: tuple[str, ...]) -> None:
    node = understand(text).node
    assert isinstance(node, All)
    assert node.of[0] == AnyOf(tuple(map(Words, terms)))
