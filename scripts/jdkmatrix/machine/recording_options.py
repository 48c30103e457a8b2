# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a JVM told to record itself?"""

from pathlib import Path


def record_into(folder: Path, settings: Path) -> list[str]:
    """The options for each JVM to leave a recording in `folder`, which is made."""
    folder.mkdir(exist_ok=True)
    return recording_options(settings, f"{folder}/")


def recording_options(settings: Path, target: str, delay_s: int = 0) -> list[str]:
    """The options for a JVM to leave a recording at `target`: a file, or a folder with a slash.

    In a folder each JVM has a file of its own, named by its pid. `settings` is a `.jfc` file,
    `delay_s` how long after the start of the JVM the recording begins.
    """
    recording = f"settings={settings},filename={target},dumponexit=true"
    if delay_s:
        recording += f",delay={delay_s}s"
    return [
        f"-XX:StartFlightRecording={recording}",
        "-XX:FlightRecorderOptions=stackdepth=96",
    ]
