"""A window records its run by itself: the file goes when the run ends, stays when it is killed, and repeats the run with
its saves, also one that was read while it was half written, and with a look back in between."""
import os
import shutil
import time
import unittest

import program
import window

SCENE = """
local sinew = require "sinew"
local hero = sinew.actor("hero", sinew.model "hero.glb", { visible = false })
hero:play "SPEED"
local function hash()
  local sum, buffer = 0, hero:pose():read()
  for i = 1, #buffer do sum = (sum * 31 + string.unpack("<i8", string.pack("<d", buffer[i]))) & 0xffffffffffff end
  return sum
end
function sinew.draw() if sinew.frame % 10 == 0 then print("frame", sinew.frame, hash()) end end
"""


class WindowLog(window.Case):
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

    def test_a_recording_has_the_name_of_its_scene_or_folder(self):
        (self.folder / "walk").mkdir()
        self.write("walk/main.lua", SCENE.replace("SPEED", "Walk"))
        for scene in ("walk", "walk/", "walk/.", "walk/main.lua"):
            with self.subTest(scene):
                run = self.start(scene=scene)
                self.wait(1)
                self.assertIn(f"walk-{run.pid}.rec", [path.name for path in self.runs.glob("*.rec")])
                run.terminate()
                run.wait(30)

    def test_enter_plays_on_from_the_past(self):
        if not shutil.which("xdotool"):
            self.skipTest("xdotool is not here")
        self.save(SCENE.replace("SPEED", "Walk"))
        self.start("--dt", "0.01")
        seen = self.wait(8)
        self.press("search", "--name", "Sinew", "windowfocus")
        self.press("key", "F9")
        time.sleep(0.3)
        seen += [line for line in (self.lines.get() for _ in range(self.lines.qsize())) if line.startswith("frame")]
        self.press("key", "Home", "key", "Return")
        again = self.wait(4)
        at = seen.index(again[0])
        self.assertLess(at, 3)
        self.assertEqual(again, seen[at:at + 4])

    def test_a_look_back_leaves_no_trace(self):
        if not shutil.which("xdotool"):
            self.skipTest("xdotool is not here")
        scene = SCENE.replace("SPEED", "Walk") + """
function sinew.update(dt) if sinew.is_down "w" then hero.position = hero.position + sinew.vec3(0, 0, dt) end end
"""
        self.save(scene)
        run = self.start()
        seen = self.wait(6)
        self.press("search", "--name", "Sinew", "windowfocus")
        self.press("keydown", "w")
        seen += self.wait(3)
        self.press("key", "F9")
        time.sleep(0.3)
        seen += [line for line in (self.lines.get() for _ in range(self.lines.qsize())) if line.startswith("frame")]
        self.press("keyup", "w")
        self.press("mousemove", "30", "20", "key", "Left", "key", "space")
        self.save(scene + "print 'new code'")
        time.sleep(0.7)
        self.assertEqual([line for line in (self.lines.get() for _ in range(self.lines.qsize()))
                          if line.startswith(("frame", "new"))], [])
        self.press("key", "Escape")
        told = ""
        while "new code" not in told:
            told = self.next_line()
        seen += self.wait(4)
        run.kill()
        run.wait(30)
        again = program.sinew("replay", *self.runs.glob("scene-*.rec"))
        frames = [line for line in again.out.splitlines(keepends=True) if line.startswith("frame\t")]
        self.assertEqual(frames[:len(seen)], seen, again)
        self.assertIn("new code", again.out)


if __name__ == "__main__":
    unittest.main()
