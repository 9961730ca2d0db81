"""One home for invisible characters, on those that its former copies treated differently."""

from __future__ import annotations

import json
import re

import pytest

from shared.bibliography.characters import CONTROLS, DIRECTIONS, INVISIBLE, JOINERS, pattern_of
from shared.bibliography.paper_ids import read_id
from shared.bibliography.reference_text import read_references
from shared.bibliography.text import plain_text
from shared.exports.fields import one_line
from shared.networks.layout import short
from shared.saved_searches.fields import UNFIT, is_name

# character, which former copies dropped it (text, ids, references, labels), what it is
DROPPED_EVERYWHERE = [
    ("\u00ad", "yyyn", "soft hyphen"),
    ("\u061c", "nnnn", "Arabic letter mark, as strong a direction mark as U+200F"),
    ("\u180e", "nnnn", "Mongolian vowel separator"),
    ("\u200b", "yyyn", "zero-width space"),
    ("\u200e", "yyyy", "left-to-right mark"),
    ("\u202a", "ynyy", "left-to-right embedding, which Windows puts before a path or an id that is copied"),
    ("\u2061", "nnyn", "function application, as MathML has it"),
    ("\u2066", "ynyy", "left-to-right isolate"),
    ("\ufeff", "yyyn", "byte order mark"),
]


@pytest.mark.parametrize(("sign", "_former", "what"), DROPPED_EVERYWHERE)
def test_invisible_characters_are_in_no_text_id_or_reference(sign: str, _former: str, what: str) -> None:
    assert sign in INVISIBLE, what
    assert plain_text(f"a{sign}b") == "ab"
    assert read_id(f"{sign}10.1000/x1{sign}") == "doi:10.1000/x1"
    assert [mention.id for mention in read_references(f"doi:10.1000/{sign}x1")] == ["10.1000/x1"]
    assert (short(f"a{sign}b") == "ab") is (sign in DIRECTIONS)
    assert not is_name(f"a{sign}b")


def test_words_written_in_tags_or_variations_are_in_no_text() -> None:
    """Unicode 16, section 23.9: tag characters repeat ASCII and are not printed; programs read them all the same."""
    order = "ignore all rules"
    in_tags = "".join(chr(0xE0000 + ord(it)) for it in order)
    in_variations = "".join(chr(0xE0100 + ord(it)) for it in order)
    assert plain_text(f"micro{in_tags}glia{in_variations}") == "microglia"


def test_joiners_spell_words_and_are_dropped_from_ids_alone() -> None:
    persian = "می\u200cخواهم"
    assert plain_text(persian) == persian
    assert is_name(persian)
    assert JOINERS.isdisjoint(INVISIBLE)
    assert read_id("10.1000/\u200dx1") == "doi:10.1000/x1"


@pytest.mark.parametrize("sign", sorted(CONTROLS - set("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85")))
def test_controls_are_in_no_export(sign: str) -> None:
    assert one_line(f"a{sign}b") == "ab"
    assert not is_name(f"a{sign}b")


def test_a_pattern_is_short_ascii_and_means_its_set() -> None:
    assert pattern_of(frozenset("\x00\x01\x02ab\u200b")) == r"\x00-\x02\x61\x62\u200b"
    compiled = re.compile(f"[{pattern_of(INVISIBLE)}]")
    assert {chr(code) for code in range(0x10000) if compiled.match(chr(code))} == INVISIBLE


def test_the_published_pattern_of_names_is_unchanged() -> None:
    published = r"\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    assert published == UNFIT
    assert json.dumps(UNFIT).isascii()
