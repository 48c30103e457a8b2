# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a JDK get the configuration files that its own package leaves out?

Debian's CUDA packages carry an OpenJDK 8 whose configuration files are links into
/etc/java-8-openjdk, which nothing fills: such a JVM runs without elliptic curves and with SSLv3.
The files come from a later package of Debian's; what `java.security` had otherwise in the JDK's own
release is set back.
"""

import re
import shutil
from pathlib import Path

from jdkmatrix.config.jdks import ComposedConfiguration, SecurityProperty
from jdkmatrix.machine.files import text_of
from jdkmatrix.supply.build import SourceError

_SECURITY = "security/java.security"


def complete(root: Path, source_root: Path, configuration: ComposedConfiguration) -> None:
    """Copy what absolute links under `root` miss from `source_root`, and set the properties.

    Raises SourceError if `source_root` has no java.security for it, or not each property once.
    """
    files = [path for path in _copy_missing(root, source_root) if path.match(_SECURITY)]
    if len(files) != 1:
        raise SourceError(f"{configuration.package} has no java.security that is missing here")
    text = text_of(files[0], encoding="iso-8859-1")
    for setting in configuration.properties:
        text = _set_property(text, setting, configuration.package)
    files[0].write_text(text, encoding="iso-8859-1")


def _copy_missing(root: Path, source_root: Path) -> list[Path]:
    """Copy what absolute links under `root` miss from `source_root`; return the copies."""
    copies = []
    for link in sorted(path for path in root.rglob("*") if path.is_symlink()):
        target = link.readlink()
        if not target.is_absolute():
            continue
        place = target.relative_to("/")
        if not (root / place).exists() and (source_root / place).is_file():
            (root / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source_root / place, root / place)
            copies.append(root / place)
    return copies


def differing_property(home: Path, configuration: ComposedConfiguration) -> str | None:
    """The first property that the JDK's java.security does not have as composed; None if none.

    Raises OSError.
    """
    text = text_of(home / "jre/lib" / _SECURITY, encoding="iso-8859-1")
    for setting in configuration.properties:
        lines = _definition(setting.property).findall(text)
        if lines != ([] if setting.value is None else [_line(setting)]):
            return setting.property
    return None


def _set_property(text: str, setting: SecurityProperty, package: str) -> str:
    definition = _definition(setting.property)
    count = len(definition.findall(text))
    if setting.value is None:
        return definition.sub("", text)
    if count != 1:
        raise SourceError(
            f"{package} defines {setting.property} {count} times, not once, in java.security"
        )
    return definition.sub(lambda _: _line(setting), text)


def _definition(name: str) -> re.Pattern[str]:
    """One property with its continued lines, as java.util.Properties reads them."""
    return re.compile(rf"^{re.escape(name)}[ \t]*=(?:[^\\\n]|\\(?:.|\n))*\n", re.MULTILINE)


def _line(setting: SecurityProperty) -> str:
    return f"{setting.property}={setting.value}\n"
