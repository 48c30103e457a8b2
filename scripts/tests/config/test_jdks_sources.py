# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a mistake in an `adoptium` or `url` source one line that says what is accepted?"""

from pathlib import Path

import pytest

from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.errors import ExitCode, UsageError

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


@pytest.mark.parametrize(("entry_id", "source", "message"), MISTAKES)
def test_one_line(root: Path, tmp_path: Path, entry_id: str, source: str, message: str) -> None:
    text = (root / "jdks.yaml").read_text()
    new = f"builds:\n  - id: {entry_id}\n    sources:\n      - {source}\n"
    path = tmp_path / "jdks.yaml"
    path.write_text(text.replace("builds:\n", new, 1))
    with pytest.raises(UsageError) as error:
        load_jdks(path)
    assert str(error.value).startswith(f"{path}:")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


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
