"""Where an identifier of a query ends: at a comma or semicolon behind which another identifier or a word begins."""

from __future__ import annotations

import pytest

from shared.bibliography.paper_ids import ids_of, read_id
from shared.bibliography.reference_text import read_references
from shared.query.identifiers import read_identifiers
from shared.query.understanding import understand

# As Wiley registered it, and Olson et al. 2001 in BioScience, as BioOne did: SICIs end in a semicolon and a number.
WILEY = "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2"
ENCODED = WILEY.replace("<", "%3C").replace(">", "%3E")
ELIFE = "doi:10.7554/elife.20391"
BIOONE = "10.1641/0006-3568(2001)051[0933:TEOTWA]2.0.CO;2"


@pytest.mark.parametrize("doi", [WILEY, ENCODED, BIOONE, "10.1000/a", "10.1000/a(b,c)"])
@pytest.mark.parametrize(
    ("other", "name"),
    [("10.7554/eLife.20391", "doi:10.7554/elife.20391"), ("PMID:27797938", "pmid:27797938"), ("PMC12", None)],
)
@pytest.mark.parametrize("sign", [",", ", ", ";", "; "])
def test_two_identifiers_with_a_sign_between_them_are_two(doi: str, other: str, name: str | None, sign: str) -> None:
    both = (read_id(doi), name or read_id(other))
    assert read_identifiers(f"{doi}{sign}{other}").names == both
    assert read_identifiers(f"{other}{sign}{doi}").names == both[::-1]


@pytest.mark.parametrize("text", ["10.1000/a,b", "10.1000/a,b,c", "10.1000/a,2019", "https://doi.org/10.1000/a,b"])
def test_a_doi_ends_at_a_sign_in_a_query_and_goes_on_in_a_list_of_ids(text: str) -> None:
    assert ids_of(text) == (text,)
    doi, _, behind = text.partition(",")
    read = read_identifiers(text)
    assert (read.names, read.rest) == ((read_id(doi),), behind.replace(",", " "))
    assert read.names == tuple(f"{it.kind}:{it.id}" for it in read_references(text))


@pytest.mark.parametrize("text", [WILEY, ENCODED, BIOONE, "10.1000/a(b,c)", "10.1000/a[b;c,d]e"])
def test_a_doi_keeps_the_signs_in_its_brackets_and_at_the_end_of_a_sici(text: str) -> None:
    assert ids_of(text) == (text,)
    alone, beside = read_identifiers(text), read_identifiers(f"microglia {text} tau")
    assert (alone.names, alone.rest) == ((read_id(text),), "")
    assert (beside.names, beside.rest) == ((read_id(text),), "microglia tau")


@pytest.mark.parametrize(
    ("text", "names", "rest"),
    [
        ("TREM2,APOE", (), "TREM2,APOE"),
        ("TREM2,10.1000/a", ("doi:10.1000/a",), "TREM2"),
        ("10.1000/a, b", ("doi:10.1000/a",), "b"),
        ("10.7554/eLife.20391,Kober", (ELIFE,), "Kober"),
        ("10.7554/eLife.20391,2016", (ELIFE,), "2016"),
        ("10.7554/eLife.20391;jsessionid=ABC", (ELIFE,), "jsessionid=ABC"),
        ("10.7554/eLife.20391,TREM2 mutations,2016", (ELIFE,), "TREM2 mutations 2016"),
        ("10.7554/eLife.20391,10.1056/NEJMoa1211851,TREM2", (ELIFE, "doi:10.1056/nejmoa1211851"), "TREM2"),
        ("10.1038/nature12373,https://x.org/a", ("doi:10.1038/nature12373",), "https://x.org/a"),
        ("PMID:27797938,36107206", ("pmid:27797938", "pmid:36107206"), ""),
    ],
)
def test_words_and_numbers_beside_identifiers_stay_apart(text: str, names: tuple[str, ...], rest: str) -> None:
    read = read_identifiers(text)
    assert (read.names, read.rest) == (names, rest)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Kober (10.7554/eLife.20391)", "Kober"),
        ("(10.7554/eLife.20391, Kober)", "Kober"),
        ("TREM2 structure [doi:10.7554/eLife.20391].", "TREM2 structure"),
        ("Kober, see doi.org/10.7554/eLife.20391", "Kober see"),
        ("read `10.7554/eLife.20391` again", "read again"),
        ("[Kober 2016](https://doi.org/10.7554/eLife.20391)", "[Kober 2016]"),
        ("what is 10.7554/eLife.20391?", "what is"),
        ("doi = {10.7554/eLife.20391},", "doi"),
    ],
)
def test_an_identifier_among_words_is_read_without_brackets_and_marks_around_it(text: str, rest: str) -> None:
    read = read_identifiers(text)
    assert (read.names, read.rest) == ((ELIFE,), rest)


@pytest.mark.parametrize("mark", ["?", "!", "}", "`", "**", "?)"])
def test_marks_behind_a_doi_are_not_its_own_but_the_last_sign_of_a_sici_is(mark: str) -> None:
    assert read_id(f"10.7554/eLife.20391{mark}") == ELIFE
    assert read_id(f"{WILEY[:-1]}?") == f"doi:{WILEY[:-1].lower()}?"


@pytest.mark.parametrize(
    "text", ["27797938 OR 36107206", "27797938 or 36107206", "(27797938 OR 36107206)", "27797938, 36107206"]
)
def test_numbers_with_or_between_them_are_looked_up_as_those_with_commas_are(text: str) -> None:
    found = read_identifiers(text)
    assert (found.names, found.only_numbers) == (("pmid:27797938", "pmid:36107206"), True)


@pytest.mark.parametrize("text", ["2019 OR 2020", "27797938 OR tau", "27797938 AND 36107206", "OR 27797938"])
def test_numbers_beside_anything_else_are_terms(text: str) -> None:
    assert read_identifiers(text).names == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("PMID: 36107206 OR 31932797", ("pmid:36107206", "pmid:31932797")),
        ("(PMID 36107206) OR (31932797)", ("pmid:36107206", "pmid:31932797")),
        ("36107206 OR PMC3855463", ("pmid:36107206", "pmcid:PMC3855463")),
        ("36107206 OR doi:10.1038/nature12373", ("pmid:36107206", "doi:10.1038/nature12373")),
    ],
)
def test_numbers_and_ids_with_or_between_them_are_looked_up(text: str, names: tuple[str, ...]) -> None:
    assert (understand(text).kind, understand(text).identifiers) == ("identifiers", names)
