# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does the kit's own Python environment get made, and with --offline only be used?"""

import errno
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn
from zipfile import ZipFile

import pytest

from jdkmatrix import bootstrap

TIMEOUT_S = 60


def test_offline_makes_no_environment(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(root / "scripts" / "matrix"), "run", "--offline", "--dry-run"]
    cache = tmp_path / "cache"
    # Whatever would be started for it is not found.
    env = {**os.environ, "JDKMATRIX_CACHE": str(cache), "PATH": str(tmp_path)}
    process = subprocess.run(command, env=env, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert process.returncode == 2
    assert process.stdout == ""
    assert process.stderr == (
        f"matrix: no Python environment of requirements.txt in {cache / 'python'}, and offline; "
        "to fix it: run it once without --offline\n"
    )
    assert not cache.exists()


def test_offline_uses_the_one_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path / "cache"))
    requirements = tmp_path / "requirements.txt"
    requirements.touch()
    python = bootstrap.environment(requirements, pip=lambda python: ["true"])
    assert bootstrap.environment(requirements, offline=True) == python


def test_a_damaged_environment_is_made_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def cut_short(package: Path) -> None:
        (package / "__init__.py").write_text("")

    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path / "cache"))
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("")
    # pip, which takes long, only makes it again.
    python = bootstrap.environment(requirements, pip=lambda python: ["true"])
    home = python.parents[1]
    package = next((home / "lib").glob("python*/site-packages")) / "package"
    for damage in (shutil.rmtree, cut_short):
        # As pip would have put it there; then it is what was made.
        package.mkdir(exist_ok=True)
        (package / "__init__.py").write_text("whole")
        (home / "complete").write_text(bootstrap._files_of(home))
        capsys.readouterr()
        assert bootstrap.environment(requirements) == python
        assert capsys.readouterr().err == ""
        damage(package)
        with pytest.raises(
            bootstrap.BootstrapError, match="damaged Python environment of requirements"
        ):
            bootstrap.environment(requirements, offline=True)
    assert bootstrap.environment(requirements) == python
    assert "requirements.txt is damaged; made again" in capsys.readouterr().err
    assert not package.exists()


def test_a_kit_that_cannot_be_loaded_is_no_regression(root: Path, tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise ImportError('a part is gone')")
    paths = os.pathsep.join([str(tmp_path), str(root / "scripts")])
    process = subprocess.run(
        [sys.executable, "-m", "jdkmatrix", "--help"],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    assert process.returncode == 2
    assert process.stderr.startswith(
        "matrix: the kit cannot be loaded: ImportError: a part is gone"
    )


@pytest.mark.parametrize("method", ["exists", "mkdir"])
def test_a_folder_that_is_not_ours_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    def refuse(path: Path, *_: object, **__: object) -> NoReturn:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    requirements = tmp_path / "requirements.txt"
    requirements.touch()
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(Path, method, refuse)
    with pytest.raises(bootstrap.BootstrapError, match="Permission denied; to fix it: set JDKMATR"):
        bootstrap.environment(requirements)


def test_a_user_without_a_home_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unknown(uid: int) -> NoReturn:
        raise KeyError(f"getpwuid(): uid not found: {uid}")

    for name in ("HOME", "XDG_CACHE_HOME", "JDKMATRIX_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    with pytest.raises(SystemExit) as error:
        bootstrap.start("requirements.txt", [])
    assert error.value.code == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    remedy = "set JDKMATRIX_CACHE to a folder that you can write to"
    assert err.endswith(f" has no home; to fix it: {remedy}\n")


@pytest.mark.parametrize("folder", ["", "cache", "~/.cache", "./cache"])
def test_a_relative_folder_of_caches_counts_as_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: str
) -> None:
    monkeypatch.delenv("JDKMATRIX_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", folder)
    assert bootstrap.cache_root() == tmp_path / ".cache/jdkmatrix"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "c"))
    assert bootstrap.cache_root() == tmp_path / "c/jdkmatrix"


