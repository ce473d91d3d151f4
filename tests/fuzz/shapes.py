"""Malformed files that byte damage would hardly ever produce, by kind of file."""

import datetime
import decimal
import io
import json
import struct
import zipfile

import numpy as np

from tests.fuzz.seeds import MATRICES, OUTPUTS, labels, long, npy_bytes, stack

CELLS = (
    "",
    " ",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "Infinity",
    "null",
    "None",
    "1e400",
    "-0",
    "1.0",
    "01",
    "1e0",
    "0x1",
    "1_0",
    "１",
    "٣",
    "½",
    "1,5",
    "9" * 400,
    "9" * 5000,
    "-9" + "0" * 30,
    "0.1",
    "2.5",
    "1000000",
    "=1+1",
    "+1",
    "-1",
    "@x",
    "\t1",
    "'=1",
    "\x00",
    "\x1b[2J",
    "\u202e3",
    "x" * 10_000,
    "<b>",
    "$(rm)",
    "{{1}}",
    "True",
    "[1]",
    '"1"',
)


def pick(rng, options):
    return options[rng.integers(len(options))]


# --- delimited text


def cells(rng, separator):
    """A sound table with strange cells and names; quoted where that is needed."""
    frame = (long(rng) if rng.random() < 0.3 else labels(rng)).astype(object)
    for _ in range(rng.integers(1, 6)):
        frame.iat[rng.integers(len(frame)), rng.integers(frame.shape[1])] = pick(rng, CELLS)
    if rng.random() < 0.5:
        names = list(frame.columns)
        names[rng.integers(len(names))] = pick(rng, CELLS)
        frame.columns = names
    return frame.to_csv(sep=separator, index=False).encode()


def duplicate_header(rng, separator):
    lines = labels(rng).to_csv(sep=separator, index=False).splitlines()
    names = lines[0].split(separator)
    names[rng.integers(len(names))] = names[rng.integers(len(names))]
    return "\n".join([separator.join(names), *lines[1:]]).encode()


def ragged(rng, separator):
    lines = labels(rng).to_csv(sep=separator, index=False).splitlines()
    for at in rng.integers(0, len(lines), size=rng.integers(1, 5)):
        lines[at] += separator * int(rng.integers(1, 4)) if rng.random() < 0.5 else ""
        lines[at] = lines[at][: rng.integers(0, len(lines[at]) + 1)]
    return "\n".join(lines).encode()


def many_columns(rng, separator):
    width = int(pick(rng, [1_000, 10_000]))
    same = rng.random() < 0.3
    names = ["gold", *("s" if same else f"s{n}" for n in range(width - 1))]
    rows = [[str(v) for v in rng.integers(1, 3, width)] for _ in range(rng.integers(0, 3))]
    return "\n".join(separator.join(row) for row in [names, *rows]).encode()


def giant_field(rng, separator):
    giant = pick(rng, ["9", "x", '"', "é", " "]) * int(pick(rng, [10_000, 200_000, 2_000_000]))
    rows = [["gold", "a"], ["1", giant], ["2", "2"]]
    rng.shuffle(rows)
    return "\n".join(separator.join(row) for row in rows).encode()


def quotes(rng, separator):
    text = labels(rng, 5).to_csv(sep=separator, index=False, quoting=1)
    at = rng.integers(0, len(text))
    return (text[:at] + pick(rng, ['"', '""', '"\n', '"x', "\\"]) + text[at:]).encode()


