from __future__ import annotations

import pytest
from bibtexparser.entrypoint import parse_string as parse_with_bibtexparser
from pybtex.database import parse_string
from pybtex.database.input.bibtex import UndefinedMacro

from shared.bibliography.paper import Author
from shared.documents.bibtex_values import Values
from shared.documents.bounds import MAX_TEXT_CHARS, MAX_VALUE_CHARS
from shared.documents.document import DocumentFormat, EntryFields
from tests.unit.documents.corpus_documents import NEW, cited, corrected, names, read_unchanged

SAMPLE = r"""% exported in 2020
@string{elife = "eLife"}
@comment{not an entry: @article{no}}
@article{kober2016,
  author = {Kober, Daniel L. and {Alzheimer's Disease Group} and M{\"u}ller, J{\'e}r\^ome and others},
  title = "Neurodegenerative disease mutations in {TREM2} reveal {\&} more",
  journal = elife # { Life},
  date = {2016-12-20},
  volume={5}, pages = {12--20},
  url = {https://doi.org/10.7554/eLife.20391}
}

@InProceedings(child, crossref={proc}, title={An {\'E}tude}, author={van der Maaten, Laurens},
  eprint={1706.03762}, archivePrefix={arXiv})
@proceedings{proc, title={Proceedings of Tests}, year=2014}
"""


def bibliography() -> str:
    return "\n".join(
        f"@article{{key{number},\n  author = {{{' and '.join(', '.join(name) for name in names(fact))}}},\n"
        f"  title = {{{fact.title}}},\n  journal = {{{fact.journal}}},\n  year = {fact.year},\n"
        f"  volume = {{{fact.volume}}},\n  pages = {{{str(fact.pages).replace('-', '--')}}},\n"
        f"  doi = {{{fact.doi}}}\n}}\n"
        for number, fact in enumerate(cited())
    )


def test_entries_are_read_with_strings_accents_groups_and_crossref() -> None:
    document = read_unchanged(SAMPLE)
    kober, child, proceedings = document.entries
    assert document.format is DocumentFormat.BIBTEX
    assert (kober.label, child.label, proceedings.label) == ("kober2016", "child", "proc")
    assert kober.fields == EntryFields(
        title="Neurodegenerative disease mutations in TREM2 reveal & more",
        authors=(
            Author(family="Kober", given="Daniel L."), Author(name="Alzheimer's Disease Group"),
            Author(family="Müller", given="Jérôme"),
        ),
        year=2016, journal="eLife Life", volume="5", pages="12-20", doi="10.7554/elife.20391",
    )  # fmt: skip
    assert child.fields.journal == "Proceedings of Tests"
    assert (child.fields.title, child.fields.year, child.fields.arxiv) == ("An Étude", 2014, "1706.03762")
    assert child.fields.authors == (Author(family="van der Maaten", given="Laurens"),)


def test_pybtex_reads_the_same_fields_from_real_references() -> None:
    text = bibliography()
    theirs = parse_string(text, "bibtex").entries
    for entry in read_unchanged(text).entries:
        other = theirs[entry.label]
        assert entry.fields.title == other.fields["title"]
        assert str(entry.fields.year) == other.fields["year"]
        assert entry.fields.volume == other.fields["volume"]
        assert [author.family for author in entry.fields.authors] == [
            " ".join([*person.prelast_names, *person.last_names]) for person in other.persons["author"]
        ]


def test_corrections_are_read_by_pybtex_and_bibtexparser() -> None:
    written = corrected(read_unchanged(bibliography()), fields=NEW, comment="was 1999 @article{x, 50 %\nnext line")
    theirs = parse_string(written.text, "bibtex").entries
    assert list(theirs) == [f"key{number}" for number in range(len(cited()))]
    for other in theirs.values():
        assert other.fields["title"] == r"A title \& more of 100 \%"
        assert (other.fields["year"], other.fields["number"], other.fields["pages"]) == ("2001", "3", "12--19")
        assert other.fields["doi"] == "10.1000/new_1"
        assert [str(person) for person in other.persons["author"]] == ["Müller, Anna B", "{The TREM2 Group}"]
    library = parse_with_bibtexparser(written.text)
    assert len(library.entries) == len(cited())
    assert not library.failed_blocks
    assert written.not_placed == {}


