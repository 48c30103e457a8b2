# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the kit get its own Python environment on a bare machine, without root?

Standard library only. The environment lies in the user's cache directory, named by the hash of
its requirements file, so that checkouts share it and a changed requirement makes a new one.
"""

import fcntl
import hashlib
import locale
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

MACHINE_FAILED = 2
_USAGE = 4
_COMPLETE = "complete"
TO_FIX_IT = "; to fix it: "
_ELSEWHERE = f"{TO_FIX_IT}set JDKMATRIX_CACHE to a folder that you can write to"
# Entries of PYTHONPATH and class paths end at a colon, Flight Recorder's options at a comma (JDK 11
# does not start then, 21 records elsewhere in silence), jtreg's class paths at a space. Of the
# cache, no path is in such an option.
_CUT_AT = {",": "comma", " ": "space", ":": "colon", "\n": "line break"}


# Held back while the environment's Python starts: it would end with a traceback, or without a word.
HELD_BACK = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# manylinux2014 stands for the older ones, too.
_PLATFORMS = ("manylinux_2_28", "manylinux_2_17", "manylinux2014")
_LEAST_GLIBC = (2, 28)
WHEELS_OF_DEBIAN = Path("/usr/share/python-wheels")  # package python3-pip-whl
# In pip's warnings; its error is then that it could not find a version of some package.
_BROKEN = "after connection broken by"
# Whatever the user's pip does by its variables or its pip.conf, which come after variables: with
# `user` it refuses --target, with `dry-run` it says that all is well, and nothing is there.
_AS_PIP_IS = {"PIP_USER": "0", "PIP_DRY_RUN": "0"}
# In the order in which pip takes them.
_PROXIES = ("PIP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")


class BootstrapError(Exception):
    """The environment can't be made; the text is one line that says how to fix it."""

    exit_code = MACHINE_FAILED


class PathError(BootstrapError):
    """The checkout or the cache lies where some program can't find it."""

    exit_code = _USAGE


def cutting_character(path: Path, characters: str = "".join(_CUT_AT)) -> str | None:
    """The name of a character at which some program would cut this path, or which no record can
    hold; None without any.
    """
    if any("\ud800" <= character <= "\udfff" for character in str(path)):  # as Python reads it
        return "byte that is not UTF-8"
    return next((_CUT_AT[character] for character in characters if character in str(path)), None)


def check_paths(checkout: Path) -> None:
    """Raise PathError if some program would cut the path of this checkout or of the cache."""
    if name := cutting_character(checkout):
        lack = f"{checkout}: the path of the checkout has a {name}"
        raise PathError(f"{lack}{TO_FIX_IT}move it to a path without one")
    if name := cutting_character(cache_root(), " :\n"):
        lack = f"{cache_root()}: the path of the cache has a {name}"
        raise PathError(f"{lack}{TO_FIX_IT}set JDKMATRIX_CACHE to a path without one")


def cache_root() -> Path:
    """The kit's folder in the user's cache directory (XDG Base Directory Specification, by which a
    relative path counts as not set).

    Raises BootstrapError for a user without a home.
    """
    if folder := os.environ.get("JDKMATRIX_CACHE"):
        return Path(folder).absolute()
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        return (base if base.is_absolute() else Path.home() / ".cache") / "jdkmatrix"
    except RuntimeError:
        raise BootstrapError(f"user {os.getuid()} has no home{_ELSEWHERE}") from None


def environment_home(requirements: Path) -> Path:
    """The folder of the environment with exactly these requirements. Raises BootstrapError.

    It is the same for the Python that makes the environment and for the environment's own.
    """
    version = ".".join(map(str, sys.version_info[:3]))
    key = hashlib.sha256(f"{version} {sys.base_prefix}\n".encode() + requirements.read_bytes())
    return cache_root() / "python" / f"{requirements.stem}-{key.hexdigest()[:12]}"