def odd_sizes(rng, separator):
    options = (
        "gold",
        "gold\n",
        separator,
        separator * 3 + "\n" + separator * 3,
        f"gold{separator}a\n",
        f"gold{separator}a\n" + "\n" * 5_000,
        f"gold{separator}a\n1{separator}1",
        f"gold{separator}gold\n1{separator}2\n2{separator}1",
        f"{separator}gold\n1{separator}2\n2{separator}1\n",
        f"gold{separator}case\n1{separator}2\n2{separator}1\n",
        f"item{separator}system{separator}prediction\n1{separator}gold{separator}1\n",
        f"item{separator}system{separator}prediction\n1{separator}item{separator}1\n",
        f"item{separator}system{separator}prediction{separator}gold\n"
        f"1{separator}gold{separator}1{separator}2\n1{separator}a{separator}1{separator}2\n",
        "sep=,\ngold,a\n1,2\n2,2\n",
    )
    return pick(rng, options).encode()


def wide_range(rng, separator):
    """Numbers that would make an enormous scale."""
    ends = pick(
        rng, [("0", "1e9"), ("-1e300", "1e300"), ("0", "99"), ("0.001", "5"), ("1", "1e16")]
    )
    return f"gold{separator}a\n{ends[0]}{separator}{ends[1]}\n{ends[1]}{separator}1\n".encode()


DELIMITED = (
    cells,
    cells,
    cells,
    duplicate_header,
    ragged,
    many_columns,
    giant_field,
    quotes,
    odd_sizes,
    wide_range,
)

# --- JSON and JSON lines

VALUES = (
    None,
    True,
    False,
    -1,
    0,
    0.5,
    1e308,
    10**30,
    10**400,
    float("nan"),
    float("inf"),
    "",
    "1",
    "x" * 10_000,
    "\ud800",
    "\x1b[31m",
    [],
    {},
    [[]],
    [1],
    {"a": 1},
    [[[[1]]]],
    "<img src=x onerror=alert(1)>",
)


def json_value(rng, separator=None):
    """Any value where matrices are expected."""
    value = pick(rng, VALUES)
    for _ in range(rng.integers(0, 4)):
        inner = [value] * int(rng.integers(0, 4))
        value = inner if rng.random() < 0.6 else {str(pick(rng, CELLS)): value}
    return json.dumps(value).encode()


def json_matrices(rng, separator=None):
    found = stack(rng).tolist()
    for _ in range(rng.integers(1, 4)):
        matrix = found[rng.integers(len(found))]
        row = matrix[rng.integers(len(matrix))] if matrix else []
        what = rng.integers(4)
        if what == 0 and row:
            row[rng.integers(len(row))] = pick(rng, VALUES)
        elif what == 1 and row:
            row.pop()
        elif what == 2:
            matrix.append([1])
        else:
            found[rng.integers(len(found))] = pick(rng, VALUES)
            break
    named = {str(pick(rng, CELLS)): matrix for matrix in found}
    return json.dumps(named if rng.random() < 0.4 else found).encode()


def deep(rng, separator=None):
    depth = int(pick(rng, [50, 900, 5_000, 200_000]))
    opening, closing = pick(rng, [("[", "]"), ('{"a":', "}")])
    return (opening * depth + "1" + closing * int(pick(rng, [depth, 0, 1]))).encode()


def json_duplicates(rng, separator=None):
    return b'{"a": [[1,0],[0,1]], "a": [[2,0],[0,2]], "": [[1,1],[1,1]]}'


JSON = (json_value, json_matrices, json_matrices, deep, json_duplicates)


def json_records(rng, separator=None):
    records = (long(rng) if rng.random() < 0.3 else labels(rng)).to_dict(orient="records")
    for _ in range(rng.integers(1, 5)):
        record = records[rng.integers(len(records))]
        what = rng.integers(4)
        if what == 0:
            record[pick(rng, list(record)) if record else "a"] = pick(rng, VALUES)
        elif what == 1:
            record.pop(pick(rng, list(record)) if record else "a", None)
        elif what == 2:
            record[str(pick(rng, CELLS))] = pick(rng, VALUES)
        else:
            records[rng.integers(len(records))] = {}
    return "\n".join(json.dumps(record, default=int) for record in records).encode()


def json_many_names(rng, separator=None):
    """Every record has columns of its own."""
    return "\n".join(json.dumps({"gold": 1, f"s{n}": 1}) for n in range(120)).encode()


