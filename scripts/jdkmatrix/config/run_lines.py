# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which JVMs does a jtreg test want? The `@run main/othervm` and `testng/othervm` of its header.

The rest of jtreg's language is left to jtreg: a test that needs more is run with `run --suite`.
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.errors import UsageError
from jdkmatrix.machine.files import text_of

# A value may continue on the next lines, up to a blank one or the next tag.
_TAG = re.compile(
    r"^[ \t]*(?:\*+|//)[ \t]*@(?P<name>run|library|build|requires|key)\b"
    r"(?P<value>(?:.*\n[ \t]*\*[ \t]+(?![@\s]))*.*)$",
    re.MULTILINE,
)
_LINE_BREAK = re.compile(r"\n[ \t]*\*")
_REQUIRES = re.compile(r"jdk\.version\.major *(?P<relation>>=|<) *(?P<train>\d{1,4})")
_ACTION = re.compile(r"(?P<kind>main|testng)(?P<modes>(?:/othervm|/timeout=\d{1,9})*)")
_TIMEOUT = re.compile(r"/timeout=(\d+)")
# Options of java whose value is the next word.
_WITH_VALUE = re.compile(
    r"-cp|-classpath|-p|--(?!.*=)[a-z-]*(?:path|module|modules|exports|opens|reads)"
)
_MEMORY = "memory"
_PREPARATIONS = ("build", "clean", "compile")
# The train that a test without `@requires` is written for.
_OLDEST_TRAIN = 8
_ACCEPTED = "main|testng/othervm[/timeout=SECONDS] [-OPTION...] CLASS [ARGUMENT...]"
_ACCEPTED_ALONE = (
    "main[/othervm][/timeout=SECONDS] [-OPTION...] CLASS [ARGUMENT...]; by jtreg: run --suite DIR, "
    "the folder above it that has a TEST.ROOT"
)


@dataclass(frozen=True)
class RunLine:
    """One JVM: its options, main class and arguments, and the time-out it asks for, if any.

    With `is_testng`, the class has TestNG tests and no main method.
    """

    main_class: str
    arguments: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    timeout_s: float | None = None
    is_testng: bool = False


@dataclass(frozen=True)
class Header:
    """The JVMs of a test, the folders of its `@library`, relative to the suite, and the classes of
    `@build`, which its source does not name. By its `@requires`, the test is for builds from
    `since_train` on and older than `before_train`; it is compiled for the first. `keys` are the
    words of its `@key`.
    """

    runs: tuple[RunLine, ...]
    libraries: tuple[str, ...]
    builds: tuple[str, ...] = ()
    since_train: int = _OLDEST_TRAIN
    keys: frozenset[str] = frozenset()
    before_train: int | None = None

    @property
    def measures_memory(self) -> bool:
        """Does it count bytes or objects? Then its JVMs load their classes themselves."""
        return _MEMORY in self.keys

    @property
    def is_testng(self) -> bool:
        """Does any of its JVMs need TestNG?"""
        return any(line.is_testng for line in self.runs)

    @property
    def requires(self) -> str:
        """`jdk.version.major >= 11`"""
        bounds = (f">= {self.since_train}", self.before_train and f"< {self.before_train}")
        return " & ".join(f"jdk.version.major {bound}" for bound in bounds if bound)

    def is_for(self, train: int) -> bool:
        """Does its `@requires` hold for builds of that train?"""
        return self.since_train <= train and not (self.before_train and train >= self.before_train)


def read_header(file: Path, *, is_alone: bool = False) -> Header:
    """The header of a test. Raises UsageError for what is not supported here.

    If it `is_alone`, each `@run main` has a JVM of its own, and what jtreg prepares for a test
    counts as done: it is run without a suite.
    """
    text = text_of(file, errors="replace")
    runs: list[RunLine] = []
    words_of: dict[str, list[str]] = defaultdict(list)
    trains: dict[str, int] = {}
    for tag in _TAG.finditer(text):
        words = _words(tag)
        if tag["name"] == "requires":
            condition = _REQUIRES.fullmatch(" ".join(words))
            if condition:
                trains[condition["relation"]] = int(condition["train"])
            elif not is_alone:
                raise _refusal(file, text, tag, "jdk.version.major >= N or < N")
        elif tag["name"] != "run":
            words_of[tag["name"]] += words
        elif not (is_alone and words and words[0] in _PREPARATIONS):
            run = _run_line(words, is_alone=is_alone)
            if run is None:
                raise _refusal(file, text, tag, _ACCEPTED_ALONE if is_alone else _ACCEPTED)
            runs.append(run)
    return Header(
        tuple(runs) or (RunLine(file.stem),),
        tuple(word.strip("/") for word in words_of["library"]),
        tuple(words_of["build"]),
        trains.get(">=", _OLDEST_TRAIN),
        frozenset(words_of["key"]),
        trains.get("<"),
    )


def _run_line(words: list[str], *, is_alone: bool) -> RunLine | None:
    """What an `@run` with these words means; None for what is not supported here."""
    action = _ACTION.fullmatch(words[0]) if words else None
    if action is None:
        return None
    options, rest = _split_options(words[1:])
    is_testng, has_own_jvm = action["kind"] == "testng", "/othervm" in action["modes"]
    if not rest or (is_testng if is_alone else not has_own_jvm):
        return None
    timeout = _TIMEOUT.search(action["modes"])
    timeout_s = float(timeout[1]) if timeout else None
    return RunLine(rest[0], tuple(rest[1:]), tuple(options), timeout_s, is_testng)


def _split_options(words: list[str]) -> tuple[list[str], list[str]]:
    """The options of java, with the values of those that have one, and what follows."""
    count = 0
    while count < len(words) and words[count].startswith("-"):
        count += 2 if _WITH_VALUE.fullmatch(words[count]) else 1
    return words[:count], words[count:]


def _refusal(file: Path, text: str, tag: re.Match[str], usage: str) -> UsageError:
    line = text.count("\n", 0, tag.start()) + 1
    directive = " ".join((f"@{tag['name']}", *_words(tag)))
    return UsageError(f"{file}:{line}: {directive}; accepted: {usage}")


def _words(tag: re.Match[str]) -> list[str]:
    return _LINE_BREAK.sub(" ", tag["value"]).split()
