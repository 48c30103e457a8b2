# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A recording is cut down where a JDK can, and left out where it stays too large."""

from pathlib import Path

import pytest

from jdkmatrix.bundle import proof as recording_module
from jdkmatrix.bundle.proof import cut_down, telling_dump
from jdkmatrix.config.ledger import EvidenceRule

RULE = EvidenceRule.model_validate(
    {
        "blocked-in": ["sun.net.www.http.KeepAliveCache.get"],
        "held-in": ["sun.security.ssl.SSLSocketImpl.close"],
        "min-blocked-ms": 100,
        "bound-source": "made",
    }
)
# Keeps as many bytes as it is asked for events; the first argument is the sub-command.
SCRUB = '#!/bin/sh\n[ "$1" = scrub ] || exit 2\nprintf %s "$3" > "$5"\n'
OLD = "#!/bin/sh\nexit 1\n"


def jdk(folder: Path, jfr: str) -> Path:
    tool = folder / "bin" / "jfr"
    tool.parent.mkdir(parents=True)
    tool.write_text(jfr)
    tool.chmod(0o755)
    return folder


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "a.jfr"
    path.write_bytes(b"x" * 1000)
    return path


def test_the_first_jdk_that_can_scrubs(tmp_path: Path, recording: Path) -> None:
    homes = [tmp_path / "none", jdk(tmp_path / "17", OLD), jdk(tmp_path / "21", SCRUB)]
    content, sentence = cut_down(recording, homes, tmp_path)
    assert content is not None
    assert content.decode().endswith(",jdk.ThreadDump")
    assert "InitialSystemProperty" not in content.decode()
    assert sentence.startswith(f"cut down from 1,000 to {len(content)} bytes by jfr scrub")


def test_thread_dumps_go_first(
    tmp_path: Path, recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    homes = [jdk(tmp_path / "21", SCRUB)]
    full, _ = cut_down(recording, homes, tmp_path)
    assert full is not None
    monkeypatch.setattr(recording_module, "MOST_BYTES", len(full) - 1)
    content, _ = cut_down(recording, homes, tmp_path)
    assert content is not None
    assert "ThreadDump" not in content.decode()


def test_what_stays_too_large_is_left_out(
    tmp_path: Path, recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording_module, "MOST_BYTES", 10)
    content, sentence = cut_down(recording, [jdk(tmp_path / "21", SCRUB)], tmp_path)
    assert content is None
    assert sentence == "left out: 137 bytes even when cut down; at most 10 are attached"


def test_without_such_a_jdk_it_is_left_out_however_small(tmp_path: Path, recording: Path) -> None:
    """A whole one has the class path, java.home and the arguments of its JVM."""
    for homes in ([], [jdk(tmp_path / "17", OLD)]):
        content, sentence = cut_down(recording, homes, tmp_path)
        assert content is None
        assert sentence == "left out: no JDK 19 or later at hand could cut it down"


def printing(folder: Path, *dumps: str) -> Path:
    events = "\n".join(f'jdk.ThreadDump {{\n  result = "{dump}"\n}}\n' for dump in dumps)
    return jdk(folder, f"#!/bin/sh\ncat <<'EOF'\n{events}\nEOF\n")


WAITS = "at sun.net.www.http.KeepAliveCache.get(KeepAliveCache.java:1)\n"


def test_the_dump_with_most_of_the_bug_s_frames_is_taken(tmp_path: Path, recording: Path) -> None:
    home = printing(tmp_path / "jdk", "first\n" + WAITS, "second\n" + WAITS * 3, "third\n")
    dump = telling_dump(recording, RULE, home)
    assert dump is not None
    assert dump.startswith("second\n")
    assert telling_dump(recording, None, home) is None


def test_dumps_without_such_a_frame_show_nothing(tmp_path: Path, recording: Path) -> None:
    other_frame = "at sun.net.www.http.KeepAliveCache.getOther(KeepAliveCache.java:1)\n"
    assert telling_dump(recording, RULE, printing(tmp_path / "jdk", other_frame)) is None
    assert telling_dump(recording, RULE, tmp_path / "no-jdk") is None


def test_java_options_of_the_user_do_not_reach_the_tool(
    tmp_path: Path, recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With -Xlog:gc they would print into what is read."""
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Xlog:gc")
    careful = SCRUB.replace("\n", '\n[ -z "$JAVA_TOOL_OPTIONS" ] || exit 1\n', 1)
    assert cut_down(recording, [jdk(tmp_path / "21", careful)], tmp_path)[0] is not None
    home = printing(tmp_path / "jdk", "first\n" + WAITS)
    tool = home / "bin" / "jfr"
    tool.write_text(tool.read_text().replace("\n", '\n[ -z "$JAVA_TOOL_OPTIONS" ] || exit 1\n', 1))
    assert telling_dump(recording, RULE, home)
