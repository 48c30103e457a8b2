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


MANY = (1, 2, 3, 4, 5)
# main() has called System.exit() in the waiter's class, and waits there for another lock.
EXITING = """\
Full thread dump OpenJDK 64-Bit Server VM (17.0.21+3-LTS mixed mode, sharing):

"main" #1 prio=5 os_prio=0 cpu=99.09ms elapsed=3.09s tid=0x01 nid=0x1 waiting for monitor entry
   java.lang.Thread.State: BLOCKED (on object monitor)
\tat java.lang.ThreadGroup.add(java.base@17/ThreadGroup.java:1)
\t- waiting to lock <0x00000000000000a1> (a java.lang.ThreadGroup)
\tat java.lang.Thread.start(java.base@17/Thread.java:1)
\tat java.lang.Runtime.exit(java.base@17/Runtime.java:1)
\tat java.lang.System.exit(java.base@17/System.java:1)
\tat Service.main(Service.java:1)

"waiter" #12 prio=5 os_prio=0 cpu=0.09ms elapsed=3.00s tid=0x02 nid=0x2 waiting on condition
   java.lang.Thread.State: WAITING (parking)
\tat jdk.internal.misc.Unsafe.park(java.base@17/Native Method)
\t- parking to wait for  <0x00000000000000b2> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
\tat java.util.concurrent.locks.LockSupport.park(java.base@17/LockSupport.java:1)
\tat java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire(java.base@17/AbstractQueuedSynchronizer.java:1)
\tat java.util.concurrent.locks.ReentrantLock.lock(java.base@17/ReentrantLock.java:1)
\tat Service.serve(Service.java:2)
"""  # noqa: E501 - a dump's own lines


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


def loading(second: int, *waiters: int) -> str:
    """A dump in which threads wait for a class loader."""
    threads = "".join(
        f'"{n}" #{n} prio=5 os_prio=0 tid=0x0{n} nid=0x{n} waiting for monitor entry\n'
        "   java.lang.Thread.State: BLOCKED (on object monitor)\n"
        "\tat java.lang.ClassLoader.loadClass(java.base@17/ClassLoader.java:1)\n"
        "\t- waiting to lock <0x00000000000000a1> (a java.lang.Object)\n\n"
        for n in waiters
    )
    owner = (
        '"owner" #9 prio=5 os_prio=0 tid=0x09 nid=0x9 runnable\n'
        "   java.lang.Thread.State: RUNNABLE\n"
        "\tat java.lang.ClassLoader.loadClass(java.base@17/ClassLoader.java:2)\n"
        "\t- locked <0x00000000000000a1> (a java.lang.Object)\n\n"
    )
    begin = "Full thread dump OpenJDK 64-Bit Server VM (17.0.3+7 mixed mode):\n\n"
    return f"2026-11-24 02:00:{second:02}\n{begin}{owner}{threads}"
