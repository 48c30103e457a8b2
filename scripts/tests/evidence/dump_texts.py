# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Thread dumps in HotSpot's own shape, made for the tests of what is said of them."""

from dataclasses import dataclass

PARKED = "jdk.internal.misc.Unsafe.park"
ACQUIRE = (PARKED, "java.util.concurrent.locks.ReentrantLock.lock")
READ = (
    "sun.nio.ch.NioSocketImpl.park",
    "sun.nio.ch.NioSocketImpl.implRead",
    "java.net.Socket$SocketInputStream.read",
    "sun.security.ssl.SSLSocketInputRecord.decode",
)
READ_8 = (
    "java.net.SocketInputStream.socketRead0",
    "java.net.SocketInputStream.read",
    "sun.security.ssl.SSLSocketInputRecord.deplete",
    "sun.security.ssl.SSLSocketImpl.bruteForceCloseInput",
    "sun.security.ssl.SSLSocketImpl.close",
)


@dataclass(frozen=True)
class Thread:
    """A thread: `frames` innermost first; `waits` and `owns` are lines below the first and last."""

    name: str
    frames: tuple[str, ...]
    state: str = "RUNNABLE"
    waits: str = ""
    owns: str = ""
    head: str = "runnable "
    cpu: str = "cpu=10.00ms elapsed=900.00s "

    def text(self, number: int) -> str:
        """As HotSpot prints it."""
        lines = [f"\tat {frame}(Source.java:7)" for frame in self.frames]
        lines[1:1] = [f"\t- {self.waits}"] if self.waits else []
        lines += [f"\t- {self.owns}"] if self.owns else []
        head = f'"{self.name}" #{number} prio=5 os_prio=0 {self.cpu}tid=0x{number:x} nid=0x{number}'
        state = f"   java.lang.Thread.State: {self.state}"
        return "\n".join([f"{head} {self.head} [0x00007f0000001000]", state, *lines, ""])


def parking(name: str, *frames: str, lock: str = "") -> Thread:
    """A thread that waits for a lock of that address, or for whatever."""
    lock_text = f"<0x{lock}> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)"
    return Thread(
        name,
        ((*ACQUIRE, *frames) if lock else (PARKED, *frames)),
        state="WAITING (parking)",
        waits=f"parking to wait for  {lock_text}" if lock else "",
    )


def monitor_waiter(name: str, address: str, lock_class: str, *frames: str) -> Thread:
    """A thread that waits to enter a monitor."""
    waits = f"waiting to lock <0x{address}> (a {lock_class})"
    return Thread(name, frames, state="BLOCKED (on object monitor)", waits=waits)


def dump(version: str, *threads: Thread, second: int = 0) -> str:
    """One dump of a JVM, `second` seconds after ten o'clock."""
    text = "\n".join(thread.text(number) for number, thread in enumerate(threads, 30))
    head = f"Full thread dump OpenJDK 64-Bit Server VM ({version} mixed mode, sharing):"
    vm = '"VM Thread" os_prio=0 cpu=1.00ms elapsed=900.00s tid=0x00007f0000000100 nid=0x2 runnable'
    return f"2026-11-20 10:00:{second:02}\n{head}\n\n{text}\n{vm}  \n\nJNI global refs: 15\n\n"


def dumps(version: str, *threads: Thread, seconds: tuple[int, ...] = (0, 30)) -> str:
    """The same dump several times, in which nothing moved."""
    return "".join(dump(version, *threads, second=second) for second in seconds)
