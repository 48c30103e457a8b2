# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a runtime taken out of an archive that Maven gives, alone, and only if it is open source?

`mvn` is a program that resolves the POM it is given from a shelf, as Maven would.
"""

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from license_expression import get_license_index

from jdkmatrix.config.jdks import JdksFile, MavenSource, load_jdks
from jdkmatrix.errors import UsageError
from jdkmatrix.machine.files import sha256_of
from jdkmatrix.paths import Checkout
from jdkmatrix.report.console.holdings_list import holding_line, holding_row
from jdkmatrix.supply.build import Build, Offer
from jdkmatrix.supply.cache.holdings import Holdings
from jdkmatrix.supply.jars.maven import MachineMaven
from jdkmatrix.supply.sources import licence
from jdkmatrix.supply.sources.licence import OPEN_NAMES, declaring_pom
from jdkmatrix.supply.sources.maven import Maven, MavenWorld
from jdkmatrix.supply.supplier import Supplier
from tests.supply.supply_kit import ProgressLog, jdks_of, write_jdk

needs_dpkg = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="no dpkg-deb here")
VERSION = "17.0.13+11"
ENTRY = f"temurin-{VERSION}"
COORDINATES = "org.scan:scan-cli:tar.gz:linux:7.0"
MVN = """#!{python}
import json, os, shutil, sys
from pathlib import Path
from xml.etree import ElementTree
options = dict(a.partition("=")[::2] for a in sys.argv[1:])
Path({asked!r}).write_text(json.dumps(sys.argv[1:]))
if "dependency:list" not in options:
    sys.exit("unknown goal")
pom = Path(options["--file"])
project = ElementTree.parse(pom).getroot()
parent = pom.parent / project.findtext("{{*}}parent/{{*}}relativePath")
if "maven-dependency-plugin" not in parent.read_text():
    sys.exit("no parent")
keys = ("groupId", "artifactId", "version", "type", "classifier")
archive = project.find("{{*}}profiles/{{*}}profile/{{*}}dependencies/{{*}}dependency")
group, artifact, version, kind, classifier = [archive.findtext("{{*}}" + key) for key in keys]
file = "/".join([*group.split("."), artifact, version, "-".join(
    filter(None, [artifact, version, classifier])) + "." + kind])
if not (Path({shelf!r}) / file).is_file():
    name = ":".join([group, artifact, kind, classifier, version])
    print("[ERROR] Failed to execute goal on project build: Could not resolve dependencies for "
        "project tls13kit:build:pom:1: Could not find artifact " + name + " in central "
        "(https://user:secret@maven.example/maven2) -> [Help 1]\\n[ERROR] \\n[ERROR] Re-run")
    sys.exit(1)
shutil.copytree({shelf!r}, options["-Dmaven.repo.local"], dirs_exist_ok=True)
Path(options["-DoutputFile"]).write_text("")
"""
GPL = "GPL  of the\ntests\n"
PARENT = """<project><licenses><license><name>{name}</name></license></licenses></project>"""
CHILD = """<project xmlns="http://maven.apache.org/POM/4.0.0"><parent><groupId>org.scan</groupId>
<artifactId>parent</artifactId><version>1</version></parent></project>"""


@pytest.fixture(autouse=True)
def open_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text that the tests' runtimes have as their licence is one that the kit knows."""
    digest = hashlib.sha256(b"GPL of the tests").hexdigest()
    monkeypatch.setitem(licence._TEXTS, digest, "GPL-2.0-only WITH Classpath-exception-2.0")


