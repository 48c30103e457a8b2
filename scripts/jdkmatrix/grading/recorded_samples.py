# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Why is a build slower? What recordings of one more sample of it and of the baseline show.

The recorded samples are taken after the comparison and never graded, as recording costs time.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.evidence.cause import symptom_of
from jdkmatrix.evidence.digest import Digest, Digester, Recording, parse_digest
from jdkmatrix.evidence.recording_difference import WaitChange, difference
from jdkmatrix.evidence.self_time import Profile, package, where_it_grew
from jdkmatrix.machine.files import content_of, write_atomically
from jdkmatrix.records.comparison_record import ComparisonRecord
from jdkmatrix.records.model import read_record
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.sample_record import SampleRecord
from jdkmatrix.records.store import DIGEST_FILE, comparison_folder
from jdkmatrix.results.speed import RecordingEvidence
from jdkmatrix.vocabulary import Metric
from jdkmatrix.words.waiting import growth_phrase, symptom_sentence, wait_change

RECORDING_FILE = "recording.jfr"
_RECORD_FILE = "record.json"
_MOST_ROWS = 5
_MOST_PACKAGES = 12


def recorded_folder(arm: str) -> str:
    """The name of the folder of an arm's recorded sample."""
    return f"recorded-{arm}"


def has_jfr(comparison: ComparisonRecord, arm: str, builds: Mapping[str, BuildRecord]) -> bool:
    """Whether the build of an arm has Flight Recorder."""
    return bool(builds[comparison.build_of(arm)].facts.get("has_jfr"))


def no_recording(arm: str) -> RecordingEvidence:
    """The evidence for a build without Flight Recorder: only why there is none."""
    error = f"{arm}: no recording, as this JDK has no Flight Recorder"
    return RecordingEvidence(cause=None, difference=(), recordings=(), error=error)


def keep_record(folder: Path, sample: SampleRecord) -> None:
    """Store how a recorded sample went, which says why if there is no recording."""
    write_atomically(folder / _RECORD_FILE, sample.model_dump_json(indent=1))


def digest_recorded(folders: Sequence[Path], digester: Digester) -> None:
    """Write `digest.json` beside each recording. Raises MachineError."""
    recorded_folders = [folder for folder in folders if (folder / RECORDING_FILE).is_file()]
    digest = digester.digest([folder / RECORDING_FILE for folder in recorded_folders])
    for folder, read in zip(recorded_folders, digest.recordings, strict=True):
        folder_digest = Digest(recordings=(read,))
        write_atomically(
            folder / DIGEST_FILE, folder_digest.model_dump_json(by_alias=True, indent=1)
        )


def was_read(folder: Path) -> bool:
    """Whether a recorded sample has a recording that was read."""
    return (folder / DIGEST_FILE).is_file()


def read_evidence(
    run: Path, comparison: ComparisonRecord, build: str, ledger: Ledger
) -> RecordingEvidence | None:
    """What the stored digests of build and baseline show; None if the build was not recorded."""
    home = comparison_folder(run, comparison)
    folders = [home / recorded_folder(arm) for arm in (comparison.baseline, build)]
    if not folders[1].is_dir():
        return None
    recordings = [_recording(folder) for folder in folders]
    if isinstance(recordings[1], str):
        return RecordingEvidence(cause=None, difference=(), recordings=(), error=recordings[1])
    baselines = () if isinstance(recordings[0], str) else (recordings[0],)
    rows = difference(baselines, (recordings[1],)) if baselines else ()
    changes = [row for row in rows if row.change is not WaitChange.SAME]
    measures_cpu = Metric.CPU_US_PER_REQUEST in comparison.scenario.metrics
    profiles = _profiles(folders, recordings) if measures_cpu else {}
    growth = where_it_grew(*profiles.values()) if len(profiles) == len(folders) else None
    return RecordingEvidence(
        grew=growth_phrase(growth) if growth else None,
        self_time={
            arm: _packages(profiles[folder])
            for arm, folder in zip((comparison.baseline, build), folders, strict=True)
            if folder in profiles
        },
        flames={
            arm: profiles[folder].recording.flame
            for arm, folder in zip((comparison.baseline, build), folders, strict=True)
            if folder in profiles and profiles[folder].recording.flame
        },
        cause=next(_causes(recordings[1], comparison, ledger), None),
        difference=tuple(map(wait_change, changes[:_MOST_ROWS])),
        recordings=tuple(
            (folder / RECORDING_FILE).relative_to(run).as_posix()
            for folder, recording in zip(folders, recordings, strict=True)
            if isinstance(recording, Recording)
        ),
        error=recordings[0] if isinstance(recordings[0], str) else None,
    )


def _profiles(
    folders: Sequence[Path], recordings: Sequence[Recording | str]
) -> dict[Path, Profile]:
    """By folder, the recordings with samples, each with the CPU time of a request in it."""
    profiles = {}
    for folder, recording in zip(folders, recordings, strict=True):
        path = folder / _RECORD_FILE
        sample = _sample(path)
        if isinstance(recording, str) or not recording.self_time or sample is None:
            continue
        cpu_us = sample.figures.get(Metric.CPU_US_PER_REQUEST)
        if cpu_us is not None:
            profiles[folder] = Profile(recording, cpu_us)
    return profiles


def _packages(profile: Profile) -> dict[str, float]:
    shares = list(profile.shares(package).items())
    return {name: round(share, 4) for name, share in shares[:_MOST_PACKAGES]}


def _causes(recording: Recording, comparison: ComparisonRecord, ledger: Ledger) -> Iterator[str]:
    """The sentences of known bugs that the recording shows, those of the scenario first."""
    bug_ids = comparison.scenario.shows
    for bug in sorted(ledger.bugs, key=lambda bug: bug.id not in bug_ids):
        if bug.evidence is None:
            continue
        symptom = symptom_of(recording, bug.evidence)
        if symptom:
            yield f"{bug.id}: {symptom_sentence(symptom)}"


def _recording(folder: Path) -> Recording | str:
    path = folder / DIGEST_FILE
    try:
        recordings = parse_digest(content_of(path)).recordings if path.is_file() else ()
    except (MachineError, OSError) as error:
        return f"{folder.name}: {error}"
    if not recordings:
        return f"{folder.name}: no recording was read{_why_void(folder / _RECORD_FILE)}"
    read = recordings[0]
    return read if isinstance(read, Recording) else f"{folder.name}: {read.error}"


def _why_void(path: Path) -> str:
    sample = _sample(path)
    return f": {sample.void}" if sample and sample.void else ""


def _sample(path: Path) -> SampleRecord | None:
    try:
        return read_record(path, SampleRecord)
    except UsageError:
        return None
