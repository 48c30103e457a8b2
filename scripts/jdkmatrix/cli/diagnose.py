# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix diagnose`: which bugs of the ledger show in a recording or thread dump? Needs no run."""

import sys
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from jdkmatrix.cli.options import AsJson, Offline
from jdkmatrix.cli.printed import give, say
from jdkmatrix.errors import ExitCode, UsageError, one_line
from jdkmatrix.machine.files import is_plain, lines_of
from jdkmatrix.machine.trees import scratch_folder
from jdkmatrix.paths import Checkout
from jdkmatrix.texts import command_line

# How the digest ends what it says of a file without a dump; and where exceptions are looked for.
_NO_DUMP = "has no thread dump of HotSpot"
_MOST_HINT_LINES = 20_000


def diagnose(
    recordings: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[REC.jfr|DUMP.txt]...",
            help="Flight recordings or thread dumps; folders, zip, tar or gzip of them; - for"
            " standard input.",
        ),
    ] = None,
    pid: Annotated[
        int | None,
        typer.Option(metavar="PID", min=1, help="Ask that JVM for three dumps, 5 s apart."),
    ] = None,
    seconds: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=3600, help="With --pid: record N s instead."),
    ] = None,
    exception: Annotated[
        str | None,
        typer.Option(metavar="TEXT|LOG", help="Which bug throws that? -: standard input."),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(metavar="REC.jfr", help="An earlier, good recording, to find what is new."),
    ] = None,
    of_killed_jvm: Annotated[
        bool,
        typer.Option("--unfinished", help="Read what a killed JVM (14+) left, to its last flush."),
    ] = False,
    offline: Offline = False,
    as_json: AsJson = False,
) -> int:
    """Say which known bugs show in recordings or thread dumps.

    They are of your own application; dumps are those of jstack, jcmd and SIGQUIT, as they are or
    as copied from a log, a page or a mail, and those of VisualVM, IntelliJ, Spring and JMX. Files
    of one process are read as one; more dumps say more exactly how long threads waited.

    --pid changes nothing in the JVM that it asks. --exception takes an exception with its stack, or
    the file of a log that has some.

    If none does, it says what the threads wait for. Exit code 0: none shows; 1: one does or is
    probable, or a deadlock shows, or waiting that the baseline does not have; 4: a file could not
    be read, or not right; the others are diagnosed all the same.

    Example: scripts/matrix diagnose app.jfr --baseline app-on-the-old-jdk.jfr
    """
    ways = [bool(recordings), pid is not None, exception is not None]
    if sum(ways) != 1:
        raise UsageError("diagnose: accepted: one of files, --pid PID, --exception TEXT")
    if seconds is not None and pid is None:
        raise UsageError("--seconds: accepted with it: --pid PID")
    if exception is not None and (as_json or baseline):
        raise UsageError("--exception: accepted without --json and --baseline")
    if exception is not None:
        return _diagnose_exceptions(exception)
    if pid is None:
        return _diagnose_files(recordings or [], baseline, of_killed_jvm, offline, as_json)
    with scratch_folder() as folder:
        file = _file_of_live(pid, seconds, folder, offline=offline)
        return _diagnose_files([file], baseline, False, offline, as_json, f"process {pid}")


def _file_of_live(pid: int, seconds: int | None, folder: Path, *, offline: bool) -> Path:
    """What a running JVM was asked for: thread dumps, or a recording. Raises KitError."""
    from jdkmatrix.cli.tool_jdk import tool_jdk
    from jdkmatrix.run.live_jvm import LiveJvm

    checkout = Checkout.current()
    jvm = LiveJvm(pid, tool_jdk(checkout, offline=offline))
    file = folder / ("dumps.txt" if seconds is None else "recording.jfr")
    if seconds is None:
        jvm.dump_threads(file)
    else:
        jvm.record(file, checkout.recording_settings, seconds)
    return file