def test_a_correction_changes_its_value_alone() -> None:
    document = read_unchanged(SAMPLE)
    text = corrected(document).text
    expected = SAMPLE.replace("{2016-12-20}", "{2001-12-20}").replace("year=2014", "year={2001}")
    for key in ("@article{kober2016", "@InProceedings(child", "@proceedings{proc"):
        expected = expected.replace(key, f"% checked: the year was wrong\n{key}")
    # The second entry has its year from its proceedings, and gets one of its own.
    assert text == expected.replace("{arXiv})", "{arXiv},\n  year = {2001})")


def test_a_broken_entry_is_a_warning_and_all_are_read() -> None:
    document = read_unchanged("@article{a, title={One}}\n@article{b, title={Two\n@article{c, title={Three}}\n")
    assert [entry.label for entry in document.entries] == ["a", "b", "c"]
    assert [(warning.offset, "braces" in warning.message) for warning in document.warnings] == [(25, True)]


def test_a_citation_key_that_is_used_twice_is_a_warning() -> None:
    document = read_unchanged("@book{a, title={One}}\n@book{a, title={Two}, title={Three}}\n")
    assert [entry.fields.title for entry in document.entries] == ["One", "Two"]
    assert document.warnings


GOOD = "@article{{good{0},\n author={{Roe, Kim}},\n title={{A good title, number {0}}},\n year={{2016}}\n}}\n"
BROKEN = {
    "no comma": "@article{b, author={Doe, Jane}\n title={A title with an error},\n year=2015}\n",
    "no comma before a number": "@article{b, author={Doe, Jane},\n title={A title with an error}\n year=2015}\n",
    "no closing brace": "@article{b, author={Doe, Jane},\n title={A title with an error},\n year=2015\n",
    "a brace too much": "@article{b, author={Doe, Jane},\n title={A {title with an error},\n year=2015\n}\n",
    "two commas": "@article{b, author={Doe, Jane},,\n title={A title with an error},\n year=2015\n}\n",
    "no key": "@article{author={Doe, Jane},\n title={A title with an error},\n year=2015\n}\n",
    "no braces": "@article{b, author=Doe Jane,\n title=A title with an error,\n year=2015\n}\n",
}


@pytest.mark.parametrize("error", BROKEN)
def test_an_entry_with_an_error_is_checked_as_a_printed_reference(error: str) -> None:
    document = read_unchanged(GOOD.format(1) + BROKEN[error] + GOOD.format(2))
    assert [entry.number for entry in document.entries] == [0, 1, 2]
    broken = document.entries[1]
    assert (broken.fields.title, broken.fields.year) == ("A title with an error", 2015)
    assert broken.citation.text == broken.line
    assert [warning.offset for warning in document.warnings] == [broken.start]


@pytest.mark.parametrize("error", BROKEN)
def test_the_comment_of_an_entry_with_an_error_says_what_was_read(error: str) -> None:
    document = read_unchanged(GOOD.format(1) + BROKEN[error] + GOOD.format(2))
    written = corrected(document, fields=NEW, comment="checked")
    assert BROKEN[error].strip() in written.text
    assert str(NEW.title) in written.text.partition(BROKEN[error][:12])[0]
    good = {entry.key for entry in parse_with_bibtexparser(written.text).entries}
    assert "good1" in good


def test_a_string_knows_the_strings_before_it_and_a_name_that_stands_for_nothing_stays() -> None:
    strings = '@string{a = a # "b" # a}\n@string{A = a # { c}}\n@string{d = e # a}\n@string{e = "x"}\n'
    document = read_unchanged(f"{strings}@article{{k, title = a # d, journal = none}}\n")
    assert (document.entries[0].fields.title, document.entries[0].fields.journal) == ("aba ceaba c", "none")


def test_a_string_has_the_text_of_its_last_definition_before_as_for_pybtex() -> None:
    text = (
        '@string{j = "First J"} @article{a, journal = j, title = {One}} @string{J = "Second J"}\n'
        "@article{b, journal = j, title = {Two}} @inproceedings{c, crossref = {d}, title = {Three}}\n"
        '@proceedings{d, booktitle = j # { 4}, title = {Four}} @string{j = "Third J"}\n'
    )
    document, theirs = read_unchanged(text), parse_string(text, "bibtex").entries
    journals = {entry.label: entry.fields.journal for entry in document.entries}
    stated = {key: it.fields.get("journal") or it.fields.get("booktitle") for key, it in theirs.items()}
    assert journals == {**stated, "c": stated["d"]}
    assert document.warnings == ()


