# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a Debian JDK that is unpacked elsewhere mean its own files, loader and libraries?"""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from jdkmatrix.config.jdks import DebianSource, Program
from jdkmatrix.supply.build import Artifact, Offer, SourceError
from jdkmatrix.supply.cache.lock_keeper import jdk_version_of
from jdkmatrix.supply.cache.manifest import ManifestMismatch, check, record_tree
from jdkmatrix.supply.sources.debian import Debian
from jdkmatrix.supply.unpack.bound_program import sha256_unbound
from jdkmatrix.supply.unpack.relocate import check_libraries, reroot_links, use_own_libraries

needs_dpkg = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="no dpkg-deb here")


@pytest.mark.parametrize(
    ("package", "jdk"),
    [
        ("11.0.33~8ea-1", "11.0.33-ea+8"),
        ("8u504-ga-1", "8u504-ga"),
        ("8u412-b08-1~deb11u1", "8u412-b08"),
        ("17.0.21+9-1~deb12u1", "17.0.21+9"),
        ("11.0.24+8-2~deb11u1", "11.0.24+8"),
        ("21.0.13.0.3+1-1", "21.0.13.0.3+1"),
        ("26~35ea-1", "26-ea+35"),
        ("7.5.2+1+ds2-3~deb12u1", "7.5.2+1"),
        ("2.41-12", "2.41-12"),
    ],
)
def test_the_jdk_version_of_a_package_version(package: str, jdk: str) -> None:
    assert jdk_version_of(package) == jdk


class Stock:
    """A suite that has these versions of each package, the newest first."""

    def __init__(self, **versions: list[str]) -> None:
        self._versions = {name.replace("_", "-"): numbers for name, numbers in versions.items()}

    def suite(self, name: str, components: tuple[str, ...] = ("main",)) -> "Stock":
        return self

    def packages(self, pairs: Sequence[tuple[str, str | None]]) -> tuple[Offer, ...]:
        picks = [(name, version or self._versions[name][0]) for name, version in pairs]
        if any(version not in self._versions[name] for name, version in picks):
            raise SourceError("no such version")
        return tuple(Offer(name, version, 1, f"{name} {version}") for name, version in picks)

    def libraries(self, packages: Sequence[Offer]) -> tuple[Offer, ...]:
        """Whatever else it has."""
        names = {package.name for package in packages}
        return self.packages([(name, None) for name in self._versions if name not in names])


@needs_dpkg
class TestLocked:
    CONFIG = DebianSource(
        source="debian", suite="sid", packages=("openjdk-17", "jdk"), libraries=("libc6",)
    )
    LOCKED = tuple(
        Artifact(name, version, 1, "")
        for name, version in [("openjdk-17", "17.0.9+9-1"), ("jdk", "17.0.9+9-1"), ("libc6", "2.9")]
    )

    def resolve(self, artifacts: tuple[Artifact, ...], **versions: list[str]) -> list[str]:
        source = Debian(self.CONFIG, Stock(**versions))  # type: ignore[arg-type]
        return [offer.version for offer in source.resolve(artifacts)]

    def test_what_the_suite_still_has_is_taken_whatever_is_newest(self) -> None:
        jdks = ["17.0.10+7-1", "17.0.9+9-1"]
        versions = {"openjdk_17": jdks, "jdk": jdks, "libc6": ["2.10", "2.9"]}
        assert self.resolve(self.LOCKED, **versions) == ["17.0.9+9-1", "17.0.9+9-1", "2.9"]
        assert self.resolve((), **versions) == ["17.0.10+7-1", "17.0.10+7-1", "2.10"]

    def test_where_one_package_is_gone_all_are_the_newest(self) -> None:
        jdks = ["17.0.10+7-1", "17.0.9+9-1"]
        newest = self.resolve(self.LOCKED, openjdk_17=jdks, jdk=jdks, libc6=["2.10"])
        assert newest == ["17.0.10+7-1", "17.0.10+7-1", "2.10"]

    def test_an_older_one_is_refused_until_the_lock_is_renewed(self) -> None:
        jdks = ["17.0.8+7-1~deb12u1"]
        versions = {"openjdk_17": jdks, "jdk": jdks, "libc6": ["2.9"]}
        with pytest.raises(SourceError) as error:
            self.resolve(self.LOCKED, **versions)
        assert str(error.value) == (
            "sid has openjdk-17 17.0.8+7-1~deb12u1 at most, older than 17.0.9+9-1 of jdks.lock; "
            "could its security pocket not be read?"
        )
        assert self.resolve((), **versions)[0] == jdks[0]

    def test_a_lock_of_other_packages_does_not_bind(self) -> None:
        old = ["11.0.1-1"]
        other_artifacts = (Artifact("openjdk-11", "99", 1, ""),)
        assert self.resolve(other_artifacts, openjdk_17=old, jdk=old, libc6=["2.1"])[0] == old[0]