def is_ready(requirements: Path) -> bool:
    """Whether the checkout of this file can start without making its environment first."""
    try:
        check_paths(requirements.parents[1])
        return _is_complete(environment_home(requirements))
    except (BootstrapError, OSError):
        return False


def environment(
    requirements: Path, offline: bool = False, pip: Callable[[Path], list[str]] | None = None
) -> Path:
    """The Python of an environment with exactly these requirements, which is made if missing.

    With `offline` none is made, as pip and apt would open sockets. `pip` gives the command that
    installs for a Python; None: the machine's own. Raises BootstrapError.
    """
    home = environment_home(requirements)
    python = _python_of(home)
    try:
        if _is_complete(home):
            return python
        if offline:
            lack = "damaged" if (home / _COMPLETE).exists() else "no"
            lacks = (
                f"{lack} Python environment of {requirements.name} in {home.parent}, and offline"
            )
            raise BootstrapError(f"{lacks}; to fix it: run it once without --offline")
        home.parent.mkdir(parents=True, exist_ok=True)
        with _hold_lock(home.with_suffix(".lock")):
            if not _is_complete(home):
                if (home / _COMPLETE).exists():
                    _say(f"the Python environment of {requirements.name} is damaged; made again")
                _make(home, python, requirements, pip or _pip)
    except OSError as error:
        raise BootstrapError(f"{home}: {error.strerror or error}{_ELSEWHERE}") from None
    return python


def _python_of(home: Path) -> Path:
    return home / "bin" / "python"


def _is_complete(home: Path) -> bool:
    complete = home / _COMPLETE
    if not (complete.exists() and _python_of(home).exists()):  # its base Python may be gone
        return False
    files = complete.read_text()
    if not files:  # an earlier version of the kit made it
        return True
    return (home / "lib").is_dir() and files == _files_of(home)


def _files_of(home: Path) -> str:
    """A hash of the names and sizes of all installed files: a lost or truncated one changes it."""
    return hashlib.sha256("".join(_sizes(str(home / "lib"), len(str(home)))).encode()).hexdigest()


def _sizes(folder: str, start: int) -> Iterator[str]:
    """A line for each file, its path from `start` on. No pathlib: each start of the kit runs it."""
    with os.scandir(folder) as listing:
        children = sorted(listing, key=lambda child: child.name)
    folders = []
    for child in children:
        if child.is_dir():
            folders.append(child)
        else:
            yield f"{child.path[start:]} {child.stat(follow_symlinks=False).st_size}\n"
    for child in folders:
        if child.name != "__pycache__":
            yield from _sizes(child.path, start)


def _make(home: Path, python: Path, requirements: Path, pip: Callable[[Path], list[str]]) -> None:
    try:
        import venv  # not at the top: it takes a tenth of a start
    except ImportError:  # Debian's python3-minimal
        lack = f"{sys.executable} has no module venv"
        raise BootstrapError(f"{lack}{TO_FIX_IT}install python3-venv") from None
    _say(f"setting up the Python environment of {requirements.name} (once) ...")
    shutil.rmtree(home, ignore_errors=True)
    venv.create(home, with_pip=False, symlinks=True)
    install = [*pip(python), "install", "--require-hashes", "--only-binary", ":all:"]
    install += ["--no-compile"]
    quiet = ["--quiet", "--disable-pip-version-check", "--no-warn-script-location"]
    target = _target_options(home)
    command = [*install, *quiet, *target, "-r", str(requirements)]
    _run(command, "the Python packages can't be installed")
    if target:
        _move_programs(Path(target[-1]) / "bin", home / "bin")
    (home / _COMPLETE).write_text(_files_of(home))


