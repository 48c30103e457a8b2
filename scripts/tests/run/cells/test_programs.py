# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a program of which nothing is known, and what is left of it? `java` is a script."""

import time
import zipfile
from pathlib import Path

import pytest

from jdkmatrix.config.run_lines import RunLine
from jdkmatrix.errors import UsageError
from jdkmatrix.machine.children import ChildEnd, Children
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.request import ProgramRequest
from jdkmatrix.run.cells.compiled_programs import CompiledProgram, program_of
from jdkmatrix.run.cells.execution import Execution
from jdkmatrix.run.cells.programs import (
    MOST_COPIED_FILES,
    MOST_KEPT_BYTES,
    Programs,
    check_pattern,
    files_beside,
)
from jdkmatrix.vocabulary import Status
from tests.run.cells.test_runner import BUILD, task_of

NAME = "Repro.java"
COMMAND = ("{java}", "-jar", "x.jar")


def jdk_of(tmp_path: Path, script: str) -> BuildRecord:
    java = tmp_path / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\n{script}\n")
    java.chmod(0o755)
    return BUILD.model_copy(update={"home": str(tmp_path / "jdk"), "facts": {"has_jfr": True}})


def run(
    tmp_path: Path,
    script: str,
    request: ProgramRequest | None = None,
    *,
    since_train: int = 8,
    timeout_s: float = 20.0,
    is_recorded: bool = False,
    lines: tuple[RunLine, ...] = (RunLine("Repro"),),
) -> tuple[Execution, str]:
    """Run a program whose JVM is that script; also what it printed."""
    home = tmp_path / "beside"
    (home / "keys").mkdir(parents=True)
    (home / "keys" / "key").write_text("secret")
    program = CompiledProgram((tmp_path / "classes",), lines, since_train, home)
    programs = Programs(
        request or ProgramRequest(path=f"/{NAME}"),
        {} if request and request.command else {NAME: program},
        home,
        {NAME: files_beside(home) or ()},
        tmp_path / "tool",
        tmp_path / "x.jfc",
        timeout_s,
    )
    folder = tmp_path / "cell"
    folder.mkdir()
    build = jdk_of(tmp_path, script)
    task = task_of(build, NAME, is_recorded=is_recorded)
    execution = programs.run(task, folder, Children(look_every_s=0.1))
    assert not (folder / "scratch").exists()
    output = folder / "output.txt"
    return execution, output.read_text("utf-8", errors="replace") if output.exists() else ""


def test_it_has_its_class_path_and_arguments(tmp_path: Path) -> None:
    request = ProgramRequest(path=f"/{NAME}", arguments=("a", "b c"), java_options=("-Dx=1",))
    execution, output = run(tmp_path, 'for w; do echo "[$w]"; done', request)
    assert (execution.status, execution.status_text) == (Status.PASSED, "Passed. exit code 0")
    assert output.split("\n")[:-1] == [
        "[-Dx=1]",
        "[-cp]",
        f"[{tmp_path}/classes]",
        "[Repro]",
        "[a]",
        "[b c]",
    ]


def test_it_is_recorded_on_request(tmp_path: Path) -> None:
    assert "StartFlightRecording" in run(tmp_path, 'echo "$@"', is_recorded=True)[1]


def test_a_command_gets_the_build_s_programs(tmp_path: Path) -> None:
    request = ProgramRequest(command=("sh", "-c", "echo {javac} {home} $JAVA_HOME; {java} x"))
    _, output = run(tmp_path, 'echo "java $1"', request)
    home = tmp_path / "jdk"
    assert output == f"{home}/bin/javac {home} {home}\njava x\n"


@pytest.mark.parametrize(
    "script, status, text",
    [
        ("exit 3", Status.FAILED, "Failed. exit code 3"),
        ("kill -SEGV $$", Status.FAILED, "Failed. killed by SIGSEGV"),
        (
            "echo 'Error: UnsupportedClassVersionError: A has been compiled by a more recent '"
            "'version of the Java Runtime (class file version 65.0)' >&2; exit 1",
            Status.NOT_RUN,
            "class file version 65.0)",
        ),
        (
            'printf \'Exception in thread "main" java.lang.NoClassDefFoundError: '
            "com/sun/net/httpserver/HttpServer\\n\\tat A.main\\n'; exit 1",
            Status.NOT_RUN,
            "this image lacks com.sun.net.httpserver.HttpServer",
        ),
        (
            "echo 'NoClassDefFoundError: org/own/Class'; exit 1",
            Status.FAILED,
            "Failed. exit code 1",
        ),
        ("echo \"Unrecognized VM option 'UseZGC'\"; exit 1", Status.NOT_RUN, "'UseZGC'"),
    ],
)
def test_how_it_ends(tmp_path: Path, script: str, status: Status, text: str) -> None:
    execution, _ = run(tmp_path, script)
    assert execution.status is status and execution.status_text.endswith(text)