class Archive:
    """Suites with parts; each has the packages of one Stock."""

    def __init__(self, **suites: Stock) -> None:
        self._suites = suites

    def suite(self, name: str, components: tuple[str, ...] = ("main",)) -> Stock:
        return self._suites["_".join((name, *components)).replace("-", "_")]


class TestComposed:
    """A JDK of one suite's non-free, whose configuration is a package of another suite."""

    CONFIG = DebianSource.model_validate(
        {
            "source": "debian",
            "suite": "bookworm",
            "components": ["main", "non-free"],
            "packages": ["jre"],
            "version": "8u372",
            "libraries": ["libc6"],
            "configuration": {"suite": "sid", "package": "later"},
        }
    )

    def resolve(self, artifacts: tuple[Artifact, ...], later: list[str]) -> list[str]:
        archive = Archive(
            bookworm_main_non_free=Stock(jre=["8u372"], libc6=["2.36"]),
            sid_main=Stock(later=later),
        )
        offers = Debian(self.CONFIG, archive).resolve(artifacts)  # type: ignore[arg-type]
        return [f"{offer.name} {offer.version}" for offer in offers]

    def test_each_package_comes_from_its_own_suite(self) -> None:
        assert self.resolve((), ["8u504"]) == ["jre 8u372", "libc6 2.36", "later 8u504"]

    @needs_dpkg
    def test_the_locked_configuration_is_taken_as_long_as_it_is_there(self) -> None:
        versions = {"jre": "8u372", "libc6": "2.36", "later": "8u504"}
        artifacts = tuple(Artifact(name, version, 1, "") for name, version in versions.items())
        assert self.resolve(artifacts, ["8u512", "8u504"])[-1] == "later 8u504"
        assert self.resolve(artifacts, ["8u512"])[-1] == "later 8u512"

    def test_a_lock_without_the_configuration_does_not_fit(self) -> None:
        artifacts = tuple(Artifact(name, "1", 1, "") for name in ("jre", "libc6"))
        assert not Debian(self.CONFIG, Archive()).fits(artifacts)  # type: ignore[arg-type]


@needs_dpkg
class TestProgram:
    CONFIG = Program(source="debian", suite="trixie", packages=("gnutls-bin",), path="usr/bin/x")
    LOCKED = tuple(
        Artifact(name, version, 1, "")
        for name, version in [("gnutls-bin", "3.8"), ("libc6", "2.41")]
    )

    def resolve(self, *artifacts: Artifact) -> list[tuple[str, str]]:
        stock = Stock(gnutls_bin=["3.9", "3.8"], libc6=["2.42", "2.41"], libgnutls30=["3.9"])
        source = Debian(self.CONFIG, stock)  # type: ignore[arg-type]
        return [(offer.name, offer.version) for offer in source.resolve(artifacts)]

    def test_its_libraries_are_computed_and_then_those_of_the_lock(self) -> None:
        expected = [("gnutls-bin", "3.9"), ("libc6", "2.42"), ("libgnutls30", "3.9")]
        assert self.resolve() == expected
        assert self.resolve(*self.LOCKED) == [("gnutls-bin", "3.8"), ("libc6", "2.41")]
        old_library = Artifact("libgnutls30", "3.8", 1, "")
        assert self.resolve(*self.LOCKED, old_library) == expected

    def test_a_lock_without_libraries_does_not_bind(self) -> None:
        assert self.resolve(self.LOCKED[0])[0] == ("gnutls-bin", "3.9")


