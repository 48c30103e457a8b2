# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A zip is made from a real run, unpacked elsewhere, and run by nothing but java."""

import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.bundle.flatten import Flattener
from jdkmatrix.cli.app import main
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.machine.java_program import TOOL_SHORT_LIVED
from jdkmatrix.supply.supplier import Supplier
from tests.evidence.conftest import SHORT_LIVED

pytestmark = [pytest.mark.network, pytest.mark.jdk]

BUG = "8335135"  # fixed in 24: affected builds with javac are at hand
# The first that runs a source file, and one that does so anew, as those since 22.
AFFECTED, FIXED = "debian-11", "debian-25"
RUN = ("debian-17", FIXED)  # those that start the fastest
SHOWN = "reproduced: "
THROWN = 'Exception in thread "main" java.lang.RuntimeException: '


@pytest.fixture(scope="module")
def bundle_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a bundle, far from checkout and run."""
    place = tmp_path_factory.mktemp("real")
    builds = ("--build", RUN[0], "--build", RUN[1])
    assert main(["run", "--record", "--bug", BUG, *builds, "--out", str(place / "run")]) == 0
    assert main(["bundle", BUG, "--run", str(place / "run"), "--out", str(place / "out")]) == 0
    with zipfile.ZipFile(next((place / "out").iterdir())) as archive:
        archive.extractall(place / "elsewhere")
    return next((place / "elsewhere").iterdir())


def java(home: Path, *arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return run(home / "bin" / "java", *SHORT_LIVED, *arguments, folder=folder)


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(map(str, command)),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_sums_hold_and_the_evidence_is_there(
    bundle_folder: Path, home_of: Callable[[str], Path]
) -> None:
    assert (
        run("sha256sum", "--check", "--strict", "SHA256SUMS", folder=bundle_folder).returncode == 0
    )
    evidence = {path.name for path in (bundle_folder / "evidence").iterdir()}
    assert evidence == {"outcome.json", "digest.json", "recording.jfr"}
    versions = (bundle_folder / "java-versions.txt").read_text()
    for build in RUN:
        version_text = run(home_of(build) / "bin" / "java", "-version", folder=bundle_folder).stderr
        assert "(build " in version_text
        assert version_text in versions


@pytest.mark.parametrize("build", [AFFECTED, FIXED])
def test_the_file_alone_tells_affected_from_fixed(
    build: str, bundle_folder: Path, home_of: Callable[[str], Path]
) -> None:
    file = next(bundle_folder.glob("*.java")).name
    process = java(home_of(build), file, folder=bundle_folder)
    assert process.returncode == (0 if build == FIXED else 1), process.stderr
    assert (THROWN in process.stderr) == (build == AFFECTED), process.stderr


def test_java_8_compiles_it_and_the_classes_run_anywhere(
    bundle_folder: Path, tmp_path: Path, home_of: Callable[[str], Path]
) -> None:
    file = next(bundle_folder.glob("*.java"))
    java_8 = home_of("debian-8")
    process = run(
        java_8 / "bin" / "javac",
        *TOOL_SHORT_LIVED,
        "-Xlint",
        "-Werror",
        "-d",
        tmp_path,
        file,
        folder=tmp_path,
    )
    assert process.returncode == 0, process.stderr
    bad_run = java(java_8, "-cp", tmp_path, file.stem, folder=tmp_path)
    assert bad_run.returncode == 1, bad_run.stderr
    assert THROWN in bad_run.stderr
    good_run = java(home_of("temurin-25.0.2+10"), "-cp", tmp_path, file.stem, folder=tmp_path)
    assert good_run.returncode == 0, good_run.stderr


def compiled_by_8(file: Path, home_of: Callable[[str], Path]) -> Path:
    classes = file.parent / "classes"  # java File.java refuses a class that lies beside it
    classes.mkdir()
    javac = home_of("debian-8") / "bin" / "javac"
    process = run(javac, *TOOL_SHORT_LIVED, "-d", classes, file, folder=file.parent)
    assert process.returncode == 0, process.stderr
    return classes


def test_the_founding_case_needs_no_library_either(
    flattener: Flattener, root: Path, tmp_path: Path, home_of: Callable[[str], Path]
) -> None:
    """JDK-8293562, in its shortest reproducer; the affected build is a runtime without javac."""
    reproducer = root / "test" / "keepalive" / "DisconnectWaitsForSilentPeer.java"
    files = flattener.flatten([reproducer], root / "test" / "lib")[reproducer.name]
    file = tmp_path / reproducer.name
    file.write_text(files.whole)
    classes = compiled_by_8(file, home_of)
    bad_run = java(home_of("temurin-17.0.3+7"), "-cp", classes, file.stem, folder=tmp_path)
    assert bad_run.returncode == 1, bad_run.stderr
    assert bad_run.stdout.splitlines()[-1].startswith(SHOWN)
    good_run = java(home_of("debian-17"), file, folder=tmp_path)
    assert good_run.returncode == 0, good_run.stderr
    without_tls13 = tmp_path / "java.security"
    without_tls13.write_text("jdk.tls.disabledAlgorithms=TLSv1.3\n")
    option = f"-Djava.security.properties={without_tls13}"
    no_verdict_run = java(home_of("debian-17"), option, "-cp", classes, file.stem, folder=tmp_path)
    assert no_verdict_run.returncode == 125, no_verdict_run.stdout  # as git bisect run wants it


@pytest.fixture(scope="module")
def minimal(flattener: Flattener, root: Path) -> dict[str, str]:
    """The minimal files of JDK-8293562 and of the hang since 22, by their names."""
    tests = [root / "test" / test for test, *_ in MINIMAL]
    files = flattener.flatten(tests, root / "test" / "lib", minimal=True)
    short = {name: java_files.minimal for name, java_files in files.items() if java_files.minimal}
    assert short.keys() == files.keys(), files
    return short


@pytest.fixture(scope="module")
def jtreg(jdks: JdksFile, root: Path) -> Path:
    """The home of jtreg."""
    return Supplier(jdks, root / "jdks.lock", cache_root()).jtreg()


# The test, an affected runtime without javac, a build with javac without the bug; what keeps the
# test from saying anything: a proxy that is not there, no protocol at all.
MINIMAL = (
    (
        "keepalive/RequestWaitsWhileAnotherCloses.java",
        "temurin-17.0.3+7",
        "debian-17",
        ("-Dhttps.proxyHost=127.0.0.1", "-Dhttps.proxyPort=1", "-Dhttp.nonProxyHosts="),
    ),
    (
        "tls13/CloseDuringHandshakeNeverReturns.java",
        "temurin-25.0.2+10",
        "debian-17",
        ("-Djava.security.properties=no-protocol",),
    ),
)
HANG = Path(MINIMAL[1][0]).name


@pytest.mark.parametrize(("test", "affected_build", "fixed_build", "unable"), MINIMAL)
def test_a_minimal_file_tells_affected_from_fixed_and_from_neither(
    test: str,
    affected_build: str,
    fixed_build: str,
    unable: tuple[str, ...],
    minimal: dict[str, str],
    tmp_path: Path,
    home_of: Callable[[str], Path],
) -> None:
    file = tmp_path / Path(test).name
    file.write_text(minimal[file.name])
    classes = compiled_by_8(file, home_of)
    for build, code in ((affected_build, 1), ("debian-8", 0)):
        process = java(home_of(build), "-cp", classes, file.stem, folder=tmp_path)
        assert process.returncode == code, process.stdout + process.stderr
        assert (THROWN in process.stderr) == bool(code), process.stderr
    process = java(home_of(fixed_build), file, folder=tmp_path)
    assert process.returncode == 0, process.stdout + process.stderr
    (tmp_path / "no-protocol").write_text(
        "jdk.tls.disabledAlgorithms=TLSv1.3,TLSv1.2,TLSv1.1,TLSv1\n"
    )
    no_verdict_run = java(home_of(fixed_build), *unable, "-cp", classes, file.stem, folder=tmp_path)
    assert no_verdict_run.returncode == 1, no_verdict_run.stdout
    assert 'Exception in thread "main" java.' in no_verdict_run.stderr
    assert THROWN not in no_verdict_run.stderr


@pytest.mark.parametrize(
    ("build", "message"), [("debian-25", "failed: 1"), ("debian-17", "passed: 1")]
)
def test_a_minimal_file_is_a_test_of_any_suite(
    build: str,
    message: str,
    minimal: dict[str, str],
    jtreg: Path,
    tmp_path: Path,
    tool_jdk: Path,
    home_of: Callable[[str], Path],
) -> None:
    (tmp_path / HANG).write_text(minimal[HANG])
    (tmp_path / "TEST.ROOT").touch()
    jar = jtreg / "lib" / "jtreg.jar"
    short_lived = [
        *(f"-vmoption:{option}" for option in SHORT_LIVED),
        *(f"-javacoption:{option}" for option in TOOL_SHORT_LIVED),
    ]
    jdk = f"-jdk:{home_of(build)}"
    process = java(tool_jdk, "-jar", jar, jdk, *short_lived, "-w:w", "-r:r", HANG, folder=tmp_path)
    assert f"Test results: {message}" in process.stdout, process.stdout + process.stderr
