# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are a handshake's own lines kept of all that JSSE prints, and no more than a page can take?"""

from pathlib import Path

from jdkmatrix.evidence.debug_lines import debug_lines

# 17.0.12; on 8 the levels are FINE and ALL.
SAID = """
javax.net.ssl|DEBUG|10|row|now|SSLExtensions.java:272|Ignore, context unavailable
javax.net.ssl|DEBUG|10|row|now|ClientHello.java:641|Produced ClientHello handshake message (
"ClientHello": {
  "client version"      : "TLSv1.2",
}
)
javax.net.ssl|WARNING|10|row|now|Some.java:297|Unsupported signature scheme: x
javax.net.ssl|ERROR|10|a|now|TransportContext.java:370|Fatal (HANDSHAKE_FAILURE): a|b\x1b (
javax.net.ssl|ERROR|10|b|now|TransportContext.java:371|Fatal (HANDSHAKE_FAILURE): a|b\x1b (
javax.net.ssl|DEBUG|10|row|now|null:-1|Received alert message (
javax.net.ssl|cut
"""


def test_what_tells_of_the_handshake_is_kept(tmp_path: Path) -> None:
    (tmp_path / "jvm-1.log").write_text(SAID)
    assert debug_lines(tmp_path) == (
        "DEBUG ClientHello: Produced ClientHello handshake message",
        "ERROR TransportContext: Fatal (HANDSHAKE_FAILURE): a|b?",
        "DEBUG Received alert message",
    )
    assert debug_lines(tmp_path / "nowhere") == ()


def test_its_size_is_bounded(tmp_path: Path) -> None:
    lines = [f"javax.net.ssl|A|1|t|now|X.java:1|{n} {'x' * 9999}\n" for n in range(999)]
    (tmp_path / "jvm-1.log").write_bytes(b"\xff" + "".join(lines).encode())
    shown_lines = debug_lines(tmp_path)
    assert len(shown_lines) == 40
    assert max(map(len, shown_lines)) == 200
