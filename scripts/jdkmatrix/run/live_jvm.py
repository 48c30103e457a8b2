# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is asked of a JVM that runs on this machine: thread dumps, or a recording of some seconds?

By the tool JDK's jcmd, which reaches a JVM in a container too, by the number that its process has
outside. Nothing stays behind in the JVM, nor in its folders.
"""

import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

from jdkmatrix.errors import MachineError, UsageError, one_line, translate_os_errors
from jdkmatrix.machine.files import open_plain, text_of
from jdkmatrix.run.cells.hang_dumps import THREAD_DUMP, ask_jvm, print_threads

DUMPS = 3
# Threads that sit still for as long are stuck, or wait for a peer that does not answer.
BETWEEN_DUMPS_S = 5.0
# A JVM on a loaded machine answers within three seconds; writing a large recording takes longer.
_ANSWER_TIMEOUT_S = 30.0
_PROCESS_NAMES = Path("/proc/self/ns/pid")
# Linux gives the first namespace of processes this number (PROC_PID_INIT_INO).
_FIRST_PROCESS_NAMES = "pid:[4026531836]"
_ACCEPTED = "accepted: the number of a running JVM's process, as jcmd lists it"


def _is_in_container() -> bool:
    """Whether processes outside of it have no number here."""
    with suppress(OSError):
        return str(_PROCESS_NAMES.readlink()) != _FIRST_PROCESS_NAMES
    return False


class LiveJvm:
    """The JVM of a process. Raises UsageError if there is no such process, or it is no JVM."""

    def __init__(self, pid: int, tool_java_home: Path, between_s: float = BETWEEN_DUMPS_S) -> None:
        self._pid = pid
        self._jcmd = tool_java_home / "bin" / "jcmd"
        self._between_s = between_s
        if Path("/proc/self").readlink() != Path(str(os.getpid())):
            # A signal to that number would reach another process.
            raise UsageError(
                f"--pid {pid}: /proc shows the processes of another namespace; accepted: a shell"
                " with a /proc of its own, as docker exec or unshare --mount-proc gives one"
            )
        try:
            maps = text_of(Path(f"/proc/{pid}/maps"), errors="replace")
        except PermissionError:
            raise UsageError(
                f"--pid {pid}: belongs to another user; run this as that one"
            ) from None
        except OSError:
            place = " in this container" if _is_in_container() else ""
            raise UsageError(f"--pid {pid}: no such process{place}; {_ACCEPTED}") from None
        if "libjvm.so" not in maps:
            raise UsageError(f"--pid {pid}: is no JVM of HotSpot; {_ACCEPTED}")

    def dump_threads(self, file: Path) -> None:
        """Write some dumps into `file`, apart. Raises MachineError if the JVM gives none."""
        texts = []
        for number in range(DUMPS):
            if number:
                time.sleep(self._between_s)
            texts.append(self._ask(*THREAD_DUMP) or self._print_threads())
        file.write_text("\n".join(texts), encoding="utf-8")

    def record(self, file: Path, settings: Path, seconds: float) -> None:
        """Write a recording of `seconds` into `file`. Raises MachineError if there is none.

        A JVM with other folders than ours reads the settings from its own temporary folder, and
        writes there; both are taken away.
        """
        name = f"kit-{os.getpid()}"
        target, template = file, settings
        if self._is_elsewhere():
            target, template = Path(f"/tmp/{name}.jfr"), Path(f"/tmp/{name}.jfc")
            self._copy(settings, self._seen_from_here(template))
        try:
            self._must("JFR.start", f"name={name}", f'settings="{template}"')
            try:
                time.sleep(seconds)
                self._must("JFR.dump", f"name={name}", f'filename="{target}"')
            finally:
                self._ask("JFR.stop", f"name={name}")
            if target != file:
                self._copy(self._seen_from_here(target), file)
        finally:
            if target != file:
                for path in (target, template):
                    self._seen_from_here(path).unlink(missing_ok=True)
        if not file.is_file():
            raise MachineError(f"--pid {self._pid}: the JVM wrote no recording")

    def _seen_from_here(self, path: Path) -> Path:
        """Where a file of the JVM's folders is in ours."""
        return Path(f"/proc/{self._pid}/root") / path.relative_to("/")

    def _copy(self, source: Path, target: Path) -> None:
        with translate_os_errors(MachineError, f"--pid {self._pid}: {target}"):
            # A file of its own: no link that somebody in the container made is followed.
            with open_plain(source) as content, target.open("xb") as copy:
                shutil.copyfileobj(content, copy)
            target.chmod(0o644)  # for the JVM's user

    def _is_elsewhere(self) -> bool:
        """Whether the process sees other folders, as in a container."""
        with suppress(OSError):
            namespace = Path("/proc/self/ns/mnt").readlink()
            return Path(f"/proc/{self._pid}/ns/mnt").readlink() != namespace
        return False

    def _must(self, *question: str) -> None:
        """Ask. Raises MachineError with what the JVM refused it with."""
        if not self._ask(*question):
            raise MachineError(f"--pid {self._pid}: the JVM does not answer {question[0]}")

    def _ask(self, *question: str) -> str | None:
        """As `ask_jvm`. Raises MachineError if jcmd cannot be run."""
        try:
            return ask_jvm(self._jcmd, self._pid, question, _ANSWER_TIMEOUT_S)
        except OSError as error:
            raise MachineError(f"{self._jcmd}: {one_line(str(error))}") from None

    def _print_threads(self) -> str:
        """What it prints at SIGQUIT, where its standard output is a file. Raises MachineError."""
        output = Path(f"/proc/{self._pid}/fd/1")
        if not output.is_file():
            raise MachineError(
                f"--pid {self._pid}: the JVM does not answer jcmd, and its standard output is no"
                f" file; kill -QUIT {self._pid} makes it print its threads there"
            )
        begin = output.stat().st_size
        print_threads(self._pid)
        with open_plain(output) as file:
            file.seek(begin)
            return file.read().decode("utf-8", "replace")
