# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is the first build with a change told to people, who know releases and not build tags?"""

from jdkmatrix.config.tags import FirstTag
from jdkmatrix.config.version import JdkVersion


def between_text(tag: FirstTag) -> str:
    """`in 17.0.13`, also where it is not in 17.0.12 and nobody knows from which build on."""
    first, _, last = short_text(tag).partition("..")
    return f"between {first} and {last}" if last else f"in {first}"


def short_text(tag: FirstTag) -> str:
    """`17.0.13`, or `17.0.15..17.0.19` where it came somewhere between."""
    absent, present = tag.absent_in, tag.present_in
    if absent is None or absent.numbers == present.numbers or _is_next(absent, present):
        return present.release
    return f"{absent.release}..{present.release}"


def _is_next(older: JdkVersion, newer: JdkVersion) -> bool:
    """Whether no release but a respin comes between: 17.0.12 and 17.0.13."""
    return (
        len(older.numbers) == len(newer.numbers) == 3
        and older.train != 8  # whose numbers go by tens
        and newer.numbers[2] - older.numbers[2] == 1
    )
