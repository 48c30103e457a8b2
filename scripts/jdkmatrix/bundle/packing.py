# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do all bundles hold beside their own texts, and how do they keep a machine's names out?"""

import json
from collections.abc import Mapping

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.bundle.discreet import Discretion
from jdkmatrix.bundle.versions import JdksAtHand
from jdkmatrix.paths import Checkout
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import Results


def packed_files(
    checkout: Checkout,
    folder: RunFolder,
    results: Results,
    at_hand: JdksAtHand,
    texts: Mapping[str, str],
    evidence: Mapping[str, bytes],
) -> dict[str, bytes]:
    """The texts and the evidence, with what was run where beside them; no folder or user of this
    machine, or of the run's, is named in them.
    """
    all_texts = {
        **texts,
        "results.json": results.to_json(),
        "java-versions.txt": at_hand.versions_text(results.builds),
        "environment.json": _environment(results),
    }
    homes = (build.home for build in results.builds)
    discretion = Discretion(folder.path, (str(checkout.root), str(cache_root()), *homes))
    raw_files = {**{name: text.encode() for name, text in all_texts.items()}, **evidence}
    return {name: discretion.clean(name, content) for name, content in raw_files.items()}


def _environment(results: Results) -> str:
    document = {
        "run": results.run,
        "started": results.started_at,
        "finished": results.finished_at,
        "machine": results.machine.model_dump(),
        "kit": results.kit.model_dump(),
    }
    return json.dumps(document, indent=1) + "\n"
