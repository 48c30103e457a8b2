# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What proves the bug? The files of the cell that shows it best, small enough to attach."""

from collections.abc import Iterable
from pathlib import Path

from jdkmatrix.bundle.dumps import telling_dump
from jdkmatrix.bundle.small_recording import cut_down
from jdkmatrix.config.ledger import EvidenceRule
from jdkmatrix.grading.cell_recordings import subject_recording
from jdkmatrix.machine.bounded import content_of
from jdkmatrix.machine.files import is_plain
from jdkmatrix.records.store import DIGEST_FILE, OUTCOME_FILE


def evidence_files(
    home: Path,
    rule: EvidenceRule | None,
    tool_jdk: Path,
    scrubbers: Iterable[Path],
    scratch: Path,
) -> tuple[dict[str, bytes], list[tuple[str, str]]]:
    """The files by their names in the bundle, and a sentence on each, or on why it is missing.

    `home` is the cell's folder; `scrubbers` are JDKs that may be able to cut a recording down.
    """
    files: dict[str, bytes] = {}
    notes: list[tuple[str, str]] = []

    def add(name: str, content: bytes, sentence: str) -> None:
        files[f"evidence/{name}"] = content
        notes.append((f"evidence/{name}", sentence))

    if is_plain(home / OUTCOME_FILE):
        sentence = "figures and facts, as the reproducer wrote them"
        add(OUTCOME_FILE, content_of(home / OUTCOME_FILE), sentence)
    if is_plain(home / DIGEST_FILE):
        sentence = "who waited for which lock in the recording, and who held it"
        add(DIGEST_FILE, content_of(home / DIGEST_FILE), sentence)
    recording = subject_recording(home)
    if recording is None or not is_plain(recording):
        notes.append(("recording", "none: the cell has no recording of its subject"))
    else:
        content, sentence = cut_down(recording, scrubbers, scratch)
        if content is None:
            notes.append(("recording", sentence))
        else:
            add("recording.jfr", content, sentence)
        if dump := telling_dump(recording, rule, tool_jdk):
            sentence = "the recording's thread dump with the most frames of the bug"
            add("threads.txt", dump.encode(), sentence)
    for file in filter(is_plain, sorted(home.glob("hang-*-threads-*.txt"))):
        add(file.name, content_of(file), "thread dump, taken as the test's time ran out")
    return files, notes
