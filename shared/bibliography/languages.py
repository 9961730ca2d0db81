"""Languages by their shortest standard code: ISO 639-1 for what the services write in two or three letters.

A tag of BCP 47 (https://www.rfc-editor.org/info/bcp47) begins with such a code; region and script follow: `zh-Hans`.
"""

from __future__ import annotations

import re

LANGUAGE_CODE = re.compile(r"[a-z]{2,3}")

# ISO 639-2/B, as libraries and MEDLINE write it, and where it differs 639-2/T.
_BIBLIOGRAPHIC = {
    "afr": "af", "alb": "sq", "ara": "ar", "arm": "hy", "aze": "az", "baq": "eu", "bos": "bs", "bul": "bg", "cat": "ca",
    "chi": "zh", "cze": "cs", "dan": "da", "dut": "nl", "eng": "en", "est": "et", "fin": "fi", "fre": "fr", "geo": "ka",
    "ger": "de", "glg": "gl", "gre": "el", "heb": "he", "hin": "hi", "hrv": "hr", "hun": "hu", "ice": "is", "ind": "id",
    "ita": "it", "jpn": "ja", "kor": "ko", "lat": "la", "lav": "lv", "lit": "lt", "mac": "mk", "may": "ms", "nor": "no",
    "per": "fa", "pol": "pl", "por": "pt", "rum": "ro", "rus": "ru", "slo": "sk", "slv": "sl", "spa": "es", "srp": "sr",
    "swe": "sv", "tha": "th", "tur": "tr", "ukr": "uk", "vie": "vi", "wel": "cy", "bur": "my", "mao": "mi", "tib": "bo",
    "yid": "yi", "jav": "jv",
}  # fmt: skip
_TERMINOLOGY = {
    "ces": "cs", "cym": "cy", "deu": "de", "ell": "el", "eus": "eu", "fas": "fa", "fra": "fr", "hye": "hy",
    "isl": "is", "kat": "ka", "mkd": "mk", "msa": "ms", "nld": "nl", "ron": "ro", "slk": "sk", "sqi": "sq", "zho": "zh",
    "bod": "bo", "mri": "mi", "mya": "my",
}  # fmt: skip
# Languages within another, which is a macrolanguage of ISO 639-3: sources name the one or the other.
_WITHIN = {
    "nb": "no", "nn": "no", "nob": "no", "nno": "no", "cmn": "zh", "yue": "zh", "wuu": "zh", "nan": "zh", "hak": "zh",
    "arb": "ar", "arz": "ar", "pes": "fa", "prs": "fa", "zsm": "ms", "ekk": "et", "lvs": "lv", "als": "sq", "azj": "az",
}  # fmt: skip
# Codes that were withdrawn, by those that replace them (https://www.iana.org/assignments/language-subtag-registry, and
# the changes of ISO 639-2: https://www.loc.gov/standards/iso639-2/php/code_changes.php).
_WITHDRAWN = {
    "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "mol": "ro", "scc": "sr", "scr": "hr",
}  # fmt: skip
_UNKNOWN = ("und", "mul", "zxx", "mis")
# The languages in which papers are written, by their English name; other names of them lead to the same code.
NAMES = {
    "af": "Afrikaans", "ar": "Arabic", "az": "Azerbaijani", "bg": "Bulgarian", "bs": "Bosnian", "ca": "Catalan",
    "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French", "gl": "Galician",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian",
    "is": "Icelandic", "it": "Italian", "ja": "Japanese", "ka": "Georgian", "ko": "Korean", "la": "Latin",
    "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian", "ms": "Malay", "nl": "Dutch", "no": "Norwegian",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian",
    "sq": "Albanian", "sr": "Serbian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian",
    "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
_OTHER_NAMES = {
    "castilian": "es", "deutsch": "de", "español": "es", "farsi": "fa", "flemish": "nl", "français": "fr",
    "italiano": "it", "mandarin": "zh", "nederlands": "nl", "polski": "pl", "português": "pt", "русский": "ru",
    "中文": "zh", "日本語": "ja", "한국어": "ko",
}  # fmt: skip
_CODES = {name.lower(): code for code, name in NAMES.items()} | _OTHER_NAMES
_SHORTEST = _BIBLIOGRAPHIC | _TERMINOLOGY | _WITHIN | _WITHDRAWN


def language_code(code: str | None) -> str | None:
    """`ENG`, `en-GB` and `en_US` -> `en`, `nb` -> `no`, `cmn` -> `zh`; a code without a two-letter form stays.

    None for `und` (unknown) and `mul` (several), and for what is not a code, such as a name.
    """
    language = (code or "").strip().lower().replace("_", "-").partition("-")[0]
    if language in _UNKNOWN or not LANGUAGE_CODE.fullmatch(language):
        return None
    return _SHORTEST.get(language, language)


def read_language(text: str) -> str | None:
    """The two-letter code of a language that a person names: `English`, `eng`, `en-GB`; None if it is not a name."""
    code = _CODES.get(text.strip().lower()) or language_code(text)
    return code if code in NAMES else None


def three_letter_code(code: str) -> str:
    """`de` -> `ger`: the code of ISO 639-2/B, by which MEDLINE and Europe PMC index. Raises KeyError."""
    return _THREE_LETTERS[code]


def codes_within(code: str) -> tuple[str, ...]:
    """`no` -> `nb`, `nn`, `nob`, `nno`: the codes of languages that this one includes."""
    return tuple(narrow for narrow, wide in _WITHIN.items() if wide == code)


_THREE_LETTERS = {two: three for three, two in _BIBLIOGRAPHIC.items()}
