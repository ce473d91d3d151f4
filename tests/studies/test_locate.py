"""Lines of TOML values, checked against documents whose every value is its own line."""

import tomllib

import pytest

from metaeval.studies.locate import locate

DOCUMENT = """\
# a comment with [brackets] and = signs
title = 2

"quoted key" = 4
dotted.name = 5
list = [
  7,  # [
  8, 8,
  "9 ] # }",
]
text = \"\"\"
a = 1
[not a table]
\"\"\"
after = 15
'literal' = '''
x = "
'''
inline = { one = 19, two = [19, { three = 19 }] }
date = 1979-05-27 07:32:00
escaped = "a \\" # ] b"

[table]
first = 24
[ table . inner ]
second = 26

[[setting]]
name = 29
vary = { a = [30,
  31] }

[[setting]]
name = 34
[setting.vary]
a = [36, 36]
[[setting.part]]
x = 38
[[setting.part]]
x = 40
"""


def numbers(value, path=()):
    """Every whole number of a document with its path."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from numbers(entry, (*path, key))
    elif isinstance(value, list):
        for place, entry in enumerate(value):
            yield from numbers(entry, (*path, place))
    elif isinstance(value, int):
        yield path, value


def test_every_number_stands_on_its_line():
    lines = locate(DOCUMENT)
    found = dict(numbers(tomllib.loads(DOCUMENT)))
    assert len(found) == 20
    assert {path: lines[path] for path in found} == found


def test_tables_stand_where_their_header_is():
    lines = locate(DOCUMENT)
    assert lines["table",] == 23
    assert lines["table", "inner"] == 25
    assert lines["setting", 0] == 28
    assert lines["setting", 1] == 33
    assert lines["setting", 1, "vary"] == 35
    assert lines["setting", 1, "part", 1] == 39
    assert lines["list", 3] == 9
    assert lines["text",] == 11


@pytest.mark.parametrize("text", ["", "# nothing", "\n\n", "a = 1", "a=1\r\nb=2\r\n", "a = [\n]"])
def test_small_documents(text):
    lines = locate(text)
    assert set(tomllib.loads(text)) == {path[0] for path in lines}
