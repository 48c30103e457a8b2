# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix try`: run any program on each build, and group the builds by what it said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jdkmatrix.cli import options
from jdkmatrix.errors import UsageError

if TYPE_CHECKING:
    from jdkmatrix.records.request import ProgramRequest, Request

FailsWith = Annotated[
    str | None,
    typer.Option(metavar="PATTERN", help="A build fails if its output has this (a regex)."),
]
PassesWith = Annotated[
    str | None,
    typer.Option(metavar="PATTERN", help="A build passes only if its output has this."),
]
ByExitCode = Annotated[
    bool,
    typer.Option(
        "--by-exit-code", help="0 passes, 125 cannot tell, else fails: as `git bisect run`."
    ),
]
ClassPath = Annotated[
    list[str] | None,
    typer.Option("--cp", metavar="PATH", help="A jar or folder for its class path; repeatable."),
]
Timeout = Annotated[
    float, typer.Option(metavar="S", min=1, max=86_400, help="Seconds that a run may take.")
]


def try_program(
    program: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE.java|FILE.jar|DIR|COMMAND [ARGS]",
            help="A program, or after `--` a command with {java}, {javac} or {home} in it.",
        ),
    ] = None,
    build: options.Builds = None,
    jdk: options.Jdks = None,
    fails_with: FailsWith = None,
    passes_with: PassesWith = None,
    by_exit_code: ByExitCode = False,
    times: Annotated[
        int, typer.Option(metavar="N", min=1, max=99, help="Runs on each build, for a rate.")
    ] = 1,
    timeout: Timeout = 60.0,
    class_path: ClassPath = None,
    java_option: options.JavaOptions = None,
    in_place: Annotated[
        bool,
        typer.Option(
            "--in-place", help="Run a command in this folder itself, one build at a time."
        ),
    ] = False,
    record: Annotated[
        bool, typer.Option("--record", help="Record it, to say what it waited for.")
    ] = False,
    overlay: options.Overlays = None,
    overlay_patch: options.OverlayPatch = None,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Builds at a time. Default: three a core."),
    ] = None,
    no_confirm: Annotated[
        bool, typer.Option("--no-confirm", help="Do not run again what differs.")
    ] = False,
    resume: options.Resume = False,
    offline: options.Offline = False,
    paranoid: options.Paranoid = False,
    out: options.RunFolderOut = None,
    as_json: options.ResultsAsJson = False,
) -> int:
    """Run any program on each build; group them by what it said.

    A Java file is compiled once, with those that it needs from its folder, for the oldest release
    for which it compiles. It runs in a copy of its folder, without input; all that it starts ends
    with it. Options of its own come after `--`.

    Builds are compared by the exit code and the output, in which ports, dates, addresses, versions,
    hashes and paths are masked. Where they differ each is asked twice: what differs from run to run
    is no difference of builds. With --fails-with, --passes-with or --by-exit-code each build fails
    or passes.

    Exit code 0: all builds alike, or all pass. 1: they differ, or it fails on one. 2: no build
    could run it, or it varies on some and its runs are too few to tell. 4: bad arguments.

    Example: scripts/matrix try Repro.java --build 'debian-17*'

    Example: scripts/matrix try -- {java} -jar app.jar --port 0
    """
    from jdkmatrix.cli.hand_over import carry_out
    from jdkmatrix.flow import flow
    from jdkmatrix.report.console.summary import print_summary

    program_request = program_request_of(
        program or [],
        class_path or [],
        java_option or [],
        fails_with=fails_with,
        passes_with=passes_with,
        by_exit_code=by_exit_code,
        times=times,
        timeout_s=timeout,
        in_place=in_place,
        is_resumed=resume,
    )
    request = tried_request(
        options.request_of(build, jdk, None, [""], None, overlay, overlay_patch), program_request
    ).model_copy(update={"record": record, "confirm": not no_confirm})
    return carry_out(
        request,
        flow.RunOptions(jobs or flow.usual_jobs(), offline, paranoid, out, places=request.places),
        print_summary,
        resumes="try" if resume else None,
        as_json=as_json,
    )


