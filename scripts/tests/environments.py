# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Environments in which the kit is called, one a line: `test_real_environments.py` runs them.

Each is a shell script that calls the kit by `"$@"`; `$t` is an empty folder, `$o` the options
`--out` with a folder, `$c` the kit's cache. No line changes anything outside `$t`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Environment:
    """How the kit is called there. `refusal` is part of the line with which it ends if no cell can
    run there, with exit code `code`; it is empty where cells run.

    `fine` is the exit code there of a run in which all is as expected. `needs` is a shell condition
    without which the line is skipped.
    """

    name: str
    script: str
    refusal: str = ""
    code: int = 2
    fine: int = 0
    needs: str = "true"
    is_quick: bool = False

    def __str__(self) -> str:
        return self.name


_SPACE = "unshare -m true"
_NET = "unshare -rn true"
_FAKETIME = "ls /usr/lib/*/faketime/libfaketimeMT.so.1"
_LO_UP = (
    "import fcntl, socket, struct; s = socket.socket(); "
    "fcntl.ioctl(s, 0x8914, struct.pack('16sh14x', b'lo', 1))"
)


def _in_mounts(commands: str) -> str:
    """A shell script that mounts something, in a mount namespace of its own, and then the kit."""
    return f't=$t c=$c unshare -m sh -ec \'{commands}; exec "$@"\' sh "$@"'


def _in_network(commands: str) -> str:
    """A shell script that sets a network namespace of its own, in /proc/sys, and then the kit."""
    return (
        f'unshare -rn sh -ec \'python3 -c "$0"; (cd /proc/sys; {commands}); exec "$@"\' '
        f'"{_LO_UP}" "$@"'
    )


def _with_clock(clock: str) -> str:
    return f'FAKETIME="{clock}" LD_PRELOAD="$({_FAKETIME})" "$@"'


# The kit's Python as a program that changes what its caller hands on, then becomes the kit.
def _as_python(code: str) -> str:
    return f"python3 -c 'import os, sys; {code}; os.execvp(sys.argv[1], sys.argv[1:])' \"$@\""


_SECCOMP = (
    "import ctypes, struct; libc = ctypes.CDLL(None); "
    # Load the number of the call; of io_uring_setup (425), clone3 (435), sched_getaffinity (204)
    # and ptrace (101) ENOSYS.
    'code = b"".join(struct.pack("HBBI", *row) for row in ((0x20, 0, 0, 0), (0x15, 3, 0, 425), '
    "(0x15, 2, 0, 435), (0x15, 1, 0, 204), (0x15, 0, 1, 101), (6, 0, 0, 0x50026), "
    "(6, 0, 0, 0x7FFF0000))); buffer = ctypes.create_string_buffer(code); "
    'program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 7, ctypes.addressof(buffer))); '
    "assert libc.prctl(38, 1, 0, 0, 0) == 0; assert libc.prctl(22, 2, program) == 0"
)

