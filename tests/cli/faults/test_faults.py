"""The n-th call that writes, opens, renames or allocates fails, for every n: no command ends by a signal, what was there is
whole, old or new, and nothing is left behind.

    test_faults.py LIBRARY RUNNER
"""
import os
import shutil
import subprocess
import sys
import unittest

import program

RUNNER = sys.argv.pop()
LIBRARY = sys.argv.pop()
# and the step from one n to the next
KINDS = {"open": 1, "write": 1, "flush": 1, "fsync": 1, "rename": 1, "malloc": 13}
SCENE = """local sinew = require "sinew"
local man = sinew.model "small.sinew"
local a = sinew.actor("a", man)
a:play("Walk", { speed = 1.0 })
function sinew.update() if sinew.frame == 1 then pcall(function() man:rest():save "kept.pose" end) end end
"""


class Faults(program.Case):
    def setUp(self):
        super().setUp()
        self.work = self.folder / "work"
        self.first = self.folder / "first"
        self.first.mkdir()
        shutil.copy(program.ROOT / "assets/fox.glb", self.first / "small.glb")
        (self.first / "scene.lua").write_text(SCENE)
        self.prepare()
        status, said, _ = self.run_with("nothing", 0, [program.PROGRAM, "cook", "small.glb", "-o", "small.sinew"])
        self.assertEqual(status, 0, said)
        shutil.copy(self.work / "small.sinew", self.first)

    def prepare(self):
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.first, self.work)

    def run_with(self, kind, n, words):
        """Its status, what it says, and how often the call was made."""
        counted = self.folder / "counted"
        counted.unlink(missing_ok=True)
        environment = {**program.environment(), "LD_PRELOAD": LIBRARY, "SINEW_FAIL": f"{kind}:{n}", "SINEW_THREADS": "1",
                       "SINEW_FAIL_COUNT": str(counted), "SINEW_CACHE": str(self.work / "cache")}
        done = subprocess.run(list(map(str, words)), capture_output=True, env=environment, cwd=self.work,
                              timeout=program.PATIENCE)
        return done.returncode, done.stderr.decode(errors="replace"), int(counted.read_text()) if counted.exists() else 0

    def fail_each(self, words, check, kinds=KINDS):
        """`check` is called in the folder of each run, with what to say if it is not right."""
        for kind in kinds:
            self.prepare()
            calls = self.run_with(kind, 0, words)[2]
            self.assertGreater(calls, 0, f"{words}: no call of {kind} is met")
            for n in range(1, calls + 1, KINDS[kind]):
                self.prepare()
                status, said, _ = self.run_with(kind, n, words)
                told = f"{words}: {kind} {n} of {calls}: {status} {said}"
                self.assertIn(status, (0, 1), told)
                self.assertTrue(status == 0 or said.strip(), told)
                self.assertFalse([str(path) for path in self.work.rglob(".part-*")], told)
                for name in ("small.glb", "small.sinew"):
                    self.assertEqual((self.work / name).read_bytes(), (self.first / name).read_bytes(), told)
                check(told)

    def good(self, words):
        self.prepare()
        status, said, _ = self.run_with("nothing", 0, words)
        self.assertEqual(status, 0, said)

    def is_kept(self, name):
        """The file is missing, or as it is without faults."""
        good = (self.work / name).read_bytes()

        def check(told):
            path = self.work / name
            self.assertTrue(not path.exists() or path.read_bytes() == good, told)
        return check

    def test_cook(self):
        words = [program.PROGRAM, "cook", "small.glb", "-o", "kept.sinew"]
        self.good(words)
        self.fail_each(words, self.is_kept("kept.sinew"))

    def test_the_cache(self):
        """A run after it reads the model: from a whole entry, or from the file."""
        words = [program.PROGRAM, "info", self.work / "small.glb", "--json"]
        self.good(words)
        expected = program.sinew(*words[1:], SINEW_CACHE="off").out
        self.assertIn("clips", expected)

        def check(told):
            self.assertEqual(program.sinew(*words[1:], SINEW_CACHE=str(self.work / "cache")).out, expected, told)
        self.fail_each(words, check, ["open", "write", "rename"])

    def test_a_saved_pose(self):
        words = [program.PROGRAM, "run", "scene.lua", "--headless", "--frames", "3"]
        self.good(words)
        self.fail_each(words, self.is_kept("kept.pose"), ["open", "write", "flush", "fsync", "rename"])

    def test_a_recording(self):
        """It has whole lines from its beginning, or the recording before stands; what it lacks is said."""
        (self.first / "recorded.lua").write_text(SCENE.split("function")[0])  # a save that fails is recorded, too
        words = [program.PROGRAM, "run", "recorded.lua", "--headless", "--frames", "20", "--record", "kept.rec"]
        self.good(words)
        good = (self.work / "kept.rec").read_bytes()
        old = good[:good.rindex(b"\n", 0, len(good) // 2) + 1]
        (self.first / "kept.rec").write_bytes(old)

        def check(told):
            found = (self.work / "kept.rec").read_bytes()
            self.assertTrue(good.startswith(found) or "the recording lacks" in told, told)
        self.fail_each(words, check)

    def test_apply_reload_and_undo(self):
        words = [RUNNER, "scene.lua"]
        self.good(words)
        self.assertEqual((self.work / "scene.lua").read_text(), SCENE)
        applied = SCENE.replace("speed = 1.0", "speed = 1.25")
        self.fail_each(words, lambda told: self.assertIn((self.work / "scene.lua").read_text(), (SCENE, applied), told))


if __name__ == "__main__":
    unittest.main()
