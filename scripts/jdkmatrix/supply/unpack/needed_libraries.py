# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does each library that unpacked programs need lie among those that were fetched with them?

The loader falls back to the machine's own libraries, so that a program may start on the machine
that fetched it and on no bare one. What it would load it lists itself (ld.so(8),
LD_TRACE_LOADED_OBJECTS).
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from jdkmatrix.machine.processes import complaint, run
from jdkmatrix.supply.sources.source import SourceError
from jdkmatrix.supply.unpack.bound_program import is_elf, is_started_by_a_loader
from jdkmatrix.supply.unpack.relocate import loader_in

_TRACE_TIMEOUT_S = 300.0
# One process for all: a JDK has 40 programs.
_TRACE = """loader=$1 path=$2; shift 2
for file; do
    echo "traced: $file"
    LD_TRACE_LOADED_OBJECTS=1 "$loader" --inhibit-cache --library-path "$path" "$file" 2>&1
done
true"""
_LINE = re.compile(
    r"^\t(?P<library>\S+) => (?P<place>not found|/.+(?= \(0x))"
    r"|: version `(?P<version>[^']+)' not found"
    r"|: error while loading shared libraries: (?P<error>.+)$",
    re.MULTILINE,
)
# Who needs one of these belongs to java.desktop or java.smartcardio. No test of the kit loads them,
# and Debian itself only recommends most of these libraries to a headless JDK.
_OF_DESKTOP = re.compile(
    r"lib(X\w*|asound|fontconfig|freetype|gif|harfbuzz|jpeg|lcms2|pcsclite|png\d*|pulse)\.so\.\d+"
)


def check_libraries(root: Path, libraries: Path, *, is_jdk: bool) -> None:
    """Refuse programs under `root`, or libraries under either, that need one that neither has.

    The loader in `libraries` looks for what the programs need by their own search path. What only
    a JDK's desktop needs may be missing. Raises SourceError, which names what needs which.
    """
    elf = list(filter(is_elf, sorted(root.rglob("*"))))
    programs = list(filter(is_started_by_a_loader, elf))
    shared_libraries = list(filter(is_elf, sorted(libraries.rglob("lib*.so*"))))
    shared_libraries += [path for path in elf if path.match("lib*.so*")]
    search_path = os.pathsep.join(map(str, sorted({path.parent for path in shared_libraries})))
    lacks = [
        f"{name} needs {missing[0]}"
        for files, search in ((programs, ""), (shared_libraries, search_path))
        for name, missing in _missing(files, search, root, libraries)
        if not (is_jdk and any(map(_OF_DESKTOP.fullmatch, missing)))
    ]
    if lacks:
        suffix = f" (and {len(lacks) - 1} more)" if len(lacks) > 1 else ""
        raise SourceError(f"{lacks[0]}, which no fetched package has{suffix}")


def _missing(
    files: Sequence[Path], search: str, *trees: Path
) -> Iterator[tuple[str, Sequence[str]]]:
    """The name of each file with the libraries that would come from outside of the trees, or not
    at all; a version of symbols and the loader's own error count as such.
    """
    process = run(
        ["sh", "-c", _TRACE, "sh", loader_in(trees[-1]), search, *files],
        timeout_s=_TRACE_TIMEOUT_S,
    )
    if process.code != 0:
        raise SourceError(f"the libraries could not be checked: {complaint(process)}")
    prefixes = tuple(f"{os.path.realpath(tree)}/" for tree in trees)
    _, *texts = re.split(r"^traced: (.+)\n", process.output, flags=re.MULTILINE)
    for file, text in zip(texts[::2], texts[1::2], strict=True):
        missing = [
            line["library"] or line["version"] or line["error"]
            for line in _LINE.finditer(text)
            if not (line["place"] and os.path.realpath(line["place"]).startswith(prefixes))
        ]
        if missing:
            yield Path(file).name, missing
