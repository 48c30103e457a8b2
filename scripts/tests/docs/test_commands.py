# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Has each command in a Markdown page options, bugs, builds and tests that there are?"""

import re
import shlex
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from jdkmatrix.cli.commands import SUMMARIES
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.ledger import Ledger
from tests.conftest import ROOT
from tests.docs.markdown import commands, pages

PAGES = [page for page in pages(ROOT) if page.name not in ("report.md", "details.md")]
HELP = ROOT / "docs" / "reference" / "commands.md"
# A word for whatever the reader puts there.
PLACEHOLDER = re.compile(r"[A-Z][A-Z_-]*(?:\d+u\d+)?(?:/[A-Z]+(?:\.java)?)?|\$.*|\W+")


def help_of(words: list[str]) -> str:
    """The part of the reference on a command, or on a subcommand."""
    text = HELP.read_text("utf-8")
    for count in (2, 1):
        if f"\n## {' '.join(words[:count])}\n" in text:
            return text.partition(f"\n## {' '.join(words[:count])}\n")[2].partition("\n## ")[0]
    return ""


class Checker:
    """What the kit has, and what of a command it does not have."""

    def __init__(self, jdks: JdksFile, ledger: Ledger, root: Path) -> None:
        self.builds = {entry.id for entry in jdks.builds}
        self.bugs = {bug.id.removeprefix("JDK-") for bug in ledger.bugs}
        self.root = root

    def wrong_words(self, command: str) -> list[str]:
        """Its words that the kit does not have."""
        words = shlex.split(command)[1:]
        if "--" in words:  # what follows is a program's
            words = words[: words.index("--")]
        if not words or words[0] in ("--version", "--help"):
            return []
        if words[0] not in SUMMARIES and not PLACEHOLDER.fullmatch(words[0]):
            return [words[0]]
        return list(self._wrong(words, help_of(words)))

    def _wrong(self, words: list[str], text: str) -> Iterator[str]:
        for word, following in zip(words, [*words[1:], ""], strict=True):
            option, _, setting = word.partition("=")
            if option.startswith("--"):
                if not re.search(rf"{option}(?![\w-])", text):
                    yield option
                if not self._is_there(option, setting or following):
                    yield f"{option} {setting or following}"
        if (
            words[0] in ("has", "bisect", "bundle")
            and not words[1].startswith("--")  # of no bug: --file, --suite
            and not self._is_there("--bug", words[1])
        ):
            yield words[1]

    def _is_there(self, option: str, name: str) -> bool:
        if PLACEHOLDER.fullmatch(name):
            return True
        if option == "--bug":
            return name.removeprefix("JDK-") in self.bugs
        if option in ("--build", "--baseline", "--diff", "--good", "--bad"):
            is_path = name.startswith(("~", "/")) or name.endswith(".jfr")
            return is_path or any(fnmatchcase(build, name) for build in self.builds)
        if option == "--test":
            suite = self.root / "test"
            groups = (suite / "TEST.groups").read_text()
            return f"\n{name[1:]} = " in f"\n{groups}" if name[0] == ":" else any(suite.glob(name))
        return True


@pytest.fixture(scope="module")
def checker(jdks: JdksFile, ledger: Ledger, root: Path) -> Checker:
    return Checker(jdks, ledger, root)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_command_is_the_kits(page: Path, checker: Checker) -> None:
    wrong = {
        command: words
        for command in commands(page.read_text("utf-8"))
        if (words := checker.wrong_words(command))
    }
    assert wrong == {}


def test_the_pages_have_commands() -> None:
    assert sum(len(list(commands(page.read_text("utf-8")))) for page in PAGES) > 60


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("run --bug 8293562 --build 'temurin-17*' --test ':tier1' --jdk ~/jdk", []),
        ("jdks lock debian-17", []),
        ("runs", ["runs"]),
        ("run --tests x", ["--tests"]),
        ("jdks prune --unused 3", ["--unused"]),
        ("run --bug 8293563", ["--bug 8293563"]),
        ("run --build temurin-16", ["--build temurin-16"]),
        ("run --test keepalive/Gone.java", ["--test keepalive/Gone.java"]),
        ("run --test :gone", ["--test :gone"]),
        ("run --bug JDK-8293563", ["--bug JDK-8293563"]),
        ("has 8293563 --jdk ~/jdk", ["8293563"]),
        ("bisect --file Repro.java --trian 17", ["--trian"]),
        ("try a.jar --bulid debian-17 -- --its-own", ["--bulid"]),
    ],
)
def test_what_is_wrong_is_named(command: str, wrong: list[str], checker: Checker) -> None:
    assert checker.wrong_words(f"scripts/matrix {command}") == wrong
