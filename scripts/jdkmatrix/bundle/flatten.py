# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do a reproducer and what it uses of `test/lib` become one Java file?

The reproducer comes first, because `java File.java` (JEP 330) runs a file's first class; of the
library only the classes that it needs follow, without their packages and imports.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

_COMMENT_OR_STRING = re.compile(
    r"""/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+'""", re.DOTALL | re.VERBOSE
)
_IMPORT = re.compile(r"^import (?:static )?[\w.*]+;\n", re.MULTILINE)
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")
_PACKAGE = re.compile(r"^package ([\w.]+);\n", re.MULTILINE)
_SPDX = re.compile(r"\A(?:// SPDX-[^\n]*\n)+")
_JTREG_LIBRARY = re.compile(r"^ \* @library [^\n]*\n", re.MULTILINE)
_PUBLIC_TYPE = re.compile(
    r"^public (?=(?:abstract |final )*(?:class|interface|enum) )", re.MULTILINE
)
# A reader of a bug wants brevity: of the library's Javadoc, each class's first paragraph is kept.
_MEMBER_JAVADOC = re.compile(r"^[ ]{4,}/\*\*.*?\*/\n", re.DOTALL | re.MULTILINE)
_FURTHER_PARAGRAPHS = re.compile(r"^ \*\n \* <p>.*?(?=^ \*/)", re.DOTALL | re.MULTILINE)
_BLANK_LINE = re.compile(r"^\n", re.MULTILINE)
# A method or constructor of a top-level class, by this kit's layout: four spaces, up to "    }".
_METHOD = re.compile(
    r"^(?P<annotation>    @\w+[^\n]*\n)?    [\w<][^;={}/@]*?\b(?P<name>\w+)\((?:[^;{}]*)\{\n"
    r".*?^    \}\n",
    re.DOTALL | re.MULTILINE,
)


def flatten(reproducer: Path, library: Path) -> str:
    """The text of one Java 8 file that holds `reproducer` and what it needs of `library`.

    Raises FileNotFoundError if the reproducer is not there.
    """
    source = reproducer.read_text(encoding="utf-8")
    sources = {
        path.stem: path.read_text(encoding="utf-8") for path in sorted(library.rglob("*.java"))
    }
    spdx = _SPDX.search(source)
    head, main = _split_at_imports(_SPDX.sub("", source))
    classes = {name: _library_class(sources[name]) for name in _closure(main, sources)}
    classes = _without_unused_methods(main, classes)
    needed = [classes[name] for name in _closure(main, classes)]
    imports = _imports((source, *sources.values()), "".join((main, *needed)))
    parts = [
        _JTREG_LIBRARY.sub("", head).strip("\n"),
        "".join(imports).rstrip("\n"),
        main.strip("\n"),
        *needed,
    ]
    return (spdx.group() if spdx else "") + "\n" + "\n\n".join(parts) + "\n"


def _split_at_imports(source: str) -> tuple[str, str]:
    """What stands before the first import, and what follows the last."""
    found = list(_IMPORT.finditer(source))
    if not found:
        return "", source
    return source[: found[0].start()], source[found[-1].end() :]


def _library_class(source: str) -> str:
    """A class of the library as it stands in the one file: not public, no package, no imports."""
    for pattern in (_SPDX, _PACKAGE, _IMPORT, _MEMBER_JAVADOC, _FURTHER_PARAGRAPHS, _BLANK_LINE):
        source = pattern.sub("", source)
    return _PUBLIC_TYPE.sub("", source).strip("\n")


def _closure(main: str, sources: Mapping[str, str]) -> list[str]:
    """The library's classes that `main` needs, directly or through others, sorted by name."""
    needed: set[str] = set()
    waiting = [main]
    while waiting:
        for name in set(_words(waiting.pop())) & sources.keys() - needed:
            needed.add(name)
            waiting.append(sources[name])
    return sorted(needed)


def _without_unused_methods(main: str, classes: Mapping[str, str]) -> dict[str, str]:
    """`classes` without the methods whose names nothing mentions but they themselves."""
    kept = dict(classes)
    while True:
        uses = Counter(word for text in (main, *kept.values()) for word in _words(text))

        def unless_unused(method: re.Match[str], uses: Counter[str] = uses) -> str:
            own = Counter(_words(method.group()))[method["name"]]
            unused = uses[method["name"]] == own and not method["annotation"]
            return "" if unused else method.group()

        shaken = {name: _METHOD.sub(unless_unused, text) for name, text in kept.items()}
        if shaken == kept:
            return kept
        kept = shaken


def _imports(sources: Iterable[str], code: str) -> list[str]:
    """The import lines of `sources` that `code` needs, sorted."""
    words = set(_words(code))
    lines = {line for source in sources for line in _IMPORT.findall(source)}
    own = {match.group(1) for source in sources for match in _PACKAGE.finditer(source)}
    return sorted(
        line
        for line in lines
        if (name := line.rstrip(";\n").rpartition("."))[2] in words
        and name[0].removeprefix("import ") not in own
    )


def _words(source: str) -> Iterator[str]:
    """The identifiers of the code itself, comments and strings left out."""
    return (match.group() for match in _WORD.finditer(_COMMENT_OR_STRING.sub(" ", source)))
