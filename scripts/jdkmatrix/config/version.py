# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which of two JDK versions is newer, and does a build contain the fix of a tag?

Schemes: 8u tags (`8u412-b08`, `8u504-ga`), the legacy property (`1.8.0_504`,
`1.8.0_412-b08`, Debian's `1.8.0_504-8u504-ga-1-b01`) and JEP 322 (`11.0.13+8`, `21-ea+35`,
`17.0.21.0.3+1`, `25.0.2+10-LTS`).
"""

import math
import re
from dataclasses import dataclass, field
from functools import total_ordering

ACCEPTED = "8u412-b08, 8u504-ga, 1.8.0_504, 11.0.13+8, 17.0.21.0.3+1, 11.0.33-ea, 21-ea+35"

_TAG_8U = re.compile(r"8u(?P<update>\d+)(?:-(?P<pre>ea|beta|internal))?(?:-ga|-b(?P<build>\d+))?")
_LEGACY = re.compile(
    r"1\.8\.0_(?P<update>\d+)(?:-(?P<pre>ea|beta|internal))?"
    r"(?:-(?P<vendor>[-A-Za-z0-9.+~_]*?))??(?:-b(?P<build>\d+))?"
)
_JEP322 = re.compile(
    r"(?P<numbers>[1-9]\d*(?:\.\d+)*)(?:-(?P<pre>[A-Za-z][A-Za-z0-9]*))?"
    r"(?:\+(?P<build>\d+))?(?:[-+](?P<optional>[-A-Za-z0-9.+~]+))?"
)
# What `java -version` and `java -XshowSettings` print of a version, the most exact first.
_PRINTED = (
    re.compile(r"\(build (?P<version>[^\s,)]+)"),
    re.compile(r'version "(?P<version>[^"]+)"'),
    re.compile(r"java\.(?:runtime\.)?version ?= ?(?P<version>\S+)"),
    re.compile(r"^\s*(?:openjdk|java) (?P<version>\d\S*)", re.IGNORECASE | re.MULTILINE),
)
# What people write before a version: jdk-17.0.5, JDK 17.0.5, Temurin-17.0.5+8, Java 8u372.
_PREFIX = re.compile(r"^(?:[a-z][a-z_]*[- ]+|jdk|java|zulu)+(?=\d)", re.IGNORECASE)
_SUFFIX = re.compile(r"(?:[ -]LTS|_openj9.*)$", re.IGNORECASE)
_MOST_CHARACTERS = 100
# The builder's own part, perhaps a date; the "-b01" after Debian's "-ga-1" is Debian's count.
_GA_IN_VENDOR_PART = re.compile(r"(^|-)ga(-|$)")


@total_ordering
@dataclass(frozen=True, eq=False)
class JdkVersion:
    """A JDK version: its numbers without trailing zeros, pre-release mark and build number.

    `numbers` of 8u412 is `(8, 0, 412)`. `build` is None where the text has none; a GA without
    a build number is taken as the last build of its version, because that is what was shipped.
    """

    numbers: tuple[int, ...]
    build: int | None = None
    pre: str | None = None
    text: str = field(default="", compare=False)

    @property
    def train(self) -> int:
        """The feature release: 8, 11, 17, 21, 25 ..."""
        return self.numbers[0]

    @property
    def release(self) -> str:
        """The release without its build: `17.0.7`, `8u422`."""
        if self.train == 8:
            return f"8u{self.numbers[2]}" if len(self.numbers) > 2 else "8"
        return ".".join(map(str, self.numbers))

    @property
    def build_text(self) -> str:
        """What follows the release for its build: `+7`, on 8 `-b08`; "" without one."""
        if self.build is None:
            return ""
        return f"-b{self.build:02}" if self.train == 8 else f"+{self.build}"

    @property
    def update(self) -> tuple[int, ...]:
        """The numbers of its update, to which patch releases and vendors' own numbers belong: 17,
        0 and 21 of 17.0.21.1, 8, 0 and 504 of 8u504.
        """
        return self.numbers[:3]

    def contains(self, tag: "JdkVersion") -> bool | None:
        """Whether this build contains a commit whose first build tag is `tag`.

        None if the text cannot tell: an early-access build that does not state its number, or one
        built by hand (`-internal+0-adhoc...`, on 8 `-internal-...-b00`), where 0 is no number.
        A pre-release mark does not matter: `11.0.21-ea+5` has the source of tag 11.0.21+5.
        A tag without a build number, `19`, is in every build of its version, as +1 is.
        """
        if self.numbers != tag.numbers:
            return self.numbers > tag.numbers
        if tag.build is None or tag.build <= 1:  # tag +1 (b00, b01) is in every build
            return True
        if not self.build:
            return None if self.pre else True
        return self.build >= tag.build

    def fits(self, version: "JdkVersion") -> bool:
        """Whether this is that version; `version` need not state a build number."""
        if version.build is None and not self.pre:
            return self.numbers == version.numbers
        return self == version

    def _key(self) -> tuple[tuple[int, ...], bool, float]:
        last_build = -1.0 if self.pre else math.inf
        build = last_build if self.build is None else float(self.build)
        return self.numbers, self.pre is None, build

    def __eq__(self, version: object) -> bool:
        return isinstance(version, JdkVersion) and self._key() == version._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __lt__(self, version: "JdkVersion") -> bool:
        """Order as JEP 322 does, but a GA without a build number is newer than its builds."""
        return self._key() < version._key()

    def __str__(self) -> str:
        return self.text


def parse(text: str) -> JdkVersion:
    """Read a version of any scheme. Raises ValueError naming the accepted ones."""
    bare = text.strip().removeprefix("jdk-").removeprefix("jdk")
    if match := _TAG_8U.fullmatch(bare) or _LEGACY.fullmatch(bare):
        return _version_8(match, text)
    if bare.startswith("1."):
        raise ValueError(f"not a JDK version: {text!r}; accepted: {ACCEPTED}")
    if match := _JEP322.fullmatch(bare):
        numbers = [int(n) for n in match["numbers"].split(".")]
        while len(numbers) > 1 and numbers[-1] == 0:
            numbers.pop()
        return JdkVersion(tuple(numbers), _int(match["build"]), match["pre"], text)
    raise ValueError(f"not a JDK version: {text!r}; accepted: {ACCEPTED}")


def read(text: str) -> JdkVersion:
    """Read a version as people write or paste it: also the output of `java -version`.

    Raises ValueError: what other vendors' numbers mean, or what is accepted.
    """
    printed_texts = [match["version"] for regex in _PRINTED for match in regex.finditer(text)]
    texts = [t for t in printed_texts if foreign_scheme(t) is None] or printed_texts[:1]
    bare = _SUFFIX.sub("", _PREFIX.sub("", texts[0] if texts else text.strip()))
    if len(bare) > _MOST_CHARACTERS:
        raise ValueError(f"not a JDK version: {bare[:20]!r}...; accepted: {ACCEPTED}")
    if scheme := foreign_scheme(bare):
        raise ValueError(f"{bare} is {scheme}")
    return parse("8u0" if bare in ("8", "1.8", "1.8.0") else bare)  # the first 8


def foreign_scheme(number: str) -> str | None:
    """Whose scheme a number is of if not OpenJDK's, and what to give in its place.

    In OpenJDK the second number is always 0 (JEP 322: INTERIM), and there is no fourth on 8.
    """
    if re.match(r"(?:1\.)?[2-7](?:[u.]|$)", number):
        return "older than 8, with which the ledger begins"
    if re.match(r"(?:openj9-)?0\.\d", number):
        return "the number of a JVM, OpenJ9: give what its java -version prints"
    match = re.match(r"(?P<numbers>[1-9]\d*(?:\.\d+)+)(?P<rest>.*)", number)
    if match is None or number.startswith("1.8"):
        return None
    numbers = [int(n) for n in match["numbers"].split(".")]
    java = "give what its java -version prints"
    if numbers[0] == 8 and len(numbers) == 4 and numbers[1] > 0:
        return f"Corretto's number of 8u{numbers[1]}-b{numbers[2]:02}: give that"
    if numbers[0] == 8 and len(numbers) == 4 and numbers[3] > 0:
        return f"IBM's number of an SDK 8: {java}"
    if numbers[1] > 0:
        return f"no OpenJDK's, whose second number is 0 (GraalVM and Zulu have their own): {java}"
    if len(numbers) == 5 and not match["rest"] and numbers[3] > 0:
        release = ".".join(map(str, numbers[:3]))
        return f"Corretto's number of {release}+{numbers[3]}: give that"
    return None


def parse_range(text: str) -> tuple[JdkVersion, JdkVersion]:
    """Read `17.0.1..17.0.9`: the first and the last version, of one train. Raises ValueError."""
    first, dots, last = text.partition("..")
    try:
        bounds = parse(first), parse(last)
    except ValueError:
        dots = ""
    if not dots or bounds[0].train != bounds[1].train or bounds[0].numbers > bounds[1].numbers:
        raise ValueError(
            f"not a range: {text!r}; accepted: two versions of one train, such as 17.0.1..17.0.9"
        )
    return bounds


def is_within(version: JdkVersion, bounds: tuple[JdkVersion, JdkVersion]) -> bool:
    """Whether a version lies in a range. A bound without a build number means all its builds."""
    first, last = bounds
    is_at_least = version >= first if first.build is not None else version.numbers >= first.numbers
    is_at_most = version <= last if last.build is not None else version.numbers <= last.numbers
    return is_at_least and is_at_most


def _version_8(match: re.Match[str], text: str) -> JdkVersion:
    vendor_part = match.groupdict().get("vendor") or ""
    build = None if _GA_IN_VENDOR_PART.search(vendor_part) else _int(match["build"])
    return JdkVersion((8, 0, int(match["update"])), build, match["pre"], text)


def _int(digits: str | None) -> int | None:
    return None if digits is None else int(digits)
