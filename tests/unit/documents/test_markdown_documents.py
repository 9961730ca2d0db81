from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.token import Token

from shared.documents.document import DocumentFormat, EntryFields
from tests.unit.documents.corpus_documents import NEW, apa, cited, corrected, read_unchanged, vancouver


def article(mark: str) -> str:
    items = "\n".join(f"{mark.format(number)}{vancouver(fact)}" for number, fact in enumerate(cited(), 1))
    return f"# TREM2\n\nMicroglia matter [1, 3–5], also [99].\n\n## References\n\n{items}\n\n## Appendix\n\nIn 2016.\n"


def shown(tokens: list[Token]) -> list[str]:
    """The items of all lists as markdown-it shows them, without HTML."""
    found: list[str] = []
    depth = 0
    for token in tokens:
        depth += (token.type == "list_item_open") - (token.type == "list_item_close")
        if depth and token.type == "inline":
            found.append("".join(it.content for it in token.children or () if it.type in ("text", "code_inline")))
    return found


def test_markdown_it_reads_the_same_items_before_and_after_a_correction() -> None:
    for mark in ("{}. ", "- ", "* "):
        document = read_unchanged(article(mark))
        assert document.format is DocumentFormat.MARKDOWN
        assert shown(MarkdownIt().parse(document.text)) == [entry.line for entry in document.entries]
        assert [entry.fields.title for entry in document.entries] == [fact.title for fact in cited()]
        written = corrected(document, fields=EntryFields(year=2001, doi="10.1000/new_1"), comment="a --> b <script>")
        after = [line.strip() for line in shown(MarkdownIt().parse(written.text))]
        assert after == [vancouver(fact, 2001).replace(str(fact.doi), "10.1000/new_1") for fact in cited()]
        assert written.text.endswith("## Appendix\n\nIn 2016.\n")


def test_citations_by_number_name_the_entries_of_a_list() -> None:
    for mark in ("{}. ", "[{}] ", "- "):
        document = read_unchanged(article(mark))
        assert [(it.entries, it.missing) for it in document.citations] == [((0, 2, 3, 4), ()), ((), ("99",))]
        assert document.uncited == (1, *range(5, len(cited())))


def test_a_list_as_language_models_write_it_is_read() -> None:
    text = (
        "Some claims.\n\n**Sources:**\n\n"
        "- **Neurodegenerative disease mutations in TREM2 reveal a functional surface** — Kober DL, Brett TJ. *eLife* "
        "2016;5:e20391. [doi:10.7554/eLife.20391](https://doi.org/10.7554/eLife.20391)\n"
        "- Ulland TK, Colonna M (2018). [TREM2 — a key player in microglial biology](https://doi.org/10.1038/"
        "s41582-018-0072-1). *Nature Reviews Neurology*, **14**(11), 667–675.\n"
    )
    kober, ulland = read_unchanged(text).entries
    assert kober.fields.title == "Neurodegenerative disease mutations in TREM2 reveal a functional surface"
    assert (kober.fields.journal, kober.fields.doi) == ("eLife", "10.7554/elife.20391")
    assert ulland.fields.title == "TREM2 — a key player in microglial biology"
    assert (ulland.fields.volume, ulland.fields.doi) == ("14", "10.1038/s41582-018-0072-1")
    written = corrected(read_unchanged(text), fields=NEW, comment="x")
    assert written.text.count("https://doi.org/10.1000/new_1") == 2
    assert (
        "- **A title & more of 100 %** — Müller AB, The TREM2 Group. *Journal of Tests* 2001;77:12–19. [doi:"
        in written.text
    )
    assert "[A title & more of 100 %](https://doi.org/10.1000/new_1). *Journal of Tests*, **77**(3)," in written.text
    assert written.not_placed == {0: ("issue",)}


def test_footnotes_that_are_references_are_entries_and_others_are_not() -> None:
    first, second = cited()[:2]
    notes = f"[^1]: {vancouver(first)}\n[^2]: Only a remark.\n[^a]: {apa(second)}\n    Cited twice.\n"
    text = f"One[^1], two[^a], a remark[^2].\n\n{notes}"
    document = read_unchanged(text)
    assert [entry.label for entry in document.entries] == ["^1", "^a"]
    assert [it.entries for it in document.citations] == [(0,), (1,)]
    assert document.entries[1].line.endswith("Cited twice.")
    assert "Cited twice. <!-- checked: the year was wrong -->" in corrected(document).text


def test_keys_of_pandoc_name_its_divisions() -> None:
    fact = cited()[0]
    citing = "See [@kober2016, p. 3; @none]. @kober2016 agrees; a@kober2016.org."
    text = f"{citing}\n\n::: {{#ref-kober2016 .csl-entry}}\n{apa(fact)}\n:::\n"
    document = read_unchanged(text)
    assert [(entry.label, entry.fields.title) for entry in document.entries] == [("kober2016", fact.title)]
    assert [(it.entries, it.missing) for it in document.citations] == [((0,), ("none",)), ((0,), ())]


def test_the_definition_of_a_link_stays_one() -> None:
    text = 'Claims [1][2].\n\n## Sources\n\n[1]: https://doi.org/10.7554/eLife.20391 "Kober 2016"\n[2]: https://doi.org/10.1038/x\n'
    document = read_unchanged(text)
    assert [entry.fields.doi for entry in document.entries] == ["10.7554/elife.20391", "10.1038/x"]
    environment: dict[str, dict[str, dict[str, object]]] = {}
    MarkdownIt().parse(corrected(document, fields=EntryFields(doi="10.1000/y")).text, environment)
    assert [link["href"] for link in environment["references"].values()] == ["https://doi.org/10.1000/y"] * 2


def test_a_rule_ends_the_list_and_numbers_that_are_always_one_are_counted() -> None:
    items = "".join(f"1. {vancouver(fact)}\n" for fact in cited())
    document = read_unchanged(f"Shown [2].\n\n## References\n\n{items}\n---\n\n**Author** of this, 2016\n")
    assert [entry.line for entry in document.entries] == [vancouver(fact) for fact in cited()]
    assert [it.entries for it in document.citations] == [(1,)]


def test_a_linked_title_with_brackets_is_the_title() -> None:
    text = (
        "## Sources\n\n1. [[2212.04089] Editing Models with Task Arithmetic](https://arxiv.org/abs/2212.04089) - 2022\n"
    )
    (entry,) = read_unchanged(text).entries
    assert entry.line.startswith("*[2212.04089] Editing Models with Task Arithmetic* - 2022")
    assert entry.fields.arxiv == "2212.04089"


def test_a_doi_in_two_lines_is_named_as_not_placed() -> None:
    text = (
        "## References\n\n1. Smith J. A title of words here. *Lancet* 2019;5:1-2. doi:10.1016/j.\n   cell.2019.01.001\n"
    )
    written = corrected(read_unchanged(text), fields=EntryFields(doi="10.1000/new"), comment="")
    assert (written.text, written.not_placed) == (text, {0: ("doi",)})
