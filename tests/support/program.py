"""Runs the program of this build as a user would, for the tests beside it."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("SINEW_PROGRAM") or str(ROOT / "build/release/sinew")
DEV = os.environ.get("SINEW_DEV") or str(ROOT / "build/release/sinew-dev")
HERO = ROOT / "assets/hero.glb"


class Result:
    def __init__(self, done):
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    def __repr__(self):
        return f"status {self.status}\n--- out\n{self.out}\n--- err\n{self.err}"


def environment(**more):
    """Without a display."""
    return {**{k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}, **more}


# Under some sanitizers; see tests/CMakeLists.txt.
PATIENCE = 120 * int(os.environ.get("SINEW_TEST_SLOWER", "1"))


# Sanitizers look for wrong uses of memory, which equal calls repeat: what only adds numbers to compare is left out there.
SANITIZED = os.environ.get("SINEW_SANITIZED") == "1"
compares_only = unittest.skipIf(SANITIZED, "compares what other tests draw or read under sanitizers")


def run(path, *words, timeout=PATIENCE, **more):
    """Runs a program without a display or a keyboard."""
    done = subprocess.run(
        [path, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout,
        env=environment(**more), encoding="utf-8", errors="replace", check=False)
    return Result(done)


def sinew(*words, **more):
    return run(PROGRAM, *words, **more)


def sinew_dev(*words, **more):
    return run(DEV, *words, **more)


class Case(unittest.TestCase):
    """A test with a folder of its own, which goes when it ends."""

    longMessage = True

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="sinew-test-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return path

    def assert_says(self, result, status, *words):
        """The status, and every word in what went to standard error, in a first line that is one sentence."""
        self.assertEqual(result.status, status, result)
        self.assertTrue(result.err.strip(), f"a failure without a sentence: {result}")
        self.assertIn("sinew", result.err, result)
        for word in words:
            self.assertIn(str(word), result.err, result)