def json_lines_of_values(rng, separator=None):
    return b"\n".join(json_value(rng) for _ in range(rng.integers(1, 5)))


JSONL = (json_records, json_records, json_records, json_lines_of_values, json_many_names, deep)

# --- NumPy

DTYPES = ("O", "c16", "S4", "U4", "M8[s]", "m8[s]", "f2", "f4", "g", "?", ">i8", ">f4", "u1", "V8")


def npy_dtype(rng, separator=None):
    dtype = np.dtype(pick(rng, DTYPES))
    array = stack(rng).astype("S4" if dtype.kind == "S" else "i8")
    if dtype.kind == "V":
        array = np.zeros((2, 3, 3), dtype=[("a", "i4"), ("b", "f4")])
    else:
        array = array.astype(dtype)
    array = np.asfortranarray(array) if rng.random() < 0.3 else array
    return npy_bytes(array, allow_pickle=True)


def npy_values(rng, separator=None):
    array = stack(rng).astype(float)
    array.flat[rng.integers(array.size)] = pick(rng, [np.nan, np.inf, -np.inf, -1, 1e308, 5e-324])
    if rng.random() < 0.3:
        array[rng.integers(len(array))] = pick(rng, [0, 1e308])
    return npy_bytes(array)


def npy_shape(rng, separator=None):
    shapes = [(0,), (), (3,), (0, 3, 3), (2, 0, 0), (2, 1, 1), (1, 2, 3), (1,) * 20 + (2, 2)]
    shapes += [(0, 0), (5, 4, 3, 3), (1, 200, 200)]
    return npy_bytes(np.ones(pick(rng, shapes)))


def npy_header(rng, separator=None):
    """A header that promises what is not there."""
    shapes = ("(10**9, 3, 3)", "(1000000000, 3, 3)", "(2, 3, 3)", "(-1, 3, 3)", "3", "None")
    shapes += ("(99999999999999999999, 3, 3)", "(1000000000000, 1000000, 1000000)", "(True, 2, 2)")
    shapes += (
        "(" + "1," * 70 + ")",
        "(0, 99999999999, 99999999999)",
        "(9223372036854775807, 9, 9)",
    )
    descr = pick(
        rng, ["'<i8'", "'|O'", "'<f8'", "[('a', '<i8')]", "'|V0'", "'x'", "None", "'<U99'"]
    )
    header = (
        f"{{'descr': {descr}, 'fortran_order': {pick(rng, ['True', 'False', '7'])}, "
        f"'shape': {pick(rng, shapes)}, }}"
    )
    if rng.random() < 0.2:
        header += pick(rng, [" " * 20_000, "(" * 500, "\x00", "é"])
    raw = header.encode("latin-1") + b"\n"
    version = int(pick(rng, [1, 1, 1, 2, 3, 4, 255]))
    size = struct.pack("<H", min(len(raw), 65535)) if version == 1 else struct.pack("<I", len(raw))
    body = bytes(int(pick(rng, [0, 8, 144, 10_000])))
    return b"\x93NUMPY" + bytes([version, 0]) + size + raw + body


NPY = (npy_dtype, npy_values, npy_shape, npy_header, npy_header)


