# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A diff applies where its lines are, or not at all."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from jdkmatrix.overlay.patch import (
    HAS_CHANGE,
    PatchError,
    apply,
    blob_id,
    changes_code,
    parse_patch,
    prose_of,
)

ORIGINAL = "".join(f"line {n}\n" for n in range(1, 21))


def diff(hunk: str, header: str = "") -> str:
    return f"{header}--- a/A.java\n+++ b/A.java\n{hunk}"


def apply_diff(text: str, original: str = ORIGINAL) -> str:
    (file,) = parse_patch(text)
    return apply(original, file).text


CHANGE = "@@ -9,3 +9,3 @@\n line 9\n-line 10\n+line ten\n line 11\n"
INSERT = "@@ -10,0 +11,1 @@\n+new\n"
INDEX = f"diff --git a/A.java b/A.java\nindex {blob_id(ORIGINAL)[:12]}..000000000000 100644\n"


def test_the_blob_id_is_git_s(tmp_path: Path) -> None:
    file = tmp_path / "A.java"
    file.write_text(ORIGINAL)
    process = subprocess.run(
        ["git", "hash-object", file], capture_output=True, text=True, check=True
    )
    assert blob_id(ORIGINAL) == process.stdout.strip()


def test_a_change_in_its_place() -> None:
    assert apply_diff(diff(CHANGE)) == ORIGINAL.replace("line 10", "line ten")


def test_a_change_moves_with_its_lines() -> None:
    longer = "import a\nimport b\n" + ORIGINAL
    assert apply_diff(diff(CHANGE), longer) == longer.replace("line 10", "line ten")


def test_two_hunks_move_together() -> None:
    second = "@@ -15,2 +15,3 @@\n line 15\n+after 15\n line 16\n"
    longer = "import a\n" + ORIGINAL
    text = apply_diff(diff(CHANGE + second), longer)
    assert text == longer.replace("line 10", "line ten").replace("15\n", "15\nafter 15\n")


def test_lines_that_are_not_there() -> None:
    with pytest.raises(PatchError, match="the hunk at line 9 does not apply"):
        apply_diff(diff(CHANGE), ORIGINAL.replace("line 10\n", "line X\n"))


@pytest.mark.parametrize(
    ("old", "new"),
    [("a", "b"), ("old", "new"), ("jdk.orig", "jdk"), ("../jdk.orig", "../jdk"), ("src", "src")],
)
def test_prefixes_of_any_name(old: str, new: str) -> None:
    stamp = "2020-01-01 10:00:00.000000000 +0000"
    text = f"--- {old}/test/jdk/A.java\t{stamp}\n+++ {new}/test/jdk/A.java\t{stamp}\n{CHANGE}"
    (file,) = parse_patch(text)
    assert not file.is_rename
    assert file.path == ("src/test/jdk/A.java" if old == "src" else "test/jdk/A.java")
    assert apply(ORIGINAL, file).text == ORIGINAL.replace("line 10", "line ten")


def test_a_file_of_one_side_alone_has_the_prefix_of_the_others() -> None:
    changed_text = f"--- jdk17u.orig/src/A.java\n+++ jdk17u/src/A.java\n{CHANGE}"
    new, removal = "@@ -0,0 +1,1 @@\n+one\n", "@@ -1,1 +0,0 @@\n-one\n"
    addition_diff = f"--- /dev/null\n+++ jdk17u/test/jdk/B.java\n{new}"
    removal_diff = f"--- old/test/jdk/C.java\n+++ /dev/null\n{removal}"
    plain = f"--- /dev/null\n+++ test/jdk/D.java\n{new}"
    paths = [file.path for file in parse_patch(addition_diff + removal_diff + plain + changed_text)]
    assert paths == ["test/jdk/B.java", "test/jdk/C.java", "test/jdk/D.java", "src/A.java"]


@pytest.mark.parametrize("names", [("a/x/A.java", "b/y/A.java"), ("x/Old.java", "x/New.java")])
def test_a_rename_is_one(names: tuple[str, str]) -> None:
    (file,) = parse_patch(f"--- {names[0]}\n+++ {names[1]}\n{CHANGE}")
    assert file.is_rename


def test_an_insertion_without_context_needs_the_very_file() -> None:
    assert apply_diff(diff(INSERT, INDEX)) == ORIGINAL.replace("line 10\n", "line 10\nnew\n")
    with pytest.raises(PatchError, match="shows no line of the file; it is for blob"):
        apply_diff(diff(INSERT, INDEX), "import a\n" + ORIGINAL)
    with pytest.raises(PatchError, match="the diff names no blob"):
        apply_diff(diff(INSERT))


def test_a_new_file() -> None:
    text = "--- /dev/null\n+++ b/A.java\n@@ -0,0 +1,2 @@\n+one\n+two\n"
    assert apply_diff(text, "") == "one\ntwo\n"


def test_a_removal_without_context() -> None:
    assert apply_diff(diff("@@ -10,1 +9,0 @@\n-line 10\n")) == ORIGINAL.replace("line 10\n", "")


def test_no_newline_at_the_end() -> None:
    hunk = "@@ -20,1 +20,1 @@\n-line 20\n+last\n\\ No newline at end of file\n"
    assert apply_diff(diff(hunk)) == ORIGINAL.replace("line 20", "last")


@pytest.mark.parametrize(
    "text", ["", "hello\n", diff("@@ -1,2 +1,9 @@\n line 1\n"), "--- a\n+++ b\n"]
)
def test_no_diff(text: str) -> None:
    with pytest.raises(PatchError, match="not a unified diff"):
        parse_patch(text)


