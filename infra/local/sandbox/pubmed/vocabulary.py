"""What NLM's catalogues say: publication types, some of MeSH, abbreviations of journals, names of search fields.

Facts of https://pubmed.ncbi.nlm.nih.gov/help/#search-tags, https://www.nlm.nih.gov/mesh/ and ISO 4. Of tags every one
of NLM's list is here, of other names only what the corpus needs.
"""

from __future__ import annotations

import re

from infra.local.sandbox.facts import Fact

# Each publication type with its unique ID in MeSH. The notice of a retraction has had this name since 2025.
TYPE_IDS = {
    "Journal Article": "D016428", "Review": "D016454", "Systematic Review": "D000078182", "Meta-Analysis": "D017418",
    "Preprint": "D000076942", "Editorial": "D016421", "Letter": "D016422", "Published Erratum": "D016425",
    "Retraction Notice": "D016440", "Retracted Publication": "D016441", "Congress": "D016423",
    "Clinical Trial": "D016430", "Randomized Controlled Trial": "D016449",
}  # fmt: skip
_TYPES = {
    "review": ["Journal Article", "Review"], "preprint": ["Preprint", "Journal Article"], "editorial": ["Editorial"],
    "letter": ["Letter"], "erratum": ["Published Erratum"], "retraction-notice": ["Retraction Notice"],
    "conference-paper": ["Congress"], "systematic-review": ["Journal Article", "Review", "Systematic Review"],
    "meta-analysis": ["Journal Article", "Meta-Analysis"],
    "randomized-controlled-trial": ["Journal Article", "Randomized Controlled Trial"],
}  # fmt: skip
_TYPES_BY_TITLE = (
    (re.compile(r"\bsystematic review\b", re.I), "Systematic Review"),
    (re.compile(r"\bmeta-?analys[ei]s\b", re.I), "Meta-Analysis"),
    (re.compile(r"\brandomi[sz]ed (?:controlled |clinical )?trial\b", re.I), "Randomized Controlled Trial"),
    (re.compile(r"\bphase (?:\d|I+|IV) (?:clinical )?(?:trial|study)\b", re.I), "Clinical Trial"),
)
# A search for a type or a heading also finds those below it.
NARROWER_TYPES = {"clinical trial": ("randomized controlled trial",), "review": ("systematic review",)}
# Heading: unique ID, broader headings, entry terms.
MESH: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "Microglia": ("D017628", ("Neuroglia",), ("microglial cell", "microglial cells")),
    "Neuroglia": ("D009457", (), ("glia", "glial cells")),
    "Alzheimer Disease": ("D000544", ("Dementia",), ("alzheimer's disease", "alzheimers disease")),
    "Dementia": ("D003704", (), ("dementias",)),
    "Receptors, Immunologic": ("D011971", (), ("immunologic receptors",)),
    "Gene Editing": ("D000072669", ("Genetic Engineering",), ("genome editing", "base editing")),
    "Genetic Engineering": ("D005818", (), ()),
    "CRISPR-Cas Systems": ("D064113", (), ("crispr-cas system", "crispr-cas9")),
    "COVID-19": ("D000086382", ("Coronavirus Infections",), ("covid19", "sars-cov-2 infection", "2019-ncov disease")),
    "Coronavirus Infections": ("D018352", (), ("coronavirus infection",)),
    "SARS-CoV-2": ("D000086402", (), ("2019-ncov", "covid-19 virus")),
    "Systematic Reviews as Topic": ("D000078202", (), ()),
    "Meta-Analysis as Topic": ("D015201", (), ()),
    "Protein Conformation": ("D011487", (), ("protein conformations",)),
    "Deep Learning": ("D000077321", ("Machine Learning",), ()),
    "Machine Learning": ("D000069550", (), ()),
}  # fmt: skip
LANGUAGES = {
    "de": ("ger", "german"), "en": ("eng", "english"), "es": ("spa", "spanish"), "fr": ("fre", "french"),
    "it": ("ita", "italian"), "ja": ("jpn", "japanese"), "ka": ("geo", "georgian"), "ko": ("kor", "korean"),
    "nl": ("dut", "dutch"), "pl": ("pol", "polish"), "pt": ("por", "portuguese"), "ru": ("rus", "russian"),
    "sv": ("swe", "swedish"), "zh": ("chi", "chinese"), "und": ("und", "undetermined"),
}  # fmt: skip
# Search fields: the name in a translation, and the tags that mean it, in lower case.
_TAGS = {
    "All Fields": "all|all fields", "Title": "ti|title", "Title/Abstract": "tiab|title/abstract",
    "Text Word": "tw|text word|text words", "Author": "au|author", "Author - Full": "fau|full author name",
    "Author - First": "1au|author - first|first author name", "Author - Last": "lastau|author - last|last author name",
    "Journal": "ta|journal|jour|so", "Publication Type": "pt|publication type|ptyp", "MeSH Terms": "mh|mesh|mesh terms",
    "MeSH Terms:noexp": "mh:noexp|mesh:noexp|mesh terms:noexp", "MeSH Major Topic": "majr|mesh major topic",
    "Date - Publication": "dp|pdat|date - publication|publication date", "Date - Entry": "edat|date - entry|entry date",
    "Date - Create": "crdt|date - create|create date", "Date - Modification": "mdat|date - modification|lr",
    "Language": "la|lang|language", "UID": "uid|pmid", "DOI": "doi|aid|article identifier|lid|location id",
    "Subset": "sb|subset", "Filter": "filter", "Volume": "vi|volume|vol", "Issue": "ip|issue",
    "Pagination": "pg|pagination|page", "Other Term": "ot|other term", "Affiliation": "ad|affiliation|affl",
    "Corporate Author": "cn|corporate author", "Author - Identifier": "auid|author - identifier|author identifier",
    "Book": "book", "Date - Completion": "dcom|completion date|date - completion",
    "Conflict of Interest Statements": "cois|conflict of interest statement|conflict of interest statements",
    "EC/RN Number": "rn|ec/rn number", "Editor": "ed|editor",
    "Grants and Funding": "gr|grant number|grants and funding",
    "Investigator": "ir|investigator", "Investigator - Full": "fir|full investigator name|investigator - full",
    "ISBN": "isbn", "Date - MeSH": "mhda|mesh date|date - mesh", "MeSH Subheading": "sh|mesh subheading|subheading",
    "NLM Unique ID": "jid|nlm unique id", "Subject - Personal Name": "ps|personal name as subject",
    "Pharmacological Action": "pa|pharmacological action", "Place of Publication": "pl|place of publication",
    "Publisher": "pubn|publisher", "Secondary Source ID": "si|secondary source id",
    "Supplementary Concept": "nm|supplementary concept|substance name",
    "Transliterated Title": "tt|transliterated title", "Abstract": "ab|abstract",
    "Date - Electronic Publication": "epdat|date - electronic publication|electronic publication date",
    "Date - Print Publication": "ppdat|date - print publication|print publication date",
}  # fmt: skip
FIELDS = {tag: name for name, tags in _TAGS.items() for tag in tags.split("|")}
# With the operators, which are words in small letters.
STOP_WORDS = frozenset((
    "or", "not",
    "a", "about", "again", "all", "almost", "also", "although", "always", "among", "an", "and", "another", "any",
    "are", "as", "at", "be", "because", "been", "before", "being", "between", "both", "but", "by", "can", "could",
    "did", "do", "does", "done", "due", "during", "each", "either", "enough", "especially", "etc", "for", "found",
    "from", "further", "had", "has", "have", "having", "here", "how", "however", "i", "if", "in", "into", "is", "it",
    "its", "itself", "just", "kg", "km", "made", "mainly", "make", "may", "mg", "might", "ml", "mm", "most", "mostly",
    "must", "nearly", "neither", "no", "nor", "obtained", "of", "often", "on", "our", "overall", "perhaps", "pmid",
    "quite", "rather", "really", "regarding", "seem", "seen", "several", "should", "show", "showed", "shown", "shows",
    "significantly", "since", "so", "some", "such", "than", "that", "the", "their", "theirs", "them", "then", "there",
    "therefore", "these", "they", "this", "those", "through", "thus", "to", "upon", "use", "used", "using", "various",
    "very", "was", "we", "were", "what", "when", "which", "while", "with", "within", "without", "would",
))  # fmt: skip
# ISO 4: words of journal titles, abbreviated by their beginning; what stands for nothing is left out.
_ABBREVIATIONS = {
    "cognitive": "Cogn", "computer": "Comput", "intelligence": "Intell", "lecture": "Lect", "machine": "Mach",
    "neuropathologica": "Neuropathol", "scientific": "Sci",
    "academy": "Acad", "american": "Am", "archives": "Arch", "archiv": "Arch", "biological": "Biol", "biology": "Biol",
    "biotechnology": "Biotechnol", "cancer": "Cancer", "chemistry": "Chem", "clinical": "Clin",
    "communications": "Commun", "computational": "Comput", "england": "Engl", "european": "Eur",
    "experimental": "Exp", "genetics": "Genet", "human": "Hum", "immunology": "Immunol", "infectious": "Infect",
    "diseases": "Dis", "international": "Int", "investigation": "Invest", "journal": "J", "medical": "Med",
    "medicine": "Med", "microbiology": "Microbiol", "molecular": "Mol", "national": "Natl", "nature": "Nat",
    "neurochemistry": "Neurochem", "neurology": "Neurol", "neuroscience": "Neurosci", "proceedings": "Proc",
    "reports": "Rep", "reviews": "Rev", "science": "Sci", "sciences": "Sci", "systems": "Syst",
    "translational": "Transl",
}  # fmt: skip
_LEFT_OUT = {"the", "of", "and", "in", "for", "de", "di", "la"}
_NAMED_OTHERWISE = {
    "new england journal of medicine": "N Engl J Med",
    "proceedings of the national academy of sciences": "Proc Natl Acad Sci U S A",
}
OTHER_NAMES = {"Proc Natl Acad Sci U S A": ("pnas",)}


