# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Folders and user names go, of any machine; all else stays as it is."""

from pathlib import Path

import pytest

from jdkmatrix.bundle.discreet import Discretion


@pytest.fixture
def discretion(monkeypatch: pytest.MonkeyPatch) -> Discretion:
    """Of jdoe's checkout in a folder of jdoe's own."""
    monkeypatch.setenv("HOME", "/home/jdoe")
    monkeypatch.setenv("LOGNAME", "jdoe")
    places = ("/srv/jdoe/my kit", "/data/jdoe/cache", "/opt/some jdks/17")
    return Discretion(Path("/srv/jdoe/my kit/reports/r1"), places)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("log: /srv/jdoe/my kit/reports/r1/cells/x.jtr", "log: cells/x.jtr"),
        ("settings=/srv/jdoe/my kit/jtreg/jfr/blocking.jfc,a=b", "settings=blocking.jfc,a=b"),
        ("/data/jdoe/cache/builds/temurin-17", "temurin-17"),
        ("--jdk '/opt/some jdks/17'", "--jdk '17'"),
        ("/home/runner/.cache/jdkmatrix/builds/debian-8/bin/java", "java"),
        ("in /home/jdoe, or /home/other", "in ~, or ~"),
        ("-cp /a/b/c.jar:/d/e/f.jar", "-cp c.jar:f.jar"),
        ("file:///x/y/z file:/x/y/z", "z file:z"),
        ("owner=jdoe jdoe_2026 jdoes", "owner=user user_2026 jdoes"),
        ("17.0.21-internal+0-adhoc.ann.jdk17u, mixed", "17.0.21-internal+0-adhoc, mixed"),
        ("1.8.0_512-internal-ann_2026_11_21_09_42-b00", "1.8.0_512-internal-2026_11_21_09_42-b00"),
    ],
)
def test_what_goes(text: str, rest: str, discretion: Discretion) -> None:
    assert discretion.clean("threads.txt", text.encode()).decode() == rest


@pytest.mark.parametrize(
    "text",
    [
        "https://bugs.openjdk.org/browse/JDK-8293562",
        "at java.lang.Thread.run(java.base@17.0.9/Thread.java:840)",
        "at A$$Lambda$1/0x0000/b.run(Unknown Source)",
        "keepalive/RequestsQueueWhenCacheIsFull.java in 12 requests/s",
        "core-libs / java.net, 8/11/17",
    ],
)
def test_what_stays(text: str, discretion: Discretion) -> None:
    assert discretion.clean("description.md", text.encode()).decode() == text


def test_a_recording_is_no_text_and_a_damaged_document_is_one(discretion: Discretion) -> None:
    path = b"/srv/other/jdk"
    assert discretion.clean("evidence/recording.jfr", path) == path
    assert discretion.clean("evidence/outcome.json", b'{"home": "/srv/o/jdk') == b'{"home": "jdk'


def test_an_account_of_a_machine_is_a_word_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/")
    monkeypatch.setenv("LOGNAME", "root")
    discretion = Discretion(Path("/run"), ())
    assert discretion.clean("a.txt", b"the root of a/b and /c") == b"the root of a/b and /c"


def test_an_account_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", no_home)
    text = Discretion(Path("/run"), ()).clean("threads.txt", b"/run/cells/x.jtr")
    assert text == b"cells/x.jtr"
