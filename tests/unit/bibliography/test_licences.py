"""Which licence a statement names for a text, and which only for a part of it, or denies."""

import pytest

from shared.bibliography.licences import may_be_shown, read_licence

OF_THE_TEXT = {  # as publishers print them
    "© 2020 The Authors. Published by Elsevier Ltd. All rights reserved. This is an open access article under the CC "
    "BY-NC-ND license (http://creativecommons.org/licenses/by-nc-nd/4.0/).": "cc-by-nc-nd-4.0",
    "This article is distributed under the terms of the Creative Commons Attribution 4.0 International License "
    "(http://creativecommons.org/licenses/by/4.0/). The Creative Commons Public Domain Dedication waiver "
    "(http://creativecommons.org/publicdomain/zero/1.0/) applies to the data made available in this article, unless "
    "otherwise stated.": "cc-by-4.0",
    "Open Access. The images or other third party material in this article are included in the article's Creative "
    "Commons Attribution licence.": "cc-by",
    "This is a work of the United States government and is not subject to copyright, and is dedicated to the public "
    "under CC0.": "cc0",
    "Re-use permitted under CC BY-NC. No commercial re-use.": "cc-by-nc",
    "It may not be used commercially under its licence, CC BY-NC 4.0.": "cc-by-nc-4.0",
    "CC BY 4.0": "cc-by-4.0",
    "CCBYNCND": "cc-by-nc-nd",
    "CCBYSA": "cc-by-sa",
    "Licensed CC BY and free": "cc-by",
    "https://creativecommons.org/licenses/by-nc-sa/4.0/": "cc-by-nc-sa-4.0",
}
NOT_OF_THE_TEXT = [
    "© 2020 Elsevier. All rights reserved. Figure 2 is reproduced under CC BY 4.0.",
    "All rights reserved. Fig. 1 from https://creativecommons.org/licenses/by/4.0/.",
    "All rights reserved. No reuse allowed without permission. CC BY figure 3 only",
    "All rights reserved. Public domain figures were used.",
    "This article is not distributed under a CC BY licence.",
    "This work is not open access; it may not be used under Creative Commons Attribution.",
    "The CC0 waiver applies to the data.",
    "The photographs are published under https://creativecommons.org/publicdomain/zero/1.0/; the rest is closed.",
]


@pytest.mark.parametrize(("statement", "licence"), OF_THE_TEXT.items())
def test_a_licence_of_the_text_is_read(statement: str, licence: str) -> None:
    assert read_licence(statement) == licence


@pytest.mark.parametrize("statement", NOT_OF_THE_TEXT)
def test_a_licence_that_is_denied_or_of_a_part_is_not_that_of_the_text(statement: str) -> None:
    assert not may_be_shown(read_licence(statement))


@pytest.mark.parametrize(
    ("address", "licence"),
    [
        ("https://creativecommons.org/licenses/by-nc-nd-igo/3.0", "cc-by-nc-nd"),
        ("http://creativecommons.org/licenses/nc-sampling+/1.0/", "cc-nc-sampling+-1.0"),
        ("https://creativecommons.org/licences/by-nc-sa/4.0", "cc-by-nc-sa-4.0"),
    ],
)
def test_an_address_is_read_by_the_parts_of_its_licence(address: str, licence: str) -> None:
    assert read_licence(address) == licence
