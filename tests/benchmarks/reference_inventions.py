"""Invented references of three kinds, in every style: nothing real, real authors, or a real title of other authors."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from infra.local.sandbox.facts import Fact
from tests.benchmarks.reference_set import LabelledReference, printed
from tests.benchmarks.reference_styles import STYLES, Name, PrintedPaper

WHOLE, REAL_AUTHORS, REAL_TITLE = (
    "whole invention",
    "real authors, invented title",
    "real title, other authors and year",
)
KINDS = (WHOLE, REAL_AUTHORS, REAL_TITLE)
_FAMILIES = ("Okonkwo", "Halvorsen", "Petrescu", "Nakashima", "Dubrovsky", "Castellanos", "Whitfield", "Baptiste",
             "Lindqvist", "Farooqi", "Tran", "Marchetti")  # fmt: skip
_GIVEN = ("Ada", "Bjorn", "Carla M", "Daniel", "Eun Ji", "Femi", "Greta L", "Hugo")
_WHAT = ("Longitudinal imaging", "Single-cell atlas", "Machine learning prediction", "Genome-wide screening",
         "Adaptive optimisation", "Causal modelling", "Structural basis", "Selective inhibition", "A benchmark",
         "Transcriptional control", "Mechanistic interpretation", "Spatial mapping")  # fmt: skip
_OF = ("of microglial lipid droplets", "of attention heads", "of TREM2 signalling", "of guide RNA specificity",
       "of ice shelf calving", "of dense retrieval models", "of protein side chains", "of amyloid clearance",
       "of viral spike variants", "of synaptic pruning", "of instruction tuning", "of lysosomal ageing")  # fmt: skip
_WHERE = ("in a mouse model of tauopathy", "in low-resource languages", "under chronic inflammation",
          "across three independent cohorts", "in patients with early dementia", "after the last interglacial",
          "with sparse supervision", "in induced pluripotent stem cells", "during development",
          "in the ageing human brain")  # fmt: skip
_JOURNALS = ("Nature", "Cell", "Journal of Neuroscience", "Nature Communications", "Brain Informatics Letters",
             "PLOS ONE", "Annals of Applied Cognition", "Molecular Neurodegeneration", "The Cryosphere")  # fmt: skip


def invented(real: Sequence[Fact], count: int, seed: str) -> Iterator[LabelledReference]:
    """So many references to papers that do not exist, of the three kinds in turn."""
    for number in range(count):
        chance = random.Random(f"invented {seed} {number}")
        kind = KINDS[number % len(KINDS)]
        fact = real[number * 11 % len(real)]
        style = list(STYLES)[(number // len(KINDS)) % len(STYLES)]
        text = STYLES[style](_paper(kind, printed(fact, with_doi=False), number, chance))
        yield LabelledReference(text, style, (kind,), "invented", "rules")


def _paper(kind: str, real: PrintedPaper, number: int, chance: random.Random) -> PrintedPaper:
    title = f"{chance.choice(_WHAT)} {chance.choice(_OF)} {chance.choice(_WHERE)}"
    volume, page = str(chance.randint(1, 400)), chance.randint(1, 2000)
    pages, journal, year = (
        f"{page}-{page + chance.randint(3, 15)}",
        chance.choice(_JOURNALS),
        chance.randint(1995, 2024),
    )
    doi = f"10.{chance.randint(1000, 9999)}/x.{chance.randint(10**6, 10**7)}" if number % 4 == 0 else ""
    if kind == WHOLE:
        return PrintedPaper(title, _people(chance), year, journal, volume, "", pages, doi)
    if kind == REAL_AUTHORS:  # half of them also in the paper's own journal, volume and pages
        if number % 2:
            return PrintedPaper(title, real.authors, real.year, real.journal, real.volume, real.issue, real.pages, doi)
        return PrintedPaper(title, real.authors, year, journal, volume, "", pages, doi)
    other = real.year + chance.choice((-9, -6, -4, -2, 2, 3, 5))
    if number % 2:
        return PrintedPaper(real.title, _people(chance), other, real.journal, real.volume, real.issue, real.pages, doi)
    return PrintedPaper(real.title, _people(chance), other, journal, volume, "", pages, doi)


def _people(chance: random.Random) -> tuple[Name, ...]:
    return tuple((family, chance.choice(_GIVEN)) for family in chance.sample(_FAMILIES, chance.randint(1, 5)))
