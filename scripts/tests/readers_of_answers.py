# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Readers of what programs, rows of behaviour and vendors say, and of sources that a user names,
for `test_fuzzed_readers.py`.
"""

import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, cast

from jdkmatrix.bundle.discreet import Discretion
from jdkmatrix.config import version
from jdkmatrix.config.behaviour import load_behaviour
from jdkmatrix.config.jdks import AdoptiumSource
from jdkmatrix.config.masks import load_masks
from jdkmatrix.errors import UsageError
from jdkmatrix.evidence.program_answer import outcome_by, read_answer
from jdkmatrix.evidence.rows import read_observations
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.machine.files import content_of, text_of
from jdkmatrix.machine.user_patterns import PatternSearches
from jdkmatrix.overlay.jdk_sources import SourceTree
from jdkmatrix.overlay.patch import PatchError, apply, changes_code, parse_patch
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import BuildRecord, CellRecord
from jdkmatrix.records.request import ProgramRequest
from jdkmatrix.records.store import OBSERVATIONS_FILE, OUTPUT_FILE, newest_bisection
from jdkmatrix.run.cells.class_archives import ClassArchives
from jdkmatrix.run.cells.compiled_programs import program_of
from jdkmatrix.run.cells.programs import check_pattern
from jdkmatrix.supply.net.web import Web
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.sources.adoptium import Adoptium, AdoptiumWorld
from jdkmatrix.supply.sources.adoptium_api import AdoptiumApi
from jdkmatrix.supply.vendor_index import LISTS, VendorIndex
from jdkmatrix.verdict.program_groups import Reply, first_difference, form_of, groups_of
from jdkmatrix.vocabulary import Status
from jdkmatrix.words.programs import sentences_of

LINUX = Platform("linux", "x64")
MEMBER = "coursier/jvm/indices/v1/linux-amd64.json"
BOUNDS = version.parse("8u1"), version.parse("25.0.9")
ROW = {"row": "sent.url.get", "does": "x", "gold": True, "status": "seen", "notes": ["y"], "ms": 1}
ROWS = [
    json.dumps(ROW | {"text": "GET / HTTP/1.1, User-Agent: Java/17.0.9, port 43123"}),
    json.dumps(ROW | {"row": "auth.a.b", "status": "hangs", "text": ""}),
    '{"rows": 2}',
]
OUTPUT = """\
begins at 2026-11-28T07:00:00.123Z on 127.0.0.1:43123
Exception in thread "main" java.net.ProtocolException: CR expected
\tat java.base/sun.net.www.MessageHeader.parse(MessageHeader.java:1)
\tat Repro.main(Repro.java:12)
java.lang.Object@1b6d3586 in /opt/jdk/lib of 17.0.9+9
Full thread dump OpenJDK
"""
INDEX = {
    name: {
        "8.0.422": "tgz+https://v.test/8.tar.gz",
        "17.0.9.8.1": "zip+https://v.test/17.zip",
        "17.0.10": "tgz+https://v.test/zulu17-ca-crac-jdk17.0.10-linux_x64.tar.gz",
    }
    for name in LISTS.values()
}
PACKAGE = {"name": "j.tar.gz", "link": "https://v.test/j", "size": 9, "checksum": "0f" * 32}
RELEASE = {
    "release_name": "jdk-17.0.9+9",
    "release_type": "ga",
    "version_data": {"openjdk_version": "17.0.9+9"},
    "binaries": [
        {"os": "linux", "architecture": "x64", "image_type": "jdk", "package": PACKAGE},
    ],
}
DIFF_PATH = "src/java.base/share/classes/java/net/URL.java"
DIFF = f"""\
--- a/{DIFF_PATH}
+++ b/{DIFF_PATH}
@@ -1,3 +1,3 @@
 package java.net;
-class URL {{ }}
+class URL {{ int a; }}
 // end
"""
PROGRAM = Path("/home/me/Repro.java")
SOURCE = "package java.net;\nclass URL { }\n// end\n"


class Reader(NamedTuple):
    """The name of a file, what it may hold, and what reads it."""

    name: str
    content: bytes
    read: Callable[[Path], object]

    def __repr__(self) -> str:
        return self.name


def zip_of(contents: Mapping[str, bytes | str]) -> bytes:
    output = BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return output.getvalue()


class RecordedWeb:
    """Answers each question with the same text, as `Web` decodes it."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer

    def text(self, *_: object) -> str:
        return self._answer.decode(errors="replace")


def read_rows(path: Path) -> None:
    """As a validation does: what is masked, and which rules are broken."""
    behaviour = load_behaviour(Checkout.current().behaviour)
    for row in read_observations(path.parent):
        for mask in behaviour.masks:
            mask.hide(row.row, row.text)
        for rule in behaviour.rules:
            rule.is_broken_by(row.row, row.status, row.text)


