"""The fields of printed references in forms that programs and style guides give them: title, names, year, place."""

from __future__ import annotations

import pytest

from shared.documents.fields_read import read_printed

# The line; its title, its authors' family names or groups, year, volume and pages.
Row = tuple[str, str | None, tuple[str, ...], int | None, str | None, str | None]

ROWS: list[Row] = [
    ("Page, M. J., McKenzie, J. E., … Moher, D. (2021). An updated guideline for reviews. BMJ, 372, n71.",
     "An updated guideline for reviews", ("Page", "McKenzie", "Moher"), 2021, "372", "n71"),
    ("Kalnay, E., Kanamitsu, M., . . . Joseph, D. (1996). The 40-year reanalysis project. Bull Am, 77(3), 437–471.",
     "The 40-year reanalysis project", ("Kalnay", "Kanamitsu", "Joseph"), 1996, "77", "437-471"),
    ("Roe, K. (2020). Brine as a resource in deserts. Desalination, 490, Article 114512.",
     "Brine as a resource in deserts", ("Roe",), 2020, "490", "114512"),
    ("Roe K, Poe L. Safety of a drug in long use. Headache. 2002;42 Suppl 2:S93-9.",
     "Safety of a drug in long use", ("Roe", "Poe"), 2002, "42", "S93-9"),
    ("Roe, K. (2014). Nets that play against nets. Advances in neural processing, 27.",
     "Nets that play against nets", ("Roe",), 2014, "27", None),
    ("Roe, Kim. “Walking at Night.” In The Essay in America, edited by J. Poe, 167–95. Minneapolis: Graywolf, 2016.",
     "Walking at Night", ("Roe",), 2016, None, "167-95"),
    ("Roe, Kim. “The Prophet of Dystopia.” New Yorker, April 17, 2017.",
     "The Prophet of Dystopia", ("Roe",), 2017, None, None),
    ("Roe K. The effect of a drug on weight. bioRxiv. Preprint posted online November 5, 2018. doi:10.1101/1",
     "The effect of a drug on weight", ("Roe",), 2018, None, None),
    ("Roe, K. T., Poe, D. T., & Lee, G. (Eds.). (2010). Handbook of social psychology (5th ed., Vol. 1). Wiley.",
     "Handbook of social psychology", ("Roe", "Poe", "Lee"), 2010, None, None),
    ("Roe, K. (ed.) (2005) Virtual methods: research on the Internet. Oxford: Berg.",
     "Virtual methods: research on the Internet", ("Roe",), 2005, None, None),
    ("Roe FG, Poe JP, editors. Operative obstetrics of cats. 2nd ed. New York: Wiley; 2002.",
     "Operative obstetrics of cats", ("Roe", "Poe"), 2002, None, None),
    ("King, M. L., Jr. (1963). Why we can't wait. Harper & Row.", "Why we can't wait", ("King",), 1963, None, None),
    ("Roe, K. J. (1987). Martin Luther King, Jr., and the law of protest. J Am Hist, 74(2), 438–447.",
     "Martin Luther King, Jr., and the law of protest", ("Roe",), 1987, "74", "438-447"),
    ("SILVA, J. A.; PEREIRA, M. T. Educação ambiental no Brasil. Revista de Educação, v. 12, n. 3, p. 45-60, 2010.",
     "Educação ambiental no Brasil", ("SILVA", "PEREIRA"), 2010, "12", "45-60"),
    ("Roe, K. (2004) The wonders of the Douro (3rd edition). London: Berg.",
     "The wonders of the Douro", ("Roe",), 2004, None, None),
    ("Roe, K. (2017). Content of textbooks for students (ICPSR 21600; Version V1) [Data set]. ICPSR.",
     "Content of textbooks for students", ("Roe",), 2017, None, None),
    ("Roe, K. (2013). The dots of the map [Map]. University of Virginia.",
     "The dots of the map", ("Roe",), 2013, None, None),
    ("Roe, K. (2019). Language policy in Vietnam [Unpublished master’s thesis]. University of Hanoi.",
     "Language policy in Vietnam", ("Roe",), 2019, None, None),
    ("Roe, K. (2019). Health of older adults. Retrieved March 4, 2022, from "
     "https://example.org/a/long/address/of/a/page/of-older-adults-2021-34",
     "Health of older adults", ("Roe",), 2019, None, None),
    ("Roe, K 2017, 'Rights for working animals', J Philos, vol. 34, no. 1, pp. 2–6, viewed 5 May 2020, <https://x>.",
     "Rights for working animals", ("Roe",), 2017, "34", "2-6"),
    ('García Márquez, Gabriel. "La soledad de América Latina." Rev Iberoam, vol. 48, no. 118, 1982, pp. 9-14.',
     "La soledad de América Latina", ("García Márquez",), 1982, "48", "9-14"),
    ("Şahin, Ö., Yıldız, İ. ve Çelik, G. (2020). Öğretmen adaylarının tutumları. Eğitim ve Bilim, 45(201), 1-20.",
     "Öğretmen adaylarının tutumları", ("Şahin", "Yıldız", "Çelik"), 2020, "45", "1-20"),
    ("S. Boyd and L. Roe, Convex Optimization, 2nd ed. Cambridge, U.K.: Cambridge Univ. Press, 2004.",
     "Convex Optimization", ("Boyd", "Roe"), 2004, None, None),
    ("W. Strunk, E.B. White, The Elements of Style, fourth ed., Longman, New York, 2000.",
     "The Elements of Style", ("Strunk", "White"), 2000, None, None),
    ("Doe, J. and K.A. Roe, Sleep, stress and memory in mice. J Sleep Res, 2015. 12(3): p. 34-56.",
     "Sleep, stress and memory in mice", ("Doe", "Roe"), 2015, "12", "34-56"),
    ("Doe, J., K. Roe, and T. Poe, Napping at work in Europe. Eur J Sleep, 2017. 4: p. 11-20.",
     "Napping at work in Europe", ("Doe", "Roe", "Poe"), 2017, "4", "11-20"),
    ("Doe, J., et al., Dreams of rodents in winter. Sleep, 2016. 39(2): p. 1-9.",
     "Dreams of rodents in winter", ("Doe",), 2016, "39", "1-9"),
    ("Doe, J., Patterns and machine learning. 2nd ed. 2006, New York: Springer.",
     "Patterns and machine learning", ("Doe",), 2006, None, None),
    ("Doe, N., Roe, M., and Poe, R.: Google Earth Engine: geospatial analysis for all, Remote Sens. Environ., 202, "
     "18–27, 2017.",
     "Google Earth Engine: geospatial analysis for all", ("Doe", "Roe", "Poe"), 2017, "202", "18-27"),
    ("Evans, D. A.; Cee, V. J. Application to the Synthesis of Phorboxazole B. J. Am. Chem. Soc. 2000, 122, 10–46.",
     "Application to the Synthesis of Phorboxazole B", ("Evans", "Cee"), 2000, "122", "10-46"),
    ("National Academies of Sciences, Engineering, and Medicine. (2019). Replicability in science. Academies Press.",
     "Replicability in science", ("National Academies of Sciences, Engineering, and Medicine",), 2019, None, None),
    ("Organisation for Economic Co-operation and Development. (2021). Education at a glance: Indicators. OECD.",
     "Education at a glance: Indicators",
     ("Organisation for Economic Co-operation and Development",), 2021, None, None),
    ("U.S. Census Bureau. (2020). The population clock of the world. U.S. Department of Commerce.",
     "The population clock of the world", ("U.S. Census Bureau",), 2020, None, None),
    ("Diederik P. Kingma and Jimmy Ba. Adam: A method for stochastic optimization. In ICLR, 2015.",
     "Adam: A method for stochastic optimization", ("Kingma", "Ba"), 2015, None, None),
    ("Moss K. Crime and Social Order. J Crim. 1990;3:1-9.", "Crime and Social Order", ("Moss",), 1990, "3", "1-9"),
    ("Centers for Disease Control and Prevention. (2022, May 3). Heart disease facts. https://example.org/facts",
     "Heart disease facts", ("Centers for Disease Control and Prevention",), 2022, None, None),
    ("Moss K. Smoking and Lung Cancer. American journal of epidemiology. 2015;12:1-9.",
     "Smoking and Lung Cancer", ("Moss",), 2015, "12", "1-9"),
    ("Moss, K. Crime and Punishment Today. Journal of crime and sociology, 12(3), 1-9, 2015.",
     "Crime and Punishment Today", ("Moss",), 2015, "12", "1-9"),
    ("Roe, Kim Lee, Jr., and Jane Doe. “Walking in Towns.” Essays 12, no. 3 (2016): 1–9.",
     "Walking in Towns", ("Roe", "Doe"), 2016, "12", "1-9"),
    ("Roe, K., Jr., et al. (2016). Walking in towns and cities. Essays, 12, 1–9.",
     "Walking in towns and cities", ("Roe",), 2016, "12", "1-9"),
    ("Roe, K., Jr., d’Arcy, M., & Poe, E. (2016). Walking in towns and cities. Essays, 12, 1–9.",
     "Walking in towns and cities", ("Roe", "d’Arcy", "Poe"), 2016, "12", "1-9"),
    ("Roe K Jr, for the XYZ Group. Walking in towns and cities. Essays. 2016;12:1-9.",
     "Walking in towns and cities", ("Roe", "for the XYZ Group"), 2016, "12", "1-9"),
    ("Roe K. Sleep patterns viewed 10 years on. Sleep. 2010;12:1-9.",
     "Sleep patterns viewed 10 years on", ("Roe",), 2010, "12", "1-9"),
    ("Moss K. [A cognitive map]. J Sleep. 2010;12:1-9. Russian.",
     "[A cognitive map]", ("Moss",), 2010, "12", "1-9"),
    ("Moss K. Sleep beside a [thin film] device: a study. Sleep. 2010;12:1-9.",
     "Sleep beside a [thin film] device: a study", ("Moss",), 2010, "12", "1-9"),
    ("Moss K. Guidance for authors, reviewers, editors. Sleep. 2010;12:1-9.",
     "Guidance for authors, reviewers, editors", ("Moss",), 2010, "12", "1-9"),
    ("I. Roe, O. Poe. Attention for sleep at night. Advances in Neural Information: Sleep, 2010.",
     "Attention for sleep at night", ("Roe", "Poe"), 2010, None, None),
    ("J. Roe, K. Poe. Sleep in towns and cities: Dreams at night, 2010.",
     "Sleep in towns and cities: Dreams at night, 2010", ("Roe", "Poe"), 2010, None, None),
    ("J. Roe, K. Poe. Dynamic Programming: Theory and Its Applications, 2010.",
     None, ("J. Roe",), 2010, None, None),  # its title is not `K. Poe`
    ("Moss, K. (2019). Hate posted online 2018. Sleep, 12, 1–9.",
     "Hate posted online 2018", ("Moss",), 2019, "12", "1-9"),
    ("Alain Bureau and Jane Doe. (2009). Genetic epidemiology of large families. Human Heredity, 67, 12–20.",
     "Genetic epidemiology of large families", ("Bureau", "Doe"), 2009, "67", "12-20"),
    ("Roe J, Poe K: Walking in towns and cities. Health, Risk and Society, 12, 1–9, 2013.",
     "Walking in towns and cities", ("Roe", "Poe"), 2013, "12", "1-9"),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:60])
def test_each_field_of_a_printed_reference_is_read(row: Row) -> None:
    read = read_printed(row[0])
    authors = tuple(it.family or it.display for it in read.authors)
    assert (read.title, authors, read.year, read.volume, read.pages) == row[1:]


@pytest.mark.parametrize("state", ["Advance online publication", "In press", "Online ahead of print"])
def test_a_journal_ends_before_what_stands_in_the_place_of_a_year(state: str) -> None:
    read = read_printed(f"Roe, K. (2019). Voices that are harder to process. Experimental Psychology. {state}.")
    assert (read.title, read.journal) == ("Voices that are harder to process", "Experimental Psychology")


def test_a_word_that_may_stand_for_a_year_stays_within_a_journal() -> None:
    read = read_printed("Roe, K. (2019). Voices that are harder to process. Notes, Forthcoming Technologies, 12, 1–9.")
    assert (read.journal, read.volume) == ("Notes, Forthcoming Technologies", "12")