class TestLinks:
    def test_absolute_links_are_rerooted_or_removed(self, tmp_path: Path) -> None:
        root = tmp_path / "root"
        conf = root / "usr/lib/jvm/java-17/conf"
        etc = root / "etc/java-17-openjdk"
        conf.mkdir(parents=True)
        (etc / "security").mkdir(parents=True)
        (etc / "net.properties").write_text("ours\n")
        (conf / "net.properties").symlink_to("/etc/java-17-openjdk/net.properties")
        (conf / "security").symlink_to("/etc/java-17-openjdk/security")
        (conf / "passwd").symlink_to("/etc/passwd")
        (conf / "src.zip").symlink_to("../not-in-this-package.zip")

        reroot_links(root)

        assert (conf / "net.properties").read_text() == "ours\n"
        assert not (conf / "net.properties").readlink().is_absolute()
        assert (conf / "security").resolve() == etc / "security"
        assert not (conf / "passwd").is_symlink()
        assert (conf / "src.zip").is_symlink()

    def test_a_relative_link_that_leaves_the_package_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "root").mkdir()
        (tmp_path / "root" / "out").symlink_to("../../etc/passwd")
        with pytest.raises(SourceError, match="refused: out links out of its package"):
            reroot_links(tmp_path / "root")


@needs_dpkg
class TestInstall:
    def test_packages_are_unpacked_and_their_sha256_checked(self, tmp_path: Path) -> None:
        source, offers = debian_with_one_package(tmp_path)
        files = source.fetch(offers, folder(tmp_path / "staging"), lambda n: None)
        source.install(files, folder(tmp_path / "target"), tmp_path / "final")
        properties = tmp_path / "target/root/usr/lib/jvm/java-17/conf/net.properties"
        assert properties.read_text() == "ours\n"

    def test_other_bytes_than_the_index_names_are_refused(self, tmp_path: Path) -> None:
        source, (offer,) = debian_with_one_package(tmp_path)
        other_offer = Offer(offer.name, offer.version, offer.size_bytes, "0" * 64)
        with pytest.raises(SourceError, match=r"not 0000.* as in the suite's index"):
            source.fetch((other_offer,), folder(tmp_path / "staging"), lambda n: None)

    def test_a_truncated_package_is_refused(self, tmp_path: Path) -> None:
        source, offers = debian_with_one_package(tmp_path)
        (file,) = source.fetch(offers, folder(tmp_path / "staging"), lambda n: None)
        file.path.write_bytes(file.path.read_bytes()[:-100])
        with pytest.raises(SourceError, match=r"openjdk.*\.deb: "):
            source.install((file,), folder(tmp_path / "target"), tmp_path / "final")


def debian_with_one_package(tmp_path: Path) -> tuple[Debian, tuple[Offer, ...]]:
    tree = tmp_path / "made"
    conf = folder(tree / "usr/lib/jvm/java-17/conf")
    folder(tree / "etc/java-17-openjdk")
    (tree / "etc/java-17-openjdk/net.properties").write_text("ours\n")
    (conf / "net.properties").symlink_to("/etc/java-17-openjdk/net.properties")
    folder(tree / "DEBIAN")
    (tree / "DEBIAN/control").write_text(
        "Package: openjdk-17\nVersion: 17.0.21+9-1\nArchitecture: all\n"
        "Maintainer: nobody <nobody@example.com>\nDescription: made by a test\n"
    )
    package = tmp_path / "openjdk-17_17.0.21+9-1_all.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-b", tree, package], check=True, capture_output=True
    )
    suite = ShelfSuite(package)
    config = DebianSource(source="debian", suite="sid", packages=("openjdk-17",))
    offers = suite.packages([(name, None) for name in config.packages])
    return Debian(config, suite), offers  # type: ignore[arg-type]


class ShelfSuite:
    """A suite with one package, on a shelf."""

    def __init__(self, package: Path) -> None:
        self._package = package

    def suite(self, name: str, components: tuple[str, ...] = ("main",)) -> "ShelfSuite":
        return self

    def packages(self, pairs: Sequence[tuple[str, str | None]]) -> tuple[Offer, ...]:
        digest = subprocess.run(
            ["sha256sum", self._package], check=True, capture_output=True, text=True
        ).stdout.split()[0]
        size_bytes = self._package.stat().st_size
        return tuple(Offer(name, "17.0.21+9-1", size_bytes, digest) for name, _ in pairs)

    def download(self, packages: tuple[Offer, ...], target: Path, tick: object) -> None:
        shutil.copy(self._package, target)


def folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ELF and glibc only")
def test_a_program_starts_with_the_libraries_beside_it(tmp_path: Path) -> None:
    program, libc, loader, libraries = bind_program(tmp_path)

    with subprocess.Popen([program, "60"]) as process:
        try:
            maps = mapped_files(process.pid, str(libraries / "libc.so.6"))
        finally:
            process.kill()
    assert str(libraries / loader.name) in maps
    assert str(libraries / "libc.so.6") in maps
    assert str(libc) not in maps


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ELF and glibc only")
def test_a_program_is_the_same_wherever_the_cache_lies(tmp_path: Path) -> None:
    short, long = tmp_path / "a", tmp_path / "longer" / "still"
    programs = [bind_program(place)[0] for place in (short, long)]
    assert programs[0].read_bytes() != programs[1].read_bytes()
    alike = {sha256_unbound(programs[0], short), sha256_unbound(programs[1], long)}
    assert len(alike) == 1
    assert None not in alike
    assert sha256_unbound(programs[1], short) is None

    content = bytearray(programs[0].read_bytes())
    content[-1] ^= 1
    programs[0].write_bytes(content)
    assert sha256_unbound(programs[0], short) not in alike


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ELF and glibc only")
def test_a_cache_that_was_moved_is_told_by_its_programs(tmp_path: Path) -> None:
    """They name a loader that is no longer there; files that move keep their times and inodes."""
    old, new = tmp_path / "old", tmp_path / "new"
    bind_program(old)
    manifest = record_tree(old).manifest
    check(old, manifest)
    old.rename(new)
    with pytest.raises(
        ManifestMismatch,
        match=r"^root/bin/prog is bound to a different loader from the one recorded$",
    ):
        check(new, manifest)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ELF and glibc only")
class TestNeeded:
    """By the loader's own list. zlib is on every Debian machine: dpkg needs it."""

    @pytest.mark.parametrize("library", ["libz.so.1", "libnowhere.so.7"])
    def test_a_library_that_was_not_fetched_is_named_with_who_needs_it(
        self, tmp_path: Path, library: str
    ) -> None:
        program, *_ = bind_program(tmp_path)
        patchelf("--add-needed", library, str(program))
        with pytest.raises(
            SourceError, match=f"^prog needs {library}, which no fetched package has$"
        ):
            check_program(tmp_path)

    def test_so_is_one_that_only_a_library_needs(self, tmp_path: Path) -> None:
        *_, libraries = bind_program(tmp_path)
        check_program(tmp_path)
        shutil.copy(machine_library("libz.so.1"), libraries)
        patchelf("--add-needed", "libnowhere.so.7", str(libraries / "libz.so.1"))
        says = "^libz.so.1 needs libnowhere.so.7, which no fetched package has$"
        with pytest.raises(SourceError, match=says):
            check_program(tmp_path)

    def test_one_that_lies_off_the_search_path_of_a_program_is_missing(
        self, tmp_path: Path
    ) -> None:
        program, *_, libraries = bind_program(tmp_path)
        patchelf("--add-needed", "libz.so.1", str(program))
        library = libraries / "libz.so.1"
        shutil.copy(machine_library("libz.so.1"), library)
        check_program(tmp_path)
        library.rename(folder(libraries / "elsewhere") / library.name)
        with pytest.raises(SourceError, match=r"^prog needs libz\.so\.1, "):
            check_program(tmp_path)

    @pytest.mark.parametrize("library", ["libfreetype.so.6", "libpulse.so.0"])
    def test_a_jdk_may_lack_what_its_desktop_needs_and_nothing_else(
        self, tmp_path: Path, library: str
    ) -> None:
        program, *_ = bind_program(tmp_path)
        patchelf("--add-needed", "libnowhere.so.7", str(program))
        with pytest.raises(SourceError, match=r"^prog needs libnowhere\.so\.7, "):
            check_program(tmp_path, is_jdk=True)
        patchelf("--add-needed", library, str(program))
        check_program(tmp_path, is_jdk=True)
        with pytest.raises(SourceError, match=r"^prog needs lib(freetype|pulse|nowhere)\.so\.\d, "):
            check_program(tmp_path)


def check_program(place: Path, *, is_jdk: bool = False) -> None:
    check_libraries(place / "root", place / "libraries", is_jdk=is_jdk)


def machine_library(name: str) -> Path:
    """Where the machine's own loader finds it."""
    lines = subprocess.check_output(["/sbin/ldconfig", "-p"], text=True).splitlines()
    return next(Path(line.partition(" => ")[2]) for line in lines if line.split()[0] == name)


