# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a folder walked, tidied, copied and removed, whatever a test has left in it?

Python's own `os.walk`, `rglob`, `copytree` and `rmtree` call themselves for each level (3.11): a
tree of 1,000 levels ends them. A path of more than PATH_MAX bytes can't be named, and a folder
without rights can't be read by its own owner.
"""

import fcntl
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path

# jtreg's own work folders have some ten levels.
MOST_DEPTH = 64
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OWNER_ALL = 0o700
# Of st_blocks, whatever the file system has (inode(7)): a sparse file takes few.
_BLOCK_BYTES = 512
_MARK = ".scratch-"


def walk(folder: Path) -> Iterator[os.DirEntry[str]]:
    """What lies under a folder and is no folder itself, by level, each level sorted; no link is
    followed. What is deeper than MOST_DEPTH, or in a folder that can't be read, is left out.
    """
    return _entries_below(folder, lambda entry: entry.is_dir(follow_symlinks=False))


def _entries_below(
    folder: Path, is_entered: Callable[[os.DirEntry[str]], bool]
) -> Iterator[os.DirEntry[str]]:
    folders = [folder]
    for _ in range(MOST_DEPTH + 1):
        deeper_folders = []
        for entry in (entry for place in folders for entry in _entries(place)):
            if is_entered(entry):
                deeper_folders.append(Path(entry.path))
            else:
                yield entry
        folders = deeper_folders


def plain_files(folder: Path) -> Iterator[Path]:
    """The regular files under a folder, as `walk` finds them."""
    for entry in walk(folder):
        if entry.is_file(follow_symlinks=False):
            yield Path(entry.path)


def linked_files(folder: Path) -> Iterator[Path]:
    """The regular files under a folder, also those that links lead to; a link to a folder that
    contains it is not followed, as that would never end.
    """
    entries = _entries_below(folder, lambda entry: _leads_down(Path(entry.path)))
    return filter(Path.is_file, (Path(entry.path) for entry in entries))


def _leads_down(path: Path) -> bool:
    """Whether it is a folder, and no link to one that contains it."""
    if not path.is_dir():  # nor a link to itself, which can't be resolved
        return False
    return not (path.is_symlink() and path.parent.resolve().is_relative_to(path.resolve()))


def size_of_tree(folder: Path) -> int:
    """Bytes that the files under `folder` take, some of which may vanish meanwhile."""
    total_bytes = 0
    for path in plain_files(folder):
        with suppress(FileNotFoundError):
            total_bytes += path.lstat().st_size
    return total_bytes


def exceeds(folder: Path, most_files: int, most_bytes: int) -> bool:
    """Whether a folder holds more files, or they take more of the disk, than that."""
    file_count = byte_count = 0
    for entry in walk(folder):
        with suppress(OSError):
            file_count += 1
            byte_count += entry.stat(follow_symlinks=False).st_blocks * _BLOCK_BYTES
        if file_count > most_files or byte_count > most_bytes:
            return True
    return False


def tidy(folder: Path, most_files: int, most_bytes: int) -> str:
    """Leave only plain files and folders, which can be read, of MOST_DEPTH levels at most.

    Links, pipes and the like are removed, the targets of links stay. If there are more files or
    bytes than allowed, the last and deepest are removed. Returns what was too much, in a sentence;
    "" if nothing was. Raises OSError.
    """
    allowance, removed_count, folders = _Allowance(most_files, most_bytes), 0, [folder]
    for depth in range(MOST_DEPTH + 1):
        deeper_folders = []
        for place in folders:
            place.chmod(_OWNER_ALL)
            for entry in _entries(place):
                path, status = Path(entry.path), entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode) and depth < MOST_DEPTH:
                    deeper_folders.append(path)
                elif stat.S_ISREG(status.st_mode) and allowance.has_room(status.st_size):
                    path.chmod(stat.S_IMODE(status.st_mode) | stat.S_IRUSR | stat.S_IWUSR)
                else:
                    is_odd = not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode)
                    removed_count += not is_odd
                    remove(path)
        folders = deeper_folders
    if not removed_count:
        return ""
    limits = f"{most_files:,} files, {most_bytes >> 20:,} MiB, {MOST_DEPTH} levels"
    return f"it left more than is kept ({limits}): {removed_count:,} removed"


class _Allowance:
    """How much of what was found is kept so far."""

    def __init__(self, most_files: int, most_bytes: int) -> None:
        self._files_left = most_files
        self._bytes_left = most_bytes

    def has_room(self, size_bytes: int) -> bool:
        """Take a file of that size, if there is room for it."""
        if not self._files_left or self._bytes_left < size_bytes:
            return False
        self._files_left -= 1
        self._bytes_left -= size_bytes
        return True


def copy_plain(source: Path, target: Path) -> None:
    """Copy the plain files under a folder, which may lie beside others. Raises OSError."""
    target.mkdir(parents=True, exist_ok=True)
    for path in plain_files(source):
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, place)


def keep_files(scratch: Path, folder: Path, globs: Sequence[str]) -> None:
    """Move the plain files in `scratch` whose names match one of `globs` to `folder`, and remove
    the rest of it.
    """
    for path in plain_files(scratch):
        if any(fnmatchcase(path.name, glob) for glob in globs):
            path.replace(folder / path.name)
    remove_quietly(scratch)


def remove(path: Path) -> None:
    """Remove a file, a link, or a folder with all that is in it, whatever its depth and rights; if
    there is nothing, do nothing. Raises OSError.
    """
    try:
        if not stat.S_ISDIR(path.lstat().st_mode):
            path.unlink(missing_ok=True)
            return
        with suppress(PermissionError):  # of another owner: it may still be empty
            path.chmod(_OWNER_ALL)
        root = os.open(path, _OPEN_FOLDER)
    except FileNotFoundError:
        return
    try:
        _empty(root)
    finally:
        os.close(root)
    with suppress(FileNotFoundError):  # another process removes it, too
        path.rmdir()


def remove_quietly(path: Path) -> None:
    """As `remove`; what can't be removed now only costs space."""
    with suppress(OSError):
        remove(path)


