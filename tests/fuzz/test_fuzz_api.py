"""The fuzzer of the API finds what it is there to find: a planted crash, a hang, a broken promise, a lost file. And a
seed is a case, the same each time."""
import glob
import os
import subprocess
import sys
import tempfile
import unittest

RUNNER = os.path.abspath(sys.argv.pop())
API = os.path.join(os.path.dirname(os.path.abspath(__file__)), "api")
sys.path.insert(0, API)
import fuzz_api  # noqa: E402
from description import Description  # noqa: E402
from generate import LAST, Case  # noqa: E402
from shrink import shrink  # noqa: E402

LOOP = "require('sinew').update = function() while true do end end\n"
CLAMPS = "local clamp = require('sinew').clamp\nclamp(1, 2, 3)\nclamp(1, 2, 3)\n"


class Fuzzing(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.runners = []

    def tearDown(self):
        for runner in self.runners:
            runner.end()
        self.folder.cleanup()

    def found(self, text, hang=60, write=None, plant=None):
        """What is found in a scene of one frame."""
        runner = fuzz_api.Runner(RUNNER, os.path.join(self.folder.name, str(len(self.runners))), hang)
        if plant:
            runner.environment["FUZZ_PLANT"] = plant
        self.runners.append(runner)
        files = {"save1.lua": text, "schedule": "frames 1\n", "last.lua": LAST}
        return runner.live(lambda folder: (fuzz_api.write_files(folder, files), write and write(folder)))[0]

    def test_an_innocent_scene(self):
        self.assertIsNone(self.found("require('sinew').update = print\n"))

    def test_what_a_host_survives_is_nothing(self):
        self.assertIsNone(self.found(LOOP))
        self.assertIsNone(self.found("this is no Lua"))

    def test_a_hang(self):
        """One that only the watchdog ends, however fast the machine."""
        self.assertRegex(self.found(CLAMPS, hang=0.2, plant="~sinew.clamp"), "^hang in ")

    def test_a_broken_promise(self):
        self.assertEqual(self.found("print '!it came back'"), "BROKEN: it came back")

    def test_a_lost_file(self):
        def lose(folder):
            os.remove(os.path.join(folder, "notes.txt"))
            os.mkfifo(os.path.join(folder, "other"))
            os.symlink("scene.lua", os.path.join(folder, "notes.txt"))
        self.assertEqual(self.found("", write=lose), "BROKEN: a file was overwritten: notes.txt")

    def test_a_planted_crash_is_found_and_made_small(self):
        done = subprocess.run(
            [sys.executable, os.path.join(API, "fuzz_api.py"), RUNNER, "--cases", "400", "--large", "0", "--jobs", "1", "--found",
             self.folder.name, "--lines", "0"], env=dict(os.environ, FUZZ_PLANT="crowd.resize"), capture_output=True,
            text=True)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        seed = next(name for name in os.listdir(self.folder.name) if name.isdigit())
        own = ""
        for save in sorted(glob.glob(os.path.join(self.folder.name, seed, "save*.lua"))):
            with open(save, encoding="utf-8") as file:
                own += file.read().replace(fuzz_api.support(), "")
        self.assertIn(":resize(", own)
        self.assertLess(len(own.splitlines()), 30)

    def test_a_seed_is_a_case(self):
        api = [Description(RUNNER, ["table.insert"]) for _ in range(2)]
        self.assertEqual(Case(api[0], 7).files(), Case(api[1], 7).files())
        self.assertNotEqual(Case(api[0], 7).files(), Case(api[0], 8).files())

    def test_shrinking_leaves_what_is_needed(self):
        case = Case(Description(RUNNER, ["table.insert"]), 3)
        needed = set(list(case.pieces)[::17])
        without = shrink(case, lambda w: not needed & w, 5000)
        self.assertEqual(set(case.pieces) - without, needed)


if __name__ == "__main__":
    unittest.main()