ENVIRONMENTS = (
    # Variables
    Environment(
        "PYTHONPATH with broken modules",
        'echo "raise SystemExit(1)" | tee $t/json.py >$t/typing.py; PYTHONPATH=$t "$@"',
    ),
    Environment("PYTHONHOME", 'PYTHONHOME=/nowhere "$@"'),
    Environment(
        "other variables of Python",
        "PYTHONWARNINGS=error PYTHONHASHSEED=no PYTHONINSPECT=1 PYTHONIOENCODING=no "
        'PYTHONOPTIMIZE=2 PYTHONTRACEMALLOC=x "$@"',
    ),
    Environment(
        "JAVA_TOOL_OPTIONS and its kin",
        "JAVA_TOOL_OPTIONS=-Xmx1k _JAVA_OPTIONS=-XX:+No JDK_JAVA_OPTIONS=--no "
        'JDK_JAVAC_OPTIONS=--no CLASSPATH=/nowhere JT_JAVA=/nowhere "$@"',
    ),
    # What harms a run alone harms it here; --long, with each alone, says which it is.
    Environment(
        "PYTHONHOME, JAVA_TOOL_OPTIONS and its kin, SIGCHLD ignored",
        "trap '' CHLD; PYTHONHOME=/nowhere JAVA_TOOL_OPTIONS=-Xmx1k _JAVA_OPTIONS=-XX:+No "
        "JDK_JAVA_OPTIONS=--no JDK_JAVAC_OPTIONS=--no CLASSPATH=/nowhere JT_JAVA=/nowhere "
        '"$@"',
        is_quick=True,
    ),
    Environment("JAVA_HOME is no JDK", 'JAVA_HOME=$t "$@"'),
    Environment("no variables at all", 'env -i PATH="$PATH" HOME="$HOME" "$@"'),
    Environment("a locale that is not there", 'LC_ALL=xx_XX.UTF-8 LANGUAGE=de "$@"'),
    Environment("the locale C", 'LC_ALL=C "$@"'),
    Environment("an odd time zone", 'TZ=Nowhere/At_all+25:99 "$@"'),
    Environment("TMPDIR is not there", 'TMPDIR=$t/none "$@"'),
    Environment("TMPDIR with blanks and quotes", 'mkdir "$t/a \'b"; TMPDIR="$t/a \'b" "$@"'),
    Environment("XDG_CACHE_HOME is relative", 'cd $t; XDG_CACHE_HOME=cache "$@"'),
    Environment(
        "the repository is another's",
        'GIT_DIR=/nowhere GIT_WORK_TREE=/ GIT_INDEX_FILE=/nowhere "$@"',
    ),
    Environment("HOME is not there", 'HOME=/nowhere JDKMATRIX_CACHE=$c "$@"'),
    Environment("no HOME", 'env -u HOME JDKMATRIX_CACHE=$c "$@"'),
    Environment("a terminal of no width", 'COLUMNS=0 LINES=x TERM=dumb FORCE_COLOR=1 "$@"'),
    Environment(
        "GitHub's files can not be written",
        "GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=/nowhere/s GITHUB_OUTPUT=/nowhere/o "
        'GITHUB_WORKSPACE=/nowhere "$@"',
    ),
    # Streams
    Environment("stdin closed", '"$@" <&-'),
    Environment("stdout closed", '"$@" >&-'),
    Environment("stderr closed", '"$@" 2>&-'),
    Environment("all three closed", '"$@" <&- >&- 2>&-', is_quick=True),
    Environment("stdout full", '"$@" >/dev/full', fine=2, is_quick=True),
    Environment("stderr full", '"$@" 2>/dev/full'),
    Environment("both full", '"$@" >/dev/full 2>&1', fine=2),
    Environment("nobody reads", '{ "$@"; echo $? >$t/code; } | true; exit $(cat $t/code)', fine=2),
    # Limits
    Environment(
        "1 GB of addresses", 'ulimit -v 1000000; "$@"', refusal="of addresses", is_quick=True
    ),
    Environment(
        "30 processes",
        'prlimit --nproc=$(($(ps -Lu $(id -u) | wc -l) + 30)) "$@"',
        refusal="threads",
        needs="test $(id -u) != 0 && ps -L",  # root's threads are not counted
        is_quick=True,
    ),
    Environment("64 files", 'ulimit -n 64; "$@"'),
    Environment("16 files", 'ulimit -n 16; "$@"', refusal="open files", is_quick=True),
    Environment("files of 100 KB", 'ulimit -f 200; "$@"'),
    Environment("one core", 'taskset -c 0 "$@"'),
    # Signals
    Environment("SIGCHLD ignored", "trap '' CHLD; \"$@\""),
    Environment(
        "all signals blocked",
        _as_python("import signal; signal.pthread_sigmask(0, signal.valid_signals())"),
    ),
    Environment("others ignored", "trap '' HUP INT QUIT TERM PIPE USR1 ALRM; \"$@\""),
    # Folders
    Environment(
        "a folder for results that is not UTF-8",
        '"$@" --out "$t/$(printf \'a\\377\')"',
        refusal="contains a byte that is not UTF-8",
        code=4,
    ),
    Environment("the current one is gone", 'mkdir $t/d; cd $t/d; rmdir $t/d; "$@"'),
    Environment(
        "the current one has modules", 'cd $t; echo "raise SystemExit(1)" >typing.py; "$@"'
    ),
    Environment(
        "a cache with a colon",
        'mkdir $t/a:b; JDKMATRIX_CACHE=$t/a:b "$@"',
        refusal="the path of the cache has a colon",
        code=4,
        is_quick=True,
    ),
    Environment("a cache by a link", 'ln -s $c $t/cache; JDKMATRIX_CACHE=$t/cache "$@"'),
    Environment("a new cache, offline", 'JDKMATRIX_CACHE=$t/new "$@"', refusal="and offline"),
    Environment(
        "a cache that is read-only",
        _in_mounts("mount --bind $c $c; mount -o remount,bind,ro $c"),
        needs=_SPACE,
        is_quick=True,
    ),
    Environment(
        "a cache mounted noexec",
        _in_mounts("mount --bind $c $c; mount -o remount,bind,noexec $c"),
        refusal="mounted noexec",
        needs=_SPACE,
        is_quick=True,
    ),
    Environment(
        "a temporary folder that is full",
        _in_mounts("mount -t tmpfs -o size=64k none $t; export TMPDIR=$t"),
        refusal="MiB free",
        needs=_SPACE,
    ),
    Environment(
        "no /dev/shm",
        _in_mounts("mount -t tmpfs -o size=4k,ro none /dev/shm"),
        needs=f"{_SPACE} && test -d /dev/shm",
    ),
    Environment(
        "no /proc/pressure",
        _in_mounts("mount -t tmpfs none /proc/pressure"),
        needs=f"{_SPACE} && test -d /proc/pressure",
    ),
    Environment(
        "no null device",
        _in_mounts("mount -t tmpfs none /dev; mknod -m 666 /dev/urandom c 1 9"),
        refusal="/dev/null: No such file",
        needs=_SPACE,
    ),
    Environment("no /proc", _in_mounts("mount -t tmpfs none /proc"), "/proc is not", needs=_SPACE),
    Environment(
        "a user without a name who sees no other's processes",
        _in_mounts(
            "mount -t proc -o hidepid=2 proc /proc; export JDKMATRIX_CACHE=$c TMPDIR=$t; "
            "unset HOME; chmod 777 $t $t/..; "
            "set -- setpriv --reuid 12345 --regid 12345 --clear-groups "
            '--inh-caps +dac_read_search --ambient-caps +dac_read_search "$@"'
        ),
        needs=f"{_SPACE} && test $(id -u) = 0 && setpriv --ambient-caps +dac_read_search true",
    ),
    # Clocks
    Environment(
        "the clock stands still",
        _with_clock("2026-01-01 00:00:00"),
        refusal="the monotonic clock goes on by 0 ms",
        needs=_FAKETIME,
        is_quick=True,
    ),
    Environment("a date long ago", _with_clock("-25y"), needs=_FAKETIME),
    Environment(
        "a clock that counts on from another boot",
        'unshare -rTf --monotonic 500000000 --boottime 500000000 "$@"',
        needs="unshare -rTf --monotonic 1 true",
    ),
    # Namespaces
    Environment(
        "loopback is down", 'unshare -rn "$@"', refusal="127.0.0.1", needs=_NET, is_quick=True
    ),
    Environment(
        "loopback alone, without IPv6",
        'unshare -rn sh -ec \'python3 -c "$0"; '
        "echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6 2>/dev/null || :; "
        f'exec "$@"\' "{_LO_UP}" "$@"',
        needs=_NET,
    ),
    Environment(
        "30 ports for clients, none of them for long",
        _in_network(
            "echo 40000 40029 >net/ipv4/ip_local_port_range; echo 0 >net/ipv4/tcp_max_tw_buckets; "
            "echo 1 >net/core/somaxconn"
        ),
        needs=_NET,
    ),
    Environment(
        "buffers of 2 KB",
        _in_network(
            "for way in rmem wmem; do echo 1024 2048 4096 >net/ipv4/tcp_$way; done; "
            "for part in sack timestamps window_scaling; do echo 0 >net/ipv4/tcp_$part; done"
        ),
        needs=_NET,
    ),
    Environment(
        "a name of the machine that nobody knows",
        'unshare -ru sh -c \'echo nobody.invalid >/proc/sys/kernel/hostname && exec "$@"\' sh "$@"',
        needs="unshare -ru true",
    ),
    Environment(
        "localhost is ::1 alone",
        _in_mounts("echo ::1 localhost >$t/hosts; mount --bind $t/hosts /etc/hosts"),
        refusal="the name localhost is ::1, not 127.0.0.1",
        needs=_SPACE,
    ),
    Environment("a user namespace", 'unshare -r "$@"', needs="unshare -r true"),
    Environment("a process namespace", 'unshare -rpf --mount-proc "$@"', needs="unshare -rpf true"),
    Environment("a seccomp filter", _as_python(_SECCOMP), needs="test $(uname -m) = x86_64"),
    Environment("no new privileges", 'setpriv --no-new-privs "$@"', needs="setpriv true"),
    Environment("umask 077", 'umask 077; "$@"'),
)
