"""Panels in a real window, with a mouse and keys: somebody picks a joint, drags a sample of a blend space into the
script, types into the console and looks back."""
import shutil
import time
import unittest

import program
import window

SCENE = """
local sinew = require "sinew"
sinew.view.ground = false
local hero = sinew.actor("hero", sinew.model "hero.glb", { visible = false, params = { speed = 1.9 } })
hero:set_graph(sinew.blend_space_1d { param = "speed", sync = true,
  { 0, "Idle" },
  { 1.4, "Walk" },
  { 3.9, "Run" },
})
function sinew.draw()
  local picked = sinew.selected
  print("frame", sinew.frame, picked and picked.joint or "nobody")
end
"""
# In a window of 960 × 540: the middle of a figure at the origin, and the samples of the space, which F10 shows at the
# bottom right; its line is as long as the samples span.
MIDDLE = 480, 170
IDLE, WALK, RUN, LINE = 622, 731, 926, 432


class WindowHands(window.Case):
    SIZE = window.SCREEN

    def setUp(self):
        super().setUp()
        if not shutil.which("xdotool"):
            self.skipTest("xdotool is not here")

    def begin(self, scene=SCENE):
        self.save(scene)
        self.start()
        self.wait(3)
        self.press("search", "--name", "Sinew", "windowfocus")

    def do(self, *words):
        """One thing after the other, with frames in between that see it."""
        self.press(*words)
        self.settle()

    def settle(self):
        while not self.lines.empty():
            self.lines.get()
        self.wait(3)

    def stand_still(self):
        """Until the scene has told no frame for a second."""
        deadline = time.time() + 60
        while True:
            while not self.lines.empty():
                self.lines.get()
            time.sleep(1)
            if self.lines.empty():
                return
            self.assertLess(time.time(), deadline, "the scene goes on")

    def drag(self, x, y, to_x):
        self.do("mousemove", str(x), str(y))
        self.do("mousedown", "1")
        for at in (x + (to_x - x) // 2, to_x):
            self.do("mousemove", str(at), str(y))
        self.do("mouseup", "1")

    def test_a_dragged_sample_is_written_into_the_script(self):
        self.begin()
        self.do("key", "F10")
        self.drag(WALK, LINE, WALK + 60)
        line = self.told("Walk: x 1.4 →")
        moved = float(line.split("→")[1].split()[0])
        self.assertAlmostEqual(moved, 3.9 * (WALK + 60 - IDLE) / (RUN - IDLE), delta=0.05)
        text = (self.folder / "scene.lua").read_text()
        self.assertEqual(text, SCENE.replace("{ 1.4,", "{ %g," % moved))
        self.do("key", "ctrl+z")
        deadline = time.time() + 60
        while (self.folder / "scene.lua").read_text() != SCENE and time.time() < deadline:
            self.settle()
        self.assertEqual((self.folder / "scene.lua").read_text(), SCENE)

    def test_a_joint_is_picked_and_the_console_knows_it(self):
        self.begin(SCENE.replace("visible = false", "visible = true"))
        self.do("mousemove", *map(str, MIDDLE))
        self.do("keydown", "ctrl")
        self.do("click", "1")
        self.do("keyup", "ctrl")
        joint = self.wait(1)[0].split("\t")[2].strip()
        self.assertNotEqual(joint, "nobody")
        self.do("key", "F10")
        self.do("key", "ctrl+grave")
        self.press("type", "--delay", "60", 'print("typed", sinew.selected.joint)')
        self.do("key", "Return")
        self.assertEqual(self.told("typed"), f"typed\t{joint}\n")

    def test_a_click_on_the_timeline_goes_there(self):
        self.begin()
        self.wait(30)
        self.do("key", "F10")
        self.press("key", "F9")
        self.stand_still()
        self.press("mousemove", "300", "380", "click", "1")
        self.stand_still()
        self.press("key", "Escape")
        self.wait(3)


if __name__ == "__main__":
    unittest.main()