@dataclass
class Central:
    """A shelf, the `mvn` that gives what is on it, a cache and a lock."""

    root: Path
    progress: ProgressLog

    @property
    def lock(self) -> Path:
        return self.root / "jdks.lock"

    @property
    def last_arguments(self) -> list[str]:
        """The arguments of the last `mvn`."""
        arguments: list[str] = json.loads((self.root / "asked.json").read_text())
        return arguments

    def offer(
        self,
        *places: str,
        text: str | None = GPL,
        declares: str = "GNU LGPL 3",
        missing_file: str | None = None,
        reports: str = VERSION,
        java: bytes | None = None,
    ) -> None:
        """Put an archive on the shelf with a JDK at each of these places (default: one, `s/jre`),
        perhaps without a file, or with another program `java`.
        """
        file = self._file("scan-cli", "7.0", "scan-cli-7.0-linux.tar.gz")
        with tarfile.open(file, "w:gz") as archive:
            add(archive, "s/lib/scan.jar", b"much that is around it")
            for n, place in enumerate(places or ("s/jre",)):
                jdk = write_jdk(self.root / f"jdk-{n}-{os.urandom(4).hex()}", reports)
                if java is not None:
                    (jdk / "bin" / "java").write_bytes(java)
                if text is not None:
                    (jdk / "legal" / "java.base").mkdir(parents=True)
                    (jdk / "legal" / "java.base" / "LICENSE").write_text(text)
                for file in sorted(jdk.rglob("*")):
                    name = file.relative_to(jdk).as_posix()
                    if file.is_file() and name != missing_file:
                        add(archive, f"{place}/{name}", file.read_bytes(), file.stat().st_mode)
        self._file("scan-cli", "7.0", "scan-cli-7.0.pom").write_text(CHILD)
        self._file("parent", "1", "parent-1.pom").write_text(PARENT.format(name=declares))

    def _file(self, artifact: str, version: str, name: str) -> Path:
        folder = self.root / "shelf" / "org" / "scan" / artifact / version
        folder.mkdir(parents=True, exist_ok=True)
        return folder / name

    def supplier(self, jdks: JdksFile, *, offline: bool = False) -> Supplier:
        return Supplier(jdks, self.lock, self.root / "cache", offline, self.progress)

    def supply(self, **options: object) -> str:
        """The home of the build in its install, or the reason that there is none."""
        jdks = jdks_of(entry(**options))
        (outcome,) = self.supplier(jdks).supply(jdks.builds)
        if isinstance(outcome, Build):
            return outcome.home.relative_to(self.installs()[-1]).as_posix()
        assert "\n" not in str(outcome)
        assert self.list_staging() == self.installs() == []
        return str(outcome).removeprefix(f"{ENTRY} unavailable: maven: ")

    def installs(self) -> list[Path]:
        builds = self.root / "cache" / "builds"
        return sorted(builds.iterdir()) if builds.is_dir() else []

    def list_staging(self) -> list[Path]:
        staging = self.root / "cache" / "staging"
        return list(staging.iterdir()) if staging.is_dir() else []


def add(archive: tarfile.TarFile, name: str, content: bytes, mode: int = 0o644) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(content), mode
    archive.addfile(member, io.BytesIO(content))


def entry(**options: object) -> dict[str, Any]:
    group, artifact, kind, classifier, version = COORDINATES.split(":")
    source = {"source": "maven", "group": group, "artifact": artifact, "version": version}
    return {
        "id": ENTRY,
        "sources": [{**source, "type": kind, "classifier": classifier, **options}],
    }


