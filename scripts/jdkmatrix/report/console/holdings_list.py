# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does `matrix jdks list` say about one entry, as a line and as JSON?"""

from jdkmatrix.supply.cache.holdings import Holding
from jdkmatrix.supply.identity import build_id, vendor_of, version_of


def mb(size_bytes: int) -> str:
    """Bytes as decimal megabytes."""
    return f"{size_bytes / 1e6:.1f} MB"


def holding_line(holding: Holding) -> str:
    """One line of the list."""
    line = f"{holding.entry.id:<20} {holding.state:<8}"
    marks = [mark for mark, is_set in _marks(holding).items() if is_set]
    if holding.record is None or holding.record.facts is None:
        return " ".join([line, *filter(None, [holding.reason]), *marks]).rstrip()
    size = mb(holding.record.size_bytes)
    version = holding.record.facts.version
    line = " ".join([line, f"{holding.record.source:<8} {size:>9}  {version}", *marks])
    composition = holding.entry.configuration_of(holding.record.source)
    notes = [f"licence: {holding.licence.text}" if holding.licence else ""]
    notes += [composition.summary if composition else ""]
    return "  ".join([line, *filter(None, notes)])


def holding_row(holding: Holding) -> dict[str, object]:
    """One entry for JSON; if it is not cached, its version is from `jdks.lock` or `jdks.yaml`."""
    entry, lock_entry, install = holding.entry, holding.lock_entry, holding.record
    facts = install.facts if install else None
    composition = entry.configuration_of(install.source) if install else None
    return {
        "id": build_id(facts, entry.target) if facts else entry.id,
        "entry": entry.id,
        "home": str(holding.home) if holding.home else None,
        "version": str(version_of(facts)) if facts else _version_without_install(holding),
        "vendor": vendor_of(facts) if facts else entry.vendor,
        "train": entry.version.train,
        "source": install.source if install else entry.sources[0].source,
        "sha256": install.artifacts[0].sha256 if install else None,
        "cached": install is not None,
        "state": holding.state,
        "reason": holding.reason or None,
        "size_bytes": install.size_bytes if install else None,
        "tree_sha256": lock_entry.tree_sha256 if lock_entry else None,
        "scm_ref": lock_entry.scm_ref if lock_entry else None,
        "mutable": lock_entry.mutable if lock_entry else None,
        "signed_by": install.signed_by if install else None,
        "licence": holding.licence.text if holding.licence else None,
        "configuration": composition.summary if composition else None,
    }


def _marks(holding: Holding) -> dict[str, bool]:
    lock_entry, install = holding.lock_entry, holding.record
    return {
        f"(built for {holding.entry.target})": holding.entry.target != "",
        "(early access: may change upstream)": install is not None and install.mutable,
        "(signed)": install is not None and install.signed_by is not None,
        "(no tree hash in jdks.lock)": lock_entry is not None and lock_entry.tree_sha256 is None,
    }


def _version_without_install(holding: Holding) -> str | None:
    if holding.lock_entry is not None:
        return holding.lock_entry.version
    return None if holding.entry.moves else str(holding.entry.version)
