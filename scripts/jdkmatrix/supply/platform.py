# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which OS, C library and processor does this machine have, in the Adoptium API's words?"""

import platform
import sys
import sysconfig
from dataclasses import dataclass

_ARCHITECTURES = {
    "x86_64": "x64",
    "amd64": "x64",
    "x64": "x64",
    "arm64": "aarch64",
    "aarch64": "aarch64",
    "armv7l": "arm",
    "ppc64le": "ppc64le",
    "s390x": "s390x",
    "riscv64": "riscv64",
}
_MUSL_OS = "alpine-linux"
_SYSTEMS = {"linux": "linux", "darwin": "mac", "win32": "windows"}


@dataclass(frozen=True)
class Platform:
    """`os` is `linux` (glibc), `alpine-linux` (musl), `mac` or `windows`; `arch` `x64` ..."""

    os: str
    arch: str

    @property
    def lock_key(self) -> str:
        """What `jdks.lock` calls it: `linux-x64`, `alpine-linux-x64` ..."""
        return f"{self.os}-{self.arch}"

    @property
    def has_musl(self) -> bool:
        """Whether the machine's own C library is musl."""
        return self.os == _MUSL_OS

    def runs(self, os_arch: str) -> bool:
        """Whether a JDK's `os.arch` means this processor."""
        return _ARCHITECTURES.get(os_arch.lower(), os_arch) == self.arch


def machine_platform() -> Platform:
    """The platform that this Python runs on."""
    return platform_of(
        sys.platform, platform.machine(), sysconfig.get_config_var("HOST_GNU_TYPE") or ""
    )


def platform_of(system: str, machine: str, gnu_type: str) -> Platform:
    """By `sys.platform`, `platform.machine()` and a GNU triplet, which ends in the C library."""
    os_name = _SYSTEMS.get(system, system)
    if os_name == "linux" and "musl" in gnu_type:
        os_name = _MUSL_OS
    return Platform(os_name, _ARCHITECTURES.get(machine.lower(), machine.lower()))
