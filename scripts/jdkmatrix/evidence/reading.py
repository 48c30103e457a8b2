# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which parts of a recording's digest may be missing, or be more than this kit knows?"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, ConfigDict

from jdkmatrix.evidence.digest import Blocked, Holder, Recording


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", from_attributes=True)


class EventSetting(_Part):
    """The settings of one event in force; `threshold_ms` None: the event has none."""

    enabled: bool
    threshold_ms: float | None = None
    stack_trace: bool = True


class OpenWait(_Part):
    """Threads that still waited when the recording ended.

    `waited_ms_at_least` is summed over them, as far as it can be told.
    """

    kind: str
    lock_class: str
    frame: str
    threads: int
    waited_ms_at_least: float


def recording_from(entry: Mapping[str, Any]) -> Recording:
    """A recording from an entry of a digest document, without what the model has no place for.

    Raises ValueError (pydantic's) if something is missing.
    """
    rows = [
        _known(Blocked, {**row, "holders": [_known(Holder, held) for held in row["holders"]]})
        for row in entry["blocked"]
    ]
    return Recording.model_validate(_known(Recording, {**entry, "blocked": rows}))


def _known(model: type[BaseModel], data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name in model.model_fields}


def settings_of(recording: Recording) -> Mapping[str, EventSetting]:
    """The settings in force at the end, by event; empty if the recording does not tell."""
    told = getattr(recording, "settings", None) or {}
    return MappingProxyType(
        {event: EventSetting.model_validate(setting) for event, setting in dict(told).items()}
    )


def open_waits_of(recording: Recording) -> tuple[OpenWait, ...]:
    """The waits still open at the end; empty also where no thread dump was recorded."""
    told = getattr(recording, "open_waits", None) or ()
    return tuple(OpenWait.model_validate(wait) for wait in told)