def test_a_string_that_is_defined_later_stands_for_nothing() -> None:
    text = '@article{a, journal = j, title = {One}} @string{j = "First J"} @book{j, title = {Two}}'
    with pytest.raises(UndefinedMacro, match="undefined string in line 1: j"):
        parse_string(text, "bibtex")
    document = read_unchanged(text)
    assert (document.entries[0].fields.journal, document.warnings) == ("j", ())


def test_strings_in_strings_do_not_outgrow_a_value() -> None:
    twice = "".join(f"@string{{s{number + 1} = s{number} # s{number}}}\n" for number in range(40))
    document = read_unchanged(f"@string{{s0 = {{ab}}}}\n{twice}@article{{k, title = s40 # s40}}\n")
    assert document.entries[0].fields.title == "ab" * (MAX_VALUE_CHARS // 2)


def test_entries_inherit_no_more_than_a_document_has() -> None:
    children = "".join(f"@inproceedings{{k{number}, crossref = p, title = {{A}}}}\n" for number in range(250))
    document = read_unchanged(f"{children}@book{{p, title = {{{'a' * (MAX_VALUE_CHARS - 2)}}}}}\n")
    journals = [entry.fields.journal for entry in document.entries[:-1]]
    assert [bool(journal) for journal in journals] == [True] * 200 + [False] * 50


def test_the_strings_of_a_document_put_in_no_more_than_a_document_has() -> None:
    values = Values()
    values.define("S", f"{{{'a' * 1_000}}}")
    assert sum(len(values.joined("s")) for _ in range(2_000)) == MAX_TEXT_CHARS
    assert not values.lacks_some
    assert values.joined('s # "b"') == "b"
    assert values.lacks_some


def test_a_document_whose_strings_put_in_too_much_has_a_warning_and_no_name_as_a_value() -> None:
    entries = "".join(f"@article{{k{number}, title={{T}}, journal = j}}\n" for number in range(300))
    document = read_unchanged(f"@string{{j = {{{'a' * 9_000}}}}}\n{entries}")
    assert {(entry.fields.journal or "")[:1] for entry in document.entries} == {"a", ""}
    assert [it.message for it in document.warnings][-1].startswith("what strings and crossref put in is too long")


def test_a_per_cent_sign_begins_no_comment() -> None:
    doi = "10.1002/(SICI)1097-4679(199701)53:1%3C3::AID%3E3.0.CO;2-A"
    (entry,) = read_unchanged(rf"@article{{a, title={{50% of mice and 30\% of rats}}, doi={{{doi}}}}}").entries
    assert entry.fields.title == "50% of mice and 30% of rats"
    assert entry.fields.doi == "10.1002/(sici)1097-4679(199701)53:1<3::aid>3.0.co;2-a"


@pytest.mark.parametrize(
    "title", ["Reduction of 50%\n   in mice", "Reduction of 50%\r\nin mice", "50 % \n in mice", "50%\n\n%\nin mice"]
)
def test_a_per_cent_sign_at_the_end_of_a_line_is_a_sign_for_pybtex_too(title: str) -> None:
    text = f"@article{{a, title={{{title}}}, author={{{{50%\n Group}} and Roe, Kim}}}}"
    (entry,), theirs = read_unchanged(text).entries, parse_string(text, "bibtex").entries["a"]
    assert entry.fields.title == theirs.fields["title"]
    assert [f"{{{entry.fields.authors[0].name}}}"] == [str(it) for it in theirs.persons["author"][:1]]


def test_a_per_cent_sign_behind_a_line_break_of_tex_is_a_sign() -> None:
    (entry,) = read_unchanged(r"@article{a, title={Line \\% of mice, \\\% of rats}}").entries
    assert entry.fields.title == "Line % of mice, % of rats"


@pytest.mark.parametrize(
    "field",
    [
        "url={https://doi.org/10.1007/%\n  abc}",
        "doi={10.1007/%\n  abc}",
        "note={\\url{https://doi.org/10.1007/%\n  abc}}",
    ],
)
def test_a_per_cent_sign_divides_an_address_at_the_end_of_a_line(field: str) -> None:
    (entry,) = read_unchanged(f"@article{{a, title={{A title}}, {field}}}").entries
    assert entry.fields.doi == "10.1007/abc"
