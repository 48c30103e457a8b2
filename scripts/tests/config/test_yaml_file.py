# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is kept of a YAML file is what its text says, or it is not used."""

import os
from pathlib import Path
from typing import Any, NoReturn

import pytest

from jdkmatrix.config import yaml_file, yaml_text
from jdkmatrix.config.yaml_model import StrictModel, load
from jdkmatrix.errors import UsageError

PLACE = Path("x.yaml")
PADDING = "\n# " + "x" * 4_000
TEXT = "a: [1, x, null, true]" + PADDING
MOST_FILES = 40


class Model(StrictModel):
    """What the texts of these tests should have."""

    a: int


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with what is folder."""
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path))
    return tmp_path / "yaml"


def data_of(text: str, path: Path) -> Any:
    """The data of a text that nothing is wrong with."""
    return yaml_file.data_of(text, path, lambda document: document)


def refuse_to_parse(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(_: str, __: Path) -> NoReturn:
        raise AssertionError("parsed")

    monkeypatch.setattr(yaml_text, "parse", parse)


def test_a_text_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    document = data_of(TEXT, PLACE)
    refuse_to_parse(monkeypatch)
    assert data_of(TEXT, PLACE) == document == {"a": [1, "x", None, True]}
    with pytest.raises(AssertionError, match="parsed"):
        data_of(f"{TEXT}x", PLACE)


def test_a_short_text_is_not_kept(folder: Path) -> None:
    data_of("a: 1", PLACE)
    assert not folder.exists()


@pytest.mark.parametrize("size", [0, 1, 64, 70, -1])
def test_what_is_damaged_is_parsed_and_kept_anew(folder: Path, size: int) -> None:
    document = data_of(TEXT, PLACE)
    (file,) = folder.iterdir()
    content = file.read_bytes()
    for damage in (content[:size], content.replace(b"1,", b"2,"), content + b" "):
        assert damage != content
        file.write_bytes(damage)
        assert data_of(TEXT, PLACE) == document
        assert file.read_bytes() == content


@pytest.mark.parametrize(
    "text",
    [
        "{8: a, 11: [b], x: {17: {}}}",
        "{'': a}",
        "{'': [[1, 2]]}",
        "{1.5: a}",
        "{null: a}",
        "{2026-01-01: a}",
        "[2026-01-01, 1e3, -0.5, +7, 0x1F, .inf, 1_000, 017, ~]",
        "[!!set {a, b}, !!binary aGk=]",
        "{base: &a {k: 1, l: &b true}, more: {<<: *a, m: *b}, again: *a}",
        '["\\U0001F600 ä\\u2028\\0", ""]',
        "a: |\n  x\nb: >\n  y\n  z\nc: 'q'\nd: \"\\t\"",
        "[]",
        "just a text",
    ],
)
def test_whatever_it_holds_the_second_time_is_as_the_first(text: str) -> None:
    text += PADDING
    parsed_data = yaml_text.parse(text, PLACE)
    for _ in range(3):
        document = data_of(text, PLACE)
        assert document == parsed_data
        assert repr(data_types(document)) == repr(data_types(parsed_data))


def data_types(node: object) -> object:
    """The shape of some data, and the kind of each value in it."""
    if isinstance(node, dict):
        return {key: data_types(child) for key, child in node.items()}
    if isinstance(node, list):
        return [data_types(child) for child in node]
    return next((kind for kind in (bool, int, float, str) if isinstance(node, kind)), None)


def test_each_file_of_the_kit_is_kept_as_it_is(
    root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [root / "jdks.yaml", *root.glob("test/*.yaml"), *root.glob("test/*/*.yaml")]
    texts = {file: file.read_text() for file in files}
    texts = {file: text for file, text in texts.items() if len(text) >= len(PADDING)}
    parsed_data = {file: yaml_text.parse(text, file) for file, text in texts.items()}
    for file, text in texts.items():
        data_of(text, file)
    assert len(list(folder.iterdir())) == len(texts) >= 5
    refuse_to_parse(monkeypatch)
    for file, text in texts.items():
        assert data_of(text, file) == parsed_data[file]


def test_a_mistake_has_its_line_the_second_time_too(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(f"# a\n\na: wrong{PADDING}")
    messages = []
    for _ in range(2):
        file.touch()
        with pytest.raises(UsageError) as error:
            load(file, Model)
        messages.append(str(error.value))
    assert messages[0] == messages[1]
    assert messages[0].startswith(f"{file}:3: a: ")


def test_what_is_wrong_is_parsed_once_and_not_kept(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a hundred mistakes drive out what is kept of the kit's own files."""
    parsed_texts = []

    def parse(text: str, path: Path, real: Any = yaml_text.parse) -> Any:
        parsed_texts.append(text)
        return real(text, path)

    monkeypatch.setattr(yaml_text, "parse", parse)
    file = tmp_path / "x.yaml"
    file.write_text(f"a: wrong{PADDING}")
    with pytest.raises(UsageError, match=":1: a: "):
        load(file, Model)
    assert parsed_texts == [file.read_text()]
    assert not folder.exists()


def test_what_was_kept_and_is_wrong_today_has_its_line(tmp_path: Path) -> None:
    """As after an update of the kit that accepts less."""
    file = tmp_path / "x.yaml"
    file.write_text(f"# a\na: wrong{PADDING}")
    data_of(file.read_text(), file)
    with pytest.raises(UsageError, match=":2: a: "):
        load(file, Model)


def test_without_a_place_for_it_it_is_parsed(tmp_path: Path, folder: Path) -> None:
    folder.write_text("a file")
    assert data_of(TEXT, PLACE) == {"a": [1, "x", None, True]}
    assert [path.name for path in tmp_path.iterdir()] == ["yaml"]


def test_without_a_home_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JDKMATRIX_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert data_of(TEXT, PLACE)["a"] == [1, "x", None, True]


def test_so_many_are_kept(folder: Path) -> None:
    for number in range(MOST_FILES + 5):
        data_of(f"{TEXT}{number}", PLACE)
        newest = max(folder.iterdir(), key=lambda file: file.stat().st_mtime_ns)
        os.utime(newest, (number, number))
    times = sorted(int(file.stat().st_mtime) for file in folder.iterdir())
    assert times == list(range(5, MOST_FILES + 5))
