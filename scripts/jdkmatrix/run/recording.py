# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a JVM told to record itself, and how are those of one jtreg call?"""

from pathlib import Path

# JDK-8170832: since 9 a launcher reads options, also argument files, from JDK_JAVA_OPTIONS.
_OPTIONS_IN_ENVIRONMENT_TRAIN = 9


def recording_options(settings: Path, target: str) -> list[str]:
    """What a JVM needs to leave a recording as `target`: a file, or a folder, with a slash.

    In a folder each JVM has a file of its own, with its pid. `settings` is a `.jfc` file.
    """
    recording = f"settings={settings},filename={target},dumponexit=true"
    return [
        f"-XX:StartFlightRecording={recording}",
        "-XX:FlightRecorderOptions=stackdepth=96",
    ]


def jtreg_recording_options(settings: Path, recordings: Path, work: Path, train: int) -> list[str]:
    """How jtreg is told that the JVMs of a test leave their recordings in `recordings`.

    Options for test JVMs also go to two that jtreg asks for the properties of the JDK, and each
    recording costs a second of CPU time. The environment is the test's alone. May write a file
    into jtreg's `work` folder.
    """
    options = recording_options(settings, f"{recordings}/")
    if train < _OPTIONS_IN_ENVIRONMENT_TRAIN:
        return [f"-javaoption:{option}" for option in options]
    work.mkdir(parents=True)
    file = work / "recording.options"  # for jtreg a comma ends the value of a variable
    file.write_text("".join(f'"{option}"\n' for option in options), encoding="utf-8")
    return [f"-e:JDK_JAVA_OPTIONS=@{file}"]
