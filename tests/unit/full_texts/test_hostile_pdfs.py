"""Hostile PDF files: refused, or read as plain text within bounds of pages, bytes and operations."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable

import pytest

from infra.local.sandbox.texts.pdf_writer import PdfPage, file_of, pdf_of, shown, stream
from shared.full_texts import pdf_content, pdf_process, pdf_runs
from shared.full_texts.pdf_pages import PdfPages, TextRun, UnreadablePdf
from shared.full_texts.pdf_process import read_pages_apart
from shared.full_texts.pdf_runs import MAX_PAGES, read_pages
from shared.full_texts.pdf_text import text_of_pages
from tests.unit.full_texts.written import text_of

LINE = "words that are seen"
FORM = "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 1 0 R >> /XObject << {} >> >>"


def page(*operators: str) -> PdfPage:
    made = PdfPage(list(operators))
    made.text(72.0, 700.0, LINE)
    return made


def texts_of(body: bytes) -> list[str]:
    return [run.text for runs in read_pages(body).pages.values() for run in runs]


def with_page(entries: str, **objects: bytes) -> bytes:
    """A file of one page with these entries; `o20` is the object 20."""
    numbered = {int(name[1:]): content for name, content in objects.items()}
    return file_of(
        {
            1: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            3: b"<< /Type /Catalog /Pages 4 0 R >>",
            4: b"<< /Type /Pages /Kids [10 0 R] /Count 1 >>",
            10: f"<< /Type /Page /Parent 4 0 R /MediaBox [0 0 612 792] {entries} >>".encode(),
            **numbered,
        }
    )


@pytest.mark.parametrize(
    "body",
    [
        b"", b"%PDF-1.7", b"%PDF-1.7\n" + bytes(range(256)) * 200, b"\0" * 100_000, pdf_of([page()])[:300],
        pdf_of([page()], trailer="/Encrypt << /Filter /Standard /V 1 /R 2 /O (x) /U (x) /P 0 >> /ID [(a) (b)]"),
        file_of({3: b"<< /Type /Catalog /Pages 4 0 R >>", 4: b"(not a tree)"}),
        b"%PDF-1.7\n" + b"[" * 200_000,
        b"%PDF-1.7\n1 0 obj\n" + b"<</A " * 100_000,
    ],
    ids=["empty", "head", "noise", "zeros", "cut off", "encrypted", "no tree", "brackets", "dictionaries"],
)  # fmt: skip
def test_a_file_that_is_no_readable_pdf_is_refused(body: bytes) -> None:
    with pytest.raises(UnreadablePdf):
        read_pages(body)


def test_a_tree_of_pages_that_contains_itself_has_an_end() -> None:
    loop = {
        3: b"<< /Type /Catalog /Pages 4 0 R >>",
        4: b"<< /Type /Pages /Kids [5 0 R 5 0 R] /Count 999999 >>",
        5: b"<< /Type /Pages /Kids [4 0 R 5 0 R] /Parent 4 0 R /Count 999999 >>",
    }
    with contextlib.suppress(UnreadablePdf):
        assert texts_of(file_of(loop)) == []


def test_of_ten_thousand_pages_the_first_are_read_and_the_text_says_that_it_is_cut() -> None:
    kids = " ".join(["10 0 R"] * 10_000)
    body = with_page("/Contents 11 0 R", o11=stream(b""), o4=f"<< /Type /Pages /Kids [{kids}] /Count 10000 >>".encode())
    found = read_pages(body)
    assert (len(found.pages), found.is_cut) == (MAX_PAGES, True)


@pytest.mark.parametrize("filters", [1, 2, 3])
def test_a_bomb_in_a_page_costs_that_page_alone(filters: int) -> None:
    bomb = b"0 " * 15_000_000
    for _ in range(filters):
        bomb = zlib.compress(bomb)
    content = f"<< /Length {len(bomb)} /Filter [{'/FlateDecode ' * filters}] >>\nstream\n".encode()
    found = read_pages(file_of_two(content + bomb + b"\nendstream"))
    assert found.is_cut
    assert [run.text for runs in found.pages.values() for run in runs] == [LINE]


def test_after_some_pages_that_cannot_be_read_no_more_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(pdf_runs.LIMITS, "stream_parsing_work_maximum_count", 50)
    many = "0 0 m " * 50
    found = read_pages(pdf_of([page(), *[page(many)] * pdf_content.MAX_FAILURES, page()]))
    assert (list(found.pages), found.is_cut) == ([1], True)


def file_of_two(second: bytes) -> bytes:
    """Two pages, of which the second has this content."""
    seen = stream(f"BT /F1 10 Tf 72 700 Td {shown(LINE)} Tj ET".encode())
    entries = "/Type /Page /Parent 4 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 1 0 R >> >>"
    return file_of(
        {
            1: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            3: b"<< /Type /Catalog /Pages 4 0 R >>",
            4: b"<< /Type /Pages /Kids [10 0 R 12 0 R] /Count 2 >>",
            10: f"<< {entries} /Contents 11 0 R >>".encode(),
            11: seen,
            12: f"<< {entries} /Contents 13 0 R >>".encode(),
            13: second,
        }
    )


def test_a_page_of_too_many_operators_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(pdf_runs.LIMITS, "stream_parsing_work_maximum_count", 1_000)
    found = read_pages(file_of_two(stream(b"0 0 m " * 400)))
    assert (list(found.pages), found.is_cut) == ([1], True)


def test_a_file_is_read_up_to_a_number_of_operators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_content, "MAX_OPERATORS", 100)
    found = read_pages(pdf_of([page("0 0 m " * 60), page("0 0 m " * 60), page()]))
    assert (list(found.pages), found.is_cut) == ([1, 2], True)


def test_forms_that_draw_each_other_are_drawn_a_bounded_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_content, "MAX_FORMS", 50)
    again = " ".join(f"/Fm{n} Do" for n in range(10))
    names = " ".join(f"/Fm{n} {1000 + n} 0 R" for n in range(10))
    form = stream(f"BT /F1 9 Tf 72 600 Td {shown('form')} Tj ET {again}".encode(), FORM.format(names))
    body = pdf_of([page("/Fm0 Do")], resources=f"/XObject << {names} >>", objects={1000 + n: form for n in range(10)})
    assert texts_of(body).count("form") <= 50


def test_a_drawing_of_too_many_operators_costs_no_text_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(pdf_runs.LIMITS, "stream_parsing_work_maximum_count", 100)
    drawing = stream(b"0 0 m " * 100, FORM.format(""))
    body = pdf_of([page("/Fm Do")], resources="/XObject << /Fm 1000 0 R >>", objects={1000: drawing})
    assert (texts_of(body), read_pages(body).is_cut) == ([LINE], True)


def test_a_form_that_draws_itself_is_drawn_once() -> None:
    form = stream(f"BT /F1 9 Tf 72 600 Td {shown('form')} Tj ET /Fm Do".encode(), FORM.format("/Fm 1000 0 R"))
    body = pdf_of([page("/Fm Do")], resources="/XObject << /Fm 1000 0 R >>", objects={1000: form})
    assert texts_of(body) == ["form", LINE]


def test_scripts_actions_attachments_and_forms_to_fill_in_are_not_looked_at() -> None:
    catalogue = (
        b"/Catalog /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /Names << /EmbeddedFiles << /Names [(a) "
        b"<< /Type /Filespec /F (/etc/passwd) >>] >> >> /AcroForm << /XFA (<order/>) /Fields [] >>"
    )
    body = pdf_of([page()]).replace(b"/Catalog", catalogue)
    text = text_of_pages(read_pages(body), "https://host.example/a.pdf")
    assert text and text_of(text) == LINE


@pytest.mark.parametrize(
    "operators",
    [
        "1e99 1e99 Td", "999999999999999999999 Tf", "/F9 10 Tf (text) Tj", "BT (text) Tj ET", "[[[(a)]]] TJ",
        "Q " * 500, "q " * 5_000, "EMC " * 50, "/F1 10 Tf 1e30 0 0 1e30 0 0 Tm (text) Tj", "/Fm Do", "() Do",
        "1 0 0 cm", "Tm Td Tj", "BI /W 9999999 /H 9999999 ID x EI", "/OC /None BDC",
    ],
)  # fmt: skip
def test_odd_operators_change_nothing_of_the_rest(operators: str) -> None:
    assert LINE in texts_of(pdf_of([page(f"q {operators} Q")]))


def test_print_that_is_scaled_to_infinity_is_left_out() -> None:
    scaled = "1000000 0 0 1000000 0 0 cm " * 60 + "BT /F1 1000000 Tf (Hello) Tj ET"
    text = text_of_pages(read_pages(pdf_of([page(f"q {scaled} Q")])), "https://host.example/a.pdf")
    assert text and text_of(text) == LINE


@pytest.mark.parametrize(
    "font",
    [
        b"null", b"[1 2]", b"<< /Type /Font >>", b"<< /Type /Font /Subtype /Type0 /DescendantFonts 5 >>",
        b"<< /Type /Font /Subtype /Type0 /Encoding /Nothing-H /DescendantFonts [<< /W [0 999999999 500] >>] >>",
        b"<< /Type /Font /Subtype /TrueType /Widths [(a) 1 2] /FirstChar -5 /FontDescriptor 3 0 R >>",
    ],
)  # fmt: skip
def test_a_broken_font_costs_its_text_at_most(font: bytes) -> None:
    body = pdf_of([page(f"BT /F9 10 Tf 72 600 Td {shown('odd')} Tj ET")], resources="", objects={1000: font})
    found = texts_of(body.replace(b"/F1 1 0 R", b"/F1 1 0 R /F9 1000 0 R"))
    assert LINE in found


def test_a_file_is_read_in_a_process_of_its_own() -> None:
    body = pdf_of([page(), page()])
    assert read_pages_apart(body, 30.0) == read_pages(body)
    with pytest.raises(UnreadablePdf, match="cannot be read"):
        read_pages_apart(b"no PDF", 30.0)


def test_pages_that_were_read_in_time_are_not_lost() -> None:
    """A thesis of 300 pages takes seconds: all of it was lost where they did not suffice."""
    body = pdf_of([page(), page(), page()])
    looks = iter([False, False, *[True] * 3])
    found = read_pages(body, lambda: next(looks))
    assert (sorted(found.pages), found.is_cut) == ([1, 2], True)
    with pytest.raises(UnreadablePdf, match="too long"):
        read_pages(body, lambda: True)


def test_the_time_of_a_process_ends_while_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    start = "from shared.full_texts import pdf_process as it; is_over = it.timer(0.01)"
    answer = "print(it.json.dumps({'unreadable': 'over'}))"
    monkeypatch.setattr(pdf_process, "_CHILD", "\n".join([start, "while not is_over(): pass", answer]))
    with pytest.raises(UnreadablePdf, match="over"):
        read_pages_apart(b"", 30.0)


def test_a_process_without_time_is_ended() -> None:
    with pytest.raises(UnreadablePdf, match="too long"):
        read_pages_apart(pdf_of([page()]), 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("work", ["bytearray(2_000_000_000)", "[None for _ in iter(int, 1)]"], ids=["memory", "time"])
def test_a_process_that_reaches_its_limit_ends_and_the_caller_goes_on(
    work: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = f"from shared.full_texts import pdf_process as it; it.MAX_CPU_S = 1; it.lower_limits(); {work}"
    monkeypatch.setattr(pdf_process, "_CHILD", child)
    with pytest.raises(UnreadablePdf, match="more memory or time"):
        read_pages_apart(b"", 30.0)


def test_the_process_has_no_credentials_in_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a secret")
    child = "import os, sys, json; sys.stdout.write(json.dumps({'unreadable': ' '.join(sorted(os.environ))}))"
    monkeypatch.setattr(pdf_process, "_CHILD", child)
    with pytest.raises(UnreadablePdf) as raised:
        read_pages_apart(b"", 30.0)
    assert "AWS" not in str(raised.value)


def test_the_parser_starts_no_other_program() -> None:
    assert pdf_runs.LIMITS["jbig2dec_binary"] is None


LINES = {
    "words in a line": lambda n: TextRun("w", 72 + n % 400, 700, 73 + n % 400, 10, False),
    "one long line": lambda n: TextRun("w", 72 + n, 700, 73 + n, 10, False),
    "one paragraph": lambda n: TextRun("words of a line ", 72, 700_000 - 12 * n, 540, 10, False),
    "headings": lambda n: TextRun("A. Heading", 72, 900_000 - 40 * n, 120, 10, n % 2 == 0),
    "one heading": lambda n: TextRun("HEADING", 72, 900_000 - 12 * n, 120, 10, True),
    "columns": lambda n: TextRun("w" * 20, (72, 320, 72)[n % 3], 700 - n / 100, (290, 540, 540)[n % 3], 10, False),
    "notes": lambda n: TextRun(f"^{n % 99} note", 72, 900_000 - 12 * n, 120, 10 if n < 9 else 7, False),
    "captions": lambda n: TextRun("Table 1. cells", 72, 900_000 - 12 * n, 120, 10, False),
}


@pytest.mark.slow
@pytest.mark.parametrize("run_at", LINES.values(), ids=LINES)
def test_any_print_is_read_in_time_that_grows_with_its_length(run_at: Callable[[int], TextRun]) -> None:
    """A reader of quadratic time would take many minutes."""
    text_of_pages(PdfPages({1: [run_at(n) for n in range(10_000)]}), "https://host.example/a.pdf")