def wheel_platforms() -> list[str]:
    """The platforms of the wheels that the locked packages have for this machine.

    Empty where glibc is older than some of them, or is not there: pip then finds out by itself. It
    tries hundreds of platforms on each of an index's links otherwise, which took 1.5 of its 5.9
    CPU s (pip 23.0.1, 24,000 links).
    """
    try:
        library, _, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
        is_new = library == "glibc" and tuple(map(int, version.split("."))) >= _LEAST_GLIBC
    except (OSError, ValueError):  # musl has no such name
        return []
    system, _, machine = sysconfig.get_platform().partition("-")
    if not is_new or system != "linux":
        return []
    return [f"{name}_{machine}" for name in _PLATFORMS]


def _target_options(home: Path) -> list[str]:
    """pip's options for these platforms, which it takes only with a folder to install into."""
    platforms = [f"--platform={platform}" for platform in wheel_platforms()]
    (packages,) = (home / "lib").glob("python*/site-packages")
    return [*platforms, "--target", str(packages)] if platforms else []


def _move_programs(folder: Path, programs: Path) -> None:
    """Move what pip put beside the packages to where an environment has its programs."""
    if folder.is_dir():
        for program in folder.iterdir():
            program.rename(programs / program.name)
        folder.rmdir()


def _pip(python: Path) -> list[str]:
    """A pip that installs for `python`: this Python's own, a wheel that came with it, or Debian's.

    The first is compiled already, while a wheel is compiled anew each time: its start took 0.9
    CPU s in place of 2.9, of some 14 for an installation (pip 23.0.1, November 2026).
    """
    return [str(python), str(_pip_runner() or _pip_wheel() or _pip_wheel_of_debian())]


def pip_origin() -> str | None:
    """Where the pip that makes an environment comes from, in the order of `_pip`; None: nowhere."""
    if pip := _pip_runner() or _pip_wheel():
        return str(pip)
    apt = shutil.which("apt-get")
    return f"{apt} download python3-pip-whl" if apt else None


def _pip_runner() -> Path | None:
    """What `pip --python` (22.3 and later) has another Python run; None without such a pip.

    It hides the packages beside it, which the other Python would count as installed otherwise.
    """
    command = [sys.executable, "-P", "-c", "import pip; print(pip.__path__[0])"]
    process = subprocess.run(command, capture_output=True, text=True)
    runner = Path(process.stdout.strip()) / "__pip-runner__.py"
    return runner if process.returncode == 0 and runner.is_file() else None


def _pip_wheel() -> Path | None:
    places = [WHEELS_OF_DEBIAN]
    try:
        import ensurepip

        places.insert(0, Path(ensurepip.__file__).parent / "_bundled")
    except ImportError:  # Debian splits it off into python3-venv
        pass
    for place in places:
        for wheel in sorted(place.glob("pip-*.whl"), reverse=True):
            return wheel / "pip"
    return None


def _pip_wheel_of_debian() -> Path:
    """pip's wheel from the machine's own Debian suite, unpacked into the cache without root."""
    if not shutil.which("apt-get"):
        raise BootstrapError(f"no pip, no ensurepip and no apt-get{TO_FIX_IT}install pip")
    root = cache_root() / "python" / "pip-of-debian"
    state = root / "apt"
    for part in ("state/lists/partial", "cache/archives/partial"):
        (state / part).mkdir(parents=True, exist_ok=True)
    apt = ["apt-get", "-qq", "-o", f"Dir::State={state}/state", "-o", f"Dir::Cache={state}/cache"]
    if os.geteuid() == 0:  # otherwise apt drops to a user who may not write here
        apt += ["-o", "APT::Sandbox::User=root"]
    remedy = "to fix it: install python3-venv or pip"
    _run([*apt, "update"], f"no pip, and Debian's index can't be read; {remedy}")
    _run(
        [*apt, "download", "python3-pip-whl"], f"no pip, and Debian's can't be got; {remedy}", root
    )
    for package in root.glob("python3-pip-whl_*.deb"):
        _run(["dpkg-deb", "-x", str(package), str(root)], f"{package} can't be unpacked; {remedy}")
    wheels = sorted(root.glob("usr/share/python-wheels/pip-*.whl"))
    if not wheels:
        raise BootstrapError(f"python3-pip-whl holds no pip; {remedy}")
    return wheels[-1] / "pip"


