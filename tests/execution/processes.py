"""Commands in processes of their own, and what is left of them."""

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

ROOT = Path(__file__).parents[2]
MARK = "METAEVAL_TEST_MARK"

SLOW = """
import time

def slow(matrix):
    time.sleep(0.0002)
    return float(matrix.trace() / matrix.sum())
"""


class Command:
    """A command whose descendants can be told by a mark, also after it has gone."""

    def __init__(self, *arguments, cwd, module="metaeval", limit=None):
        self.mark = uuid.uuid4().hex
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *map(str, arguments)],
            cwd=cwd,
            env={**os.environ, MARK: self.mark, "PYTHONPATH": path, "METAEVAL_NO_PLUGINS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=limit,
            start_new_session=True,
        )

    def end(self, timeout=100):
        """Exit code, stdout and stderr."""
        out, err = self.process.communicate(timeout=timeout)
        return self.process.returncode, out, err

    def interrupt(self):
        """Ctrl-C reaches the whole process group, as it does in a terminal."""
        os.killpg(self.process.pid, signal.SIGINT)

    def kill(self):
        os.kill(self.process.pid, signal.SIGKILL)

    def left(self, patience=10.0):
        """The processes that are still there after a while; they are ended."""
        end = time.monotonic() + patience
        while (found := self._alive()) and time.monotonic() < end:
            time.sleep(0.1)
        for pid in found:
            os.kill(pid, signal.SIGKILL)
        return found

    def children(self):
        return [pid for pid in self._alive() if pid != self.process.pid]

    def _alive(self):
        wanted = f"{MARK}={self.mark}".encode()
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                ended = b"\nState:\tZ" in (entry / "status").read_bytes()
                if not ended and wanted in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except OSError:
                continue
        return found


def until(condition, seconds=60.0):
    """Wait for something to become true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)
