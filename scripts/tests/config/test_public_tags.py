# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The ledger says of each release what the public history of its line says.

`public_tags.yaml` has the first tag of each id, as `git_tags.py` read it. Where the ledger rests on
another change than the one that it is named for, that one's tags are compared.
"""

import os
import subprocess
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pydantic import TypeAdapter

from jdkmatrix.config import yaml_file
from jdkmatrix.config.known_changes import KnownChange, load_known_changes
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.tags import TagsByTrain, has_change
from jdkmatrix.config.version import JdkVersion, parse
from jdkmatrix.paths import Checkout
from tests.config.git_tags import read_history, tags_document

# A vendor's build had it before its tag: Zulu's 11.0.7.
EARLIER_IN_BUILDS = {("JDK-8239798", 11)}
FILE = Path(__file__).with_name("public_tags.yaml")
BROUGHT = "introduced"
# The bug came with the change of its id: besides the unreported ones.
BROUGHT_BY_THEIR_OWN_ID = {"JDK-8155590", "JDK-8209333"}
# From which train on another change has it, as the ledger's notes say.
OTHER_CHANGES = {
    "JDK-8155590": (8, "JDK-8293562"),  # the fix of what came with it
    "JDK-8230977": (9, "JDK-8144093"),  # JEP 244
    "JDK-8245263": (11, "JDK-8196584"),  # JDK 11 was born with TLS 1.3
    "JDK-8245468": (11, "JDK-8196584"),
    "JDK-8267880": (16, "JDK-8153005"),  # in 11 two steps, in 16 one
    "JDK-8312065": (13, "JDK-8221481"),  # JEP 353
}


class Question(NamedTuple):
    """What the ledger says of one change, and the id by which histories know it from a train on."""

    name: str
    tags: TagsByTrain
    bug_id: str
    is_in: Callable[[JdkVersion], bool | None]

    def id_in(self, train: int) -> str:
        """The id that the histories of this train and later ones have."""
        since, other_id = OTHER_CHANGES.get(self.bug_id, (train + 1, self.bug_id))
        is_own = train < since or self.name.endswith(BROUGHT)
        return self.bug_id if is_own else other_id


class PublicTags:
    """`public_tags.yaml`: the releases of each line, and the first tags of each id."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.releases = {
            train: tuple(parse(str(text)) for text in texts)
            for train, texts in document["releases"].items()
        }
        sources = document["sources"]
        self.of_sources = tuple(map(parse, sources["releases"]))
        for release in self.of_sources:
            self.releases[release.train] += (release,)
        self.tags = {
            bug_id: TypeAdapter(TagsByTrain).validate_python(
                {**document["tags"].get(bug_id, {}), **sources["tags"].get(bug_id, {})}
            )
            for bug_id in document["tags"].keys() | sources["tags"].keys()
        }

    def has_change(self, release: JdkVersion, bug_id: str) -> bool | None:
        """As `git tag --contains` says; None where a line's history has a gap, or only sources are
        at hand, which need not name an id; or if nobody has looked for the id.
        """
        if bug_id not in self.tags:
            return None
        tags = self.tags[bug_id]
        tag = tags.get(release.train)
        if tag is not None:
            return tag.is_in(release)
        # A feature release's tag is mainline's: each later train was born with the change.
        mainline = (train for train in tags if tags[train].present_in.numbers == (train,))
        is_born_with_it = any(train < release.train for train in mainline)
        return None if release in self.of_sources and not is_born_with_it else is_born_with_it


def of_tags(name: str, tags: TagsByTrain, bug_id: str) -> Question:
    """A question that the tags alone answer."""
    return Question(name, tags, bug_id, partial(has_change, tags=tags))


def questions(ledger: Ledger, changes: tuple[KnownChange, ...]) -> Iterator[Question]:
    """Each that names an id of JBS."""
    for bug in ledger.bugs:
        is_named_for_cause = bug.unreported or bug.id in BROUGHT_BY_THEIR_OWN_ID
        if bug.introduced and is_named_for_cause:
            yield of_tags(f"{bug.id} {BROUGHT}", bug.introduced, bug.id)
        if not is_named_for_cause or bug.id in OTHER_CHANGES:
            yield of_tags(f"{bug.id} fixed", bug.fixed, bug.id)
    for change in changes:
        if change.bug:
            yield Question(f"{change.bug} {change.title}", change.since, change.bug, change.is_in)
    for condition in ledger.conditions:
        if condition.bug and condition.since:
            yield of_tags(f"{condition.bug} {condition.title}", condition.since, condition.bug)


def differences(public: PublicTags, asked: Iterable[Question]) -> list[str]:
    """Where the ledger says otherwise; where either cannot tell, there is no difference."""
    return [
        f"{question.name}: on {release} {says}, the history of {public_id} {tells}"
        for question in asked
        if question.bug_id.startswith("JDK-")
        for train, releases in public.releases.items()
        for public_id in [question.id_in(train)]
        for release in releases
        for says, tells in [(question.is_in(release), public.has_change(release, public_id))]
        if None not in (says, tells) and says is not tells
    ]


