"""Addresses whose DOI follows from them, by the rule of their server."""

from __future__ import annotations

from typing import Any

import pytest

from shared.bibliography.paper_ids import read_id
from shared.bibliography.reference_text import read_references
from shared.papers.reference_request import Reference
from shared.query.identifiers import read_identifiers
from shared.references.reference_state import ReferenceState

SSRN, ZENODO, JSTOR = "10.2139/ssrn.3548411", "10.5281/zenodo.3509134", "10.2307/2346178"
ADDRESSES = {
    "ssrn.com/abstract=3548411": SSRN,
    "https://ssrn.com/abstract=3548411": SSRN,
    "papers.ssrn.com/sol3/papers.cfm?abstract_id=3548411": SSRN,
    "https://papers.ssrn.com/sol3/papers.cfm?download=yes&abstract_id=3548411": SSRN,
    "https://papers.ssrn.com/sol3/Delivery.cfm/SSRN_ID3548999_code1.pdf?abstractid=3548411&type=2": SSRN,
    "zenodo.org/record/3509134": ZENODO,
    "https://zenodo.org/records/3509134": ZENODO,
    "https://zenodo.org/record/3509134#.X538iIgzbDc": ZENODO,
    "https://zenodo.org/records/3509134/files/data.csv?download=1": ZENODO,
    "osf.io/preprints/psyarxiv/abcde": "10.31234/osf.io/abcde",
    "https://osf.io/preprints/socarxiv/8hdxu/": "10.31235/osf.io/8hdxu",
    "https://osf.io/preprints/metaarxiv/9sz2y/download": "10.31222/osf.io/9sz2y",
    "https://osf.io/preprints/edarxiv/5er8f": "10.35542/osf.io/5er8f",
    "https://osf.io/preprints/africarxiv/abcde": "10.31730/osf.io/abcde",
    "https://osf.io/preprints/biohackrxiv/km9ux": "10.37044/osf.io/km9ux",
    "https://osf.io/preprints/osf/abcde": "10.31219/osf.io/abcde",
    "https://osf.io/preprints/socarxiv/8hdxu_v2": "10.31235/osf.io/8hdxu_v2",
    "www.jstor.org/stable/2346178": JSTOR,
    "https://www.jstor.org/stable/2346178?seq=1": JSTOR,
    "http://www.jstor.org/stable/pdf/2346178.pdf": JSTOR,
    "https://www.jstor.org/stable/10.2307/2346178": JSTOR,
    "https://dl.acm.org/citation.cfm?id=3292500.3330701": "10.1145/3292500.3330701",
}
NONE = (
    "https://www.jstor.org/stable/j.ctt1287v2", "https://www.jstor.org/stable/i313719",
    "https://www.jstor.org/stable/resrep26363.7", "https://osf.io/preprints/psyarxiv/abcde_old",
    "https://osf.io/preprints/psyarxiv/discover", "https://osf.io/preprints/engrxiv/abcde", "https://osf.io/abcde",
    "https://sandbox.zenodo.org/records/3509134", "https://zenodo.org/communities/biosyslit",
    "https://papers.ssrn.com/sol3/cf_dev/AbsByAuth.cfm?per_id=3548411", "https://notjstor.org/stable/2346178",
)  # fmt: skip
BESIDE = "Tibshirani R. Regression shrinkage and selection via the lasso. J R Stat Soc B. 1996;58:267-88."


@pytest.mark.parametrize(("address", "doi"), ADDRESSES.items())
def test_an_address_is_an_id_everywhere(address: str, doi: str) -> None:
    assert read_id(address) == f"doi:{doi}"
    assert read_identifiers(address).names == (f"doi:{doi}",)
    assert ReferenceState.of(Reference.model_validate(address)).names == (f"doi:{doi}",)


@pytest.mark.parametrize("address", NONE)
def test_other_addresses_of_these_servers_name_no_paper(address: str) -> None:
    assert read_id(address) is None
    assert read_identifiers(address).names == ()


@pytest.mark.parametrize(
    "written",
    [
        f"{BESIDE} Stable URL: http://www.jstor.org/stable/2346178",
        {"reference": BESIDE, "id": "http://www.jstor.org/stable/2346178"},
    ],
)
def test_an_assumed_doi_counts_beside_a_reference_only_if_a_source_knows_it(written: Any) -> None:
    reference = ReferenceState.of(Reference.model_validate(written))
    assert (reference.names, [it.name for it in reference.writings]) == ((), [f"doi:{JSTOR}"])
    assert reference.as_known({f"doi:{JSTOR}"}).names == (f"doi:{JSTOR}",)
    assert reference.as_known(()).names == ()


def test_no_text_names_an_assumed_doi() -> None:
    assert read_references("See http://www.jstor.org/stable/2346178 and https://zenodo.org/records/3509134.") == []


@pytest.mark.parametrize(
    "address", ["https://osf.io/preprints/psyarxiv/abcde_v1", "osf.io/preprints/psyarxiv/abcde_v1/"]
)
def test_a_first_version_at_osf_has_either_of_two_dois(address: str) -> None:
    assert read_identifiers(address).names == ("doi:10.31234/osf.io/abcde", "doi:10.31234/osf.io/abcde_v1")