def test_a_command_that_is_none(tmp_path: Path) -> None:
    execution, _ = run(tmp_path, "", ProgramRequest(command=("/nowhere/{java}",)))
    assert execution.status is Status.NOT_RUN
    assert "cannot be run: No such file or directory" in execution.status_text


def test_it_is_ended_when_its_time_is_up(tmp_path: Path) -> None:
    execution, output = run(tmp_path, "echo begins; sleep 7771", timeout_s=0.5)
    assert execution.end is ChildEnd.TIMEOUT and output == "begins\n"
    assert execution.status_text == "Error. did not end within 0.5 s"


def test_its_children_end_with_it(tmp_path: Path) -> None:
    _, output = run(tmp_path, "(trap '' TERM HUP; exec setsid sleep 7772) & echo $!")
    pid, deadline_s = output.strip(), time.monotonic() + 5
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline_s:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()


def test_what_it_prints_without_end_is_cut(tmp_path: Path) -> None:
    execution, output = run(tmp_path, "exec yes 0123456789abcdef")
    assert execution.status_text == "Error. printed more than 64 MiB of output"
    assert len(output) == MOST_KEPT_BYTES


def test_its_input_is_empty(tmp_path: Path) -> None:
    assert run(tmp_path, "cat; echo end")[1] == "end\n"


def test_it_finds_a_copy_of_its_folder(tmp_path: Path) -> None:
    """Whatever it does there, nothing is left, and the folder itself stays as it is."""
    script = "cat keys/key; echo changed > keys/key; echo left > left; ls"
    assert run(tmp_path, script)[1] == "secretkeys\nleft\n"
    assert (tmp_path / "beside" / "keys" / "key").read_text() == "secret"
    assert not (tmp_path / "beside" / "left").exists()


def test_a_command_may_run_in_its_folder_itself(tmp_path: Path) -> None:
    request = ProgramRequest(command=COMMAND, in_place=True)
    run(tmp_path, "echo kept > kept", request)
    assert (tmp_path / "beside" / "kept").read_text() == "kept\n"


def test_a_large_folder_is_not_copied(tmp_path: Path) -> None:
    for number in range(MOST_COPIED_FILES + 1):
        (tmp_path / str(number)).touch()
    assert files_beside(tmp_path) is None


def test_an_older_build_is_left_out(tmp_path: Path) -> None:
    execution, output = run(tmp_path, "echo ran", since_train=BUILD.train + 1)
    assert execution.status is Status.SKIPPED and not output
    assert execution.status_text.endswith(f"it needs Java {BUILD.train + 1}")


def test_the_jvms_of_a_header_run_up_to_the_first_that_fails(tmp_path: Path) -> None:
    lines = (RunLine("A"), RunLine("B"), RunLine("C"))
    execution, output = run(tmp_path, 'echo "$3"; [ "$3" = A ]', lines=lines)
    assert output == "A\nB\n" and execution.status_text == "Failed. exit code 1"


def test_its_header_may_give_it_longer_unless_the_user_chose(tmp_path: Path) -> None:
    lines = (RunLine("A", timeout_s=20),)
    execution, _ = run(tmp_path, "sleep 1", lines=lines, timeout_s=0.5)
    assert execution.status is Status.PASSED
    quick_request = ProgramRequest(path=f"/{NAME}", timeout_s=0.5)
    execution, _ = run(
        tmp_path / "quick_request", "sleep 7773", quick_request, lines=lines, timeout_s=0.5
    )
    assert execution.status_text == "Error. did not end within 0.5 s"


def test_a_pattern_that_is_none() -> None:
    check_pattern("--fails-with", "CR expected")
    with pytest.raises(UsageError, match=r"--fails-with \(: not a regular expression"):
        check_pattern("--fails-with", "(")


@pytest.mark.parametrize(
    "manifest, text",
    [(None, "not a jar"), ("", "names no Main-Class"), ("Main-Class: gone.Main\n", "gone/Main")],
)
def test_a_jar_that_cannot_be_run(tmp_path: Path, manifest: str | None, text: str) -> None:
    jar = tmp_path / "a.jar"
    if manifest is None:
        jar.write_text("no zip")
    else:
        with zipfile.ZipFile(jar, "w") as archive:
            archive.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\n{manifest}")
    with pytest.raises(UsageError, match=text):
        program_of(jar, tmp_path, 17, ())