def read_output(path: Path, build: BuildRecord) -> None:
    """What a program printed, grouped with what it said elsewhere."""
    cell = CellRecord(
        build=build.id,
        test="Repro.java",
        ended=ChildEnd.FINISHED,
        status=Status.FAILED,
        status_text="Failed. exit code 1",
        seconds=1,
        test_seconds=1,
        artifacts=(),
    )
    answer = read_answer(cell, path.parent, build, load_masks(Checkout.current().masks))
    for request in (ProgramRequest(fails_with="CR expected$"), ProgramRequest(by_exit_code=True)):
        outcome_by(answer, request, PatternSearches())
    forms = {
        "a": form_of([answer.answer, Reply("exit code 1", ("begins",))]),
        "b": form_of([answer.answer]),
        "c": form_of([Reply("exit code 0", ())]),
    }
    sentences_of([group.form for group in groups_of(forms)])
    first_difference([form.lines for form in forms.values()])


def read_pattern(path: Path) -> None:
    """As the command line hands it on: of a file's bytes some are no characters."""
    pattern = content_of(path).decode(errors="surrogateescape")[: 128 << 10]
    check_pattern("--fails-with", pattern)


def read_index(path: Path) -> None:
    jar = path.with_name("index.jar")
    jar.write_bytes(zip_of({MEMBER: path.read_bytes()}))
    index = VendorIndex.read([jar], LINUX)
    refusals = []
    for vendor in LISTS:
        try:
            index.releases(vendor, BOUNDS)
        except UsageError as error:
            refusals.append(str(error))
    if refusals:
        raise UsageError(max(refusals, key=len))


def read_answers(path: Path, moving: bool) -> None:
    """What the API answers, up to the archive that it offers."""
    web = cast(Web, RecordedWeb(path.read_bytes()))
    api = AdoptiumApi(web, "https://v.test/v3")
    world = AdoptiumWorld(api, web, LINUX, cast(Any, None))
    release = "latest-ga" if moving else "jdk-17.0.9+9"
    source = Adoptium(AdoptiumSource(source="adoptium", release=release), world, 17, "temurin")
    source.resolve(())


def read_diff(path: Path) -> None:
    """A diff of sources that the user names, and a source that is no text any more."""
    place = path.parent / "tree" / DIFF_PATH
    place.parent.mkdir(parents=True)
    is_source = path.name == place.name
    place.write_bytes(path.read_bytes() if is_source else SOURCE.encode())
    tree = SourceTree(path.parent / "tree", 17)
    try:
        for file in parse_patch(DIFF if is_source else text_of(path, errors="replace")):
            source_place = tree.find(str(file.path))
            tree.place_for_new(str(file.path))
            changes_code(file)
            if source_place:
                apply(tree.read(source_place), file)
    except PatchError as error:
        raise UsageError(f"--overlay-patch {path}: {error}") from None


def read_bisection(path: Path) -> None:
    """As a bundle takes it, which is a text."""
    lines = newest_bisection(path.parent.parent, PROGRAM)
    "\n".join(lines).encode()


def read_discreetly(path: Path) -> None:
    discretion = Discretion(path.parent, ["/home/me/work"])
    discretion.clean(path.name, path.read_bytes())


def read_archive_homes(path: Path, build: BuildRecord) -> None:
    """As before a class-data archive is made, when those of other places are removed."""
    place = path.parent / "archives" / "0123456789abcdef"
    place.mkdir(parents=True)
    path.rename(place / path.name)
    archives = ClassArchives(Checkout.current(), Path("none"), print, path.parent / "archives")
    archives._remove_outdated(build)


def read_jar(path: Path) -> object:
    return program_of(path, path.parent, 17, ())


def readers_of_answers(build: BuildRecord, main_class: bytes) -> Iterator[Reader]:
    """Those of this module; `main_class` is the content of a class file."""
    yield Reader(OBSERVATIONS_FILE, "\n".join(ROWS).encode(), read_rows)
    yield Reader(OUTPUT_FILE, OUTPUT.encode(), partial(read_output, build=build))
    yield Reader("pattern.txt", rb"^(?P<a>CR) (expected|\w{2,9}?)$", read_pattern)
    yield Reader("vendors.json", json.dumps(INDEX).encode(), read_index)
    yield Reader("release.json", json.dumps(RELEASE).encode(), partial(read_answers, moving=False))
    yield Reader("list.json", json.dumps([RELEASE]).encode(), partial(read_answers, moving=True))
    yield Reader("sources.diff", DIFF.encode(), read_diff)
    yield Reader("URL.java", SOURCE.encode(), read_diff)
    bisection = {"schema": 1, "program": str(PROGRAM), "lines": ["17: first bad: 17.0.4", "x"]}
    yield Reader("bisection.json", json.dumps(bisection).encode(), read_bisection)
    leftover = {
        "file": "/home/me/work/A.java",
        "args": ["x"],
        "seen": {"ms": [1, 2.5]},
        "text": "a",
    }
    yield Reader("left.json", json.dumps(leftover).encode(), read_discreetly)
    yield Reader("home.txt", b"/opt/jdk-17", partial(read_archive_homes, build=build))
    manifest = "Manifest-Version: 1.0\r\nMain-Class: a.Main\r\n"
    jar = zip_of({"META-INF/MANIFEST.MF": manifest, "a/Main.class": main_class})
    yield Reader("program.jar", jar, read_jar)