def archive(entries, compression=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return file.getvalue()


def npz_entries(rng, separator=None):
    """Any of the arrays above under any name."""
    names = (
        "a.npy",
        "../../x.npy",
        "/abs.npy",
        "a",
        ".npy",
        "a.npy/",
        "x" * 300 + ".npy",
        "=1.npy",
    )
    names += ("\x1b[31m.npy", "a.txt", "<b>.npy")
    made = [(pick(rng, names), pick(rng, NPY)(rng)) for _ in range(rng.integers(0, 4))]
    unique = dict(made)
    return archive(unique.items(), pick(rng, [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))


_BOMBS = {}


def npz_bomb(rng, separator=None):
    """Zeros, more of them than are unpacked, in a small file."""
    if not _BOMBS:
        header = npy_bytes(np.zeros((1, 5, 5), dtype="i8"))[:128]
        shape = (35 << 20) // 25
        long_header = header.replace(b"(1, 5, 5), }", b"(%d, 5, 5), }" % shape)
        long_header = long_header[:127].ljust(127) + b"\n"
        _BOMBS["one"] = archive([("a.npy", long_header + bytes(shape * 25 * 8))])
        part = long_header.replace(b"%d" % shape, b"%d" % (shape // 16))[:127].ljust(127) + b"\n"
        small = part + bytes(shape // 16 * 25 * 8)
        _BOMBS["many"] = archive([(f"{n}.npy", small) for n in range(16)])
    return pick(rng, list(_BOMBS.values()))


def npz_flags(rng, separator=None):
    """Flags that say encrypted, another method, other sizes."""
    data = bytearray(archive([("a.npy", npy_bytes(stack(rng)))]))
    central = data.rfind(b"PK\x01\x02")
    start = central if rng.random() < 0.7 else 0
    for _ in range(rng.integers(1, 4)):
        data[start + rng.integers(4, 46 if start else 30)] = rng.integers(0, 256)
    return bytes(data)


NPZ = (npz_entries, npz_entries, npz_flags, npz_bomb)

# --- Parquet


def parquet_columns(rng, separator=None):
    """Columns of all types, as labels, cases or systems."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = int(pick(rng, [0, 1, 6]))

    options = [
        pa.array([[1]] * rows),
        pa.array([{"x": 1}] * rows),
        pa.array([None] * rows),
        pa.array([decimal.Decimal("1.50")] * rows, pa.decimal128(10, 2)),
        pa.array([datetime.datetime(2020, 1, 1)] * rows),
        pa.array([b"\xff\xfe"] * rows),
        pa.array(["x\x1b[31m"] * rows).dictionary_encode(),
        pa.array([float("nan")] * rows),
        pa.array([float("inf")] * rows),
        pa.array([True] * rows),
        pa.array([10**18] * rows),
        pa.array([1.5] * rows, pa.float32()),
        pa.array([1, 2, 3, 1, 2, 3][:rows], pa.uint8()),
        pa.array([(("a", 1),)] * rows, pa.map_(pa.string(), pa.int64())),
        pa.array([""] * rows),
        pa.array([1, None, 2, 1, 2, 3][:rows]),
    ]
    names = [str(pick(rng, ("gold", "case", "a", "b", *CELLS))) for _ in range(4)]
    arrays = [pick(rng, options) for _ in names]
    file = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, names=names), file)
    return file.getvalue()


_LARGE = {}


def parquet_bomb(rng, separator=None):
    """Thirty million rows in a few kilobytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not _LARGE:
        file = io.BytesIO()
        part = pa.table({name: pa.array(np.ones(10_000_000, "i1")) for name in ("gold", "a")})
        with pq.ParquetWriter(file, part.schema, compression="zstd") as writer:
            for _ in range(3):
                writer.write_table(part)
        _LARGE["rows"] = file.getvalue()
    return _LARGE["rows"]


def parquet_flips(rng, separator=None):
    """Damage in the footer, where the sizes stand."""
    file = io.BytesIO()
    labels(rng).to_parquet(file)
    data = bytearray(file.getvalue())
    footer = struct.unpack("<I", data[-8:-4])[0]
    for _ in range(rng.integers(1, 6)):
        data[len(data) - 8 - 1 - rng.integers(0, footer)] = rng.integers(0, 256)
    return bytes(data)


PARQUET = (parquet_columns, parquet_columns, parquet_flips, parquet_bomb)

# --- TOML

TOML_VALUES = (
    "0",
    "-1",
    "1.5",
    "inf",
    "nan",
    "-0.0",
    "true",
    '""',
    '"x"',
    "[]",
    "[1, 1]",
    '["mae", "mae"]',
    '["mae(", "oc(beta=-1)"]',
    '["mae", 3]',
    "{}",
    "{ a = 1 }",
    "1979-05-27",
    "07:32:00",
    "9" * 25,
    "9" * 5000,
    "1e400",
    "[[[[1]]]]",
    "[" * 200 + "]" * 200,
    "[" * 20_000,
    "{a=" * 3_000,
    '"""\n\x1b[31m\n"""',
    '"\\u001b[31m"',
    '"' + "x" * 20_000 + '"',
    "100000000000000",
    "[0.1, nan]",
    "[-0.5, 2]",
    '["random", "no such"]',
    '{ majority = { label = "x" }, random = {} }',
)


def toml_values(rng, separator=None):
    lines = (OUTPUTS if rng.random() < 0.6 else MATRICES).splitlines()
    for _ in range(rng.integers(1, 4)):
        at = rng.integers(len(lines))
        key, equals, _ = lines[at].partition("=")
        lines[at] = f"{key}= {pick(rng, TOML_VALUES)}" if equals else lines[at]
    return "\n".join(lines).encode()


def toml_keys(rng, separator=None):
    lines = (OUTPUTS if rng.random() < 0.6 else MATRICES).splitlines()
    extra = ("x = 1", '"" = 1', "gold = 1", "[gold]", "[[gold]]", "a.b.c = 1", "[setting]")
    extra += ("[[setting]]", "[matrices]", "setting = [1]", ".".join("a" * 3_000) + " = 1", "= 1")
    extra += ('"\\u001b" = 1', "title = 'again'", "\u202e = 1", "[parameters]", "[parameters.x]")
    for _ in range(rng.integers(1, 4)):
        lines.insert(rng.integers(len(lines) + 1), pick(rng, extra))
    if rng.random() < 0.5:
        lines.pop(rng.integers(len(lines)))
    return "\n".join(lines).encode()


def toml_many(rng, separator=None):
    # Thousands of settings, the last of which is refused: else they would rightly be worked off.
    kinds = (
        "[[setting]]\n" * 1_000 + "x = 1",
        "[a.b]\n" * 2,
        "".join(f"k{n} = {n}\n" for n in range(5_000)),
    )
    return (MATRICES + pick(rng, kinds)).encode()


TOML = (toml_values, toml_values, toml_values, toml_keys, toml_keys, toml_many)

# --- Python

BROKEN = (
    "def mae(y_true, y_pred):\n    return 1 +\n",
    "raise SystemExit(7)\n",
    "raise ValueError('\\x1b[31m\\nsecond line')\n",
    "import no_such_module\n",
    "mae = 3\n",
    "def other(a, b):\n    return 0\n",
    "def mae(a, b, c):\n    return 0\n",
    "def mae():\n    return 0\n",
    "(" * 5_000,
    "x = " + "-" * 20_000 + "1",
    "print('noise')\nimport sys\nsys.exit('bye')\n",
    "import sys\nsys.stdout.write('noise')\nraise RuntimeError\n",
    "import warnings\nwarnings.warn('careful')\nraise ImportError('x' * 5000)\n",
    "def mae(y_true, y_pred):\n\treturn 0\n        return 1\n",
    "# coding: no-such-codec\n",
    "class mae:\n    pass\n",
    "import numpy as np\nnp.seterr(all='raise')\nmae = None\n",
)


def python_source(rng, separator=None):
    return pick(rng, BROKEN).encode()


PYTHON = (python_source,)


SHAPES = {
    ".csv": DELIMITED,
    ".tsv": DELIMITED,
    ".json": JSON,
    ".jsonl": JSONL,
    ".npy": NPY,
    ".npz": NPZ,
    ".parquet": PARQUET,
    ".toml": TOML,
    ".py": PYTHON,
}
