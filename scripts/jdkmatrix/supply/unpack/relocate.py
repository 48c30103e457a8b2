# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What must be fixed in a Debian JDK that is unpacked anywhere but at `/`?

Its configuration files are links into `/etc/java-N-openjdk`: left alone, they would point to the
host's files. And a newer suite's JDK is linked against a newer C library than the machine has.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from jdkmatrix.machine.processes import complaint, run
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.unpack.bound_program import is_elf, is_started_by_a_loader, pad_loader

_PATCHELF_TIMEOUT_S = 60.0
_LOADERS = ("ld-linux", "ld-musl")  # musl's is a link to the C library itself
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


def reroot_links(root: Path) -> None:
    """Make every absolute link under `root` a relative one into `root`.

    A link to a file that `root` does not have is removed, so that the JDK is the same on every
    machine: `lib/security/cacerts` would be the host's, if it has one (the tests carry their own
    trust). Raises SourceError for a relative link that leaves `root`.
    """
    for link in _links(root):
        target = link.readlink()
        if target.is_absolute():
            new_target = root / target.relative_to("/")
            link.unlink()
            if new_target.is_symlink() or new_target.exists():
                link.symlink_to(os.path.relpath(new_target, link.parent))
        elif not _stays_inside(link, target, root):
            raise SourceError(f"refused: {link.relative_to(root)} links out of its package")


def _links(root: Path) -> list[Path]:
    paths = []
    for parent, folders, files in os.walk(root):
        paths += [Path(parent) / name for name in (*folders, *files)]
    return [path for path in paths if path.is_symlink()]


def _stays_inside(link: Path, target: Path, root: Path) -> bool:
    destination = Path(os.path.normpath(link.parent / target))
    return destination.is_relative_to(root)


def use_own_libraries(root: Path, libraries: Path, final_libraries: Path) -> None:
    """Make every program under `root` start with the loader and libraries in `libraries`.

    `final_libraries` is where they will finally lie. DT_RPATH, not RUNPATH: it also applies to what
    the JDK's own libraries load, and no LD_LIBRARY_PATH leaks into child processes. It is relative
    to the program ($ORIGIN), so that only the loader's path differs between machines.
    Raises SourceError.
    """
    loader = loader_in(libraries)
    try:
        interpreter = pad_loader(final_libraries / loader.relative_to(libraries))
    except ValueError as error:
        raise SourceError(f"the cache's path is {error}: {final_libraries}") from None
    holding = sorted({path.parent for path in libraries.rglob("lib*.so.*") if is_elf(path)})
    programs: dict[Path, list[Path]] = {}
    for program in sorted(root.rglob("*")):
        if not program.is_symlink() and is_started_by_a_loader(program):
            programs.setdefault(program.parent, []).append(program)
    for parent, siblings in programs.items():
        ways = (os.path.relpath(folder, parent) for folder in holding)
        _patch(siblings, interpreter, ":".join(f"$ORIGIN/{way}" for way in ways))


def loader_in(libraries: Path) -> Path:
    """The ELF loader among these libraries. Raises SourceError."""
    for path in sorted(libraries.rglob("ld-*.so.*"), key=lambda path: (path.is_symlink(), path)):
        if path.name.startswith(_LOADERS) and is_elf(path.resolve()):
            return path
    raise SourceError("the library packages hold no ELF loader (ld-linux*.so, ld-musl*.so)")


def _patch(programs: Sequence[Path], interpreter: str, search_path: str) -> None:
    """Patch one folder's programs, those with one search path at once: a JDK has 40 programs, but
    few search paths (to libjli.so).
    """
    search_paths = _run_patchelf("--print-rpath", *programs).split("\n")[: len(programs)]
    alike: dict[str, list[Path]] = {}
    for program, own_path in zip(programs, search_paths, strict=True):
        alike.setdefault(own_path.strip(), []).append(program)
    for own_path, same in alike.items():
        path = ":".join(filter(None, (own_path, search_path)))
        _run_patchelf("--set-interpreter", interpreter, "--force-rpath", "--set-rpath", path, *same)


def _run_patchelf(*arguments: str | Path) -> str:
    process = run([_patchelf(), *arguments], timeout_s=_PATCHELF_TIMEOUT_S)
    if process.code != 0:
        raise SourceError(f"patchelf: {complaint(process)}")
    return process.output


def _patchelf() -> str:
    venv_patchelf = Path(sys.executable).with_name("patchelf")
    program = str(venv_patchelf) if venv_patchelf.is_file() else shutil.which("patchelf")
    if program is None:
        raise SourceError("no patchelf (it is in scripts/requirements.txt)")
    return program


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
