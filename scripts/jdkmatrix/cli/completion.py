# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix completion SHELL`: print a script that completes the kit's commands and ids."""

import os
import shlex
from enum import StrEnum
from typing import Annotated

import typer

from jdkmatrix.cli.printed import give
from jdkmatrix.errors import ExitCode
from jdkmatrix.paths import Checkout

NAME = "matrix"
VARIABLE = "_MATRIX_COMPLETE"


class Shell(StrEnum):
    """The supported shells."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


# How each shell asks typer. bash passes the program as it was typed; zsh and fish would look for
# it on the PATH.
_SCRIPTS = {
    Shell.BASH: r"""
_matrix_completion() {
    local line=${COMP_LINE:0:COMP_POINT} words word
    read -ra words <<< "$line"
    [[ $line == *[[:blank:]] ]] && words+=("")
    word=${words[${#words[@]} - 1]}
    local IFS=$'\n'
    COMPREPLY=( $(env COMP_WORDS="${words[*]}" COMP_CWORD=$((${#words[@]} - 1)) \
        _MATRIX_COMPLETE=complete_bash "$1") )
    # To bash a word begins after a : or =, too, and it is that one which is replaced.
    [[ $word == --*=* ]] && word=${word#*=}
    local before=${word%"${word##*["$COMP_WORDBREAKS"]}"}
    COMPREPLY=( "${COMPREPLY[@]#"$before"}" )
}
complete -o default -F _matrix_completion matrix""".lstrip(),
    Shell.ZSH: """\
#compdef matrix
_matrix_completion() {
    eval $(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" _MATRIX_COMPLETE=complete_zsh PROGRAM)
}
compdef _matrix_completion matrix""",
    Shell.FISH: """\
function _matrix_completion
    env _MATRIX_COMPLETE=complete_fish _TYPER_COMPLETE_FISH_ACTION=$argv \\
        _TYPER_COMPLETE_ARGS=(commandline -cp) PROGRAM
end
complete --command matrix --no-files --condition "_matrix_completion is-args" \\
    --arguments "(_matrix_completion get-args)\"""",
}


def completion(
    shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
) -> ExitCode:
    """Print a script that completes commands, options and ids.

    Ids are those of builds, bugs, tests, scenarios and runs.

    For one session: source <(scripts/matrix completion bash). For every one: add that line, with
    the whole path, to ~/.bashrc or ~/.zshrc; fish: scripts/matrix completion fish | source.

    Example: scripts/matrix completion bash
    """
    program = shlex.quote(str(Checkout.current().root / "scripts" / "matrix"))
    give(_SCRIPTS[shell].replace("PROGRAM", program))
    return ExitCode.OK


def asked_words() -> list[str]:
    """The words of the command line that the shell asks about."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    return line.split()
