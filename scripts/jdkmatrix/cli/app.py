# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which commands are there, and how does a failure become one line and an exit code?"""

import errno
import os
import re
import shlex
import traceback
from collections.abc import Collection, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer
from typer.completion import get_completion_inspect_parameters

from jdkmatrix import __version__
from jdkmatrix.cli import completion
from jdkmatrix.cli.commands import add_commands
from jdkmatrix.cli.printed import complain, say
from jdkmatrix.errors import OF_THE_MACHINE, ExitCode, KitError, one_line, suggest
from jdkmatrix.paths import Checkout
from jdkmatrix.surroundings import stdout_fault

_EPILOG = """
Exit codes: 0 as expected, 1 a regression or other surprise, 2 the kit or the machine failed,
3 nothing ran, 4 bad arguments or configuration. Results go to standard output, progress and
messages to standard error.

Environment: JDKMATRIX_CACHE is the folder for JDKs and tools (~/.cache/jdkmatrix); JTREG_HOME a
jtreg to use in place of the locked one.

Example: scripts/matrix run --build 'temurin-17*' --bug JDK-8293562
"""


# What typer returns, without a word, in place of KeyboardInterrupt (its core.py).
_INTERRUPTED = 130


def _print_version(is_set: bool) -> None:
    if is_set:
        from jdkmatrix.records.provenance import kit_commit  # --help need not wait for it

        say(f"matrix {__version__} {kit_commit(Checkout.current().root) or ''}".strip())
        raise typer.Exit()


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the kit's version and, of a git checkout, its commit.",
            callback=_print_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Accept the options before a command."""


def _app(words: Sequence[str]) -> typer.Typer:
    """The program for these words of the command line."""
    app = typer.Typer(
        name="matrix",
        callback=_options,
        help="The JDK regression test kit for TLS 1.3. "
        "Without a command: run the default selection.",
        epilog=_EPILOG,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
    )
    add_commands(app, words)
    return app


def main(arguments: list[str]) -> int:
    """Run one command; return its exit code."""
    if completion.VARIABLE in os.environ:  # the shell asks for completions
        get_completion_inspect_parameters()  # it registers the shells with typer
        app = _app(completion.asked_words())
        try:
            app([], prog_name=completion.NAME, complete_var=completion.VARIABLE)
        except SystemExit as end:  # with 1 for words that are none of a shell's
            return ExitCode.USAGE if end.code else ExitCode.OK
    arguments = _with_command(arguments)
    try:
        code = _app(arguments)(arguments, prog_name="scripts/matrix", standalone_mode=False)
        if code == _INTERRUPTED:
            raise KeyboardInterrupt
        return int(code or ExitCode.OK)
    except typer.Exit as stop:
        return stop.exit_code
    except typer.TyperException as error:
        return _fail(_usage_text(error, arguments), ExitCode.USAGE)
    except KitError as error:
        return _fail(str(error), error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", ExitCode.MACHINE)
    except SystemExit:  # typer's, with 1, if the reader of the results went away
        return ExitCode.MACHINE
    except Exception as error:  # Python's own exit code 1 would mean that a JDK has regressed
        return _defect(error)


def with_output(code: int) -> int:
    """The exit code of a command that ended with `code`. If its results could not be written, that
    is told, and nothing is as expected; a finding stays one.
    """
    fault = stdout_fault()
    if fault is None:
        return code
    complain(f"matrix: standard output: {fault}; not all of it was written")
    return ExitCode.MACHINE if code == ExitCode.OK else code


def _with_command(arguments: list[str]) -> list[str]:
    """The arguments; those of no command are those of `run`, and `help` is an option, too."""
    if arguments[:1] == ["help"]:
        return [*arguments[1:2], "--help"]
    first = arguments[0] if arguments else "-"
    is_option = first.startswith("-") and first not in ("--help", "-h", "--version")
    return ["run", *arguments] if is_option else arguments


def _defect(error: Exception) -> int:
    # No name that the kit makes is so long.
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        return _fail(one_line(f"file name too long: {error.filename}"), ExitCode.USAGE)
    if isinstance(error, FileNotFoundError) and not _has_current_folder():
        text = "the current folder was removed, and a relative path begins there"
        return _fail(f"{text}; accepted: in a folder that is there", ExitCode.USAGE)
    if "surrogates not allowed" in str(error):
        return _fail("a path has a byte that is not UTF-8; accepted: in UTF-8", ExitCode.USAGE)
    if fault := _machine_fault(error):
        return _fail(one_line(fault), ExitCode.MACHINE)
    try:
        complain(traceback.format_exc())
    except MemoryError as shortage:  # of which that error was the first sign
        return _defect(shortage)
    text = f"this is a defect of the kit: {type(error).__name__}: {error}"
    return _fail(text, ExitCode.MACHINE)


def _has_current_folder() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def _machine_fault(error: Exception) -> str | None:
    """What the machine has no more of; None for any other error."""
    # Of a library; where no program may run, the start has ended before.
    if isinstance(error, MemoryError) or "failed to map segment" in str(error):
        return "out of memory; to fix it: allow more (ulimit -v, memory.max)"
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        remedy = "allow more processes (ulimit -u, pids.max), memory, or the system call clone3"
        return f"no more threads; to fix it: {remedy}"
    if isinstance(error, OSError) and error.errno in OF_THE_MACHINE:
        return f"{error.filename or 'the machine'}: {error.strerror}"
    return None


# What the libraries say about a value, and what is accepted; their number or names stay.
_VALUE_MESSAGES = (
    (re.compile(r".*Input should be a valid integer.*"), "a whole number"),
    (re.compile(r".*Input should be a valid number.*"), "a number"),
    (re.compile(r".*Input should be greater than or equal to (\S+)"), r"\1 or more"),
    (re.compile(r".*Input should be less than or equal to (\S+)"), r"\1 or less"),
    (re.compile(r".*'(?P<given>.*)' is not one of (?P<names>.*)\."), r"\g<names>"),
)


def _usage_text(error: typer.TyperException, arguments: Sequence[str]) -> str:
    """What is wrong and what is accepted; the parser's own sentence if it says both."""
    text = error.format_message()
    if sentence := _value_text(text, arguments):
        return sentence
    options, commands = _list_names(arguments)
    if match := re.match(r"No such command '([^']*)'", text):
        return f"{match[1]}: no such command; {suggest(match[1], commands)} (all: --help)"
    if match := re.match(r"No such option: (\S+)", text):
        choices = suggest(match[1], [*options, "--help", "--version"])
        return f"{match[1]}: no such option; {choices} (all: --help)"
    if match := re.match(r"Got unexpected extra arguments?(?:\(s\))? \((\S+).*\)", text):
        return f"{match[1]}: accepted: {_as_option(match[1], options)}"
    if match := re.match(r"Option '(\S+)' requires an argument", text):
        return f"{match[1]}: accepted: {match[1]} and its value (see --help)"
    if text.startswith("Missing "):
        return f"{text.rstrip('.')}; accepted: as `scripts/matrix {arguments[0]} --help` says"
    return text