@pytest.fixture
def central(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Central:
    """A registry with nothing on its shelf, whose `mvn` is the first on the PATH."""
    new_central = Central(tmp_path, ProgressLog())
    program = tmp_path / "bin" / "mvn"
    program.parent.mkdir()
    places = {"shelf": str(tmp_path / "shelf"), "asked": str(tmp_path / "asked.json")}
    program.write_text(MVN.format(python=sys.executable, **places))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    return new_central


def test_only_the_runtime_is_kept_and_found_again(central: Central) -> None:
    central.offer()
    assert central.supply() == "root"
    (install,) = central.installs()
    assert sorted(path.name for path in install.iterdir()) == [
        "declares-licence.pom",
        "installed.json",
        "root",
    ]
    assert not list(install.rglob("scan.jar"))
    assert central.list_staging() == []
    assert "--strict-checksums" in central.last_arguments
    (central.root / "bin" / "mvn").unlink()
    jdks = jdks_of(entry())
    (cached_build,) = central.supplier(jdks, offline=True).supply(jdks.builds)
    assert isinstance(cached_build, Build), str(cached_build)
    assert (cached_build.id, cached_build.source) == (ENTRY, "maven")


def test_other_bytes_than_the_locks_are_refused(central: Central) -> None:
    central.offer()
    central.supply()
    (artifact,) = json.loads(central.lock.read_text())["platforms"].popitem()[1][ENTRY]["artifacts"]
    assert (artifact["name"], artifact["version"]) == ("org.scan:scan-cli:tar.gz:linux", "7.0")
    central.offer("s/other")
    other_supplier = Supplier(
        jdks_of(entry()), central.lock, central.root / "other", False, central.progress
    )
    (outcome,) = other_supplier.supply(jdks_of(entry()).builds)
    assert "org.scan:scan-cli:tar.gz:linux 7.0: SHA-256 is " in str(outcome)
    assert str(outcome).endswith(f"but jdks.lock has {artifact['sha256']}")


@needs_dpkg
def test_its_libraries_lie_beside_it_and_its_programs_start_with_them(
    central: Central, tmp_path: Path
) -> None:
    central.offer(java=Path("/bin/sleep").read_bytes())
    fields = {**entry()["sources"][0], "libraries": {"suite": "bookworm", "packages": ("musl",)}}
    config = MavenSource.model_validate(fields)
    world = MavenWorld(lambda _: (MachineMaven(),), Checkout.current().pom)
    maven = Maven(config, world, MuslSuite(tmp_path), None)  # type: ignore[arg-type]
    staging, target = tmp_path / "staging", tmp_path / "target"
    staging.mkdir()
    target.mkdir()
    files = maven.fetch(maven.resolve(()), staging, lambda n: None)
    artifacts = tuple(file.artifact for file in files)
    assert [artifact.name for artifact in artifacts] == [config.name, "musl"]
    assert maven.fits(artifacts)
    assert not maven.fits(artifacts[:1])
    assert [offer.sha256 for offer in maven.resolve(artifacts)] == [
        artifact.sha256 for artifact in artifacts
    ]
    root = maven.install(files, target, tmp_path / "final")
    assert sorted(path.name for path in target.iterdir()) == [
        "declares-licence.pom",
        "libraries",
        "root",
    ]
    assert b"/final/libraries/lib/ld-musl-x86_64.so.1\0" in (root / "bin" / "java").read_bytes()


class MuslSuite:
    """A suite that has musl, the C library of which is any program."""

    def __init__(self, folder: Path) -> None:
        libraries = folder / "deb" / "lib" / "some-triplet"
        libraries.mkdir(parents=True)
        shutil.copy("/bin/sleep", libraries / "libc.so")
        (libraries.parent / "ld-musl-x86_64.so.1").symlink_to("some-triplet/libc.so")
        (folder / "deb" / "DEBIAN").mkdir()
        (folder / "deb" / "DEBIAN" / "control").write_text(
            "Package: musl\nVersion: 1.2\nArchitecture: all\n"
            "Maintainer: nobody <nobody@example.com>\nDescription: made by a test\n"
        )
        self._package = folder / "musl_1.2_all.deb"
        command: list[str | Path] = ["dpkg-deb", "--root-owner-group", "-b"]
        subprocess.run([*command, folder / "deb", self._package], check=True, capture_output=True)

    def suite(self, name: str, components: tuple[str, ...] = ("main",)) -> "MuslSuite":
        return self

    def packages(self, pairs: Sequence[tuple[str, str | None]]) -> tuple[Offer, ...]:
        size_bytes, sha256 = self._package.stat().st_size, sha256_of(self._package)
        return tuple(Offer(name, "1.2", size_bytes, sha256) for name, _ in pairs)

    def download(self, packages: tuple[Offer, ...], target: Path, tick: object) -> None:
        shutil.copy(self._package, target)


class TestWhereTheRuntimeLies:
    def test_one_that_lies_deeper_is_found(self, central: Central) -> None:
        central.offer("s/a/b/runtime")
        assert central.supply(folder="s") == "root"

    def test_of_several_one_must_be_named(self, central: Central) -> None:
        central.offer("s/jre", "s/old/jre")
        assert central.supply() == (
            f"{COORDINATES}: has several runtimes; to choose one, add to its source in jdks.yaml: "
            "folder: s/jre or s/old/jre"
        )
        assert central.supply(folder="s/old/jre") == "root"

    @pytest.mark.parametrize(
        ("missing_file", "folder", "reason"),
        [
            ("bin/java", None, "nothing in it has bin/java"),
            ("bin/java", "s", "nothing in s has bin/java"),
            ("release", None, "no file 'release' in its folder s/jre: not a JDK"),
            (None, "s/jdk", "has no folder s/jdk"),
        ],
    )
    def test_an_archive_without_one_is_one_line(
        self, central: Central, missing_file: str | None, folder: str | None, reason: str
    ) -> None:
        central.offer(missing_file=missing_file)
        options = {"folder": folder} if folder else {}
        assert central.supply(**options) == f"{COORDINATES}: {reason}"

    def test_one_that_is_not_what_its_entry_says_is_refused(self, central: Central) -> None:
        central.offer(reports="17.0.12+7")
        assert central.supply().startswith("refused: it is temurin-17.0.12+7 ")

    def test_a_file_that_is_no_archive(self, central: Central) -> None:
        central.offer()
        central._file("scan-cli", "7.0", "scan-cli-7.0-linux.tar.gz").write_text("<html>")
        assert central.supply() == "scan-cli-7.0-linux.tar.gz: neither a tar.gz nor a zip file"


class TestLicence:
    LICENCES = "GNU LGPL 3 AND GPL-2.0-only WITH Classpath-exception-2.0"

    def test_the_list_says_both(self, central: Central) -> None:
        central.offer()
        central.supply()
        jdks = jdks_of(entry())
        holding = Holdings(jdks, central.lock, central.root / "cache").look_up(jdks.builds[0])
        assert holding_line(holding).endswith(f"{VERSION}  licence: {self.LICENCES}")
        assert holding_row(holding)["licence"] == self.LICENCES

    @pytest.mark.parametrize(
        ("declares", "text", "licences"),
        [
            ("Oracle NFTC", GPL, "Oracle NFTC AND GPL-2.0-only WITH Classpath-exception-2.0"),
            ("", GPL, "none AND GPL-2.0-only WITH Classpath-exception-2.0"),
            ("MIT", "Oracle No-Fee Terms\n", "MIT AND Oracle No-Fee Terms"),
            ("MIT", "GPL of the tests and more", "MIT AND GPL of the tests and more"),
        ],
    )
    def test_what_is_not_open_source_is_refused_by_name(
        self, central: Central, declares: str, text: str, licences: str
    ) -> None:
        central.offer(declares=declares, text=text)
        reason = (
            f"{COORDINATES}: refused: its licence is '{licences}' (what its POM declares, and what "
            "the runtime's own file says), not known as an open-source one; to accept it, add to "
            f"its source in jdks.yaml: licence-accepted: {licences}"
        )
        assert central.supply() == reason
        assert central.supply(**{"licence-accepted": "MIT"}) == reason
        assert central.supply(**{"licence-accepted": licences}) == "root"

    def test_a_runtime_without_its_licence_is_refused_whatever_is_accepted(
        self, central: Central
    ) -> None:
        central.offer(text=None)
        reason = (
            f"{COORDINATES}: refused: its runtime has no licence file (legal/java.base/LICENSE)"
        )
        assert central.supply() == reason
        assert central.supply(**{"licence-accepted": "GNU LGPL 3"}) == reason

    @pytest.mark.parametrize(
        "parent",
        ["<version>${v}</version>", "<version>../../x</version>", "<version>2</version>", ""],
    )
    def test_a_parent_that_is_not_there_declares_nothing(self, tmp_path: Path, parent: str) -> None:
        pom = tmp_path / "x.pom"
        ids = "<groupId>a</groupId><artifactId>b</artifactId>"
        pom.write_text(f"<project><parent>{ids}{parent}</parent></project>")
        assert declaring_pom(pom, tmp_path) is None

    def test_a_pom_that_is_its_own_parent_ends(self, tmp_path: Path) -> None:
        pom = tmp_path / "org" / "scan" / "parent" / "1" / "parent-1.pom"
        pom.parent.mkdir(parents=True)
        pom.write_text(CHILD)
        assert declaring_pom(pom, tmp_path) is None


class TestNoArchive:
    def test_wrong_coordinates_are_one_line_without_the_host(self, central: Central) -> None:
        central.offer()
        assert central.supply(classifier="mac") == (
            "Could not find artifact org.scan:scan-cli:tar.gz:mac:7.0 in central (maven2)"
        )

    def test_without_any_maven_each_way_has_its_reason(
        self, central: Central, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The tool JDK, which Debian's Maven needs, is the entry itself: mvn alone can give it."""
        monkeypatch.setenv("PATH", str(central.root / "empty"))
        assert central.supply() == "mvn: no mvn on this machine's PATH"


def mistake(root: Path, tmp_path: Path, source: str) -> str:
    text = (root / "jdks.yaml").read_text()
    new = f"builds:\n  - id: temurin-17.0.99\n    sources:\n      - {{source: maven, {source}}}\n"
    path = tmp_path / "jdks.yaml"
    path.write_text(text.replace("builds:\n", new, 1))
    with pytest.raises(UsageError) as error:
        load_jdks(path)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("group: a.b, artifact: c", "missing key 'version'"),
        ("group: ../b, artifact: c, version: 1", "group: string should match pattern"),
        ("group: a..b, artifact: c, version: 1", "group: string should match pattern"),
        ("group: -Dx=y, artifact: c, version: 1", "group: string should match pattern"),
        ("group: a, artifact: 'c</artifactId>', version: 1", "artifact: string should match"),
        ("group: a, artifact: '${user.home}', version: 1", "artifact: string should match"),
        ("group: a, artifact: c, version: '[1,2)'", "version: accepted: one release's version"),
        ("group: a, artifact: c, version: LATEST", "version: accepted: one release's version"),
        ("group: a, artifact: c, version: 1-SNAPSHOT", "version: accepted: one release's version"),
        ("group: a, artifact: c, version: '../1'", "version: accepted: one release's version"),
        ("group: a, artifact: c, version: '1', classifier: a/b", "classifier: string should match"),
        ("group: a, artifact: c, version: '1', type: exe", "'zip', 'tar.gz', 'tgz' or 'jar'"),
        (
            "group: a, artifact: c, version: '1', folder: ../x",
            "accepted: a folder inside the archi",
        ),
        ("group: a, artifact: c, version: '1', path: x", "unknown key 'path'; accepted: source, "),
    ],
)
def test_a_mistake_in_jdks_yaml_is_one_line(
    root: Path, tmp_path: Path, source: str, reason: str
) -> None:
    assert reason in mistake(root, tmp_path, source)


def test_names_that_are_not_looked_up_are_open_source() -> None:
    index = {row["spdx_license_key"]: row["category"] for row in get_license_index()}
    assert {index[name] for name in OPEN_NAMES.values()} <= {"Permissive", "Copyleft Limited"}
