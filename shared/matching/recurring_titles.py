"""Titles that recur: many pieces bear `Editorial`, `Book reviews` or `Message from the chair`, so that it names none.

A title recurs when it names no subject: it is one word, or all its words are of genres (what kind of piece it is, who
writes it, where it stands), dates and numbers. Words of genres are read in the languages that most titles are in,
without accents, as `words_of` gives them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_GENRES = _set(
    # what a piece is
    "abstract abstracts acknowledgement acknowledgements acknowledgment acknowledgments announcement announcements "
    "appendix article articles bibliography biography bulletin calendar case cases chapter chronicle column columns "
    "comment commentary comments communication communications conclusion conclusions contents correction corrections "
    "correspondence corrigenda corrigendum cover debate dialogue digest discussion editorial editorials epilogue "
    "errata erratum essay essays feature features focus foreword forum frontispiece glossary greeting greetings guest "
    "guide highlights index indexes indices information interview interviews introduction introductions introductory "
    "keynote letter letters list masthead memoriam memory message messages minutes miscellaneous miscellany news "
    "newsletter note notes notice notices obituaries obituary opening opinion overview panel paper papers perspective "
    "perspectives poster posters postscript preamble preface presentation presentations proceedings program programme "
    "prologue questions rejoinder remark remarks reminiscences replies reply report reports response responses "
    "retraction review reviews section sections session sessions statement summaries summary supplement symposium "
    "table thanks tribute tutorial tutorials update viewpoint viewpoints welcome workshop abbreviations choice events "
    "keyword keywords lecture lectures participants pick picks plenary research subject subjects title titles "
    # Roman numbers: Poster session II
    "i ii iii iv v vi vii viii ix x xi xii "
    # who writes it or is written to, and where it stands
    "associate author authors back board book books chair chairman chairperson chairs chief committee conference "
    "congress contributors corner current desk director directors editor editors executive former front general his "
    "in invited issue issues journal journals last magazine matter media meeting meetings member members month "
    "months new next number numbers oral organizer organizers page pages past president presidents press previous "
    "publisher publishers reader readers received recent referees reviewer reviewers s secretary selected series "
    "short society special thematic theme this today treasurer upcoming vice view views volume week year years "
    # months and seasons
    "april august autumn december fall february january july june march may november october september spring "
    "summer winter "
    # German
    "aktuelles anzeigen autoren autorenverzeichnis bericht berichte berichtigung besprechung besprechungen brief "
    "briefe buch buchbesprechung buchbesprechungen bucher diesem dieser einfuhrung einleitung erwiderung fur "
    "geleitwort grusswort heft herausgeber herausgebers im inhalt inhaltsverzeichnis leser leserbrief leserbriefe "
    "mitteilung mitteilungen nachrichten nachruf nachwort personalia redaktion rezension rezensionen schriftleitung "
    "sonderheft tagungsbericht termine thema themenheft uber vorwort zum zur zuschrift zuschriften "
    # French
    "actualites annexe annonces au aux avant bibliographie ce chronique commentaire commentaires compte comptes "
    "courrier dans dossier editeur hommage lecteurs lettre lettres liminaire livre livres mot necrologie nouvelles "
    "numero ouvrages presidente propos recension recensions redacteur redaction rendu rendus reponse resume resumes "
    "revue sommaire "
    # Spanish, Portuguese, Italian
    "a actualidad al ao aos apresentacao apresentazione carta cartas comentario comentarios contenido "
    "correspondencia da dal della do dossie editores editoriais editoriale editoriales editoriali entrevista este "
    "indice informe introducao introduccion introduzione lector lectores lettera lettere libri libro libros livro "
    "livros necrologia necrologica nota notas noticiario noticias notizie obituario palabras palavras para prefacio "
    "prefazione presentacion presentazione prologo recensione recensioni redaccion redazione replica resena resenas "
    "resenha resenhas resposta respuesta revista rivista sommario sumario tribuna un una "
    # Dutch, Scandinavian, Polish, Russian
    "boekbespreking boekbesprekingen bokanmeldelse bokanmeldelser forord ingezonden inleiding kronika ledare leder "
    "listy naschrift od recensioner recenzja recenzje redactioneel redakcji redaktora voorwoord wstep введение "
    "некролог от предисловие редактора редакции редакционная рецензии рецензия статья хроника "
)
# A title of a script without blanks has two characters a word: 編集後記, 书评.
_SHORT_UNSPACED = 2


def recurs(words: Sequence[str], weight: int) -> bool:
    """Whether such a title stands over many pieces.

    `words` are those that mean something, `weight` their number, two characters of a script without blanks being one.
    """
    if weight < 2 or (weight < len(words) and weight <= _SHORT_UNSPACED):
        return True
    return names_kinds_alone(words)


def names_kinds_alone(words: Iterable[str]) -> bool:
    """Whether all words say what kind of piece it is, as `Introduction` does, and none has a subject."""
    return all(word in _GENRES or word.isdigit() for word in words)