def needless_ranges(public: PublicTags, asked: Iterable[Question]) -> list[str]:
    """Where the ledger has two builds, and the history the tag."""
    return [
        f"{question.name}: {tag}, the history of {public_id} {public_tag}"
        for question in asked
        for train, tag in question.tags.items()
        for public_id in [question.id_in(train)]
        for public_tag in [public.tags.get(public_id, {}).get(train)]
        if tag.absent_in and public_tag and not public_tag.absent_in
        if (question.bug_id, train) not in EARLIER_IN_BUILDS
    ]


def write_tags(places: list[str], asked: Iterable[Question]) -> None:
    """Read the git directories, and keep what the file has by hand, its head and `sources`."""
    histories = {}
    for place in places:
        trains, _, git_dir = place.partition("=")
        first, _, last = trains.partition("-")
        histories[range(int(first), int(last or first) + 1)] = Path(git_dir)
    ids = {question.bug_id for question in asked} | {bug_id for _, bug_id in OTHER_CHANGES.values()}
    by_hand, _, _ = FILE.read_text().partition("releases:\n")
    FILE.write_text(f"{by_hand}{tags_document(histories, ids)}")


def test_each_release_has_what_its_history_has(ledger: Ledger) -> None:
    asked = tuple(questions(ledger, load_known_changes(Checkout.current().known_changes)))
    if places := os.environ.get("UPDATE_TAGS"):
        write_tags(places.split(), asked)
    public = yaml_file.data_of(yaml_file.read(FILE), FILE, PublicTags)
    assert differences(public, asked) == []
    assert needless_ranges(public, asked) == []


PUBLIC = PublicTags(
    {
        "sources": {"releases": ["17.0.9+9"], "tags": {"JDK-8000003": {17: "17.0.8+7..17.0.9+9"}}},
        "releases": {11: ["11.0.20", "11.0.21"], 17: ["17.0.4"], 21: ["21.0.1"]},
        "tags": {
            "JDK-8000001": {11: "11.0.21+1", 20: "20+18"},
            "JDK-8000002": {17: "17.0.4+8"},
            "JDK-8000004": {},
        },
    }
)


@pytest.mark.parametrize(
    ("number", "tags", "releases"),
    [
        (1, {11: "11.0.21+1", 20: "20+18"}, []),
        (1, {11: "11.0.21+1"}, ["17.0.4"]),  # as if mainline had it since 12
        (1, {11: "11.0.20+1", 20: "20+18"}, ["11.0.20"]),
        (1, {11: "11.0.22+1", 20: "20+18"}, ["11.0.21"]),
        (1, {11: "11.0.20+8..11.0.22+7", 20: "20+18"}, []),  # it does not say
        (2, {17: "17.0.4+1", 22: "22+1"}, []),
        (2, {17: "17.0.5+1", 22: "22+1"}, ["17.0.4"]),
        (2, {17: "17.0.4+1", 20: "20+1"}, ["21.0.1"]),  # mainline never had it
        (3, {17: "17.0.9+1", 22: "22+1"}, []),
        (3, {17: "17.0.10+1", 22: "22+1"}, ["17.0.9+9"]),
        (4, {17: "17.0.5+1", 22: "22+1"}, []),  # sources need not name it
        (4, {17: "17.0.1+1", 22: "22+1"}, ["17.0.4"]),
        (5, {17: "17.0.1+1", 22: "22+1"}, []),  # nobody has looked for it
    ],
)
def test_a_difference_is_noticed(number: int, tags: dict[int, str], releases: list[str]) -> None:
    asked = of_tags("a", TypeAdapter(TagsByTrain).validate_python(tags), f"JDK-800000{number}")
    assert [line.split()[2] for line in differences(PUBLIC, [asked])] == releases


def test_a_needless_range_is_noticed() -> None:
    tags = TypeAdapter(TagsByTrain).validate_python({11: "11.0.20+8..11.0.22+7", 20: "20+18"})
    assert len(needless_ranges(PUBLIC, [of_tags("a", tags, "JDK-8000001")])) == 1


def test_the_first_tag_of_each_id(tmp_path: Path) -> None:
    """A message may have several ids, and a release may have no tags of its builds."""

    def run_git(*arguments: str) -> None:
        author = ["-c", "user.name=a", "-c", "user.email=a@b.invalid"]
        subprocess.run(["git", *author, *arguments], cwd=tmp_path, check=True, capture_output=True)

    run_git("init", "-q")
    for message, *tags in (
        ("8000001: a", "jdk-20+1", "jdk-20+2"),
        (
            "19b1926: b\n\nSee 8000009: it is no id of this one's",
            "jdk-20+3",
            "jdk-20-ga",
            "jdk-20.0.1+0",
        ),
        ("8000002: c\n8000003: d", "jdk-20.0.1+9"),
        ("8000001: a, once more", "jdk-20.0.2+1", "jdk-21+5"),
    ):
        run_git("commit", "-q", "--allow-empty", "-m", message)
        for tag in tags:
            run_git("tag", tag)
    history = read_history(tmp_path / ".git", range(20, 21))
    assert [str(release) for release in history.releases] == ["20"]
    assert {bug_id: history.text(bug_id) for bug_id in history.first_tags} == {
        "JDK-8000001": "20+1",
        "JDK-8215711": "20+3",
        "JDK-8000002": "20..20.0.1+9",
        "JDK-8000003": "20..20.0.1+9",
    }
