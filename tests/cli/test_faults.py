"""The n-th call that writes, opens, renames or allocates fails, for every n: no command ends by a signal, what was there is
whole, old or new, and nothing is left behind.

    test_faults.py LIBRARY
"""
import os
import shutil
import subprocess
import sys
import unittest

import program

LIBRARY = sys.argv.pop(1)
KINDS = {"open": 1, "write": 1, "flush": 1, "fsync": 1, "rename": 1, "malloc": 41}  # and the step from one n to the next
SCENE = """local sinew = require "sinew"
local man = sinew.model "small.glb"
local a = sinew.actor("a", man)
function sinew.update() if sinew.frame == 1 then pcall(function() man:rest():save "kept.pose" end) end end
"""


class Faults(program.Case):
    def run_with(self, kind, n, words, work):
        """Its status, what it says, and how often the call was made."""
        counted = self.folder / "counted"
        counted.unlink(missing_ok=True)
        environment = {**os.environ, "LD_PRELOAD": LIBRARY, "SINEW_FAIL": f"{kind}:{n}", "SINEW_FAIL_COUNT": str(counted),
                       "SINEW_CACHE": str(work / "cache"), "SINEW_THREADS": "1"}
        done = subprocess.run([program.PROGRAM, *map(str, words)], capture_output=True, env={k: v for k, v in environment.items() if k != "DISPLAY"}, cwd=work, timeout=120)
        return done.returncode, done.stderr.decode(errors="replace"), int(counted.read_text()) if counted.exists() else 0

    def prepare(self):
        work = self.folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        shutil.copy(program.ROOT / "assets/fox.glb", work / "small.glb")
        (work / "scene.lua").write_text(SCENE)
        return work

    def fail_each(self, words, kept):
        """`kept`: the file that the command writes."""
        work = self.prepare()
        status, said, _ = self.run_with("nothing", 0, words, work)
        self.assertEqual(status, 0, said)
        good = (work / kept).read_bytes()
        for kind, step in KINDS.items():
            work = self.prepare()
            calls = self.run_with(kind, 0, words, work)[2]
            self.assertGreater(calls, 0, f"{words}: no call of {kind} is met")
            for n in range(1, calls + 1, step):
                work = self.prepare()
                status, said, _ = self.run_with(kind, n, words, work)
                told = f"{words}: {kind} {n} of {calls}: {status} {said}"
                self.assertIn(status, (0, 1), told)
                self.assertTrue(status == 0 or said.strip(), told)
                if (work / kept).exists():
                    self.assertTrue((work / kept).read_bytes() == good, told)
                self.assertFalse([str(path) for path in work.rglob(".part-*")], told)
                self.assertTrue((work / "small.glb").read_bytes()[:4] == b"glTF", told)

    def test_cook(self):
        self.fail_each(["cook", "small.glb", "-o", "kept.sinew"], "kept.sinew")

    def test_a_saved_pose(self):
        self.fail_each(["run", "scene.lua", "--headless", "--frames", "3"], "kept.pose")


if __name__ == "__main__":
    unittest.main()
