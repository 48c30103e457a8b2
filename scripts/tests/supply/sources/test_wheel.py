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


def entry(**options: str) -> dict[str, object]:
    source = {"source": "wheel", "package": "fakejdk", "version": "1.0", **options}
    return {"id": f"temurin-{VERSION}", "sources": [source]}


def supply(shop: Shop, **options: str) -> Build | Unavailable:
    jdks = jdks_of(entry(**options))
    (outcome,) = shop.supplier(jdks).supply(jdks.builds)
    return outcome


@pytest.mark.slow
def test_a_licence_that_is_none_of_open_source_is_refused_by_name(shop: Shop) -> None:
    shop.offer("1.0", VERSION, licence=PROPRIETARY)
    text = (
        f"temurin-{VERSION} unavailable: wheel: fakejdk==1.0: refused: the licence that it "
        "declares is 'Other/Proprietary License', not known as an open-source one; to accept it, "
        "add to its source in jdks.yaml: licence-accepted: Other/Proprietary License"
    )
    assert str(supply(shop)) == text
    assert str(supply(shop, **{"licence-accepted": "another"})) == text
    assert shop.installs() == shop.list_staging() == []
    assert isinstance(supply(shop, **{"licence-accepted": "Other/Proprietary License"}), Build)


@pytest.mark.slow
def test_the_list_says_the_licence(shop: Shop) -> None:
    shop.offer("1.0", VERSION)
    assert isinstance(supply(shop), Build)
    jdks = jdks_of(entry())
    holding = Holdings(jdks, shop.lock, shop.cache).look_up(jdks.builds[0])
    licence = GPL.partition(": ")[2]
    assert holding_line(holding).endswith(f"{VERSION}  licence: {licence}")
    assert holding_row(holding)["licence"] == licence


@pytest.mark.slow
@pytest.mark.parametrize(
    ("missing_file", "folder", "reason"),
    [
        ("release", None, "no file 'release' in its folder fakejdk/java-runtime: not a JDK"),
        ("bin/java", None, "nothing in it has bin/java"),
        (None, "fakejdk/jre", "fakejdk==1.0: has no folder fakejdk/jre"),
    ],
)
def test_a_wheel_without_a_jdk_is_one_line(
    shop: Shop, missing_file: str | None, folder: str | None, reason: str
) -> None:
    shop.offer("1.0", VERSION, missing_file=missing_file)
    outcome = supply(shop, **({"folder": folder} if folder else {}))
    assert isinstance(outcome, Unavailable)
    assert str(outcome).endswith(reason)
    assert shop.installs() == shop.list_staging() == []


@pytest.mark.slow
def test_the_folder_of_the_source_is_taken(shop: Shop) -> None:
    shop.offer("1.0", VERSION)
    outcome = supply(shop, folder="fakejdk/java-runtime")
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
