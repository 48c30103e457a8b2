# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A class of an overlay lies where its name says, or the overlay is refused."""

import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.config.version import parse
from jdkmatrix.errors import UsageError
from jdkmatrix.overlay.class_files import check_class_versions, class_name, find_classes
from jdkmatrix.overlay.maker import lay_out
from jdkmatrix.supply.build import Build, BuildFacts

CACHE = "sun/net/www/http/KeepAliveCache"
CIPHER = "com/sun/crypto/provider/AESCipher"


def utf8(text: str) -> bytes:
    return struct.pack(">BH", 1, len(text.encode())) + text.encode()


def class_file(name: str) -> bytes:
    """A class file of Java 8 whose pool has constants of each size before the class."""
    pool = [
        struct.pack(">Bq", 5, 1),  # a Long is constants 1 and 2
        struct.pack(">BBH", 15, 6, 0),
        struct.pack(">BHH", 10, 0, 0),
        utf8("java/lang/Object"),
        struct.pack(">BH", 7, 5),
        utf8(name),
        struct.pack(">BH", 7, 7),
    ]
    head = struct.pack(">IHHH", 0xCAFEBABE, 0, 52, 9)
    return head + b"".join(pool) + struct.pack(">HHHHHHH", 0x21, 8, 6, 0, 0, 0, 0)


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """A JDK 8 whose jars have a class each."""
    library = tmp_path / "jdk" / "jre" / "lib"
    (library / "ext").mkdir(parents=True)
    for jar, name in (("rt.jar", CACHE), ("ext/sunjce_provider.jar", CIPHER)):
        with zipfile.ZipFile(library / jar, "w") as archive:
            archive.writestr(f"{name}.class", class_file(name))
    facts = BuildFacts("1.8.0_504", "v", "vm", "25", "amd64", "jre", True, True)
    home = tmp_path / "jdk"
    return Build("v-8u504", "v-8", parse("8u504"), "v", 8, "local", "aa", (), home, facts)


def lay(build: Build, tmp_path: Path, **classes_by_path: str) -> list[str]:
    """Lay class files, by path and name, over the build; what comes out."""
    for path, name in classes_by_path.items():
        (tmp_path / "given" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "given" / path).write_bytes(class_file(name))
    classes = tmp_path / "out" / "classes"
    classes.mkdir(parents=True)
    tool: Any = None
    lay_out(tmp_path / "given", classes, build, tool, "--overlay given")
    return [str(path) for path in find_classes(classes)]


@pytest.mark.parametrize("name", ["Show", CACHE, "java/util/Map$Entry", "a/Gr\u00f6\u00dfe"])
def test_the_name_of_a_class(name: str) -> None:
    assert class_name(class_file(name)) == name


@pytest.mark.parametrize("size", [0, 8, 12, 30, 74])
def test_half_a_class_file_is_none(size: int) -> None:
    with pytest.raises(ValueError, match="not a class file"):
        class_name(class_file(CACHE)[:size])


def test_a_damaged_pool_is_no_class_file() -> None:
    content = class_file(CACHE)
    with pytest.raises(ValueError, match="not a class file"):
        class_name(content[:10] + b"\x02" + content[11:])
    with pytest.raises(ValueError, match="not a class file"):
        class_name(b"PK\3\4" + content[4:])


def test_what_is_no_class_file_or_a_half_one_is_refused_by_its_name(
    build: Build, tmp_path: Path
) -> None:
    path = tmp_path / "given" / "a" / "B.class"
    path.parent.mkdir(parents=True)
    says = r"^--overlay given: a/B\.class is not a class file$"
    for content in (b"", class_file("a/B")[:7], b"PK\3\4" + class_file("a/B")[4:]):
        path.write_bytes(content)
        with pytest.raises(UsageError, match=says):
            check_class_versions(tmp_path / "given", 8, "--overlay given")
    path.write_bytes(class_file("a/B")[:30])
    check_class_versions(tmp_path / "given", 8, "--overlay given")
    tool: Any = None
    with pytest.raises(UsageError, match=says):
        lay_out(tmp_path / "given", tmp_path / "out", build, tool, "--overlay given")


@pytest.mark.parametrize("name", [CACHE, CIPHER])
@pytest.mark.parametrize("module", ["", "java.base/"])
def test_a_class_in_its_place(build: Build, tmp_path: Path, module: str, name: str) -> None:
    """On 8 a package may be in any jar of the runtime, and a folder for a module does no harm."""
    classes_by_path = {
        f"{module}{name}.class": name,
        "org/example/Helper.class": "org/example/Helper",
    }
    assert lay(build, tmp_path, **classes_by_path) == sorted(
        ["org/example/Helper.class", f"{name}.class"]
    )


@pytest.mark.parametrize(
    "path",
    [
        "KeepAliveCache.class",  # --overlay build/classes/sun/net/www/http
        f"classes/{CACHE}.class",  # --overlay build
        f"classes/java.base/{CACHE}.class",
        f"META-INF/versions/9/{CACHE}.class",
        "sun/net/www/http/KeepAliveCash.class",
    ],
)
def test_a_class_elsewhere_is_refused(build: Build, tmp_path: Path, path: str) -> None:
    with pytest.raises(UsageError) as error:
        lay(build, tmp_path, **{path: CACHE})
    assert str(error.value) == (
        f"--overlay given: {path} is the class sun.net.www.http.KeepAliveCache; accepted: at "
        f"{CACHE}.class, or there in a folder for its module (java.base/...)"
    )


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("org/example/Show", "v-8u504 has no package org.example; accepted: classes of the JDK's"),
        ("Show", "v-8u504 has no classes outside of packages; accepted: classes of the JDK's"),
    ],
)
def test_nothing_in_force_is_refused(build: Build, tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(UsageError) as error:
        lay(build, tmp_path, **{f"{name}.class": name})
    assert says in str(error.value)
