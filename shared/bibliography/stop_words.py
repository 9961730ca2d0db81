"""Words without meaning for a comparison, in the lists that differ for a reason, each built on the ones before it.

The words that PubMed does not index are PubMed's own fact and stand with its syntax.
"""

from __future__ import annotations

ARTICLES = frozenset(("a", "an", "the"))
_ENGLISH = ARTICLES | frozenset(
    ("and", "are", "as", "at", "by", "for", "from", "in", "is", "its", "of", "on", "to", "with")
)
# Articles, prepositions and conjunctions of the languages that most titles are in.
_GERMAN = frozenset(("das", "der", "des", "die", "und", "von"))
_FRENCH = frozenset(("de", "des", "du", "en", "et", "la", "le", "les"))
_SPANISH = frozenset(("de", "del", "el", "en", "la", "las", "los", "y"))

# For comparing titles and journals: only what databases leave out, add or translate. Not `or`, `not` and `un`: with
# them titles are alike that differ.
STOP_WORDS = _ENGLISH | _GERMAN | _FRENCH | _SPANISH

# For free queries, where each word must occur in the paper: also the words that form a question.
QUERY_STOP_WORDS = _ENGLISH | frozenset(
    ("be", "do", "does", "how", "into", "it", "or", "that", "their", "was", "were", "what", "which")
)

