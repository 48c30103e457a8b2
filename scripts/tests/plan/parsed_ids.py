# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Builds by name alone, for tests."""

from collections.abc import Mapping

from jdkmatrix.config.version import parse
from jdkmatrix.supply.build import NamedBuild


def parse_id(build_id: str) -> NamedBuild:
    """The build of that id."""
    return NamedBuild(build_id, parse(build_id.partition("-")[2]))


def last_builds(build_ids: Mapping[str, str]) -> dict[str, NamedBuild]:
    """The builds of these ids, by the ids of their entries."""
    return {entry_id: parse_id(build_id) for entry_id, build_id in build_ids.items()}