def program_request_of(
    words: list[str],
    class_path: list[str],
    java_options: list[str],
    *,
    fails_with: str | None = None,
    passes_with: str | None = None,
    by_exit_code: bool = False,
    times: int = 1,
    timeout_s: float = 60.0,
    in_place: bool = False,
    is_resumed: bool = False,
) -> ProgramRequest:
    """What these words of a command line want to be run. Raises UsageError."""
    from jdkmatrix.records.request import ProgramRequest
    from jdkmatrix.run.cells.programs import check_pattern

    check_pattern("--fails-with", fails_with)
    check_pattern("--passes-with", passes_with)
    if sum(map(bool, (fails_with, passes_with, by_exit_code))) > 1:
        raise UsageError("accepted: one of --fails-with, --passes-with and --by-exit-code")
    if not words and not is_resumed:
        raise UsageError("try: no program; accepted: FILE.java, FILE.jar, DIR, or -- COMMAND")
    path = _program_path(words[0]) if words else None
    if words and path is None:
        _check_command(words, class_path, java_options)
    return ProgramRequest(
        path=str(path) if path else None,
        command=() if path else tuple(words),
        arguments=tuple(words[1:]) if path else (),
        java_options=tuple(java_options),
        class_path=tuple(str(_existing("--cp", text)) for text in class_path),
        timeout_s=timeout_s,
        times=times,
        fails_with=fails_with,
        passes_with=passes_with,
        by_exit_code=by_exit_code,
        in_place=in_place,
    )


def tried_request(request: Request, program: ProgramRequest) -> Request:
    """The request with that program in place of tests."""
    from jdkmatrix.run.cells.programs import PLACEHOLDERS

    if program.path:
        path = Path(program.path)
        return request.model_copy(
            update={"program": program, "suite": str(path.parent), "tests": (path.name,)}
        )
    name = next(filter(_names_a_command, program.command), "command")
    for placeholder in PLACEHOLDERS:
        name = name.replace(placeholder, placeholder.strip("{}"))
    name = name.rstrip("/").rpartition("/")[2]
    name = name if name.isprintable() and name not in ("", ".", "..") else "command"
    return request.model_copy(
        update={"program": program, "suite": str(Path.cwd()), "tests": (name,)}
    )


def _names_a_command(word: str) -> bool:
    """Not `env`, nor what it sets."""
    return word != "env" and "=" not in word


def _program_path(text: str) -> Path | None:
    """The file or folder that the first word means; None if it is a command. Raises UsageError."""
    from jdkmatrix.supply.build import expand_home

    is_file = text.endswith((".java", ".jar"))
    path = expand_home(Path(text)).absolute()
    if not is_file and not path.is_dir():
        return None
    if is_file and not path.is_file():
        raise UsageError(f"{text}: no such file; accepted: FILE.java, FILE.jar, DIR, or -- COMMAND")
    return path.resolve()


def _existing(option: str, text: str) -> Path:
    path = Path(text).expanduser().absolute()
    if not path.exists():
        raise UsageError(f"{option} {text}: no such file; accepted: a jar or a folder of classes")
    return path


def _check_command(words: list[str], class_path: list[str], java_options: list[str]) -> None:
    from jdkmatrix.run.cells.programs import PLACEHOLDERS

    line = " ".join(words)
    if not any(placeholder in line for placeholder in PLACEHOLDERS):
        raise UsageError(
            f"{line}: it would be the same on each build; accepted: a command with "
            f"{', '.join(PLACEHOLDERS)} in it, as `env JAVA_HOME={{home}} {line}`, or FILE.java, "
            "FILE.jar, DIR"
        )
    if class_path or java_options:
        raise UsageError(f"{line}: --cp and --java-option are of a file; accepted: in the command")
