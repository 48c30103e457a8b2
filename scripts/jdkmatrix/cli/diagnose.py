# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix diagnose`: which bugs of the ledger show in a recording or thread dump? Needs no run."""

from pathlib import Path
from typing import Annotated

import typer

from jdkmatrix.cli.options import Offline
from jdkmatrix.cli.printed import give
from jdkmatrix.errors import ExitCode, UsageError
from jdkmatrix.paths import Checkout


def diagnose(
    recordings: Annotated[
        list[Path],
        typer.Argument(
            metavar="REC.jfr|DUMP.txt",
            help="Flight recordings or thread dumps; folders, zip, tar or gzip of them; - for"
            " standard input.",
        ),
    ],
    baseline: Annotated[
        Path | None,
        typer.Option(metavar="REC.jfr", help="An earlier, good recording, to find what is new."),
    ] = None,
    of_killed_jvm: Annotated[
        bool,
        typer.Option("--unfinished", help="Read what a killed JVM (14+) left, to its last flush."),
    ] = False,
    offline: Offline = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Say which known bugs show in recordings or thread dumps.

    They are of your own application; dumps are those of jstack, jcmd and SIGQUIT, as they are or
    as copied from a log, a page or a mail, and those of VisualVM, IntelliJ, Spring and JMX. Files
    of one process are read as one; more dumps say more exactly how long threads waited.

    If none does, it says what the threads wait for. Exit code 0: none shows; 1: one does or is
    probable, or a deadlock shows, or waiting that the baseline does not have; 4: a file could not
    be read, or not right; the others are diagnosed all the same.

    Example: scripts/matrix diagnose app.jfr --baseline app-on-the-old-jdk.jfr
    """
    from jdkmatrix.cli.console import result_console
    from jdkmatrix.cli.tool_jdk import tool_jdk
    from jdkmatrix.config.ledger import load_ledger
    from jdkmatrix.config.recording_rules import load_rules
    from jdkmatrix.config.thread_rules import load_activities
    from jdkmatrix.evidence.diagnosis import Diagnosis
    from jdkmatrix.evidence.diagnosis import diagnose as diagnose_recording
    from jdkmatrix.evidence.digest import Recording, Unreadable, digester_of
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
        for recording in digester.digest(recordings, allow_unfinished=of_killed_jvm).recordings
    ]
    if as_json:
        document = DiagnosisDocument(
            baseline=good.file if good else None, recordings=tuple(diagnoses)
        )
        give(document.to_json())
    else:
        print_diagnosis(result_console(), diagnoses)
    bad = [diagnosis for diagnosis in diagnoses if isinstance(diagnosis, Unreadable)]
    for unreadable in bad:
        typer.echo(f"matrix: {unreadable.file}: {unreadable.error}", err=True)
    if bad:
        return ExitCode.USAGE
    shows = any(diagnosis.shows for diagnosis in diagnoses if isinstance(diagnosis, Diagnosis))
    return ExitCode.SURPRISE if shows else ExitCode.OK