@pytest.mark.parametrize(
    ("folder", "character"),
    [
        ("a,b", "comma"),
        ("a b", "space"),
        ("a:b", "colon"),
        ("a\nb", "line break"),
        (os.fsdecode(b"a\xff"), "byte that is not UTF-8"),
    ],
)
def test_a_path_that_programs_cut_is_refused_before_anything_is_made(
    root: Path, tmp_path: Path, folder: str, character: str
) -> None:
    odd_folder, whole = tmp_path / folder, tmp_path / "cache"
    modules = {"__init__.py", "bootstrap.py", "surroundings.py"}
    names_kept = {"matrix", "requirements.txt", "jdkmatrix", *modules}
    shutil.copytree(
        root / "scripts", odd_folder / "scripts", ignore=lambda _, names: {*names} - names_kept
    )
    for owner, scripts, cache, remedy in (
        ("checkout", odd_folder / "scripts", whole, "move it to"),
        ("cache", root / "scripts", odd_folder / "cache", "set JDKMATRIX_CACHE to"),
    ):
        if (owner, character) == ("cache", "comma"):  # no program is given it in such an option
            continue
        process = subprocess.run(
            [sys.executable, scripts / "matrix", "--help"],
            env={**os.environ, "JDKMATRIX_CACHE": str(cache)},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
        )
        path_text = str(cache if owner == "cache" else odd_folder).replace("\n", r"\n")
        path_text = path_text.encode(errors="backslashreplace").decode()
        assert (process.returncode, process.stdout) == (4, "")
        assert process.stderr == (
            f"matrix: {path_text}: the path of the {owner} has a {character}; "
            f"to fix it: {remedy} a path without one\n"
        )
        assert not cache.exists()


@pytest.mark.parametrize("program", ["matrix", "test"])
def test_an_older_python_is_one_line_and_no_regression(root: Path, program: str) -> None:
    file = str(root / "scripts" / program)
    code = f"import runpy, sys; sys.version_info = (3, 10, 1); runpy.run_path({file!r})"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert process.returncode == 2
    assert process.stderr == (
        f"{program}: {sys.executable} is Python {sys.version.split()[0]}; "
        "to fix it: put a python3 of 3.11 or later first on the PATH\n"
    )


def test_a_cache_where_no_program_may_run_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status = os.statvfs("/")
    fields = [*status[:8], status.f_flag | os.ST_NOEXEC, status.f_namemax]
    monkeypatch.setattr(os, "statvfs", lambda _: os.statvfs_result(fields))
    monkeypatch.setattr(bootstrap, "environment", lambda *_, **__: Path("/cache/bin/python"))
    with pytest.raises(SystemExit) as error:
        bootstrap.start("requirements.txt", [])
    assert error.value.code == 2
    assert capsys.readouterr().err == (
        "matrix: /cache/bin: mounted noexec, so no program of the cache can run; "
        "to fix it: set JDKMATRIX_CACHE to a folder that you can write to\n"
    )


def test_a_python_without_venv_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    requirements = tmp_path / "requirements.txt"
    requirements.touch()
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path / "cache"))
    monkeypatch.setitem(sys.modules, "venv", None)
    with pytest.raises(bootstrap.BootstrapError) as error:
        bootstrap.environment(requirements)
    lack = f"{sys.executable} has no module venv"
    assert str(error.value) == f"{lack}; to fix it: install python3-venv"
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("failure", "says"),
    [
        (KeyboardInterrupt(), "interrupted"),
        (ValueError("bad"), "the Python environment can't be made: ValueError: bad"),
    ],
    ids=["Ctrl-C", "a fault"],
)
def test_what_ends_a_start_is_one_line_and_no_regression(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    failure: BaseException,
    says: str,
) -> None:
    def end(*_: object, **__: object) -> NoReturn:
        raise failure

    monkeypatch.setattr(bootstrap, "environment", end)
    with pytest.raises(SystemExit) as error:
        bootstrap.start("requirements.txt", [])
    assert error.value.code == 2
    assert capsys.readouterr().err == f"matrix: {says}\n"


PIP = """#!/bin/sh
echo WARNING: Retrying >&2
echo ERROR: No matching distribution found for typer==0 >&2
echo ERROR: a consequence >&2
exit 1
"""


def test_pip_s_first_error_is_the_reason_and_the_next_start_tries_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pip = tmp_path / "pip"
    pip.write_text(PIP)
    pip.chmod(0o755)
    requirements = tmp_path / "requirements.txt"
    requirements.touch()
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path / "cache"))
    for _ in range(2):
        with pytest.raises(bootstrap.BootstrapError) as error:
            bootstrap.environment(requirements, pip=lambda python: [str(pip)])
        assert str(error.value) == (
            "the Python packages can't be installed: "
            "ERROR: No matching distribution found for typer==0"
        )
        setting_up = "matrix: setting up the Python environment of requirements.txt (once) ...\n"
        assert capsys.readouterr().err == setting_up
    pip.write_text("#!/bin/sh\n")
    assert bootstrap.environment(requirements, pip=lambda python: [str(pip)]).exists()


# It installs a package and a program, as pip does with --target.
PIP_WITH_TARGET = """#!/bin/sh
echo "$@" >"$0".called
while [ $# -gt 0 ]; do
  [ "$1" != --target ] || { mkdir "$2"/bin "$2"/package; touch "$2"/bin/tool "$2"/package/a.py; }
  shift
done
"""


