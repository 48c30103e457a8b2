# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which bugs do an exception, a stack or a few words mean? Pure.

Nothing is better than a guess. An exception or a stack leads only to bugs with one of whose traces
it agrees; words only to bugs that have all of them.
"""

import math
import re
from collections.abc import Mapping, Sequence

from jdkmatrix.config.ledger import Bug
from jdkmatrix.vocabulary import Severity

# `java.base@17.0.5/sun.net.www.http.KeepAliveCache.get(KeepAliveCache.java:167)`: the package, the
# module and the place in the file say nothing more.
_PACKAGE = re.compile(r"(?:[\w.@+-]+/)*\b(?:[a-z_]\w*\.)+(?=[A-Z])")
_IN_FILE = re.compile(r"\((?:[\w$]+\.java(?::\d+)?|Native Method|Unknown Source)\)")
_OPTION = re.compile(r"(?<!\w)-D(?=\w)")
# With its message, or alone in its line; else it is a word as any other.
_EXCEPTION = re.compile(
    r"\b[A-Z]\w*(?:Exception|Error)\b(?=\s*:)"
    r"|^\W*(?:Caused by: |Exception in thread .*)?[A-Z]\w*(?:Exception|Error)$",
    re.MULTILINE,
)
# A profiler's page has no `at`: `a.b.C.d(int) C.java:5`.
_FRAME_LINE = re.compile(r"^\s*(?:at\s+\S+\.\S+|(?:[a-z]\w*\.)+[A-Z][\w$]*\.\w+\()", re.MULTILINE)
# The parts of a trace that have to come one after the other.
_GAP = " ... "
_WORD = re.compile(r"[a-z0-9_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_STOP_WORDS = frozenset(
    "a an and are as at be bug by do does for from has have i in is it its jdk java javax my no "
    "not of on or our than that the this to was we when where which while why with".split()
)
# A word may go on by an ending: stream, streams; close, closes.
_MOST_OF_AN_ENDING = 3
_LEAST_OF_A_STEM = 4
# A bug with less of what the best has is not shown: its words are there by chance.
_LEAST_SHARE = 0.5


def is_trace(text: str) -> bool:
    """Whether a text is of a log or a dump: it names an exception, or has a line of a stack."""
    return any((_EXCEPTION.search(_bare(text)), _FRAME_LINE.search(text), _IN_FILE.search(text)))


def find_bugs(text: str, bugs: Sequence[Bug]) -> tuple[Bug, ...]:
    """The bugs that a text means, the likeliest first; none rather than a guess.

    Words may quote a trace: the text of an exception, or a frame.
    """
    ranks = _ranks_by_trace(text, bugs)
    if not ranks and not is_trace(text):
        ranks = _ranks_by_words(text, bugs)
    meant_bugs = [bug for bug in bugs if bug.id in ranks]
    return tuple(sorted(meant_bugs, key=lambda bug: (ranks[bug.id], _fixed_late_first(bug))))


def _fixed_late_first(bug: Bug) -> float:
    """Of two bugs that fit alike, the one that more releases have is likelier."""
    return -float(max(bug.fixed, default=math.inf))


def _bare(text: str) -> str:
    return _OPTION.sub("", _PACKAGE.sub("", _IN_FILE.sub("", text)))


def _ranks_by_trace(text: str, bugs: Sequence[Bug]) -> dict[str, tuple[float, ...]]:
    """Rank 0 is the first. More parts of a trace say more, and so do longer ones."""
    line = " ".join(_bare(text).split()).lower()
    has_exception = bool(_EXCEPTION.search(_bare(text)))
    ranks: dict[str, tuple[float, ...]] = {}
    for bug in bugs:
        for trace in bug.traces:
            parts = _parts(trace)
            # Where an exception was thrown is no sign that a thread waits there.
            is_frame = " " not in trace and not _EXCEPTION.search(trace)
            if is_frame and has_exception and bug.severity in (Severity.HANGS, Severity.SLOW):
                continue
            if _has_in_order(line, parts):
                rank = (-float(len(parts)), -float(sum(map(len, parts))))
                ranks[bug.id] = min(rank, ranks.get(bug.id, rank))
    return ranks


def has_trace(text: str, traces: Sequence[str]) -> bool:
    """Whether one of the traces is in an exception or a stack."""
    line = " ".join(_bare(text).split()).lower()
    return any(_has_in_order(line, _parts(trace)) for trace in traces)


def _parts(trace: str) -> list[str]:
    return [_bare(part).lower() for part in trace.split(_GAP)]


def _has_in_order(line: str, parts: Sequence[str]) -> bool:
    start = 0
    for part in parts:
        match = re.compile(rf"(?<![\w$]){re.escape(part)}").search(line, start)
        if match is None:
            return False
        start = match.end()
    return True


def _ranks_by_words(text: str, bugs: Sequence[Bug]) -> dict[str, tuple[float, ...]]:
    weights_of = {bug.id: _weights(bug) for bug in bugs}
    scores = scores_by_words(text, weights_of)
    return {bug_id: (-score,) for bug_id, score in scores.items()}


def scores_by_words(text: str, weights_of: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Of each document that has all words of the text how much they weigh in it, and not less than
    half of what the best has. A word weighs more the fewer documents have it.
    """
    words = [word for word in _WORD.findall(_bare(text).lower()) if word not in _STOP_WORDS]
    scores = dict.fromkeys(weights_of if words else (), 0.0)
    for word in words:
        weights = {name: _weight(word, weights_of[name]) for name in weights_of}
        count = sum(map(bool, weights.values()))
        for name in [name for name in scores if not weights[name]]:
            del scores[name]
        for name in scores:
            scores[name] += weights[name] * (1 + math.log(len(weights_of) / count))
    best = max(scores.values(), default=0.0)
    return {name: score for name, score in scores.items() if score >= best * _LEAST_SHARE}


def _weight(word: str, weights: Mapping[str, float]) -> float:
    """How much a word, or one with another ending, weighs in a document; 0: it is not there."""
    if word in weights:
        return weights[word]
    stem = word.rstrip("s")
    if len(stem) < _LEAST_OF_A_STEM:
        return 0.0
    return max(
        (
            weight
            for candidate, weight in weights.items()
            if candidate.startswith(stem) and len(candidate) - len(stem) <= _MOST_OF_AN_ENDING
        ),
        default=0.0,
    )


def _weights(bug: Bug) -> dict[str, float]:
    rule = bug.evidence
    frames = (*rule.blocked_in, *rule.slow_in, *rule.busy_in) if rule else ()
    texts = [(text, 6.0) for text in (*bug.traces, *frames)]
    texts += [(bug.title, 5.0), (bug.symptom or "", 4.0), (bug.workaround or "", 2.0)]
    texts += [(template.says, 2.0) for template in bug.cause]
    texts += [(test.rpartition("/")[2].removesuffix(".java"), 2.0) for test in bug.tests]
    return word_weights(texts)


def word_weights(texts: Sequence[tuple[str, float]]) -> dict[str, float]:
    """The most that each word weighs in any of the texts; `KeepAliveCache` is four words."""
    weights: dict[str, float] = {}
    for text, weight in texts:
        bare = _bare(text)
        for word in _WORD.findall(f"{bare} {_CAMEL.sub(' ', bare)}".lower()):
            weights[word] = max(weight, weights.get(word, 0.0))
    return weights