def _empty(root: int) -> None:
    """Remove all that an open folder holds: each folder's folders are moved up into it first, so
    that no path has more than two parts.
    """
    token, moved_count = f".{secrets.token_hex(8)}", 0
    names = _without_files(root)
    while names:
        name = names.pop()
        try:
            folder = os.open(name, _OPEN_FOLDER, dir_fd=root)
            try:
                for inner_name in _without_files(folder):
                    moved_count += 1
                    names.append(f"{token}-{moved_count}")
                    os.rename(inner_name, names[-1], src_dir_fd=folder, dst_dir_fd=root)
            finally:
                os.close(folder)
            os.rmdir(name, dir_fd=root)
        except FileNotFoundError:  # another process removes it, too
            continue


def _without_files(folder: int) -> list[str]:
    """The names of an open folder's folders, with all rights; whatever else it had is removed."""
    names = []
    with os.scandir(folder) as entries:
        for entry in list(entries):
            with suppress(FileNotFoundError):
                if entry.is_dir(follow_symlinks=False):
                    # To move a folder takes the right to write to it: it holds its parent's number.
                    os.chmod(entry.name, _OWNER_ALL, dir_fd=folder)
                    names.append(entry.name)
                else:
                    os.unlink(entry.name, dir_fd=folder)
    return names


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)
    return []


@contextmanager
def scratch_folder(name: str = "jdkmatrix", place: Path | None = None) -> Iterator[Path]:
    """A new, empty folder in `place`, by default the machine's for temporary files, removed
    afterwards. Raises OSError.
    """
    home = place or Path(tempfile.gettempdir())
    _remove_left_over(home, f".{name}{_MARK}")
    while True:
        folder = home / f".{name}{_MARK}{secrets.token_hex(6)}"
        folder.mkdir(mode=0o700)
        # Before it is locked, another process may take it for left over.
        try:
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            continue
        with suppress(OSError):  # a file system without locks, where none is removed either
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if folder.exists():
            break
        os.close(descriptor)
    try:
        yield folder
    finally:
        remove_quietly(folder)
        os.close(descriptor)


def _remove_left_over(home: Path, prefix: str) -> None:
    with suppress(OSError):
        for folder in home.iterdir():
            if folder.name.startswith(prefix) and folder.lstat().st_uid == os.getuid():
                _remove_unheld(folder)


def _remove_unheld(folder: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(folder)
        finally:
            os.close(descriptor)