WIDE = (
    "@@ -7,7 +7,7 @@\n line 7\n line 8\n line 9\n-line 10\n+line ten\n"
    " line 11\n line 12\n line 13\n"
)


@pytest.mark.parametrize(
    ("lines", "fuzz"), [((7,), 1), ((13,), 1), ((7, 8), 2), ((8, 12), 2), ((7, 8, 12, 13), 2)]
)
def test_outer_context_may_differ_as_patch_1_has_it(lines: tuple[int, ...], fuzz: int) -> None:
    original = ORIGINAL
    for line in lines:
        original = original.replace(f"line {line}\n", f"other {line}\n")
    (file,) = parse_patch(diff(WIDE))
    text = apply(original, file)
    assert text.text == original.replace("line 10", "line ten")
    assert text.notes == (f"the hunk at line 7 with fuzz {fuzz}",)
    check_with_patch_1(original, WIDE, text.text)


@pytest.mark.parametrize("line", [9, 11])
def test_inner_context_may_not(line: int) -> None:
    original = ORIGINAL.replace(f"line {line}\n", "other\n")
    with pytest.raises(PatchError, match="the hunk at line 7 does not apply"):
        apply_diff(diff(WIDE), original)
    check_with_patch_1(original, WIDE, None)


UNEVEN = "@@ -9,5 +9,5 @@\n line 9\n-line 10\n+line ten\n line 11\n line 12\n line 13\n"


def test_of_less_context_at_one_end_less_may_differ() -> None:
    original = ORIGINAL.replace("line 13\n", "other\n").replace("line 12\n", "other\n")
    text = apply_diff(diff(UNEVEN), original)
    assert text == original.replace("line 10", "line ten")
    check_with_patch_1(original, UNEVEN, text)
    original = ORIGINAL.replace("line 9\n", "other\n")
    with pytest.raises(PatchError, match="the hunk at line 9 does not apply"):
        apply_diff(diff(UNEVEN), original)
    check_with_patch_1(original, UNEVEN, None)


def check_with_patch_1(original: str, hunk: str, text: str | None) -> None:
    """The program makes the same of it, or refuses it (None), on a machine that has it."""
    program = shutil.which("patch")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "A.java"
        file.write_text(original)
        command = [str(program), "--batch", "--forward", "-r-", str(file)]
        if program:
            process = subprocess.run(command, input=diff(hunk), text=True, capture_output=True)
            assert (file.read_text() if process.returncode == 0 else None) == text


def test_a_change_that_is_there_is_said() -> None:
    with pytest.raises(PatchError, match=HAS_CHANGE):
        apply_diff(diff(WIDE), ORIGINAL.replace("line 10\n", "line ten\n"))


def test_a_change_is_not_taken_for_one_that_is_there_by_a_line_elsewhere() -> None:
    original = ORIGINAL + "line ten\n"
    short = "@@ -10,1 +10,1 @@\n-line 10\n+line ten\n"
    assert apply_diff(diff(short), original) == original.replace("line 10\n", "line ten\n")


HEADER = """\
@@ -1,4 +1,4 @@
 /*
- * Copyright (c) 2003, 2021, Some Company.
+ * Copyright (c) 2003, 2022, Some Company.
  * DO NOT ALTER
  *
"""
COMMENTS = [
    HEADER,
    "@@ -5,2 +5,3 @@\n int a;\n+// why\n int b;\n",
    "@@ -5,2 +5,4 @@\n int a;\n+/** A\n+ * b. */\n int b;\n",
    "@@ -5,2 +5,3 @@\n int a;\n+\n int b;\n",
    "@@ -5,4 +5,4 @@\n  * From a.\n- * To b.\n+ * To c.\n  */\n int b;\n",
]
CODE = [
    "@@ -5,3 +5,3 @@\n int a = 5\n- * 3;\n+ * 4;\n int b;\n",
    "@@ -5,2 +5,2 @@\n-* 3;\n+* 4;\n int b;\n",
    "@@ -5,2 +5,3 @@\n int a;\n+/* b */ int c;\n int b;\n",
    '@@ -5,3 +5,3 @@\n String a = """\n-// b\n+// c\n """;\n',
    "@@ -5,3 +5,3 @@\n int a; /* from\n- here */ int c;\n+ there */ int d;\n int b;\n",
    "@@ -5,3 +5,4 @@\n /* from\n+ here */ int c; /*\n * to\n */\n",
]


@pytest.mark.parametrize("hunk", COMMENTS)
def test_a_hunk_of_comments_is_left_out_where_it_does_not_fit(hunk: str) -> None:
    (file,) = parse_patch(diff(hunk + CHANGE))
    text = apply(ORIGINAL, file)
    assert text.text == ORIGINAL.replace("line 10", "line ten")
    place = hunk[4:5]
    assert text.notes == (f"the hunk of comments at line {place} is left out",)
    (of_comments,) = parse_patch(diff(hunk))
    assert not changes_code(of_comments)


@pytest.mark.parametrize("hunk", CODE)
def test_what_only_looks_like_a_comment_is_code(hunk: str) -> None:
    (file,) = parse_patch(diff(hunk))
    assert changes_code(file)
    with pytest.raises(PatchError, match="does not apply"):
        apply(ORIGINAL, file)


def test_the_prose_of_a_diff() -> None:
    text = (
        f"Subject: 8293562: Slow\n\n{diff(CHANGE.replace('ten', '8271234'))}-- \n2.39\n\n8277777\n"
    )
    assert prose_of(text) == "Subject: 8293562: Slow\n\n-- \n2.39\n\n8277777"
