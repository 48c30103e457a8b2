# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Do the README's first commands work in a Debian with nothing but Python and git?

A machine on which the kit was developed hides what it lacks: libraries, programs, an older apt.
mmdebstrap makes a root of a suite, with its updates and security pockets, and removes it in the
end. The machine's settings of apt, pip, Maven, proxies and certificates hold in it, too.

Exit code 0: all commands ended with 0. 1: one did not. 2: a root could not be made. 4: bad
arguments.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from jdkmatrix.errors import ExitCode
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.sources.mirror import Mirror, machine_mirror
from jdkmatrix.surroundings import settle_faults

SUITES = ("bookworm", "trixie")
CHECKOUT = Path(__file__).resolve().parents[1]
_HOME = "home/user"
_BUNDLE = "kit.bundle"
_CODES = "exit-codes"
# Registries, proxies and certificates, as pip, apt, Maven, git and Java read them.
_VARIABLES = re.compile(
    r"PIP_\w+|MAVEN_\w+|(https?|ftp|all|no)_proxy|\w+_CA_(BUNDLE|CERTS)|SSL_CERT_(FILE|DIR)|"
    r"GIT_SSL_CAINFO",
    re.IGNORECASE,
)
# What is read by its place: of the machine, and of its user.
_SETTINGS = ("/etc/hosts", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
_OF_USER = (
    ".config/pip/pip.conf",
    ".pip/pip.conf",
    ".m2/settings.xml",
    ".m2/settings-security.xml",
)

# Run by mmdebstrap with the root's folder; `/proc` and `/dev` are there. Its own exit code is 0, so
# that the commands' codes are copied out.
_HOOK = """set -e
echo 'user:x:1000:1000::/{home}:/bin/bash' >> "$1/etc/passwd"
echo 'user:x:1000:' >> "$1/etc/group"
chroot "$1" chown -R 1000:1000 /{home}
as_user() {{
    chroot "$1" runuser -u user -- env -i {variables} sh -c "cd && $2"
}}
as_user "$1" 'git -c init.defaultBranch=main clone -q {bundle} kit'
for command in {commands}; do
    began=$(date +%s) code=0
    echo "bare-root: {suite}: $command"
    as_user "$1" "cd kit && $command" || code=$?
    echo "bare-root: {suite}: $command: exit code $code, $(($(date +%s) - began)) s"
    echo "$code" >> "$1/{home}/{codes}"
done
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


def main(arguments: Sequence[str]) -> int:
    """Run both commands in a root of each suite; return the worst exit code."""
    parser = _Parser("scripts/bare-root", epilog=f"SUITE: {' or '.join(SUITES)}, by default each")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="a release of Debian")
    parser.add_argument("--tests", default="", metavar="ARGUMENTS", help="those of scripts/test")
    try:
        options = parser.parse_args(arguments)
        for suite in set(options.suites).difference(SUITES):
            raise ValueError(f"no suite '{suite}'; accepted: {', '.join(SUITES)}")
        commands = ["scripts/matrix", shlex.join(["scripts/test", *shlex.split(options.tests)])]
    except ValueError as error:
        return _complain(str(error), ExitCode.USAGE)
    if not shutil.which("mmdebstrap"):
        return _complain("no mmdebstrap on this machine; to fix it: install it", ExitCode.MACHINE)
    try:
        mirror = machine_mirror()
    except SourceError as error:
        return _complain(str(error), ExitCode.MACHINE)
    return max(_try_in(suite, commands, mirror) for suite in options.suites or SUITES)


def _try_in(suite: str, commands: Sequence[str], mirror: Mirror) -> int:
    """Run the commands in a root of the suite."""
    with tempfile.TemporaryDirectory() as folder:
        bundle, codes = Path(folder, _BUNDLE), Path(folder, _CODES)
        git = ["git", "-C", str(CHECKOUT), "bundle", "create", "--quiet", str(bundle), "HEAD"]
        if subprocess.run(git, capture_output=True, check=False).returncode != 0:
            return _complain("no commit of this checkout to clone", ExitCode.MACHINE)
        hooks = [*_uploads(bundle), _hook(suite, commands), f"download /{_HOME}/{_CODES} {codes}"]
        command = [
            *("mmdebstrap", "--variant=minbase", "--include=python3,git,ca-certificates"),
            *(f"--aptopt={line}" for line in mirror.settings),
            *(f"--customize-hook={hook}" for hook in hooks),
            *(suite, "/dev/null", *_sources(suite, mirror)),
        ]
        if subprocess.run(command, check=False).returncode != 0 or not codes.exists():
            return _complain(f"{suite}: mmdebstrap failed", ExitCode.MACHINE)
        is_good = set(codes.read_text().split()) == {"0"}
        return ExitCode.OK if is_good else ExitCode.SURPRISE


def _sources(suite: str, mirror: Mirror) -> Iterator[str]:
    yield f"deb {mirror.main} {suite} main"
    yield f"deb {mirror.main} {suite}-updates main"
    if mirror.security:
        yield f"deb {mirror.security} {suite}-security main"


def _uploads(bundle: Path) -> Iterator[str]:
    """The hooks that bring in the clone's source and the machine's settings."""
    home = Path.home()
    places = {Path(place): place for place in _SETTINGS}
    places |= {home / name: f"/{_HOME}/{name}" for name in _OF_USER}
    places |= {path: str(path) for path in Path("/etc/apt/auth.conf.d").glob("*")}
    places |= {bundle: f"/{_HOME}/{_BUNDLE}"}
    for source, place in places.items():
        if source.is_file():
            yield f'mkdir -p "$1"{shlex.quote(str(Path(place).parent))}'
            yield f"upload {shlex.quote(str(source))} {shlex.quote(place)}"


def _hook(suite: str, commands: Sequence[str]) -> str:
    variables = {name: text for name, text in os.environ.items() if _VARIABLES.fullmatch(name)}
    # An unexpected skip of a test is a failure, as in CI.
    variables |= {"HOME": f"/{_HOME}", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "CI": "true"}
    return _HOOK.format(
        suite=suite,
        home=_HOME,
        bundle=_BUNDLE,
        codes=_CODES,
        variables=shlex.join(f"{name}={text}" for name, text in variables.items()),
        commands=shlex.join(commands),
    )


def _complain(text: str, code: ExitCode) -> ExitCode:
    print(f"bare-root: {text}", file=sys.stderr)
    return code


if __name__ == "__main__":
    settle_faults()
    sys.exit(main(sys.argv[1:]))