def _diagnose_exceptions(text: str) -> ExitCode:
    """Of a text, a log or standard input. Raises UsageError if it has no exception."""
    from jdkmatrix.config.ledger import load_ledger
    from jdkmatrix.evidence.exceptions import stacks_in
    from jdkmatrix.report.console.thrown import bugs_thrown, thrown_lines

    if text == "-":
        stacks, source = stacks_in(sys.stdin), "standard input"
    elif is_plain(Path(text)):
        try:
            stacks, source = stacks_in(lines_of(Path(text))), text
        except OSError as error:
            raise UsageError(f"--exception {text}: {error.strerror}") from None
    else:
        stacks, source = stacks_in(text.splitlines()) or {text: 1}, "--exception"
    if not stacks:
        raise UsageError(
            f"--exception {one_line(text, 40)}: has no exception; accepted: a log with some"
        )
    bugs = bugs_thrown(stacks, load_ledger(Checkout.current().ledger))
    for line in thrown_lines(source, stacks, bugs):
        say(line)
    return ExitCode.SURPRISE if bugs else ExitCode.OK


def _hint_of_exceptions(file: Path, error: str) -> str:
    """What to type for a log that has exceptions in place of dumps."""
    from jdkmatrix.evidence.exceptions import stacks_in

    if not error.endswith(_NO_DUMP) or not is_plain(file):
        return ""
    with suppress(OSError):
        stacks = stacks_in(islice(lines_of(file), _MOST_HINT_LINES))
        if any("\nat " in stack for stack in stacks):
            return f"; of its exceptions: scripts/matrix diagnose --exception {command_line(file)}"
    return ""


def _diagnose_files(
    files: list[Path],
    baseline: Path | None,
    of_killed_jvm: bool,
    offline: bool,
    as_json: bool,
    source: str | None = None,
) -> ExitCode:
    """Diagnose files, named `source` if they are of a running JVM."""
    from jdkmatrix.cli.console import result_console
    from jdkmatrix.cli.tool_jdk import tool_jdk
    from jdkmatrix.config.ledger import load_ledger
    from jdkmatrix.config.recording_rules import load_activities, load_rules
    from jdkmatrix.evidence.digest import Recording, Unreadable, digester_of
    from jdkmatrix.grading.diagnosis import Diagnosis
    from jdkmatrix.grading.diagnosis import diagnose as diagnose_recording
    from jdkmatrix.report.console.diagnosed import print_diagnosis
    from jdkmatrix.report.diagnosis_document import DiagnosisDocument

    checkout = Checkout.current()
    ledger = load_ledger(checkout.ledger)
    rules = load_rules(checkout.rules)
    activity_rules = load_activities(checkout.thread_rules)
    digester = digester_of(checkout, tool_jdk(checkout, offline=offline))
    good = None
    if baseline:
        (good,) = digester.digest([baseline], allow_unfinished=of_killed_jvm).recordings
    if isinstance(good, Unreadable):
        raise UsageError(f"--baseline {baseline}: {good.error}")
    diagnoses = [
        diagnose_recording(recording, ledger, rules, good, activity_rules)
        if isinstance(recording, Recording)
        else recording
        for recording in digester.digest(files, allow_unfinished=of_killed_jvm).recordings
    ]
    if source:
        diagnoses = [entry.model_copy(update={"file": source}) for entry in diagnoses]
    if as_json:
        document = DiagnosisDocument(
            baseline=good.file if good else None, recordings=tuple(diagnoses)
        )
        give(document.to_json())
    else:
        print_diagnosis(result_console(), diagnoses)
    bad = [diagnosis for diagnosis in diagnoses if isinstance(diagnosis, Unreadable)]
    for unreadable in bad:
        hint = _hint_of_exceptions(Path(unreadable.file), unreadable.error)
        typer.echo(f"matrix: {unreadable.file}: {unreadable.error}{hint}", err=True)
    if bad:
        return ExitCode.USAGE
    shows = any(diagnosis.shows for diagnosis in diagnoses if isinstance(diagnosis, Diagnosis))
    return ExitCode.SURPRISE if shows else ExitCode.OK
