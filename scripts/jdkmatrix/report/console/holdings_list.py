# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does `matrix jdks list` say about one entry, as a line and as JSON?"""

from jdkmatrix.supply.cache.holdings import Holding
from jdkmatrix.supply.identity import build_id, vendor_of, version_of


def mb(size_bytes: int) -> str:
    """Bytes as decimal megabytes."""
    return f"{size_bytes / 1e6:.1f} MB"


def holding_line(held: Holding) -> str:
    """One line of the list."""
    line = f"{held.entry.id:<20} {held.state:<8}"
    marks = [mark for mark, on in _marks(held).items() if on]
    if held.record is None or held.record.facts is None:
        return " ".join([line, *filter(None, [held.reason]), *marks]).rstrip()
    size = mb(held.record.size_bytes)
    version = held.record.facts.version
    line = " ".join([line, f"{held.record.source:<8} {size:>9}  {version}", *marks])
    composed = held.entry.configuration_of(held.record.source)
    notes = [f"licence: {held.licence.text}" if held.licence else ""]
    notes += [composed.summary if composed else ""]
    return "  ".join([line, *filter(None, notes)])


def holding_row(held: Holding) -> dict[str, object]:
    """One entry for JSON; if it is not cached, its version is from `jdks.lock` or `jdks.yaml`."""
    entry, locked, installed = held.entry, held.lock_entry, held.record
    facts = installed.facts if installed else None
    composed = entry.configuration_of(installed.source) if installed else None
    return {
        "id": "-".join(filter(None, (build_id(facts), entry.target))) if facts else entry.id,
        "entry": entry.id,
        "home": str(held.home) if held.home else None,
        "version": str(version_of(facts)) if facts else _version_without_install(held),
        "vendor": vendor_of(facts) if facts else entry.vendor,
        "train": entry.version.train,
        "source": installed.source if installed else entry.sources[0].source,
        "sha256": installed.artifacts[0].sha256 if installed else None,
        "cached": installed is not None,
        "state": held.state,
        "why": held.reason or None,
        "size_bytes": installed.size_bytes if installed else None,
        "tree_sha256": locked.tree_sha256 if locked else None,
        "scm_ref": locked.scm_ref if locked else None,
        "mutable": locked.mutable if locked else None,
        "signed_by": installed.signed_by if installed else None,
        "licence": held.licence.text if held.licence else None,
        "configuration": composed.summary if composed else None,
    }


def _marks(held: Holding) -> dict[str, bool]:
    locked, installed = held.lock_entry, held.record
    return {
        f"(built for {held.entry.target})": held.entry.target != "",
        "(early access: may change upstream)": installed is not None and installed.mutable,
        "(signed)": installed is not None and installed.signed_by is not None,
        "(no tree hash in jdks.lock)": locked is not None and locked.tree_sha256 is None,
    }


def _version_without_install(held: Holding) -> str | None:
    if held.lock_entry is not None:
        return held.lock_entry.version
    return None if held.entry.moves else str(held.entry.version)