def test_a_cache_with_too_long_a_path_is_one_line(tmp_path: Path) -> None:
    libraries = folder(tmp_path / "libraries")
    (libraries / "ld-linux.so.2").write_bytes(b"\x7fELF")
    with pytest.raises(SourceError, match="path is longer than 512 bytes: /xxx"):
        use_own_libraries(tmp_path / "root", libraries, Path("/" + "x" * 512))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ELF and glibc only")
def test_musls_loader_is_its_c_library_and_needs_no_search_path(tmp_path: Path) -> None:
    program = folder(tmp_path / "root/bin") / "prog"
    shutil.copy("/bin/sleep", program)
    libraries = folder(tmp_path / "libraries/lib/some-triplet")
    shutil.copy("/bin/sleep", libraries / "libc.so")
    loader = libraries.parent / "ld-musl-x86_64.so.1"
    loader.symlink_to("some-triplet/libc.so")
    use_own_libraries(tmp_path / "root", tmp_path / "libraries", tmp_path / "libraries")
    bound_to = patchelf("--print-interpreter", str(program))
    assert (bound_to.lstrip("/"), len(bound_to)) == (str(loader).lstrip("/"), 512)
    assert patchelf("--print-rpath", str(program)) == ""


def test_libraries_without_a_loader_are_refused(tmp_path: Path) -> None:
    (folder(tmp_path / "libraries") / "ld-linux.so.2").write_text("no program")
    says = r"^the library packages hold no ELF loader \(ld-linux\*\.so, ld-musl\*\.so\)$"
    with pytest.raises(SourceError, match=says):
        use_own_libraries(tmp_path / "root", tmp_path / "libraries", tmp_path / "libraries")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ELF and glibc only")
def test_a_program_that_cannot_be_bound_is_refused(tmp_path: Path) -> None:
    program, _, _, libraries = bind_program(tmp_path)
    program.write_bytes(program.read_bytes()[:4096])
    with pytest.raises(SourceError, match=r"^patchelf: .*section header table out of bounds$"):
        use_own_libraries(tmp_path / "root", libraries, libraries)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ELF and glibc only")
def test_each_program_keeps_its_own_search_path(tmp_path: Path) -> None:
    programs = [folder(tmp_path / "root/bin") / name for name in ("one", "other", "third")]
    for program, search_path in zip(programs, ("", "$ORIGIN/../jli", ""), strict=True):
        shutil.copy("/bin/sleep", program)
        if search_path:
            patchelf("--force-rpath", "--set-rpath", search_path, str(program))
    bind_program(tmp_path)
    libraries = "$ORIGIN/../../libraries/usr/lib/some-triplet"
    search_paths = [patchelf("--print-rpath", str(program)) for program in programs]
    assert search_paths == [libraries, f"$ORIGIN/../jli:{libraries}", libraries]
    loaders = {patchelf("--print-interpreter", str(program)) for program in programs}
    assert len(loaders) == 1
    assert "some-triplet" in loaders.pop()


def patchelf(*arguments: str) -> str:
    program = Path(sys.executable).with_name("patchelf")
    return subprocess.check_output([program, *arguments], text=True).strip()


def bind_program(place: Path) -> tuple[Path, Path, Path, Path]:
    """A program bound to libraries beside it; the machine's libc and loader; those libraries."""
    program = folder(place / "root/bin") / "prog"
    shutil.copy("/bin/sleep", program)
    words = Path("/proc/self/maps").read_text().split()
    libc = Path(next(word for word in words if word.endswith("/libc.so.6")))
    loader = Path(next(word for word in words if "/ld-linux" in word))
    libraries = folder(place / "libraries/usr/lib/some-triplet")
    shutil.copy(libc, libraries / "libc.so.6")
    shutil.copy(loader, libraries / loader.name)

    use_own_libraries(place / "root", place / "libraries", place / "libraries")
    return program, libc, loader, libraries


def mapped_files(pid: int, library: str) -> set[str]:
    """What the process has mapped, once `library` is there or 20,000 looks were in vain."""
    maps: set[str] = set()
    for _ in range(20_000):
        maps = set(Path(f"/proc/{pid}/maps").read_text().split())
        if library in maps:
            break
    return maps
