"""Plain text: markup goes, meaning stays."""

from __future__ import annotations

import pytest

from shared.bibliography.text import fold, plain_text, plain_title

MARKUP = [
    pytest.param("a < b and c > d", "a < b and c > d", id="comparison"),
    pytest.param("dose <10 mg or >5 mg", "dose <10 mg or >5 mg", id="less than a number"),
    pytest.param("if p<q and r>s then", "if p<q and r>s then", id="comparison of letters that are not tags in use"),
    pytest.param("p &lt; 0.05", "p < 0.05", id="escaped comparison"),
    pytest.param(
        "<jats:title>Abstract</jats:title><jats:p>One.</jats:p><jats:p>Two.</jats:p>", "Abstract One. Two.", id="JATS"
    ),
    pytest.param(
        "<jats:p>An <jats:italic>E. coli</jats:italic> strain</jats:p>", "An E. coli strain", id="JATS italics"
    ),
    pytest.param("m&lt;sup&gt;6&lt;/sup&gt;A", "m6A", id="escaped superscript"),
    pytest.param('&lt;span class="word"&gt;Deep&lt;/span&gt; nets', "Deep nets", id="escaped span with attribute"),
    pytest.param("&amp;lt;i&amp;gt;x&amp;lt;/i&amp;gt; twice", "x twice", id="escaped twice"),
    pytest.param("Tom &amp; Jerry", "Tom & Jerry", id="ampersand"),
    pytest.param("H<sub>2</sub>O", "H2O", id="subscript"),
    pytest.param("<mml:math><mml:mi>σ</mml:mi><mml:mo>=</mml:mo><mml:mn>1</mml:mn></mml:math>", "σ = 1", id="MathML"),
    pytest.param("structure in<i>PRCC-TFE3</i>fusion", "structure in PRCC-TFE3 fusion", id="lost blanks"),
    pytest.param("p<i>K</i>a of <i>Hox</i>s", "pKa of Hoxs", id="marks within a word"),
    pytest.param("line\n   break\tand\u00a0blank", "line break and blank", id="white space"),
    pytest.param("<p>a<br/>b</p><!-- note -->", "a b", id="break and comment"),
    pytest.param("<script>alert(1)</script>safe", "safe", id="script"),
    pytest.param("<b></b>", None, id="nothing left"),
    pytest.param("\u200eJo\u00ads\u00e9\ufeff", "Jos\u00e9", id="invisible marks"),
    pytest.param("", None, id="empty"),
    pytest.param(None, None, id="none"),
]


@pytest.mark.parametrize(("markup", "text"), MARKUP)
def test_markup_becomes_plain_text(markup: str | None, text: str | None) -> None:
    assert plain_text(markup) == text


TITLES = [
    pytest.param("Profiles of folds 1 1Edited by G. Hale", "Profiles of folds", id="editor"),
    pytest.param("Use in whole genomes11Edited by F. Cohen", "Use in whole genomes", id="editor, no blank"),
    pytest.param("A ligand of TREM-1 2 2edited by A. Fersht", "A ligand of TREM-1", id="editor, behind a number"),
    pytest.param("A survey of folds<sup>☆</sup>", "A survey of folds", id="star"),
    pytest.param("A survey of folds ☆☆", "A survey of folds", id="two stars"),
    pytest.param("Letters of 1911. Edited by F. Cohen", "Letters of 1911. Edited by F. Cohen", id="edited book"),
    pytest.param("Genomes of 31 Edited by hand", "Genomes of 31 Edited by hand", id="edited, no footnote"),
    pytest.param("Genomes11Edited by G. Hale in mice", "Genomes11Edited by G. Hale in mice", id="more than a name"),
    pytest.param("Edited by G. Hale", "Edited by G. Hale", id="nothing before it"),
    pytest.param("☆", "☆", id="a star alone"),
    pytest.param("<i>Drosophila</i> &amp; mice", "Drosophila & mice", id="markup"),
    pytest.param(None, None, id="none"),
]


@pytest.mark.parametrize(("markup", "title"), TITLES)
def test_a_title_has_no_footnotes(markup: str | None, title: str | None) -> None:
    assert plain_title(markup) == title


@pytest.mark.parametrize("markup", [case.values[0] for case in MARKUP])
def test_plain_text_stays_as_it_is(markup: str | None) -> None:
    once = plain_text(markup)
    assert plain_text(once) == once


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Étude: l'ADN!", "etude l adn"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("p38α_kinase", "p38α kinase"),
        ("  ", ""),
    ],
)
def test_folded_text_keeps_words_only(text: str, folded: str) -> None:
    assert fold(text) == folded
