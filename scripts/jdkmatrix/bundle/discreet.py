# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which private data is left out of a bundle's texts? Folders and user names.

Those of the machine that makes the bundle, and of those where the run or a shard of it was made.
"""

import getpass
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

# Fields of our documents, by name: with a path that may have blanks, or with a JVM's command line.
_PATHS = frozenset({"home", "file"})
_COMMAND_LINES = frozenset({"args"})
_PART = r"[^\s/\"'`,;:()<>|=]+"
# An absolute path up to its last part. No URL, no relative path, no module/class of a stack.
_FOLDERS = re.compile(rf"(?<![\w./~-])(?:file://)?(?:~/(?:{_PART}/)*|/(?:{_PART}/)+)")
_HOME = re.compile(rf"/home/({_PART})")
# The builder's account and folder in the version of a JDK that was not released: by
# make/autoconf/jdk-version.m4 from 11 on, by common/autoconf/jdk-options.m4 in 8.
_BUILDER = re.compile(r"(?<=adhoc)\.\w+\.[\w.-]+|(?<=-internal-)\w+?_(?=\d{4}_\d\d_\d\d)")
# Technical accounts name nobody, and some of them are words in the texts.
_TECHNICAL_ACCOUNTS = {
    *("admin", "build", "builder", "ci", "debian", "docker", "java", "jdk", "jenkins", "nobody"),
    *("root", "runner", "test", "ubuntu", "user"),
}


class Discretion:
    """Cleans texts of one run: `run` is its folder; `places` are folders that texts may name."""

    def __init__(self, run: Path, places: Iterable[str]) -> None:
        replacements = {f"{run}/": ""}
        with suppress(RuntimeError):  # a container's account may have no home
            replacements[str(Path.home())] = "~"
        for place in places:
            replacements.setdefault(place, Path(place).name)
        # "/", the home of an account without one, is no place. Longest first: one may hold others.
        longest = sorted((p for p in replacements if len(Path(p).parts) > 1), key=len, reverse=True)
        self._replacements = replacements
        self._place = re.compile(
            rf"(?<![\w.-])(?:{'|'.join(map(re.escape, longest))})(?:(?<=/)|(?![\w-]))"
        )
        names = {
            *_accounts(),
            *(m[1] for p in replacements if (m := _HOME.match(p))),
        } - _TECHNICAL_ACCOUNTS
        self._names = [
            re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])") for name in names
        ]

    def clean(self, name: str, content: bytes) -> bytes:
        """A file's content without private data; `.jfr` files, being no text, are not changed."""
        if name.endswith(".jfr"):
            return content
        text = content.decode(errors="replace")
        if name.endswith(".json"):
            # A reproducer's file may be damaged, too deep, or have half a character: plain text.
            with suppress(ValueError, RecursionError):
                document = self._clean_json(None, json.loads(text))
                return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()
        return self._text(text).encode()

    def _clean_json(self, key: str | None, node: Any) -> Any:
        if isinstance(node, dict):
            return {name: self._clean_json(name, child) for name, child in node.items()}
        if isinstance(node, list):
            return [self._clean_json(key, child) for child in node]
        if not isinstance(node, str):
            return node
        if key in _COMMAND_LINES:
            return None
        return self._text(Path(node).name if key in _PATHS else node)

    def _text(self, text: str) -> str:
        text = self._place.sub(self._instead, text)
        text = _FOLDERS.sub("", _HOME.sub("~", text))
        text = _BUILDER.sub("", text)
        for name in self._names:
            text = name.sub("user", text)
        return text

    def _instead(self, match: re.Match[str]) -> str:
        """The name of a place; if the path goes on, "~", which `_FOLDERS` removes with the rest."""
        return "~" if match.string.startswith("/", match.end()) else self._replacements[match[0]]


def _accounts() -> Iterator[str]:
    with suppress(KeyError, OSError):  # a container's account may have no name
        yield getpass.getuser()
