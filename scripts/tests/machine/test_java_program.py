# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A program of the kit's that cannot be compiled or run is one line that says what lacks."""

from pathlib import Path

import pytest

from jdkmatrix.errors import MachineError
from jdkmatrix.machine.java_program import (
    JavaProgram,
    SourcesError,
    compile_together,
    run_java,
)


def refusal(tmp_path: Path, *, main: str | None = None, javac: str | None = None) -> str:
    """Why the program does not come, that has `main` for its main file."""
    if javac is not None:
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "javac").write_text(javac)
        (tmp_path / "bin" / "javac").chmod(0o755)
    sources = tmp_path / "src"
    mains = [sources / main] if main else []
    program = JavaProgram("digest", sources, tmp_path, tmp_path / "cache", main_files=mains)
    with pytest.raises(MachineError) as error:
        program.compile()
    return str(error.value)


def with_sources(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "A.java").touch()
    return tmp_path


def test_no_sources_are_named_by_their_folder_and_a_main_file_by_its_own(tmp_path: Path) -> None:
    sources = tmp_path / "src"
    assert refusal(tmp_path) == f"{sources}: Java sources of the digest are missing"
    message = refusal(with_sources(tmp_path), main="B.java")
    assert message == f"{sources}/B.java: Java sources of the digest are missing"


def test_a_cache_that_is_no_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "cache").touch()
    message = refusal(with_sources(tmp_path))
    assert message == f"compiling the digest: {tmp_path / 'cache'}: File exists"


@pytest.mark.parametrize(
    ("javac", "says"),
    [
        (None, "the tool JDK has no {}"),
        ("#!/nowhere/sh\n", "{}: No such file or directory"),
        ("\x7fELF", "{}: Exec format error"),
        ("#!/bin/sh\necho A.java:1: error: bad >&2; exit 1\n", "exit code 1: A.java:1: error: bad"),
        ("#!/bin/sh\necho no memory; exit 1\n", "exit code 1: no memory"),
        ("#!/bin/sh\nexit 1\n", "exit code 1: no message"),
    ],
    ids=["none", "no interpreter", "no program", "error", "on its output", "silent"],
)
def test_why_a_compiler_does_not_work(tmp_path: Path, javac: str | None, says: str) -> None:
    message = refusal(with_sources(tmp_path), javac=javac)
    assert message == f"compiling the digest: {says.format(tmp_path / 'bin' / 'javac')}"
    assert not [path for path in (tmp_path / "cache").iterdir() if path.is_dir()]


def test_one_that_takes_too_long_is_told(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"^javap: not done after 0 s$"):
        run_java(["/bin/sleep", "9"], "javap", 0)


# It compiles each but `bad`, and is counted.
JAVA = """#!/bin/sh
echo "$@" >> "$0".starts
for argument; do
  case $last in -d) mkdir -p "$argument" ;; esac
  case $argument in --) echo $code; code=0 ;; */bad/A.java) code=1 ;; esac
  last=$argument
done
echo $code
"""


def programs_in(tmp_path: Path, jdk: Path, *names: str) -> list[JavaProgram]:
    for name in names:
        (tmp_path / name).mkdir()
        text = "class A { static final int VALUE = 1; }"
        (tmp_path / name / "A.java").write_text("class {" if name == "bad" else text)
    return [JavaProgram(name, tmp_path / name, jdk, tmp_path / "cache") for name in names]


def with_tools(tmp_path: Path, java: str) -> Path:
    """A JDK whose javac must not be called."""
    (tmp_path / "jdk" / "bin").mkdir(parents=True)
    for name, script in (("java", java), ("javac", "#!/bin/sh\necho A.java:1: error: x; exit 1\n")):
        (tmp_path / "jdk" / "bin" / name).write_text(script)
        (tmp_path / "jdk" / "bin" / name).chmod(0o755)
    return tmp_path / "jdk"


def test_several_are_compiled_by_one_jvm_once(tmp_path: Path) -> None:
    jdk = with_tools(tmp_path, JAVA)
    programs = programs_in(tmp_path, jdk, "first", "bad", "last")
    compile_together(programs)
    assert [program.is_compiled() for program in programs] == [True, False, True]
    compile_together(programs)  # one is left, whose compile() says why
    assert (jdk / "bin" / "java.starts").read_text().count("\n") == 1
    with pytest.raises(SourcesError, match=r"A\.java:1: error: x"):
        programs[1].compile()
    assert not list((tmp_path / "cache").glob(".*"))


@pytest.mark.parametrize("java", ["#!/bin/sh\nexit 1\n", JAVA + "echo 0\n", "\x7fELF"])
def test_a_jvm_that_does_not_compile_leaves_all_to_javac(tmp_path: Path, java: str) -> None:
    programs = programs_in(tmp_path, with_tools(tmp_path, java), "first", "last")
    compile_together(programs)
    assert not any(program.is_compiled() for program in programs)


@pytest.mark.jdk
def test_a_real_one_makes_what_javac_makes(tmp_path: Path, tool_jdk: Path) -> None:
    jdk = with_tools(tmp_path, "")
    (jdk / "bin" / "java").unlink()
    (jdk / "bin" / "java").symlink_to(tool_jdk / "bin" / "java")
    (jdk / "release").write_bytes((tool_jdk / "release").read_bytes())
    programs = programs_in(tmp_path, jdk, "first", "bad", "last")
    compile_together(programs)
    assert [program.is_compiled() for program in programs] == [True, False, True]
    plain = JavaProgram("first", tmp_path / "first", tool_jdk, tmp_path / "plain").compile()
    classes = programs[0].compile()
    assert classes.name == plain.name  # whoever compiles it, it is kept there
    assert (classes / "A.class").read_bytes() == (plain / "A.class").read_bytes()
