# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a runtime taken out of any package, and only under a licence that the user may have it by?"""

from pathlib import Path

import pytest

from jdkmatrix.config.jdks import WheelSource
from jdkmatrix.report.console.holdings_list import holding_line, holding_row
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.cache.holdings import Holdings
from jdkmatrix.supply.sources.licence import Licence, declared_licence
from tests.supply.supply_kit import GPL, Shop, jdks_of

VERSION = "17.0.3+7"
PROPRIETARY = "Classifier: License :: Other/Proprietary License"


def entry(**more: str) -> dict[str, object]:
    source = {"source": "wheel", "package": "fakejdk", "version": "1.0", **more}
    return {"id": f"temurin-{VERSION}", "sources": [source]}


def supplied(shop: Shop, **more: str) -> Build | Unavailable:
    jdks = jdks_of(entry(**more))
    (outcome,) = shop.supplier(jdks).supply(jdks.builds)
    return outcome


@pytest.mark.slow
def test_a_licence_that_is_none_of_open_source_is_refused_by_name(shop: Shop) -> None:
    shop.offer("1.0", VERSION, licence=PROPRIETARY)
    told = (
        f"temurin-{VERSION} unavailable: wheel: fakejdk==1.0: refused: the licence that it "
        "declares is 'Other/Proprietary License', not known as an open-source one; to accept it, "
        "add to its source in jdks.yaml: licence-accepted: Other/Proprietary License"
    )
    assert str(supplied(shop)) == told
    assert str(supplied(shop, **{"licence-accepted": "another"})) == told
    assert shop.installs() == shop.staged() == []
    assert isinstance(supplied(shop, **{"licence-accepted": "Other/Proprietary License"}), Build)


@pytest.mark.slow
def test_the_list_says_the_licence(shop: Shop) -> None:
    shop.offer("1.0", VERSION)
    assert isinstance(supplied(shop), Build)
    jdks = jdks_of(entry())
    held = Holdings(jdks, shop.lock, shop.cache).of(jdks.builds[0])
    declared = GPL.partition(": ")[2]
    assert holding_line(held).endswith(f"{VERSION}  licence: {declared}")
    assert holding_row(held)["licence"] == declared


@pytest.mark.slow
@pytest.mark.parametrize(
    ("without", "folder", "told"),
    [
        ("release", None, "no file 'release' in its folder fakejdk/java-runtime: not a JDK"),
        ("bin/java", None, "nothing in it has bin/java"),
        (None, "fakejdk/jre", "fakejdk==1.0: has no folder fakejdk/jre"),
    ],
)
def test_a_wheel_without_a_jdk_is_one_line(
    shop: Shop, without: str | None, folder: str | None, told: str
) -> None:
    shop.offer("1.0", VERSION, without=without)
    outcome = supplied(shop, **({"folder": folder} if folder else {}))
    assert isinstance(outcome, Unavailable)
    assert str(outcome).endswith(told)
    assert shop.installs() == shop.staged() == []


@pytest.mark.slow
def test_the_folder_of_the_source_is_taken(shop: Shop) -> None:
    shop.offer("1.0", VERSION)
    outcome = supplied(shop, folder="fakejdk/java-runtime")
    assert isinstance(outcome, Build), str(outcome)
    assert outcome.home.parts[-2:] == ("fakejdk", "java-runtime")


@pytest.mark.parametrize(
    ("metadata", "licence"),
    [
        (GPL, Licence("GPL-2.0-only WITH Classpath-exception-2.0", True)),
        ("License-Expression: Apache-2.0 AND LicenseRef-x", None),
        ("License-Expression: MIT OR LicenseRef-x", Licence("MIT OR LicenseRef-x", True)),
        ("License-Expression: BUSL-1.1", Licence("BUSL-1.1", False)),
        (
            "License: ours\nClassifier: License :: OSI Approved :: MIT License",
            Licence("MIT License", True),
        ),
        (
            f"Classifier: License :: OSI Approved :: MIT License\n{PROPRIETARY}",
            Licence("MIT License and Other/Proprietary License", False),
        ),
        ("License: GPL-2.0", Licence("GPL-2.0", True)),
        ("License: all rights\n  reserved", Licence("all rights", False)),
        (f"License: {'x' * 500}", Licence("x" * 77 + "...", False)),
        ("License: UNKNOWN", Licence("none", False)),
        ("Summary: none", Licence("none", False)),
    ],
)
def test_what_a_package_declares(tmp_path: Path, metadata: str, licence: Licence | None) -> None:
    about = tmp_path / "fakejdk-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.4\nName: fakejdk\n{metadata}\n\nLong.\n")
    expected = licence or Licence("Apache-2.0 AND LicenseRef-x", False)
    assert declared_licence(tmp_path) == expected


@pytest.mark.parametrize("folder", ["/opt/jdk", "runtime/../../jdk"])
def test_a_folder_outside_is_refused(folder: str) -> None:
    with pytest.raises(ValueError, match="accepted: a folder inside the wheel"):
        WheelSource(source="wheel", package="fakejdk", version="1.0", folder=folder)
