"""Runs a page of the docs: every block of code in it, in order, in one folder.

What a block is follows from the words after its opening fence:

- ``python``: run in the page's one namespace; with ``>>>`` the shown results are compared.
- ``sh``: commands, one a line.
- ``console``: commands after ``$``, and what they print; ``...`` stands for anything.
- a language and a file name, as in ``csv runs.csv``: the file, written into the folder.
- ``math``: a formula, nothing to run.

A command that fails is an error, unless the next one is ``echo $?``.
"""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tests.cli.command import metaeval

ROOT = Path(__file__).parents[2]
FENCE = re.compile(
    r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<code>.*?)^```$", flags=re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True)
class Block:
    """Code of a page, and the line on which it begins."""

    language: str
    file: str | None
    code: str
    line: int


def blocks(text):
    """The blocks of code of a page."""
    found = [
        Block(m["language"], m["file"], m["code"], text[: m.start()].count("\n") + 2)
        for m in FENCE.finditer(text)
    ]
    fences = len(re.findall(r"^ *```", text, flags=re.MULTILINE))
    assert fences == 2 * len(found), "a fence is not closed, or has no language"
    return found


class Page:
    """A page that is being run in the current folder."""

    def __init__(self, path):
        self.path = path
        self.namespace = {"__name__": path.stem}
        self.failed = None  # exit code of a command that nobody has looked at yet
        self.installed = None

    def run(self):
        shutil.copytree(ROOT / "examples", "examples")
        for block in blocks(self.path.read_text(encoding="utf-8")):
            place = f"{self.path.name}, line {block.line}"
            if block.file:
                Path(block.file).parent.mkdir(parents=True, exist_ok=True)
                Path(block.file).write_text(block.code, encoding="utf-8")
            elif block.language == "python":
                self.python(block.code, place)
            elif block.language == "sh":
                for line in block.code.splitlines():
                    if line.strip() and not line.startswith("#"):
                        self.command(line, place)
            elif block.language == "console":
                self.console(block.code, place)
            else:
                assert block.language in ("math", "text"), f"{place}: nobody runs {block.language}"
            assert self.failed is None, f"{place}: a command ended with {self.failed}"

    def python(self, code, place):
        if ">>>" not in code:
            exec(compile(code, place, "exec"), self.namespace)
            return
        test = doctest.DocTestParser().get_doctest(code, self.namespace, place, place, 0)
        told = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        runner.run(test, out=told.append, clear_globs=False)
        self.namespace.update(test.globs)
        assert not runner.failures, "".join(told)

    def console(self, code, place):
        for part in re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]:
            line, _, wanted = part.partition("\n")
            found = self.command(line, place)
            same = doctest.OutputChecker().check_output(wanted, found, doctest.ELLIPSIS)
            assert same, f"{place}: {line}\n--- shown\n{wanted}--- found\n{found}"

    def command(self, line, place):
        """What a command prints, as a terminal shows it."""
        words = shlex.split(line, comments=True)
        if words == ["echo", "$?"]:
            code, self.failed = self.failed or 0, None
            return f"{code}\n"
        assert self.failed is None, f"{place}: a command ended with {self.failed}"
        target = None
        if len(words) > 2 and words[-2] == ">":
            target, words = Path(words[-1]), words[:-2]
        if words[0] == "cat":
            return "".join(Path(name).read_text(encoding="utf-8") for name in words[1:])
        if words[:3] == ["pip", "install", "--editable"]:
            self.install(Path(words[3]))
            return ""
        done = self.start(words, place)
        assert "Traceback" not in done.stderr, f"{place}: {line}\n{done.stderr}"
        if done.returncode:
            self.failed = done.returncode
        if target is None:
            return done.stdout + done.stderr
        target.write_text(done.stdout, encoding="utf-8")
        return done.stderr

    def start(self, words, place):
        if words[0] == "metaeval" and self.installed is None:
            return metaeval(*words[1:])
        assert words[0] in ("metaeval", "python"), f"{place}: nobody runs {words[0]}"
        tail = ["-m", *words] if words[0] == "metaeval" else words[1:]
        # As users have it: a process of its own, which sees what was installed.
        seen = [str(ROOT), *filter(None, [self.installed])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(seen)}
        environment.pop("METAEVAL_NO_PLUGINS", None)
        return subprocess.run(
            [sys.executable, *tail], env=environment, capture_output=True, text=True, check=False
        )

    def install(self, project):
        """What an editable install leaves behind: the sources on the path, and the metadata.

        Not by pip, which would need a build backend and change the environment of the tests.
        """
        about = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        name, version = about["name"].replace("-", "_"), about["version"]
        info = project / f"{name}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {version}\n"
        )
        (info / "entry_points.txt").write_text(
            "".join(
                f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in points.items())
                for group, points in about["entry-points"].items()
            )
        )
        self.installed = str(project.resolve())
