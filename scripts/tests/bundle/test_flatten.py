# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""One file of each reproducer: whole, short, and nothing that it needs left out."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from jdkmatrix.bundle.flatten import MOST_LINES as MOST_LINES_OF_MINIMAL
from jdkmatrix.bundle.flatten import Flattener, JavaFiles
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.errors import MachineError
from jdkmatrix.machine.java_program import JavaTool
from jdkmatrix.paths import Checkout

pytestmark = pytest.mark.jdk

# A reader of the attachment has it all before him: the reproducer, and each class that it uses.
MOST_LINES = 1100
# Those that README names, and others of which the flattener makes a short file in little time; each
# was seen to tell an affected build from a fixed one, November 2026.
SHORT = (
    "keepalive/RequestWaitsWhileAnotherCloses.java",
    "tls13/CloseDuringHandshakeNeverReturns.java",
    "tls13/UnconnectedSocketLeaksDescriptor.java",
    "tls13/PlainClientIsReset.java",
    "tls13/CipherSuiteLookupCopiesTable.java",
    "tls13/ConstraintsCheckedForEachHandshake.java",
    "tls13/KeyPasswordAskedByWrongAlias.java",
    "httpserver/SmallReplyWaitsForAcknowledgement.java",
    "http/CookieOutlivesItsMaxAge.java",
    "tls13/ApplicationProtocolBytesChanged.java",
    "httpclient/ReplyWithTrailersRefused.java",
)
TESTS = [test for bug in load_ledger(Checkout.current().ledger).bugs for test in bug.tests]

