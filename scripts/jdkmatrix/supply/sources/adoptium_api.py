# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which releases does the Adoptium API (v3) have?

Its lists are read page by page, at most 20 releases each. A release on which the API fails (500) is
left out of a list; one that cannot be requested by name is looked up in the lists.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from jdkmatrix.config import version
from jdkmatrix.config.version import JdkVersion, is_within
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.net.web import NotThere, PassingTrouble, Web

PAGE_SIZE = 20
_MOST_PAGES = 100
M = TypeVar("M", bound="_Answer")
# The newest is on the first page: the API sorts, though not always by build.
_LOOKED_AT = PAGE_SIZE


class _Answer(BaseModel):
    model_config = ConfigDict(defer_build=True, frozen=True, extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, answer: Any) -> Any:
        """Treat a null field as missing."""
        if isinstance(answer, dict):
            return {key: field for key, field in answer.items() if field is not None}
        return answer


class Package(_Answer):
    """An archive. The API leaves out what it does not know."""

    name: str = ""
    link: str | None = None
    size: int | None = None
    checksum: str | None = None
    checksum_link: str | None = None
    signature_link: str | None = None


class Binary(_Answer):
    """An image of a release for one platform."""

    os: str = ""
    architecture: str = ""
    image_type: str = ""
    jvm_impl: str = "hotspot"
    heap_size: str = "normal"
    project: str = "jdk"
    scm_ref: str | None = None
    package: Package | None = None


class _VersionData(_Answer):
    openjdk_version: str | None = None


class Release(_Answer):
    """One release with its binaries."""

    release_name: str
    release_type: str | None = None
    version_data: _VersionData | None = None
    binaries: tuple[Binary, ...] = ()

    @property
    def is_early_access(self) -> bool:
        """Whether its files may change under their name; if the field is missing, by its name."""
        if self.release_type is not None:
            return self.release_type == "ea"
        return "-ea" in self.release_name or "beta" in self.release_name

    @property
    def version(self) -> JdkVersion | None:
        """Its version, from the field or else from the name; None if neither can be parsed."""
        version_text = self.version_data.openjdk_version if self.version_data else None
        for text in (version_text, self.release_name.partition("_")[0]):
            try:
                return version.parse(text or "")
            except ValueError:
                continue
        return None


class AdoptiumApi:
    """The API at `base`, such as `https://api.adoptium.net/v3`. Methods raise SourceError."""

    def __init__(self, web: Web, base: str) -> None:
        self._web = web
        self._base = base.rstrip("/")

    def get_release(self, vendor: str, name: str, properties: Mapping[str, str]) -> Release | None:
        """The release of that name with its binaries of these `properties`; None if there is none.

        Raises PassingTrouble if the API cannot answer, as happens for individual releases.
        """
        try:
            answer = self._get(f"assets/release_name/{vendor}/{name}", properties)
        except NotThere:
            return None
        return _parse(Release, answer)

    def list_releases(
        self, train: int, kind: str, vendor: str, properties: Mapping[str, str]
    ) -> Iterator[Release]:
        """The releases of a train, `ga` or `ea`, newest first in the API's order, page by page."""
        path = f"assets/feature_releases/{train}/{kind}"
        query = {**properties, "vendor": vendor, "sort_order": "DESC"}
        names: set[str] = set()
        for page in range(_MOST_PAGES):
            releases = self._page(path, query, page)
            new = [release for release in releases if release.release_name not in names]
            if not new:
                return
            names.update(release.release_name for release in new)
            yield from new

    def _page(self, path: str, query: Mapping[str, str], page: int) -> list[Release]:
        try:
            return self._releases(path, query, page, PAGE_SIZE)
        except PassingTrouble as trouble:
            if trouble.status != 500:
                raise
            return self._page_one_by_one(path, query, page, trouble)

    def _page_one_by_one(
        self, path: str, query: Mapping[str, str], page: int, trouble: PassingTrouble
    ) -> list[Release]:
        """A page on which the API fails, without the releases that make it fail."""
        releases: list[Release] = []
        failures = 0
        for n in range(page * PAGE_SIZE, (page + 1) * PAGE_SIZE):
            try:
                batch = self._releases(path, query, n, 1)
            except PassingTrouble as one_trouble:
                if one_trouble.status != 500:
                    raise
                failures += 1
                if failures > PAGE_SIZE // 4:  # the API itself is down
                    raise trouble from None
                continue
            if not batch:
                break
            releases += batch
        return releases

    def _releases(
        self, path: str, query: Mapping[str, str], page: int, page_size: int
    ) -> list[Release]:
        try:
            answers = self._get(path, {**query, "page": page, "page_size": page_size})
        except NotThere:  # beyond the last page
            return []
        if not isinstance(answers, list):
            raise SourceError(f"{path}: the API's answer is not a list")
        return [_parse(Release, answer) for answer in answers]

    def _get(self, path: str, query: Mapping[str, str | int]) -> Any:
        text = self._web.text(f"{self._base}/{path}", query)
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise SourceError(f"{path}: the API's answer is not JSON") from None


def _parse(model: type[M], answer: Any) -> M:
    try:
        return model.model_validate(answer)
    except ValidationError as error:
        problem = error.errors()[0]
        location = ".".join(map(str, problem["loc"]))
        name = answer.get("release_name") if isinstance(answer, dict) else None
        raise SourceError(
            f"the API's answer on {name or 'a release'}: {location}: {problem['msg'].lower()}"
        ) from None


def newest_of(releases: Iterable[Release], skip: int = 0) -> Release | None:
    """The newest release of the first page; with `skip`, the one so many versions before it.

    Builds of one version (17.0.4+8, 17.0.4+9) count as one: a respin is not "the previous".
    """
    newest: dict[tuple[int, ...], tuple[JdkVersion, Release]] = {}
    for jdk_version, release in _with_versions(islice(releases, _LOOKED_AT)):
        best = newest.get(jdk_version.numbers)
        if best is None or jdk_version > best[0]:
            newest[jdk_version.numbers] = (jdk_version, release)
    version_numbers = sorted(newest, reverse=True)
    return newest[version_numbers[skip]][1] if len(version_numbers) > skip else None


def newest_in(releases: Iterable[Release], bounds: tuple[JdkVersion, JdkVersion]) -> Release | None:
    """The newest release from the first version to the last."""
    pairs = [(v, release) for v, release in _with_versions(releases) if is_within(v, bounds)]
    return max(pairs, key=lambda pair: pair[0])[1] if pairs else None


def all_in(
    releases: Iterable[Release], bounds: tuple[JdkVersion, JdkVersion]
) -> list[tuple[JdkVersion, Release]]:
    """Every release of a range, oldest first."""
    pairs = [(v, release) for v, release in _with_versions(releases) if is_within(v, bounds)]
    return sorted(pairs, key=lambda pair: pair[0])


def _with_versions(releases: Iterable[Release]) -> Iterator[tuple[JdkVersion, Release]]:
    pairs = ((release.version, release) for release in releases)
    return ((jdk_version, release) for jdk_version, release in pairs if jdk_version is not None)