def _run(command: list[str], failure: str, folder: Path | None = None) -> None:
    variables = {**os.environ, **_AS_PIP_IS}
    process = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
    if process.returncode != 0:
        lines = (process.stderr or process.stdout).strip().splitlines() or ["no output"]
        errors = [line for line in lines if line.startswith(("ERROR", "E:"))] or lines[-1:]
        if faults := [line for line in lines if _BROKEN in line]:  # errors name only a package
            raise BootstrapError(f"{failure}: {_network_fault(faults[-1])}")
        raise BootstrapError(f"{failure}: {errors[0]}")


def _network_fault(line: str) -> str:
    """What pip's warning of a broken connection says of the network, and what to look at."""
    cause = re.search(r"\[Errno -?\d+\] [^'\")]+|timed out", line)
    detail = f" ({cause[0].strip()})" if cause else ""
    name = next((name for name in _PROXIES if os.environ.get(name)), None)
    if "ProxyError" in line and name:
        # Without the user and password that it may hold.
        address = os.environ[name].rpartition("@")[2]
        return f"no connection to the proxy {address}{detail}{TO_FIX_IT}correct or unset {name}"
    remedy = "check the network, or set HTTPS_PROXY or PIP_INDEX_URL"
    return f"no connection to the package index{detail}{TO_FIX_IT}{remedy}"


@contextmanager
def _hold_lock(path: Path) -> Iterator[None]:
    """Hold the lock file `path`; other processes of the kit wait."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def tell_withheld(names: list[str]) -> None:
    """Say which variables the kit and what it starts do not get, unless a shell wants completions:
    it would take the line for one.
    """
    if names and not any(name.endswith("_COMPLETE") for name in os.environ):
        _say(f"not handed on, as each JVM or Python would heed it: {', '.join(names)}")


def _say(text: str) -> None:
    text = text.replace("\n", r"\n")  # a path may contain any character
    print(f"matrix: {text}", file=sys.stderr, flush=True)


def start(requirements_name: str, arguments: list[str]) -> None:
    """Replace this process with `python ARGUMENTS` in the environment of that requirements file."""
    scripts = Path(__file__).resolve().parents[1]
    try:
        check_paths(scripts.parent)
        python = environment(scripts / requirements_name, offline="--offline" in arguments)
        if os.statvfs(python.parent).f_flag & os.ST_NOEXEC:
            lack = f"{python.parent}: mounted noexec, so no program of the cache can run"
            raise BootstrapError(f"{lack}{_ELSEWHERE}")
    except BootstrapError as error:
        _say(str(error))
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        _say("interrupted")
        sys.exit(MACHINE_FAILED)
    except Exception as error:  # Python's own exit code 1 would mean that a JDK has regressed
        _say(f"the Python environment can't be made: {type(error).__name__}: {error}")
        sys.exit(MACHINE_FAILED)
    if locale.setlocale(locale.LC_CTYPE) == "C":  # there Java can't open non-ASCII paths
        os.environ["LC_ALL"] = "C.UTF-8"
    # Otherwise pydantic looks for plugins in each installed package.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    os.environ["PYTHONPATH"] = str(scripts)
    os.environ["PYTHONNOUSERSITE"] = "1"
    os.environ["PYTHONSAFEPATH"] = "1"  # otherwise files in the current folder hide modules
    if "jdkmatrix" in arguments:  # it takes them once it can say that it was interrupted
        signal.pthread_sigmask(signal.SIG_BLOCK, HELD_BACK)
    try:
        os.execv(python, [str(python), *arguments])
    except OSError as error:
        _say(f"{python}: cannot be started: {error.strerror}{_ELSEWHERE}")
        sys.exit(MACHINE_FAILED)
