# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is the machine's own Debian mirror found in apt's configuration, and named what lacks?"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from jdkmatrix.machine.processes import FinishedProcess, run
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.jars.maven import lack_of_maven
from jdkmatrix.supply.sources.mirror import first_error, lack_of_debian, machine_mirror

pytestmark = pytest.mark.skipif(shutil.which("apt-get") is None, reason="no apt here")

DEBIAN = """deb http://mirror.example/debian bookworm main contrib
deb http://mirror.example/debian-security bookworm-security main
"""
ARCHIVES = {
    "tool/debian": ("Tool", "Debian"),
    "remote-1": ("Debian", "Debian"),
    "remote-2": ("Debian", "Debian-Security"),
}

ListUse = Callable[[str], None]


@pytest.fixture
def use_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ListUse:
    """Have the real apt use this list of sources and no index."""
    keys = tmp_path / "keys.gpg"
    keys.touch()
    monkeypatch.setattr("jdkmatrix.supply.sources.mirror.KEYRINGS", (tmp_path / "no.pgp", keys))

    def use(text: str) -> None:
        places = {"Etc::sourcelist": tmp_path / "a.list", "State::lists": tmp_path}
        places["Etc::sourceparts"] = Path("/dev/null")
        places["Etc::sourcelist"].write_text(text)
        config = tmp_path / "apt.conf"
        lines = [f'Dir::{name} "{place}";\n' for name, place in places.items()]
        config.write_text("".join(lines) + 'Acquire::http::Proxy "http://proxy.example/";\n')
        monkeypatch.setenv("APT_CONFIG", str(config))

    return use


def test_a_mirror_inside_a_company_is_used_with_its_proxy(
    use_list: ListUse, tmp_path: Path
) -> None:
    use_list(DEBIAN)
    mirror = machine_mirror()
    assert mirror.main == "http://mirror.example/debian"
    assert mirror.security == "http://mirror.example/debian-security"
    assert mirror.keyring == tmp_path / "keys.gpg"
    assert 'Acquire::http::Proxy "http://proxy.example/";' in mirror.settings
    assert not [line for line in mirror.settings if not line.startswith("Acquire::")]


def test_an_index_that_is_there_tells_whose_an_archive_is(
    use_list: ListUse, tmp_path: Path
) -> None:
    use_list("".join(f"deb http://mirror.example/{name} stable main\n" for name in ARCHIVES))
    architecture = run(["dpkg", "--print-architecture"], timeout_s=30).output.strip()
    for name, (origin, label) in ARCHIVES.items():
        place = f"main/binary-{architecture}/Packages"
        start = f"mirror.example_{name.replace('/', '_')}_dists_stable_"
        (tmp_path / f"{start}{place.replace('/', '_')}").touch()
        (tmp_path / f"{start}Release").write_text(
            f"Origin: {origin}\nLabel: {label}\nSHA256:\n {'0' * 64} 0 {place}\n"
        )
    mirror = machine_mirror()
    assert mirror.main == "http://mirror.example/remote-1"
    assert mirror.security == "http://mirror.example/remote-2"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no Debian mirror in this machine's apt configuration"),
        (
            "deb http://archive.example/ubuntu jammy main\n",
            "no Debian mirror in this machine's apt configuration",
        ),
        (
            DEBIAN.partition("\n")[2],
            "no Debian mirror in this machine's apt configuration",
        ),
        (
            "deb http://mirror.example/debian\n",
            "apt-get indextargets: E: Malformed entry 1 in list file {}/a.list (Suite)",
        ),
    ],
    ids=["empty", "ubuntu", "security alone", "malformed"],
)
def test_no_mirror_is_one_line(use_list: ListUse, tmp_path: Path, text: str, sentence: str) -> None:
    use_list(text)
    with pytest.raises(SourceError) as error:
        machine_mirror()
    assert str(error.value) == sentence.format(tmp_path)


def test_no_keys_are_named_with_their_package(use_list: ListUse, tmp_path: Path) -> None:
    use_list(DEBIAN)
    (tmp_path / "keys.gpg").unlink()
    with pytest.raises(SourceError) as error:
        machine_mirror()
    assert str(error.value) == ("no keys of Debian's archive here (package debian-archive-keyring)")


OF_APT_2_6 = """E: Failed to fetch http://127.0.0.1:9/debian/dists/sid/InRelease  \
Could not connect to 127.0.0.1:9 (127.0.0.1). - connect (111: Connection refused)
E: Some index files failed to download. They have been ignored, or old ones used instead.
"""
OUTPUT_OF_APT_3_0 = """Err:1 http://127.0.0.1:9/debian sid InRelease
  Could not connect to 127.0.0.1:9 (127.0.0.1). - connect (111: Connection refused)
  Unable to connect to 127.0.0.1:9:
Reading package lists...
"""
OF_APT_3_0 = """E: Failed to fetch http://127.0.0.1:9/debian/dists/sid/InRelease  \
Unable to connect to 127.0.0.1:9:
E: Some index files failed to download. They have been ignored, or old ones used instead.
"""
WITHOUT_RELEASE = "E: The repository 'file:/nowhere sid Release' does not have a Release file.\n"


@pytest.mark.parametrize(
    ("output", "errors", "reason"),
    [
        ("", OF_APT_2_6, "connection refused"),
        (OUTPUT_OF_APT_3_0, OF_APT_3_0, "connection refused"),
        ("Reading package lists...\n", WITHOUT_RELEASE, WITHOUT_RELEASE.strip()),
        ("", "", "ended with code 100"),
    ],
)
def test_the_cause_is_named_by_any_apt(output: str, errors: str, reason: str) -> None:
    assert first_error(FinishedProcess(100, output, errors)) == reason


def test_a_machine_of_debians_lacks_nothing(use_list: ListUse) -> None:
    use_list(DEBIAN)
    assert (lack_of_debian(), lack_of_maven()) == (None, None)


def test_another_distribution_lacks_debians_packages_and_without_mvn_the_jars(
    use_list: ListUse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_list("deb http://mirror.example/ubuntu noble main\n")
    lack = "no Debian mirror in this machine's apt configuration"
    assert lack_of_debian() == lack
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("apt-get", "apt-config", "dpkg-deb"):
        (programs / name).symlink_to(shutil.which(name) or "")
    monkeypatch.setenv("PATH", str(programs))
    assert lack_of_maven() == f"no mvn on this machine's PATH, and {lack}"
    (programs / "mvn").symlink_to("/bin/true")
    assert lack_of_maven() is None


def test_without_apt_or_dpkg_there_are_no_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert lack_of_debian() == "no apt-get and no dpkg-deb on this machine"
    (tmp_path / "apt-get").symlink_to("/bin/true")
    assert lack_of_debian() == "no dpkg-deb on this machine"


def test_an_apt_that_fails_is_no_lack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("apt-get", "dpkg-deb"):
        (tmp_path / name).symlink_to("/bin/false")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert lack_of_debian() is None
