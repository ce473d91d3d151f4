"""Ways to damage any file: cut, flipped, re-encoded, stuffed. All take bytes and give bytes."""

import codecs

WORDS = (
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\xc3",
    b"\x1b[31m",
    b"\x1b]0;x\x07",
    b"\xe2\x80\xae",
    b"\x85",
    b"\xe2\x80\xa8",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\t",
    b",",
    b";",
    b'"',
    b'""',
    b"'",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b"NaN",
    b"-Infinity",
    b"inf",
    b"1e999",
    b"-1",
    b"9" * 30,
    b"9" * 400,
    b"9" * 5000,
    b"0x1F",
    b"1_0",
    "１".encode(),
    "²".encode(),
    b"=cmd|' /C calc'!A0",
    b"@SUM(A1)",
    b"<script>alert(1)</script>",
    b"null",
    b"true",
    b'"\\ud800"',
    b"%n%s",
    b"{{7*7}}",
    b"__import__('os')",
    b"../../etc/passwd",
)


def cut(data, rng):
    return data[: rng.integers(0, len(data) + 1)]


def cut_front(data, rng):
    return data[rng.integers(0, len(data) + 1) :]


def flip(data, rng):
    found = bytearray(data)
    for at in rng.integers(0, max(len(found), 1), size=rng.integers(1, 9)):
        if found:
            found[at] ^= 1 << rng.integers(0, 8)
    return bytes(found)


def overwrite(data, rng):
    found = bytearray(data)
    for at in rng.integers(0, max(len(found), 1), size=rng.integers(1, 9)):
        if found:
            found[at] = rng.integers(0, 256)
    return bytes(found)


def insert(data, rng):
    for _ in range(rng.integers(1, 5)):
        at = rng.integers(0, len(data) + 1)
        data = data[:at] + WORDS[rng.integers(len(WORDS))] + data[at:]
    return data


def replace_token(data, rng):
    """A cell, number or word by something else."""
    parts = data.split(b",")
    for at in rng.integers(0, len(parts), size=rng.integers(1, 4)):
        parts[at] = WORDS[rng.integers(len(WORDS))]
    return b",".join(parts)


def remove(data, rng):
    a, b = sorted(rng.integers(0, len(data) + 1, size=2))
    return data[:a] + data[b:]


def repeat(data, rng):
    a, b = sorted(rng.integers(0, len(data) + 1, size=2))
    return data[:b] + data[a:b] * int(rng.integers(1, 30)) + data[b:]


def shuffle_lines(data, rng):
    lines = data.splitlines(keepends=True)
    return b"".join(lines[at] for at in rng.permutation(len(lines)))


def mix_line_ends(data, rng):
    ends = (b"\n", b"\r\n", b"\r", b"\n\r", b"\x0b", b"")
    return b"".join(line + ends[rng.integers(len(ends))] for line in data.splitlines())


def encode_again(data, rng):
    names = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "cp1252", "latin-1", "cp037")
    text = data.decode("latin-1") + "é"
    return text.encode(names[rng.integers(len(names))], errors="replace")


def mark(data, rng):
    marks = (codecs.BOM_UTF8, codecs.BOM_UTF8 * 2, codecs.BOM_UTF16_LE, codecs.BOM_UTF32_BE)
    return marks[rng.integers(len(marks))] + data


def stuff(data, rng):
    """Something gigantic in the middle."""
    at = rng.integers(0, len(data) + 1)
    what = (b"x", b"9", b" ", b",", b"\n", b"[", b"{", b'"', b"\x00", b"a,", b'{"a":')
    size = int(rng.choice([1_000, 70_000, 300_000]))
    return data[:at] + what[rng.integers(len(what))] * size + data[at:]


def noise(data, rng):
    return rng.bytes(int(rng.integers(0, 2_000)))


def nothing(data, rng):
    return (b"", b" ", b"\n", b"\n\n\n", b"\x00" * 64)[rng.integers(5)]


ANY = (
    cut,
    cut_front,
    flip,
    overwrite,
    insert,
    insert,
    replace_token,
    replace_token,
    remove,
    repeat,
    shuffle_lines,
    mix_line_ends,
    encode_again,
    mark,
    stuff,
    noise,
    nothing,
)
