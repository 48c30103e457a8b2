# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does YAML text become data in bounded time and memory, whatever it holds?"""

import re
import warnings
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from _ruamel_yaml import CParser
from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer
from ruamel.yaml.constructor import ConstructorError, RoundTripConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError, YAMLWarning
from ruamel.yaml.events import AliasEvent
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode
from ruamel.yaml.parser import Parser, ParserError
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.resolver import VersionedResolver
from ruamel.yaml.scanner import ScannerError

from jdkmatrix.errors import UsageError, one_line

# The kit's largest files have 3,192 values and a depth of 8.
MOST_VALUES = 20_000
MOST_DEPTH = 24
_MOST_BITS = 64
# What the library raises for text that is not YAML, and which of these its two parsers raise.
REFUSALS = (YAMLError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError)
_BY_A_PARSER = (ReaderError, ScannerError, ParserError)
# An escape can produce a surrogate, which UTF-8 cannot encode (RFC 3629, section 3).
_SURROGATE = re.compile("[\ud800-\udfff]")


class _BoundedComposer(Composer):
    """Counts values, with every alias expanded, and limits their number.

    A key must be a scalar: with mappings as keys of mappings, each level takes longer to construct
    than all levels before it.
    """

    def __init__(self, loader: Any = None) -> None:
        super().__init__(loader)
        self._value_count = 0
        self._values_of: dict[str, int] = {}

    @cached_property
    def parser(self) -> Any:
        """The parser, kept: the library looks it up six times for each value."""
        return super().parser

    @cached_property
    def resolver(self) -> Any:
        """The resolver, kept likewise."""
        return super().resolver

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Compose one value with all that is in it. Raises MarkedYAMLError."""
        event = self.parser.peek_event()
        earlier_count = self._value_count
        self._value_count += 1
        if isinstance(event, AliasEvent):
            if event.anchor in self.anchors and event.anchor not in self._values_of:
                text = "an alias inside the value that it refers to"
                raise MarkedYAMLError(problem=text, problem_mark=event.start_mark)
            self._value_count += self._values_of.get(event.anchor, 0)
        if self._value_count > MOST_VALUES:
            text = f"more than {MOST_VALUES:,} values with aliases expanded"
            raise MarkedYAMLError(problem=text, problem_mark=event.start_mark)
        self._values_of.pop(event.anchor, None)
        node = super().compose_node(parent, index)
        if isinstance(parent, MappingNode) and index is None and not isinstance(node, ScalarNode):
            raise MarkedYAMLError(
                problem="a key that is a list or a mapping", problem_mark=event.start_mark
            )
        self._values_of[event.anchor] = self._value_count - earlier_count
        return node


class _Resolver(VersionedResolver):
    """Resolves plain values by the rules of the text's version of YAML."""

    @cached_property
    def versioned_resolver(self) -> Any:
        """The rules of the version that the first line states, kept: each value asks for them."""
        return super().versioned_resolver


class Libyaml:
    """Parses text to events by libyaml, in a quarter of the time of the library's own parser. It
    refuses some valid YAML 1.2, such as `[a:b]`.
    """

    def __init__(self, text: str, loader: object) -> None:
        events = CParser(text)
        self.check_event = events.check_event
        self.get_event = events.get_event
        self.peek_event = events.peek_event
        self.dispose = events.dispose


class _ConstructorWithLines(RoundTripConstructor):
    """Reports the line of a value that is invalid for its type: `2001-13-45`, `!!int x`."""

    def construct_non_recursive_object(self, node: Node, tag: str | None = None) -> Any:
        """The value. Raises ConstructorError."""
        try:
            content = super().construct_non_recursive_object(node, tag)
        except (YAMLError, MemoryError):
            raise
        except Exception as error:  # each of the library's many converters has its own
            text = f"invalid for its type: {error}"
            raise ConstructorError(None, None, text, node.start_mark) from None
        if isinstance(content, int) and content.bit_length() > _MOST_BITS:
            text = f"a number of more than {_MOST_BITS} bits"
            raise ConstructorError(None, None, text, node.start_mark)
        if isinstance(content, str) and _SURROGATE.search(content):
            text = "a surrogate, which UTF-8 cannot encode"
            raise ConstructorError(None, None, text, node.start_mark)
        return content


def parse(text: str, path: Path) -> Any:
    """The data, with line numbers. Raises UsageError: `file:line: what is wrong`."""
    try:
        try:
            return parse_with(partial(Libyaml, text), text)
        except _BY_A_PARSER:  # it may still be valid; if not, the other parser says it better
            return parse_with(Parser, text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UsageError(one_line(f"{path}:{line}: {_first_line(error.problem)}")) from None
    except REFUSALS as error:
        raise UsageError(one_line(f"{path}: not YAML: {_first_line(error)}")) from None


def parse_with(parser: Callable[..., object], text: str) -> Any:
    """The data of a text, by way of the given parser. Raises one of REFUSALS."""
    yaml = YAML(typ="rt")
    yaml.max_depth = MOST_DEPTH
    yaml.Parser = parser
    yaml.Resolver = _Resolver
    yaml.Composer = _BoundedComposer
    yaml.Constructor = _ConstructorWithLines
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", YAMLWarning)
        return yaml.load(text)


def _first_line(problem: object) -> str:
    return (str(problem).strip().splitlines() or ["it cannot be read"])[0]