def _list_names(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The long options, and the commands, of the command that these arguments call."""
    command = typer.main.get_command(_app(arguments))
    for word in arguments:
        command = getattr(command, "commands", {}).get(word, command)
    names = [name for parameter in command.params for name in parameter.opts]
    options = [name for name in names if name.startswith("--")]
    return options, list(getattr(command, "commands", ()))


def _as_option(word: str, names: Collection[str]) -> str:
    """The option that a word was likely meant for, of those that the command has."""
    kinds = {
        "--bug": re.fullmatch(r"(JDK-?)?\d{7}:?", word),
        "--test": word.endswith(".java"),
        "--jdk": "/" in word,
        "--build": re.search(r"\d", word),
    }
    for name, is_likely in kinds.items():
        if is_likely and name in names:
            return f"{name} {shlex.quote(word)}"
    return f"options alone: {', '.join(names)}" if names else "no argument"


def _value_text(text: str, arguments: Sequence[str]) -> str | None:
    """What is wrong with a value, and what is accepted; None if it is not of the known kinds."""
    invalid = re.match(r"Invalid value for '(?P<name>\S+)': ", text)
    for pattern, replacement in _VALUE_MESSAGES:
        if invalid and (match := pattern.fullmatch(text)):
            option = _option_text(invalid["name"], arguments, match.groupdict().get("given", ""))
            return f"{option}: accepted: {match.expand(replacement).replace(chr(39), '')}"
    return None


def _option_text(name: str, arguments: Sequence[str], default: str) -> str:
    """An option or argument with its value, if that is the `default` or among the arguments."""
    for word, argument in pairwise((*arguments, "")):
        if word == name:
            return f"{name} {argument}"
        if word.startswith(f"{name}="):
            return word.replace("=", " ", 1)
    return f"{name} {default}".rstrip()


def _fail(text: str, code: ExitCode) -> int:
    complain(f"matrix: {text}".replace("\n", r"\n"))  # a path may contain any character
    return code
