"""Questions and sentences: engines that require every word get the telling ones, without grammar and generic words."""

from __future__ import annotations

from tests.ways_of_asking.way import Way

KIND = "Questions and sentences"
_PARAGRAPH = (
    "Microglia are the resident immune cells of the brain. In Alzheimer's disease (AD), they surround amyloid plaques "
    "and, as has been shown in mice, the triggering receptor expressed on myeloid cells 2 (TREM2) is needed for this. "
    "We would like to find what is known about how loss of TREM2 changes the response of microglia to plaques. "
)
PARAGRAPH = (_PARAGRAPH * 6)[:1998].rsplit(" ", 1)[0] + "."

WAYS = (
    Way(
        typed="How does CRISPR-Cas9 cause off-target effects in human cells?",
        why="PubMed's help: search for the subjects alone. The words of the question are in no abstract.",
        telling="CRISPR-Cas9 off-target human cells",
        dropped="how does in",
        among=("10.1038/nbt.3437",),
    ),
    Way(
        typed="What role does pain have in sleep disorders?",
        why="The example of PubMed's help.",
        telling="pain sleep disorders",
        dropped="what does have in",
    ),
    Way(
        typed="Does dexamethasone reduce mortality in hospitalized patients with COVID-19?",
        why="A yes-or-no question.",
        telling="dexamethasone mortality COVID-19",
        dropped="does in with",
        first="10.1101/2020.06.22.20137273",
    ),
    Way(
        typed="does metformin reduce cancer risk?",
        why="Nothing about it is held; no paper with `does` may come instead.",
        telling="metformin cancer risk",
        dropped="does",
        absent=("1906.04341", "10.18653/v1/w19-4828"),
    ),
    Way(
        typed="what is the role of TREM2 in microglia",
        why="A question without its mark: the word `role` tells nothing.",
        telling="TREM2 microglia",
        dropped="what is the of in role",
        among=("10.1084/jem.20212479",),
    ),
    Way(
        typed="why do microglia engulf synapses",
        why="`why` and `do` are in no abstract.",
        telling="microglia engulf synapses",
        dropped="why do",
    ),
    Way(
        typed="Can you find me papers about prime editing?",
        why="Said to an assistant.",
        telling="prime editing",
        dropped="can you me about",
    ),
    Way(
        typed="I am looking for studies on retrieval-augmented language models",
        why="A sentence about oneself.",
        telling="retrieval-augmented language models",
        dropped="i am for on",
    ),
    Way(
        typed="Which protein language models predict structure without alignment?",
        why="The question's noun stays.",
        telling="protein language models structure alignment",
        dropped="which without",
    ),
    Way(
        typed="Is there evidence that TREM2 variants increase the risk of Alzheimer's disease?",
        why="arXiv's index has no `there` and `that`: requiring them empties the answer.",
        telling="TREM2 variants Alzheimer's",
        dropped="is there that the of",
        among=("10.1056/nejmoa1211103", "10.1093/hmg/ddu277"),
    ),
    Way(
        typed="Will there be attention if this model is not such a transformer?",
        why="Seven of Lucene's stop words: as required words they empty arXiv.",
        telling="attention transformer",
        dropped="will there be if this is not such a",
    ),
    Way(
        typed="they then used attention but no recurrence",
        why="`they`, `then`, `but`, `no` are stop words of the index.",
        telling="attention recurrence",
        dropped="they then but no",
    ),
    Way(
        typed="effect of dexamethasone on mortality in COVID-19",
        why="A sentence of keywords: prepositions are not required.",
        telling="dexamethasone mortality COVID-19",
        dropped="of on in",
        first="10.1101/2020.06.22.20137273",
    ),
    Way(
        typed="the amyloid hypothesis of Alzheimer's disease",
        why="The beginning of a title, with an article.",
        telling="amyloid hypothesis Alzheimer's",
        dropped="the of",
        first="10.1126/science.1072994",
    ),
    Way(
        typed="treatment of COVID-19 with hydroxychloroquine",
        why="Two prepositions.",
        telling="COVID-19 hydroxychloroquine",
        dropped="of with",
        among=("10.1016/s0140-6736(20)31180-6",),
    ),
    Way(
        typed="Wie beeinflusst TREM2 die Mikroglia bei der Alzheimer-Krankheit?",
        why="German.",
        telling="TREM2 Mikroglia",
        dropped="wie die bei der",
    ),
    Way(
        typed="Quel est le rôle de TREM2 dans la maladie d'Alzheimer ?",
        why="French, with an elided article.",
        telling="TREM2 Alzheimer",
        dropped="quel est le de dans la d",
    ),
    Way(
        typed="Reconnaissance de formes par TREM2 dans la maladie d'Alzheimer",
        why="`de` is not a word of a topic.",
        telling="reconnaissance formes TREM2 Alzheimer",
        dropped="de par dans la d",
        absent=("11885531",),
    ),
    Way(
        typed="¿Cómo afecta la vacuna contra la COVID-19 a los niños?",
        why="Spanish, with its opening mark.",
        telling="vacuna COVID-19 niños",
        dropped="como la los",
    ),
    Way(
        typed="Quali sono gli effetti della terapia genica sulla retina?",
        why="Italian.",
        telling="terapia genica retina",
        dropped="quali sono gli della",
    ),
    Way(
        typed="Como a dieta influencia a microbiota intestinal?",
        why="Portuguese.",
        telling="dieta microbiota intestinal",
        dropped="como a",
    ),
    Way(
        typed="Hoe beïnvloedt slaap het geheugen van ouderen?",
        why="Dutch.",
        telling="slaap geheugen ouderen",
        dropped="hoe het van",
    ),
    Way(
        typed="Как TREM2 влияет на микроглию?",
        why="Russian: the words are sent as they are, and a hint advises English.",
        telling="TREM2 микроглию",
        dropped="как на",
    ),
    Way(
        typed="Jak szczepienie wpływa na śmiertelność?",
        why="Polish.",
        telling="szczepienie śmiertelność",
        dropped="jak na",
    ),
    Way(
        typed="TREM2如何影响小胶质细胞?",
        why="Chinese writes no blanks: what asks parts its words.",
        exact=dict.fromkeys(("pubmed", "semantic_scholar", "openalex", "crossref"), "(?i)TREM2 影响小胶质细胞"),
    ),
    Way(
        typed="Welche Rolle spielt TREM2 bei Alzheimer?",
        why="German: what asks for a role tells nothing.",
        telling="TREM2 Alzheimer",
        dropped="welche rolle spielt bei",
    ),
    Way(
        typed="¿Qué papel tiene TREM2 en la enfermedad de Alzheimer?",
        why="The same in Spanish.",
        telling="TREM2 Alzheimer",
        dropped="qué papel tiene en la de",
    ),
    Way(
        typed="metformin vs placebo",
        why="The word between two that are compared is in few abstracts.",
        telling="metformin placebo",
        dropped="vs",
    ),
    Way(
        typed="find me recent reviews on TREM2",
        why="Said to an assistant: the frame is not a subject, a hint names the filters.",
        telling="TREM2",
        dropped="find me recent reviews on",
        hint="filters",
    ),
    Way(
        typed="latest research on prime editing",
        why="Of the same kind, without a verb.",
        telling="prime editing",
        dropped="latest research on",
        hint="filters",
    ),
    Way(
        typed="recent TREM2 reviews",
        why="The frame around the subject.",
        telling="TREM2",
        dropped="recent reviews",
        hint="filters",
    ),
    Way(
        typed="TREM2 since 2015",
        why="No text has these words; older papers are left out afterwards, so that a title with them is found.",
        telling="TREM2",
        dropped="since 2015",
        hint="filters",
    ),
    Way(
        typed="TREM2 microglia between 2015 and 2020",
        why="Two years.",
        telling="TREM2 microglia",
        dropped="between 2015 and 2020",
        hint="filters",
    ),
    Way(
        typed="TREM2 last 5 years",
        why="Years that are counted from today.",
        telling="TREM2",
        dropped="last 5 years",
        hint="filters",
    ),
    Way(
        typed="Mikroglia in den letzten fünf Jahren",
        why="The same in German.",
        telling="Mikroglia",
        dropped="in den letzten fünf Jahren",
        hint="filters",
    ),
    Way(
        typed="asthma in kids under 6",
        why="An age as a limit: texts write it in other ways, and no engine compares numbers.",
        telling="asthma kids",
        dropped="in under 6",
        hint="absent_words",
    ),
    Way(
        typed="microglia in adults aged 65 to 80 years",
        why="The same of two ages.",
        telling="microglia adults",
        dropped="in 65 to 80 years",
    ),
    Way(
        typed=PARAGRAPH,
        why="A paragraph of 2,000 characters: few rare words are sent, not all of it.",
        telling="TREM2 microglia",
        dropped="are the of in they and as has been is for this we would like to what about how",
    ),
)