@pytest.mark.parametrize(
    ("library", "platform", "suffix"),
    [
        ("glibc 2.36", "linux-x86_64", "x86_64"),
        ("glibc 2.28", "linux-aarch64", "aarch64"),
        ("glibc 2.27", "linux-x86_64", None),
        ("glibc 2.36", "macosx-14-arm64", None),
        ("", "linux-x86_64", None),
        (None, "linux-x86_64", None),
    ],
)
def test_pip_is_told_the_platforms_of_wheels_where_all_of_them_run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    library: str | None,
    platform: str,
    suffix: str | None,
) -> None:
    def confstr(_: str) -> str:
        if library is None:
            raise ValueError("unrecognized configuration name")
        return library

    monkeypatch.setattr("os.confstr", confstr)
    monkeypatch.setattr("sysconfig.get_platform", lambda: platform)
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path / "cache"))
    pip = tmp_path / "pip"
    pip.write_text(PIP_WITH_TARGET)
    pip.chmod(0o755)
    requirements = tmp_path / "requirements.txt"
    requirements.touch()
    python = bootstrap.environment(requirements, pip=lambda python: [str(pip)])
    call = pip.with_name("pip.called").read_text()
    assert "--require-hashes --only-binary :all:" in call
    assert re.findall(r"--platform=(\S+)", call) == (
        [f"{name}_{suffix}" for name in ("manylinux_2_28", "manylinux_2_17", "manylinux2014")]
        if suffix
        else []
    )
    packages = next((python.parents[1] / "lib").glob("python*/site-packages"))
    assert (f"--target {packages} " in call) == (suffix is not None)
    assert python.with_name("tool").exists() == (suffix is not None)
    assert not (packages / "bin").exists()
    assert bootstrap.environment(requirements, offline=True) == python


def test_pip_installs_into_the_environment_whatever_the_user_s_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "wheels" / "alone-1.0-py3-none-any.whl"
    wheel.parent.mkdir()
    with ZipFile(wheel, "w") as file:
        file.writestr("alone.py", "")
        file.writestr(
            "alone-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: alone\nVersion: 1.0\n"
        )
        tags = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        file.writestr("alone-1.0.dist-info/WHEEL", tags)
        file.writestr("alone-1.0.dist-info/RECORD", "")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    requirements = tmp_path / "requirements.txt"
    requirements.write_text(f"alone==1.0 --hash=sha256:{digest}\n")
    settings = tmp_path / "pip.conf"
    settings.write_text("[install]\nuser = true\ndry-run = true\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_CONFIG_FILE", str(settings))
    monkeypatch.setenv("PIP_USER", "1")
    home = bootstrap.environment(requirements).parents[1]
    assert list((home / "lib").glob("python*/site-packages/alone.py"))


# In the form of the warnings of pip (urllib3), shortened.
RETRYING = "WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by"
NO_PROXY = (
    f"{RETRYING} 'ProxyError('Cannot connect to proxy.', NewConnectionError('<HTTPSConnection>: "
    "Failed to establish a new connection: [Errno 111] Connection refused'))': /simple/typer/"
)
NO_NETWORK = (
    f"{RETRYING} 'NewConnectionError('<HTTPSConnection>: Failed to establish a new connection: "
    "[Errno -3] Temporary failure in name resolution')': /simple/typer/"
)
SILENT = (
    f"{RETRYING} 'ReadTimeoutError(\"Pool: Read timed out. (read timeout=15)\")': /simple/typer/"
)
CHECK = "check the network, or set HTTPS_PROXY or PIP_INDEX_URL"


@pytest.mark.parametrize(
    ("warning", "variable", "says"),
    [
        (
            NO_PROXY,
            "HTTPS_PROXY",
            "proxy 127.0.0.1:9 ([Errno 111] Connection refused); "
            "to fix it: correct or unset HTTPS_PROXY",
        ),
        (
            NO_PROXY,
            "PIP_PROXY",
            "proxy 127.0.0.1:9 ([Errno 111] Connection refused); "
            "to fix it: correct or unset PIP_PROXY",
        ),
        (
            NO_NETWORK,
            None,
            f"package index ([Errno -3] Temporary failure in name resolution); to fix it: {CHECK}",
        ),
        (SILENT, None, f"package index (timed out); to fix it: {CHECK}"),
    ],
    ids=["dead proxy", "proxy of pip", "no network", "no answer"],
)
def test_without_a_connection_the_network_is_named_and_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, warning: str, variable: str | None, says: str
) -> None:
    for name in bootstrap._PROXIES:
        monkeypatch.delenv(name, raising=False)
    if variable:
        monkeypatch.setenv(variable, "http://user:secret@127.0.0.1:9")
    errors = tmp_path / "errors"
    errors.write_text(f"{warning}\nERROR: No matching distribution found for typer==0\n")
    with pytest.raises(bootstrap.BootstrapError) as error:
        bootstrap._run(["sh", "-c", f"cat {errors} >&2; exit 1"], "not installed")
    assert str(error.value) == f"not installed: no connection to the {says}"


