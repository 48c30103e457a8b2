# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""In which tags of OpenJDK's public histories is a change? By the ids that begin its message.

    UPDATE_TAGS="8=GIT_DIR 9-11=GIT_DIR ..." scripts/test tests/config/test_public_tags.py

writes those of the ledger's ids into `public_tags.yaml`, by release line: the lines that a git
directory is given for.
"""

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.config.version import JdkVersion, parse

_TAG = re.compile(r"jdk-?(?P<version>8u\d+-b\d+|\d+(?:\.\d+)*\+\d+)")
_RELEASE = re.compile(r"jdk-?(?P<version>8u\d+|\d+(?:\.\d+)*)-ga")
# One or several at the start of a line; the conversion of mainline's history left one revision.
_IDS = re.compile(r"\s*(?:JDK-)?((?:\d{7}(?:, *)?)+|19b1926)[: ]")
_MISNAMED = {"19b1926": "8215711"}


@dataclass(frozen=True)
class History:
    """What a git directory has of some release lines: tags, releases, the first tag of each id."""

    tags: tuple[JdkVersion, ...]
    releases: tuple[JdkVersion, ...]
    first_tags: Mapping[str, JdkVersion]

    def text(self, bug_id: str) -> str:
        """As the ledger has it: the tag, or a range if that of the build before is not public."""
        tag = self.first_tags[bug_id]
        older = [t for t in self.tags if t.train == tag.train and t < tag and t.build]
        assert tag.build is not None
        is_certain = (
            tag.build <= 1
            or not older
            or (older[-1].build, older[-1].numbers)
            == (
                tag.build - 1,
                tag.numbers,
            )
        )
        if is_certain:
            return str(tag)
        # Of an older release the last one's tag: none of its builds has it.
        is_same = older[-1].numbers == tag.numbers
        return f"{older[-1] if is_same else older[-1].release}..{tag}"


def read_history(git_dir: Path, trains: Iterable[int]) -> History:
    """Read the tags of these trains, and what each was the first to have. Some 10 s."""
    refs = _git(
        git_dir,
        "for-each-ref",
        "refs/tags",
        "--format=%(refname:short) %(objectname) %(*objectname)",
    )
    heads: dict[JdkVersion, str] = {}
    releases = []
    for name, *targets in map(str.split, refs.splitlines()):
        if match := _TAG.fullmatch(name):
            heads[parse(match["version"])] = targets[-1]
        elif match := _RELEASE.fullmatch(name):
            releases.append(parse(match["version"]))
    commits = {}
    log = _git(git_dir, "log", "--tags", "--format=%x01%H %P%x02%B")
    for commit in log.split("\x01")[1:]:
        hashes, _, message = commit.partition("\x02")
        name, *parents = hashes.split()
        commits[name] = (parents, set(_ids_in(message)))
    first_tags: dict[str, JdkVersion] = {}
    for tag in sorted(heads):
        waiting = [heads[tag]]
        while waiting:
            # What an older tag has is taken out.
            parents, ids = commits.pop(waiting.pop(), ([], set()))
            waiting += parents
            for bug_id in ids:
                first_tags.setdefault(bug_id, tag)
    return History(
        tuple(sorted(tag for tag in heads if tag.train in trains)),
        tuple(sorted(release for release in releases if release.train in trains)),
        {bug_id: tag for bug_id, tag in first_tags.items() if tag.train in trains},
    )


def _ids_in(message: str) -> Iterator[str]:
    for line in message.splitlines():
        if match := _IDS.match(line):
            for number in match[1].replace(",", " ").split():
                yield f"JDK-{_MISNAMED.get(number, number)}"


def _git(git_dir: Path, *arguments: str) -> str:
    command = ["git", f"--git-dir={git_dir}", *arguments]
    return subprocess.run(command, check=True, capture_output=True, errors="replace").stdout


def tags_document(histories: Mapping[range, Path], bug_ids: Iterable[str]) -> str:
    """The lines of `public_tags.yaml` that the histories of these trains give."""
    releases: dict[int, list[JdkVersion]] = {}
    tags: dict[str, dict[int, str]] = {bug_id: {} for bug_id in sorted(bug_ids)}
    mainline: set[str] = set()
    for trains, git_dir in sorted(histories.items(), key=lambda place: place[0].start):
        history = read_history(git_dir, trains)
        for train in trains:
            of_train = [
                tag for tag in (*history.releases, *history.tags[-1:]) if tag.train == train
            ]
            releases[train] = of_train
        for bug_id in tags.keys() & history.first_tags.keys():
            tag = history.first_tags[bug_id]
            if tag.numbers != (tag.train,):
                tags[bug_id][tag.train] = history.text(bug_id)
            elif bug_id not in mainline:
                mainline.add(bug_id)
                tags[bug_id][tag.train] = history.text(bug_id)
    lines = ["releases:"]
    lines += [
        f"  {train}: [{', '.join(map(str, of_train))}]" for train, of_train in releases.items()
    ]
    lines += ["tags:"]
    lines += [f"  {bug_id}: {{{_pairs(first)}}}" for bug_id, first in tags.items()]
    return "\n".join(lines) + "\n"


def _pairs(first: Mapping[int, str]) -> str:
    return ", ".join(f"{train}: {tag}" for train, tag in sorted(first.items()))