def publication_types(fact: Fact) -> list[str]:
    """Return NLM's publication types: by the kind of text, by what the title says, and whether it is retracted."""
    kinds = list(_TYPES.get(fact.type, ["Journal Article"]))
    if "Journal Article" in kinds:
        kinds += [kind for pattern, kind in _TYPES_BY_TITLE if pattern.search(fact.title) and kind not in kinds]
    return [*kinds, "Retracted Publication"] if (fact.retraction or {}).get("status") == "retracted" else kinds


def title_abbreviation(journal: str) -> str:
    """Return NLM's title abbreviation: `Journal of Neuroscience` -> `J Neurosci`; a single word stays."""
    plain = re.sub(r"\([^)]*\)|\[[^\]]*\]|[.,&/]", " ", re.split(r" [:=] ", journal)[0])
    words = [word for word in plain.split() if word.lower() not in _LEFT_OUT]
    known = _NAMED_OTHERWISE.get(" ".join(plain.lower().removeprefix("the ").split()))
    if known or len(words) < 2:
        return known or (words[0] if words else journal)
    return " ".join(_ABBREVIATIONS.get(word.lower(), word) for word in words)


def language(fact: Fact) -> tuple[str, str]:
    """Return the code and the name of a paper's language."""
    return LANGUAGES.get(fact.language or "en", LANGUAGES["und"])
