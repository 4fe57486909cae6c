"""A window records its run by itself: the file goes when the run ends, stays when it is killed, and repeats the run with
its saves, also one that was read while it was half written."""
import os
import queue
import shutil
import subprocess
import threading
import time
import unittest

import program

SCENE = """
local sinew = require "sinew"
local hero = sinew.actor("hero", sinew.model "hero.glb")
hero:play "SPEED"
local function hash()
  local sum, buffer = 0, hero:pose():read()
  for i = 1, #buffer do sum = (sum * 31 + string.unpack("<i8", string.pack("<d", buffer[i]))) & 0xffffffffffff end
  return sum
end
function sinew.draw() if sinew.frame % 10 == 0 then print("frame", sinew.frame, hash()) end end
"""


class WindowLog(program.Case):
    def setUp(self):
        super().setUp()
        if not shutil.which("Xvfb"):
            self.skipTest("Xvfb is not here")
        read, write = os.pipe()
        display = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "320x240x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[write], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, display)
        os.close(write)
        with os.fdopen(read) as told:
            self.display = told.readline().strip()
        if not self.display:
            self.skipTest("Xvfb does not start")
        self.runs = self.folder / "cache" / "runs"

    @staticmethod
    def end(process):
        process.kill()
        process.wait(30)
        if process.stdout:
            process.stdout.close()

    def start(self, *words):
        run = subprocess.Popen(
            [program.PROGRAM, "run", str(self.folder / "scene.lua"), "--size", "64x48", *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", bufsize=1,
            env=program.environment(DISPLAY=f":{self.display}", SINEW_CACHE=str(self.folder / "cache")))
        self.addCleanup(self.end, run)
        self.lines = queue.Queue()
        threading.Thread(target=self.listen, args=(run,), daemon=True).start()
        return run

    def listen(self, run):
        for line in run.stdout:
            self.lines.put(line)

    def wait(self, count):
        """So many frames that were told."""
        seen = []
        while len(seen) < count:
            line = self.lines.get(timeout=60)
            if line.startswith("frame\t"):
                seen.append(line)
        return seen

    def save(self, text):
        self.write("new.lua", text)
        os.replace(self.folder / "new.lua", self.folder / "scene.lua")

    def test_a_run_that_is_killed_can_be_repeated(self):
        walk, run_clip = SCENE.replace("SPEED", "Walk"), SCENE.replace("SPEED", "Run")
        self.save(walk)
        run = self.start()
        seen = self.wait(4)
        self.save(run_clip[:-4])  # still being written: the scene waits for the rest
        time.sleep(0.05)
        self.save(run_clip)
        seen += self.wait(4)
        self.save(run_clip[:-4])  # and here it never comes in time
        time.sleep(0.6)
        self.save(walk)
        seen += self.wait(4)
        run.kill()
        run.wait(30)
        logs = list(self.runs.glob("scene-*.rec"))
        self.assertEqual(len(logs), 1, logs)
        again = program.sinew("replay", logs[0])
        told = [line for line in again.out.splitlines(keepends=True) if line.startswith("frame\t")]
        self.assertEqual(told[:len(seen)], seen, again)
        os.utime(logs[0], (time.time() - 60,) * 2)
        ended = self.start("--frames", "20")
        ended.wait(60)
        time.sleep(0.1)
        said = "".join(self.lines.get() for _ in range(self.lines.qsize()))
        self.assertIn(f"sinew replay {logs[0]}", said)
        self.assertEqual(list(self.runs.glob("*.rec")), logs)
        os.utime(logs[0], (time.time() - 8 * 86400,) * 2)
        self.start("--frames", "2").wait(60)
        self.assertEqual(list(self.runs.glob("*.rec")), [])


if __name__ == "__main__":
    unittest.main()
