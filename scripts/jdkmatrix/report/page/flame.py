# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a flame graph drawn: who called whom, and how much of the samples each took? Pure.

After B. Gregg, "The Flame Graph", CACM 59(6), 2016; the outermost frames on top, as in JDK Mission
Control. Its own library draws with a script, which the page's content security policy forbids.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from jdkmatrix.evidence.digest import FlameFrame

ROW_PX = 17
_KINDS = {"sun.security.ssl.": "tls", "com.sun.crypto.provider.": "cipher", "sun.security.": "key"}


@dataclass(frozen=True)
class Bar:
    """A frame: `x` and `width` in percent of the graph, `y` in pixels."""

    x: float
    width: float
    y: int
    label: str
    title: str
    kind: str


@dataclass(frozen=True)
class FlameGraph:
    """The bars, and the graph's height in pixels."""

    bars: tuple[Bar, ...]
    height: int


def flame_graph(frames: Sequence[FlameFrame]) -> FlameGraph:
    """The graph of a tree of sampled stacks, from its outermost frames down."""
    all_samples = max(frame.left_samples + frame.samples for frame in frames)
    bars = tuple(_bar(frame, all_samples) for frame in frames)
    return FlameGraph(bars, ROW_PX * (1 + max(frame.depth for frame in frames)))


def _bar(frame: FlameFrame, all_samples: int) -> Bar:
    share = 100 * frame.samples / all_samples
    return Bar(
        x=round(100 * frame.left_samples / all_samples, 2),
        width=round(share, 2),
        y=ROW_PX * frame.depth,
        label=".".join(frame.frame.split(".")[-2:]),
        title=f"{frame.frame}: {share:.1f} % of the samples",
        kind=next(
            (kind for start, kind in _KINDS.items() if frame.frame.startswith(start)), "other"
        ),
    )
