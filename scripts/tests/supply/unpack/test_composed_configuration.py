# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a JDK whose package leaves its configuration out completed as its own release had it?"""

from pathlib import Path

import pytest

from jdkmatrix.config.jdks import ComposedConfiguration, SecurityProperty, load_jdks
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.unpack.composed_configuration import complete, differing_property

LATER = """# jdk.tls.disabledAlgorithms=in a comment
jdk.tls.disabledAlgorithms=SSLv3, \\
    RC4, ECDH, \\
    NULL
keystore.type=jks
com.sun.security.crl.maxSize = 20971520
"""
PROPERTIES = (
    SecurityProperty(
        bug="JDK-8279164", property="jdk.tls.disabledAlgorithms", value="SSLv3, RC4, NULL"
    ),
    SecurityProperty(property="com.sun.security.crl.maxSize", value=None),
)
CONFIGURATION = ComposedConfiguration(suite="sid", package="openjdk-8-jre", properties=PROPERTIES)


def trees(folder: Path, text: str | None = LATER) -> tuple[Path, Path, Path]:
    """A JDK of links that point to nothing, the tree of another package, and the JDK's home."""
    root, source_root = folder / "root", folder / "other"
    home = root / "usr/lib/jvm/java-8"
    for path in ("security/java.security", "net.properties", "security/cacerts"):
        link = home / "jre/lib" / path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(f"/etc/java-8/{path}")
    later = source_root / "etc/java-8"
    (later / "security").mkdir(parents=True)
    (later / "net.properties").write_text("http.auth=none\n")
    (later / "not-linked").write_text("")
    if text is not None:
        (later / "security/java.security").write_text(text)
    return root, source_root, home


def test_missing_files_are_copied_and_properties_set_back(tmp_path: Path) -> None:
    root, source_root, _ = trees(tmp_path)
    complete(root, source_root, CONFIGURATION)
    etc = root / "etc/java-8"
    assert (etc / "security/java.security").read_text() == (
        "# jdk.tls.disabledAlgorithms=in a comment\n"
        "jdk.tls.disabledAlgorithms=SSLv3, RC4, NULL\n"
        "keystore.type=jks\n"
    )
    assert (etc / "net.properties").read_text() == "http.auth=none\n"
    assert {path.name for path in etc.rglob("*")} == {
        "security",
        "java.security",
        "net.properties",
    }


def test_what_jdks_yaml_says_otherwise_by_now_is_noticed(tmp_path: Path) -> None:
    root, source_root, home = trees(tmp_path)
    complete(root, source_root, CONFIGURATION)
    link = home / "jre/lib/security/java.security"
    link.unlink()
    link.symlink_to(root / "etc/java-8/security/java.security")
    assert differing_property(home, CONFIGURATION) is None
    for setting in (
        SecurityProperty(property="keystore.type", value="pkcs12"),
        SecurityProperty(property="keystore.type", value=None),
        SecurityProperty(property="not.there", value="1"),
    ):
        configuration = CONFIGURATION.model_copy(update={"properties": (*PROPERTIES, setting)})
        assert differing_property(home, configuration) == setting.property


def test_a_package_without_java_security_is_refused(tmp_path: Path) -> None:
    root, source_root, _ = trees(tmp_path, text=None)
    with pytest.raises(SourceError, match=r"^openjdk-8-jre has no java.security that is missing"):
        complete(root, source_root, CONFIGURATION)


@pytest.mark.parametrize(("text", "count"), [("", 0), (LATER + LATER, 2)])
def test_a_property_that_is_not_there_once_is_refused(
    tmp_path: Path, text: str, count: int
) -> None:
    root, source_root, _ = trees(tmp_path, text)
    says = f"^openjdk-8-jre defines jdk.tls.disabledAlgorithms {count} times, not once,"
    with pytest.raises(SourceError, match=says):
        complete(root, source_root, CONFIGURATION)


def test_each_property_of_the_checkout_can_be_read_back() -> None:
    """A value with a backslash or a line's end would be read as something else."""
    jdks = load_jdks(Checkout.current().jdks)
    configurations = [entry.configuration_of("debian") for entry in jdks.builds]
    settings = [
        setting
        for configuration in configurations
        if configuration
        for setting in configuration.properties
    ]
    assert settings
    assert all("  " not in (setting.value or "") for setting in settings)