@pytest.mark.parametrize(
    ("has_pip", "has_runner", "expected"),
    [
        (True, True, "pip/__pip-runner__.py"),
        (True, False, "pip-1.whl/pip"),  # a pip older than 22.3
        (False, True, "pip-1.whl/pip"),
    ],
    ids=["own pip", "old pip", "no pip"],
)
def test_the_pip_that_is_compiled_already_comes_first(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    has_pip: bool,
    has_runner: bool,
    expected: str,
) -> None:
    package = tmp_path / "pip"
    package.mkdir()
    if has_runner:
        (package / "__pip-runner__.py").touch()
    python = tmp_path / "python3"
    python.write_text(f"#!/bin/sh\necho {package}\n{'' if has_pip else 'exit 1'}\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setitem(sys.modules, "ensurepip", None)  # an import fails, as without the package
    monkeypatch.setattr(bootstrap, "WHEELS_OF_DEBIAN", tmp_path)
    (tmp_path / "pip-1.whl").touch()
    assert bootstrap.pip_origin() == str(tmp_path / expected)


def test_a_machine_without_pip_and_apt_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(bootstrap.BootstrapError) as error:
        bootstrap._pip_wheel_of_debian()
    assert str(error.value) == "no pip, no ensurepip and no apt-get; to fix it: install pip"


APT = """#!/bin/sh
case "$*" in
    *" update") test "$FAILS" != update || { echo E: no network >&2; exit 100; } ;;
    *) test "$FAILS" != download || { echo E: no room >&2; exit 100; }
        echo > python3-pip-whl_1.deb ;;
esac
"""
DPKG = """#!/bin/sh
test "$FAILS" != dpkg-deb || { echo dpkg-deb: error: damaged >&2; exit 2; }
"""


@pytest.mark.parametrize(
    ("fails", "says"),
    [
        ("update", "no pip, and Debian's index can't be read; {}: E: no network"),
        ("download", "no pip, and Debian's can't be got; {}: E: no room"),
        ("dpkg-deb", "DEB can't be unpacked; {}: dpkg-deb: error: damaged"),
        ("", "python3-pip-whl holds no pip; {}"),
    ],
    ids=["update", "download", "unpack", "none in it"],
)
def test_a_pip_of_debian_s_that_can_not_be_had_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str, says: str
) -> None:
    for name, program in (("apt-get", APT), ("dpkg-deb", DPKG)):
        (tmp_path / name).write_text(program)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("FAILS", fails)
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path / "cache"))
    with pytest.raises(bootstrap.BootstrapError) as error:
        bootstrap._pip_wheel_of_debian()
    package = tmp_path / "cache" / "python" / "pip-of-debian" / "python3-pip-whl_1.deb"
    says = says.replace("DEB", str(package))
    assert str(error.value) == says.format("to fix it: install python3-venv or pip")


# Java 17 takes from its locale how it names files.
NAMES_ITS_LOCALE = """
import os, sys
sys.path.insert(0, sys.argv[1])
from jdkmatrix import bootstrap
bootstrap.environment = lambda *_, **__: bootstrap.Path(sys.executable)
bootstrap.start("requirements.txt", ["-c", "import os; print(os.environ.get('LC_ALL'))"])
"""


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"LC_ALL": "C"}, "C.UTF-8"),
        ({"LC_ALL": "POSIX"}, "C.UTF-8"),
        ({"LC_ALL": "xx_XX.UTF-8"}, "C.UTF-8"),  # which this machine has not
        ({"PYTHONCOERCECLOCALE": "0"}, "C.UTF-8"),
        ({"LANG": "C"}, "None"),  # Python itself gives its children LC_CTYPE=C.UTF-8 (PEP 538)
        ({"LANG": "C.UTF-8"}, "None"),
    ],
)
def test_java_can_name_every_path(root: Path, variables: dict[str, str], expected: str) -> None:
    command = [sys.executable, "-c", NAMES_ITS_LOCALE, str(root / "scripts")]
    process = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    assert process.stdout == f"{expected}\n"


@pytest.mark.slow
def test_the_kit_is_compiled_once_where_python_is_told_not_to(root: Path, tmp_path: Path) -> None:
    """Images of containers set PYTHONDONTWRITEBYTECODE."""
    scripts = tmp_path / "scripts"
    ignore = shutil.ignore_patterns("tests", "__pycache__")
    shutil.copytree(root / "scripts", scripts, ignore=ignore)
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = str(scripts / "matrix")
    subprocess.run(
        [command, "--help"], env=env, check=True, stdout=subprocess.DEVNULL, timeout=TIMEOUT_S
    )
    assert list((scripts / "jdkmatrix" / "cli" / "__pycache__").glob("app.*.pyc"))