# For naming a paper by one word of its title: all of these, and what titles begin with.
KEY_STOP_WORDS = (
    STOP_WORDS
    | QUERY_STOP_WORDS
    | frozenset(("about", "after", "against", "among", "can", "has", "have", "not", "our", "should", "this", "toward"))
    | frozenset(("towards", "un", "una", "under", "une", "using", "via", "when", "where", "whether", "who", "why"))
    | frozenset(("will", "without"))
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _terms(text: str) -> frozenset[str]:
    return frozenset(text.split(","))


# For finding the telling words of a sentence: words of grammar, by language, those that form questions included.
FUNCTION_WORDS = {
    "en": QUERY_STOP_WORDS
    | _words(
        "about after against all also am among any because been before being between both but can could did doing "
        "done during each either ever few had has have having he her here his i if just like may me might more "
        "most much must my no nor not off once one only other our out over own same shall she should since so "
        "some such than them then there these they this those through too under until up upon us use used uses "
        "using versus very via vs we when where whether while who whom whose why will within without would you your "
        "whats whos hows wheres dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt shouldnt havent "
        "hasnt and/or"
    ),
    "de": _GERMAN
    | _words(
        "als am an auch auf aus bei beim bis dem den durch ein eine einem einen einer eines er es für gegen haben "
        "hat im in ist kann können mit nach nicht oder ohne sich sie sind sowie um unter vom vor war warum was "
        "welche welcher welches wenn wer werden wie wir wird wirkt wo zu zum zur zwischen über"
    ),
    "fr": _FRENCH
    | _words(
        "au aux avec ce ces cette comment dans elle entre est il ils leur leurs lors mais non nous on ou où "
        "par pas plus pour pourquoi qu quand que quel quelle quelles quels qui sa sans se ses son sont sous sur "
        "un une vers à être"
    ),
    "es": _SPANISH
    | _words(
        "a al como con contra cual cuando cuál cuáles cuándo cómo desde donde dónde e entre es esta este fue ha han "
        "hasta lo más no o para pero por porque que quién qué se ser si sin sobre son su sus tiene un una"
    ),
    "it": _words(
        "a ai al alla alle anche che chi come con da dal dalla dei del della delle di e gli ha i il in la le lo "
        "ma nei nel nella non o per perché più quale quali quando si sono su sul sulla tra un una uno è"
    ),
    "pt": _words(
        "a ao aos as com como da das de do dos e em entre na nas no nos o os ou para pela pelo por porque quais "
        "qual quando que se sem ser sobre são um uma é"
    ),
    "nl": _words(
        "aan bij dat de deze die door een en het hoe hoeveel in is met naar niet of om onder ook op over te tot "
        "tussen uit van voor waarom wat welke wie worden wordt zijn"
    ),
    "pl": _words("a co czy dla do i jak jaki jakie jest lub na nie o od po przez się są w we z za ze że"),
    "ar": _words("ما هو هي ماذا كيف لماذا متى أين هل على في من إلى عن مع بين أو و التي الذي هذا هذه أن إن لا"),
    "ru": _words("без в во для и из или к как какие какой на не о об от по почему при с со у чем что это"),
}
# Of those of other languages, the English words and abbreviations: `er stress`, `als patients`, `gulf war syndrome`.
# One of them alone does not tell that a text is in another language; no other word of two letters does, either.
ALSO_ENGLISH = _words(
    "als bei bis chi com con dal das dat dem den der des die dos entre est este has hat jak las les los mais man "
    "met mit nas non nos par para pas per plus pour que sans sem ser sin son sous sur tra una vers vor war wie"
)
TELL_A_LANGUAGE = _words("de di du en et zu")  # of two letters
# What a question or a title says around its subject; each of them is a subject of its own elsewhere.
GENERIC_WORDS = _words(
    "affect affects analysis approach article articles associated association based cause caused causes compare "
    "compared comparison describe do effect effective effects evidence explain find give help impact important "
    "improve improved improves influence investigate investigating known list mechanism mechanisms method methods "
    "new paper papers play plays please recent reduce reduces related relation relationship research results review "
    "reviews role roles show shows studies study summarize tell towards understanding work works "
    # German, Spanish and Portuguese, French, Italian, Dutch: `Welche Rolle spielt …`
    "auswirkung auswirkungen beeinflusst effekt effekte einfluss gibt rolle spielen spielt studie studien "
    "zusammenhang afecta afectan estudio estudios estudo estudos efeito efeitos effetti effetto études "
    # Arabic, Russian
    "تأثير دور влияет влияние влияют исследования роль существует существуют "
    "efecto efectos existe influencia papel relación tiene tienen effet effets joue jouent rôle gioca ruolo speelt"
)
# Terms that would name something else without their generic word: `social work in hospitals`, `obesity in New Mexico`.
TERMS_OF_GENERIC_WORDS = _terms(
    "social work,shift work,night work,sex work,remote work,care work,team work,work ability,work conditions,"
    "work engagement,work environment,work family,work life,work performance,work satisfaction,work schedules,"
    "work stress,gender role,gender roles,sex roles,social roles,role ambiguity,role conflict,role model,"
    "role models,role play,role playing,negative affect,positive affect,affect regulation,affect theory,"
    "side effect,side effects,adverse effect,adverse effects,placebo effect,placebo effects,nocebo effect,"
    "nocebo effects,greenhouse effect,greenhouse effects,bystander effect,bystander effects,effect modification,"
    "effect modifiers,effect size,effect sizes,impact assessment,impact crater,impact craters,impact factor,"
    "impact factors,impact investing,research ethics,research funding,research integrity,research misconduct,"
    "action research,market research,operational research,operations research,peer review,customer reviews,"
    "online reviews,product reviews,evidence synthesis,play therapy,outdoor play,pretend play,help seeking,"
    "list experiments,paper microfluidics,cluster analysis,complex analysis,component analysis,content analysis,"
    "conversation analysis,discourse analysis,factor analysis,gait analysis,meta analysis,"
    "network analysis,path analysis,sentiment analysis,survival analysis,approach avoidance,approach motivation,"
    "scientific method,mechanism design,genome-wide association,wide association,association cortex,"
    "association football,association rule,association rules,social comparison,social influence,"
    "influence diagrams,relationship quality,relationship satisfaction,new media,new york,new zealand,new mexico,"
    "new jersey,new guinea,new england,new hampshire,new orleans,new caledonia,new delhi,new south,"
    "evidence based,evidence informed,problem based,case based,team based,work related,age related,health related,"
    "cause related,root cause,cause analysis,cause mortality,at work,to work,work from,field work,youth work,"
    "of play,through play,free play,play based,self help,role strain,judicial review,relationship management,"
    "relationship marketing,influence maximization,impact evaluation,high impact,mixed method,mixed methods,"
    "research methods,teaching methods,research design,defense mechanisms,behavior analysis,behaviour analysis,"
    "functional analysis,numerical analysis,thematic analysis,benefit analysis,cost analysis,"
    "real analysis,harmonic analysis,hall effect,matthew effect,doppler effect,halo effect,paper mills,"
    "paper industry,show jumping,talk show,reality show,study skills,study abroad,new deal,"
    "new testament,new age,new left,new labour,new keynesian,new onset"
)
# Beside identifiers, these search for nothing: `see also 10.1000/a, plus PMID 123 for details`.
AROUND_IDENTIFIERS = GENERIC_WORDS | _words(
    "abstract accessed also arxiv available bibtex cf citation cite cited cites citing detail details doi "
    "download fetch full get id ids info information link look lookup metadata namely open pdf plus pmid "
    "pmcid preprint read ref reference references refs retracted retraction retrieved see similar source text "
    "title url versus via vs and or"
)
# The words that questions begin with, in the same languages.
QUESTION_WORDS = _words(
    "are can come comment could cuál cuáles cuándo czy cómo did dlaczego do does dónde has have hoe how is jak "
    "jakie où perché por pourquoi quais qual quale quali quand quel quelle quelles quels qui quién qué should "
    "waarom wann warum was wat welche welcher welches welke wer were weshalb what when where which who whom whose "
    "why wie wieso will wo would как какие какой почему что"
)
# `vitamin A`, `hepatitis e`: the letter behind these is not an article; behind those of the second list if it is large:
# `lipid A`, but not `is the lipid a risk factor`.
NAMED_BY_LETTERS = _words("vitamin vitamins hepatitis influenza type group protein class")
NAMED_BY_CAPITALS = _words(
    "bisphenol hemophilia haemophilia immunoglobulin apolipoprotein kinase toxin lipid coenzyme serotype"
)
# Before these, `I` is a person; elsewhere it is a number behind a noun: `Elizabeth I`, `phase I trials`, `Cu(I)`.
BEHIND_I = _words(
    "am believe can cannot could did do feel felt get had have know learn learned like lost love made may met must "
    "need read said saw see should take think treat treated use want was will wonder would write"
)