def test_a_jar_s_main_class_says_which_java_it_needs(tmp_path: Path) -> None:
    jar = tmp_path / "a.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMain-Class: a.B\n")
        archive.writestr("a/B.class", b"\xca\xfe\xba\xbe\0\0\0\x3d")
    program = program_of(jar, tmp_path, 17, ())
    assert (program.since_train, program.runs) == (17, (RunLine("a.B"),))


def program(tmp_path: Path, tool_jdk: Path, text: str, name: str = "Repro") -> CompiledProgram:
    file = tmp_path / f"{name}.java"
    file.write_text(text)
    return program_of(file, tool_jdk, 17, ())


@pytest.mark.jdk
def test_a_file_is_compiled_for_the_oldest_release(
    tmp_path: Path, tool_jdk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "jdkmatrix.run.cells.compiled_programs.cache_root", lambda: tmp_path / "cache"
    )
    head = "public class Repro { public static void main(String[] a) { "
    (tmp_path / "Other.java").write_text("class Other { }")
    (tmp_path / "Broken.java").write_text("class Broken {")  # not needed, so no obstacle
    plain = program(tmp_path, tool_jdk, f"{head} new Other(); }} }}")
    assert (plain.since_train, plain.runs) == (8, (RunLine("Repro"),))
    assert program(tmp_path, tool_jdk, f"{head} var x = 1; }} }}").since_train == 11
    with pytest.raises(
        UsageError, match=r"Repro.java:1: error: .*compiles for no release up to 17"
    ):
        program(tmp_path, tool_jdk, f"{head} nothing }} }}")
    with pytest.raises(UsageError, match="no main method"):
        program(tmp_path, tool_jdk, "class Repro { }")


@pytest.mark.jdk
def test_a_header_is_honoured(
    tmp_path: Path, tool_jdk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "jdkmatrix.run.cells.compiled_programs.cache_root", lambda: tmp_path / "cache"
    )
    header = "/*\n * @test\n * @run main/othervm -Dx=1 Repro a\n * @run main Repro b\n */\n"
    source = "public class Repro { public static void main(String[] a) { } }"
    compiled_test = program(tmp_path, tool_jdk, header + source)
    places = (f"-Dtest.src={tmp_path}", f"-Dtest.classes={compiled_test.class_path[0]}")
    assert compiled_test.runs == (
        RunLine("Repro", ("a",), (*places, "-Dx=1")),
        RunLine("Repro", ("b",), places),
    )


@pytest.mark.jdk
def test_a_test_of_another_suite_finds_what_it_needs(
    tmp_path: Path, tool_jdk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its package, its folder, the libraries outside the suite; or what is lacking is said."""
    monkeypatch.setattr(
        "jdkmatrix.run.cells.compiled_programs.cache_root", lambda: tmp_path / "cache"
    )
    (tmp_path / "test" / "lib" / "own").mkdir(parents=True)
    (tmp_path / "test" / "lib" / "own" / "Lib.java").write_text("package own; public class Lib { }")
    folder = tmp_path / "test" / "jdk" / "a"
    folder.mkdir(parents=True)
    (folder.parent / "TEST.ROOT").write_text("keys=x\nexternal.lib.roots = ../../\n")
    header = "/*\n * @test\n * @library /test/lib\n * @requires jdk.version.major >= 11\n */\n"
    main = "public static void main(String[] a) { "
    compiled_test = program(
        folder, tool_jdk, f"package a; {header}public class Repro {{ {main} new own.Lib(); }} }}"
    )
    assert compiled_test.runs[0].main_class == "a.Repro" and compiled_test.since_train == 11
    lacking = header.replace("/test/lib", "/test/none /test/lib")
    with pytest.raises(UsageError, match=r"; @library test/none is not there$"):
        program(folder, tool_jdk, f"{lacking}public class Repro {{ {main} new none.Lib(); }} }}")
    line = "/*\n * @test\n * @run main Repro ${test.src}/keys ${user.dir}\n */\n"
    compiled_test = program(folder, tool_jdk, f"{line}public class Repro {{ {main} }} }}")
    assert compiled_test.runs[0].arguments == (f"{folder}/keys", "${user.dir}")
    inner = "/*\n * @test\n * @modules java.base/sun.net.www\n */\n"
    with pytest.raises(UsageError, match=r"its @modules want packages .*: run --suite DIR"):
        program(
            folder, tool_jdk, f"{inner}class Repro {{ {main} new sun.net.www.URLConnection(); }} }}"
        )
