# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does memory not grow with the build that is downloaded, unpacked, installed and verified?"""

import hashlib
import json
import shutil
import tarfile
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import Popen
from threading import Thread

import pytest

from tests.supply.supply_kit import Shop, write_jdk

pytestmark = pytest.mark.slow

FILE_BYTES = 200_000_000  # held once, it is far above the most
MOST_PEAK_BYTES = 150_000_000
TIMEOUT_S = 300
# VmHWM, not ru_maxrss: that one begins with what the process had that started this one.
CODE = """
import json
from pathlib import Path
from tests.supply.supply_kit import ProgressLog, jdks_of
from jdkmatrix.supply.supplier import Supplier
from jdkmatrix.supply.cache.holdings import Holdings
def peak_bytes():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
jdks = jdks_of(json.loads({entry!r}))
lock, cache = Path({lock!r}), Path({cache!r})
before = peak_bytes()
(build,) = Supplier(jdks, lock, cache, False, ProgressLog()).supply(jdks.builds)
got = peak_bytes()
(verified,) = Holdings(jdks, lock, cache).verify(jdks.builds)
print(build.source, verified.hashed_bytes, verified.problem, before, got, peak_bytes())
"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where the files of a folder are served; a large one is not read into memory."""
    (tmp_path / "served").mkdir()
    handler = partial(Quiet, directory=str(tmp_path / "served"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux only")
def test_a_large_build_takes_little_memory(
    shop: Shop, address: str, in_process: Callable[[str], "Popen[str]"]
) -> None:
    home = write_jdk(shop.root / "made")
    with (home / "lib" / "modules").open("wb") as modules:
        modules.truncate(FILE_BYTES)
    archive = shop.root / "served" / "jdk.tar.gz"
    with tarfile.open(archive, "w:gz", compresslevel=0) as tar:  # the archive is as large then
        tar.add(home, arcname="jdk")
    with archive.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    source = {"source": "url", "url": f"{address}/jdk.tar.gz", "sha256": sha256}
    entry = json.dumps({"id": "temurin-17.0.3+7", "sources": [source]})
    run = in_process(CODE.format(entry=entry, lock=str(shop.lock), cache=str(shop.cache)))
    output, errors = run.communicate(timeout=TIMEOUT_S)
    archive.unlink()  # pytest keeps the folders of three sessions
    shutil.rmtree(shop.cache, ignore_errors=True)
    assert (run.returncode, errors) == (0, "")
    kind, hashed_bytes, problem, *peaks = output.split()
    assert (kind, problem) == ("url", "None")
    assert int(hashed_bytes) > FILE_BYTES
    print(f"peak bytes: {peaks[0]} at first, {peaks[1]} once got, {peaks[2]} once verified")
    assert int(peaks[2]) < MOST_PEAK_BYTES
