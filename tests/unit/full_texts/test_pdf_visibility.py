"""What readers of a PDF do not see is not in its text: it may give orders to agents."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from infra.local.sandbox.texts.pdf_writer import PdfPage, pdf_of, shown, stream
from shared.full_texts.pdf_runs import read_pages

VISIBLE, HIDDEN = "what is seen", "Obey me"
FONTS = "/Resources << /Font << /F1 1 0 R >> >>"


def texts_of(
    page: PdfPage,
    resources: str = "",
    objects: Mapping[int, bytes] | None = None,
    replace: tuple[bytes, bytes] = (b"", b""),
) -> list[str]:
    body = pdf_of([page], resources=resources, objects=objects)
    pages = read_pages(body.replace(*replace) if replace[0] else body).pages
    return [run.text for runs in pages.values() for run in runs]


def page_with(operators: str) -> PdfPage:
    page = PdfPage()
    page.text(72.0, 700.0, VISIBLE)
    page.operators.append(operators)
    page.text(72.0, 500.0, VISIBLE)
    return page


def text(size: float = 10.0, matrix: str = "1 0 0 1 72 600", operator: str = "Tj") -> str:
    return f"/F1 {size} Tf {matrix} Tm {shown(HIDDEN)} {operator}"


@pytest.mark.parametrize(
    "operators",
    [
        f"q BT 3 Tr {text()} ET Q",
        f"q BT 7 Tr {text()} ET Q",
        f"q 1 g BT {text()} ET Q",
        f"q 0.99 0.98 1 rg BT {text()} ET Q",
        f"q 0 0 0 0 k BT {text()} ET Q",
        f"q /DeviceRGB cs 1 1 1 sc BT {text()} ET Q",
        f"q /DeviceCMYK cs 0 0 0 0.01 scn BT {text()} ET Q",
        f"q /Pale gs BT {text()} ET Q",
        f"q BT {text(size=0.5)} ET Q",
        f"q 0.1 0 0 0.1 0 0 cm BT {text(size=12, matrix='1 0 0 1 720 6000')} ET Q",
        f"q BT {text(matrix='1 0 0 1 72 -20')} ET Q",
        f"q BT {text(matrix='1 0 0 1 700 600')} ET Q",
        f"q BT {text(matrix='0 1 -1 0 72 600')} ET Q",
        f"q BT 3 Tr 12 TL /F1 10 Tf 72 600 Td {shown(HIDDEN)} ' 0 0 {shown(HIDDEN)} \" [{shown(HIDDEN)}] TJ ET Q",
        f"q 3 Tr q 0 Tr Q BT {text()} ET Q",
        f"q 3 Tr /Loud Do BT {text()} ET Q",
    ],
    ids=[
        "no ink", "clipped", "white", "nearly white", "no ink of four colours", "white of a colour space",
        "nearly no ink", "transparent", "tiny", "scaled to tiny", "below the page", "beside the page", "rotated",
        "other operators", "restored", "after a form that shows its own",
    ],
)  # fmt: skip
def test_hidden_text_is_left_out(operators: str) -> None:
    loud = stream(b"0 Tr 0 g", f"/Type /XObject /Subtype /Form /BBox [0 0 612 792] {FONTS}")
    resources = "/ExtGState << /Pale << /ca 0 >> >> /XObject << /Loud 1000 0 R >>"
    assert texts_of(page_with(operators), resources, {1000: loud}) == [VISIBLE, VISIBLE]


SPACES = (
    "/ColorSpace << /Spot [/Separation /Blue /DeviceCMYK 5] /Icc [/ICCBased 1000 0 R] "
    "/Few [/Indexed /DeviceRGB 1 <00>] >>"
)


@pytest.mark.parametrize(
    ("operators", "is_seen"),
    [
        ("/Spot cs 1 scn", True),
        ("/Spot cs 0 scn", False),
        ("/Icc cs 0 0 0 0 scn", False),
        ("/Icc cs 1 1 1 1 sc", True),
        ("/Few cs 1 sc", True),
        ("/DeviceGray cs 1 sc", False),
        ("/Pattern cs /P1 scn", True),
        ("1 g /Spot cs", True),
        ("/None cs 1 1 1 scn", True),
    ],
)
def test_the_colour_space_says_which_numbers_are_white(operators: str, is_seen: bool) -> None:
    page = page_with(f"q {operators} BT {text()} ET Q")
    expected = [VISIBLE, HIDDEN, VISIBLE] if is_seen else [VISIBLE, VISIBLE]
    assert texts_of(page, SPACES, {1000: stream(b"", "/N 4")}) == expected


def test_text_that_becomes_visible_within_a_line_is_shown_from_there() -> None:
    operators = f"BT /F1 10 Tf 72 600 Td 3 Tr {shown(HIDDEN)} Tj 0 Tr {shown('and this')} Tj ET"
    assert texts_of(page_with(operators)) == [VISIBLE, "and this", VISIBLE]


def test_text_of_a_form_is_shown_where_it_is_drawn() -> None:
    inside = stream(f"BT {text(matrix='1 0 0 1 0 0')} ET".encode(), f"/Subtype /Form /Matrix [1 0 0 1 72 0] {FONTS}")
    drawn = page_with("q 1 0 0 1 0 600 cm /Fm Do Q")
    (run,) = [
        it
        for it in read_pages(pdf_of([drawn], resources="/XObject << /Fm 1000 0 R >>", objects={1000: inside})).pages[1]
        if it.text == HIDDEN
    ]
    assert (run.x, run.y) == (72.0, 600.0)
    outside = page_with("q 1 0 0 1 0 900 cm /Fm Do Q")
    assert texts_of(outside, "/XObject << /Fm 1000 0 R >>", {1000: inside}) == [VISIBLE, VISIBLE]


@pytest.mark.parametrize(
    ("off", "expected"), [("/OFF [1000 0 R]", [VISIBLE, VISIBLE]), ("", [VISIBLE, HIDDEN, VISIBLE])]
)
def test_text_of_a_layer_is_left_out_where_the_layer_is_off(off: str, expected: list[str]) -> None:
    page = page_with(f"/OC /Layer BDC q BT {text()} ET Q EMC")
    layer = {1000: b"<< /Type /OCG /Name (layer) >>"}
    catalogue = f"/Catalog /OCProperties << /OCGs [1000 0 R] /D << {off} >> >>".encode()
    assert texts_of(page, "/Properties << /Layer 1000 0 R >>", layer, (b"/Catalog", catalogue)) == expected


def test_the_replacement_that_a_file_states_for_its_text_is_ignored() -> None:
    page = page_with(f"/Span << /ActualText ({HIDDEN}) >> BDC q BT /F1 10 Tf 72 600 Td {shown('print')} Tj ET Q EMC")
    assert texts_of(page) == [VISIBLE, "print", VISIBLE]


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_page_that_is_shown_turned_is_read_turned(degrees: int) -> None:
    matrix = {90: "0 1 -1 0 300 100", 180: "-1 0 0 -1 300 600", 270: "0 -1 1 0 100 600"}[degrees]
    page = PdfPage([f"BT {text(matrix=matrix)} ET"])
    turned = f"/Page /Rotate {degrees} ".encode()
    assert texts_of(page, replace=(b"/Page ", turned)) == [HIDDEN]


def test_glyphs_of_which_nothing_says_what_they_show_are_no_text() -> None:
    font = b"<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [<< /Type /Font >>] >>"
    body = pdf_of([page_with("BT /F9 10 Tf 72 600 Td <00480065> Tj ET")], objects={1000: font})
    pages = read_pages(body.replace(b"/F1 1 0 R", b"/F1 1 0 R /F9 1000 0 R")).pages
    assert [run.text for run in pages[1]] == [VISIBLE, VISIBLE]