LIBRARY = {
    "Tool": """
/**
 * What does the tool do? It says so.
 *
 * <p>At length.
 */
public final class Tool implements Runnable {
    private static final int UNUSED = 1;

    /** Counted by its side effect. */
    private final Counter counter = new Counter();

    private final Shape shape;

    /** Javadoc of a member. */
    Tool(Shape shape) {
        this.shape = shape;
    }

    /** Nobody calls this one. */
    Tool() {
        this(Shape.ROUND);
    }

    @Override
    public void run() {
        // why it does so
        say("run " + shape.word());
    }

    void say(String text) {
        System.out.println(text + " " + Counter.count);
    }

    void say(int number) {
        System.out.println(new Unneeded());
    }

    @Override
    public String toString() {
        if (shape == Shape.ROUND) {
            return "round";
        } else {
            return "other";
        }
    }
}
""",
    "Shape": """
enum Shape {
    ROUND {
        @Override
        String word() {
            return "round";
        }
    },
    FLAT;

    String word() {
        return "flat";
    }

    String unused() {
        return "";
    }
}
""",
    "Counter": """
import java.util.List;
import java.util.ArrayList;

class Counter {
    static int count;
    static final List<String> SEEN = new ArrayList<>();

    static {
        count = 10;
    }

    { count++; }

    interface Listener {
        void heard(String text);
    }

    void tell(Listener listener) {
        listener.heard("told");
    }
}
""",
    "Unneeded": """
class Unneeded { }
""",
}
REPRODUCER = """// SPDX-License-Identifier: GPL-2.0-only

/*
 * How to run
 *     jtreg -jdk:/path/to/jdk test/Shows.java
 * where CASE is subject.
 */

/*
 * @test
 * @library /lib
 */

public class Shows {
    public static void main(String[] args) {
        Tool tool = new Tool(Shape.valueOf(args[0]));
        tool.run();
        System.out.println(tool);
        new Counter().tell(text -> System.out.println(text));
    }
}
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    (folder / "lib").mkdir()
    for name, text in LIBRARY.items():
        (folder / "lib" / f"{name}.java").write_text(text)
    (folder / "Shows.java").write_text(REPRODUCER)
    return folder


@pytest.fixture(scope="module")
def minimal_files(flattener: Flattener, root: Path) -> dict[str, JavaFiles]:
    reproducers = [root / "test" / test for test in SHORT]
    return flattener.flatten(reproducers, root / "test" / "lib", minimal=True)


@pytest.fixture(scope="module")
def flat_file(sources: Path, flattener: Flattener) -> str:
    return flattener.flatten([sources / "Shows.java"], sources / "lib")["Shows.java"].whole


def test_the_file_does_what_reproducer_and_library_do(
    flat_file: str, tmp_path: Path, tool_jdk: Path
) -> None:
    file = tmp_path / "Shows.java"
    file.write_text(flat_file)
    process = subprocess.run(
        [
            str(tool_jdk / "bin" / "java"),
            "-XX:TieredStopAtLevel=1",
            str(file),
            "ROUND",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout.splitlines() == ["run round 11", "round", "told"]


def test_only_what_is_needed_is_there(flat_file: str) -> None:
    assert "UNUSED" not in flat_file
    assert "Unneeded" not in flat_file
    assert "void say(int" not in flat_file
    assert "Tool()" not in flat_file
    assert "unused()" not in flat_file
    assert flat_file.index("public class Shows") < flat_file.index("final class Tool")


def test_comments_that_say_why_stay_and_javadoc_of_members_goes(flat_file: str) -> None:
    assert "/**\n * What does the tool do? It says so.\n */\nfinal class Tool" in flat_file
    assert "// why it does so" in flat_file
    assert "At length" not in flat_file
    assert "Javadoc of a member" not in flat_file


def test_what_fits_on_a_line_is_on_one(flat_file: str) -> None:
    assert '@Override String word() { return "round"; }' in flat_file
    branch = 'if (shape == Shape.ROUND) { return "round"; } else { return "other"; }'
    assert branch in flat_file
    assert max(map(len, flat_file.splitlines())) <= 100


def test_the_header_says_how_it_is_run_alone(flat_file: str) -> None:
    notice, header = flat_file.split("\n */\n\n", 2)[:2]
    assert notice.startswith("/*\n * Copyright (c) ")
    assert "GNU General Public License version 2 only" in notice
    assert header.startswith("/*\n * How to run\n")
    assert " *     java Shows.java [CASE]" in flat_file
    assert "@test" in flat_file
    assert "@library" not in flat_file


def test_files_are_made_once_of_what_went_in(sources: Path, tmp_path: Path) -> None:
    """A tool JDK of shell scripts: its javac makes nothing, its java copies, and is counted."""
    marker = tmp_path / "ran"
    programs = tmp_path / "jdk" / "bin"
    programs.mkdir(parents=True)
    for name, does in (("javac", ""), ("java", f'echo >>"{marker}"\ncp "${{10}}" "$9"\n')):
        (programs / name).write_text(f"#!/bin/sh\n{does}")
        (programs / name).chmod(0o755)
    library = tmp_path / "lib"
    shutil.copytree(sources / "lib", library)
    cache = tmp_path / "cache"

    def runs() -> int:
        flattener = Flattener(JavaTool(Checkout.current().java_tool, programs.parent, cache))
        files = flattener.flatten([sources / "Shows.java"], library)
        assert files["Shows.java"].whole == REPRODUCER
        return marker.read_text().count("\n")

    assert [runs(), runs()] == [1, 1]
    (cache_folder,) = cache.glob("files-*")
    (cache_folder / "Shows.java").write_text("damaged")
    assert [runs(), runs()] == [2, 2]
    (library / "Tool.java").write_text("final class Tool { }\n")
    assert [runs(), runs()] == [3, 3]


def test_a_reproducer_that_does_not_compile_is_named(
    sources: Path, tmp_path: Path, flattener: Flattener
) -> None:
    bad = tmp_path / "Shows.java"
    bad.write_text(REPRODUCER.replace("tool.run()", "tool.walk()"))
    with pytest.raises(MachineError, match=r"flattening: .*Shows\.java:.*cannot find symbol"):
        flattener.flatten([bad], sources / "lib")


@pytest.mark.parametrize("test", TESTS)
def test_a_reproducer_of_the_ledger_is_short_enough_to_read(
    test: str, flat: dict[str, JavaFiles], root: Path
) -> None:
    """That it compiles as Java 8 is what the flattener ends with."""
    text = flat[Path(test).name].whole
    notice, rest = text.split("\n */\n", 1)
    assert notice.startswith("/*\n * Copyright (c) ")
    assert rest.count("\n") <= MOST_LINES
    assert max(map(len, text.splitlines())) <= 100
    source = (root / "test" / test).read_text()
    class_text = source[source.index("\npublic class ") :].rstrip("\n")
    assert class_text in text
    first_class = re.search(r"^(?:[a-z]+ )*(?:class|enum|interface) (\w+)", text, re.MULTILINE)
    assert first_class
    assert first_class[1] == Path(test).stem


@pytest.mark.parametrize("test", SHORT)
def test_the_subject_alone_is_short_enough_to_read(
    test: str, minimal_files: dict[str, JavaFiles]
) -> None:
    """That it compiles as Java 8 is what the flattener ends with."""
    files = minimal_files[Path(test).name]
    assert files.minimal is not None, files.why_not
    assert files.minimal.count("\n") <= MOST_LINES_OF_MINIMAL
    assert max(map(len, files.minimal.splitlines())) <= 100


@pytest.mark.parametrize("test", SHORT)
def test_it_reads_as_a_test_of_openjdk(
    test: str, minimal_files: dict[str, JavaFiles], root: Path
) -> None:
    """Their notice, then the tags, and one class that throws; no class that only the kit has."""
    text = minimal_files[Path(test).name].minimal
    assert text is not None
    notice, tags, rest = text.split("\n */\n\n", 2)
    assert notice.startswith("/*\n * Copyright (c) ")
    assert "DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER." in notice
    assert tags.startswith("/*\n * @test\n * @")
    is_reported = " * @bug " in (root / "test" / test).read_text()
    assert bool(re.search(r"^ \* @bug \d{7}$", tags, re.MULTILINE)) == is_reported
    assert rest.startswith("import ")
    top_level = re.findall(r"^\S.*?\b(?:class|interface|enum) (\w+)", rest, re.MULTILINE)
    assert top_level == [Path(test).stem]
    assert "throw new RuntimeException(" in rest
    for word in ("Findings", "Reproducer", "Outcome", "CaseEnd", "SPDX", "(bound "):
        assert word not in text, word
    assert not re.search(r"\{ (?:return|throw)\b.*\}$", rest, re.MULTILINE)


def test_they_are_of_ten_bugs() -> None:
    bugs = [
        bug for bug in load_ledger(Checkout.current().ledger).bugs if set(bug.tests) & set(SHORT)
    ]
    assert len(bugs) >= 10


def test_the_subject_alone_has_no_control_and_no_fact(minimal_files: dict[str, JavaFiles]) -> None:
    text = minimal_files["CloseDuringHandshakeNeverReturns.java"].minimal
    assert text is not None
    for word in ("Case.", "Case which", ".fact(", "OutcomeFile", "@key", "@library", " control"):
        assert word not in text, word
    assert "@run main/othervm CloseDuringHandshakeNeverReturns\n" in text


def test_the_modules_that_a_reproducer_asks_for_are_a_tag(
    minimal_files: dict[str, JavaFiles],
) -> None:
    text = minimal_files["ReplyWithTrailersRefused.java"].minimal
    assert text is not None
    assert "\n * @modules java.net.http\n * @run main/othervm ReplyWithTrailersRefused\n" in text
    assert "Modules" not in text


def test_conditions_are_as_somebody_would_write_them(minimal_files: dict[str, JavaFiles]) -> None:
    """`require(a || b)` becomes `if (!a && !b)`, and what nobody reads any more is gone."""
    text = minimal_files["ReplyWithTrailersRefused.java"].minimal
    assert text is not None
    assert "if (!refused && !body.equals(BODY)) {\n" in text
    assert "if (CHUNKED_REPLIES.get() <= 0) {\n" in text
    assert "if (refused) {\n                throw new RuntimeException(" in text
    for unread in ("failures.add(", "notifyAll", "boolean ended", ".split("):
        assert unread not in text, unread
    waiting = minimal_files["RequestWaitsWhileAnotherCloses.java"].minimal
    assert waiting is not None
    assert "if (seenMs >= BOUND_MS) {\n" in waiting
    assert 'closed: " + seenMs + " ms");' in waiting


def test_a_broken_line_compiles_and_fits(minimal_files: dict[str, JavaFiles]) -> None:
    """Within a sentence, too, as messages became longer with what throws them."""
    text = minimal_files["RequestWaitsWhileAnotherCloses.java"].minimal
    assert text is not None
    assert 'throw new RuntimeException("A request to one host waited while' in text
    assert re.search(r' "\n +\+ "another closed: "', text)


def test_what_is_allocated_to_be_counted_stays(minimal_files: dict[str, JavaFiles]) -> None:
    """Nobody reads that array: without it the JVM counts nothing, and nothing can be said."""
    text = minimal_files["CipherSuiteLookupCopiesTable.java"].minimal
    assert text is not None
    assert "known = new byte[" in text


def test_a_subject_that_cannot_be_cut_down_has_its_long_file(
    sources: Path, tmp_path: Path, flattener: Flattener
) -> None:
    """This library's names are not those of the slim classes, so there is nothing to fold."""
    short = flattener.flatten([sources / "Shows.java"], sources / "lib", minimal=True)
    assert short["Shows.java"].minimal is not None
    faulty_file = tmp_path / "Case.java"
    faulty_file.write_text("class Case {\n    int needed() {\n        return 1;\n    }\n}\n")
    (tmp_path / "Needs.java").write_text(
        REPRODUCER.replace("Shows", "Needs").replace("tool.run()", "new Case().needed()")
    )
    library = tmp_path / "lib"
    library.mkdir()
    for source in (*(sources / "lib").iterdir(), faulty_file):
        (library / source.name).write_text(source.read_text())
    files = flattener.flatten([tmp_path / "Needs.java"], library, minimal=True)["Needs.java"]
    assert "new Case().needed()" in files.whole
    assert files.minimal is None
    assert files.why_not.startswith("Case.java:")
