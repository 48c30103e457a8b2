# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How long did a baseline, or other builds, wait at the same place as a recording? Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from jdkmatrix.evidence.digest import Recording, Wait
from jdkmatrix.evidence.places import counted_ms, waits_by_frame
from jdkmatrix.evidence.unseen import Settings, unseen_ms


@dataclass(frozen=True)
class RecordingBaseline:
    """What a recording is compared with: a baseline, or the same program on other builds.

    With `by_class`, waits in all methods of a class are at the same place, as methods may differ
    between builds.
    """

    recordings: tuple[Recording, ...]
    by_class: bool = False

    @classmethod
    def baseline(cls, recording: Recording) -> "RecordingBaseline":
        """One good recording of the same program."""
        return cls((recording,))

    @classmethod
    def other_builds(cls, recordings: tuple[Recording, ...]) -> "RecordingBaseline | None":
        """Recordings of the same test on other builds; None if there are none."""
        return cls(recordings, by_class=True) if recordings else None

    def had_ms(
        self, frame: str, kinds: Collection[str], held_over: Collection[str], duration_ms: float
    ) -> float:
        """The longest that any of them waited there, scaled to `duration_ms`."""
        return max(
            counted_ms(self._waits(recording, frame, kinds), held_over)
            * duration_ms
            / max(1.0, recording.duration_ms)
            for recording in self.recordings
        )

    def unseen_ms(self, waits: Sequence[Wait], settings: Settings) -> float:
        """An upper bound in ms of these waits, recorded with `settings`, that all of them hide."""
        return min(unseen_ms(waits, recording.settings, settings) for recording in self.recordings)

    def _waits(self, recording: Recording, frame: str, kinds: Collection[str]) -> list[Wait]:
        return [
            wait
            for other_frame, waits in waits_by_frame(recording).items()
            if self._place(other_frame) == self._place(frame)
            for wait in waits
            if wait.kind in kinds
        ]

    def _place(self, frame: str) -> str:
        return frame.rpartition(".")[0] if self.by_class else frame
