"""Somebody at a window of 1280 × 720: drags a value that the script has not, sees it written, takes it back, and looks back."""
import shutil
import time
import unittest

import program
import window

SCENE = """local sinew = require "sinew"
sinew.view.ground, sinew.view.inspector = false, true
local prop = sinew.actor("a prop", sinew.model "hero.glb", { visible = false })
local hero = sinew.actor("hero", sinew.model "hero.glb", { visible = false })
hero:play "Walk"
function sinew.key_pressed(key) if key == "j" then hero:play("Run", { fade = 0 }) print "jumped" end end
function sinew.draw() print("frame", sinew.frame) end
"""
# The panel has opened on the hero, who plays something: the middle of its slider of speed, which goes from -2 to 2, and Apply.
LEFT, RIGHT, SPEED = 1013, 1169, 332
APPLY = 1121, 72


class WindowPerson(window.Case):
    SIZE = DISPLAY = "1280x720"

    def setUp(self):
        super().setUp()
        if not shutil.which("xdotool"):
            self.skipTest("xdotool is not here")

    def do(self, *words):
        self.press(*words)
        while not self.lines.empty():
            self.lines.get()
        self.wait(3)

    def text(self):
        return (self.folder / "scene.lua").read_text(encoding="utf-8")

    def until(self, what):
        deadline = time.time() + 60
        while not what() and time.time() < deadline:
            time.sleep(0.05)
        self.assertTrue(what(), "".join(self.heard[-20:]))

    def test_drag_apply_undo_and_look_back(self):
        self.save(SCENE)
        self.start("--dt", "0.0166667")
        self.wait(5)
        self.press("search", "--name", "Sinew", "windowfocus")
        at = [LEFT + (RIGHT - LEFT) * share for share in (0.75, 0.8, 0.86)]
        self.do("mousemove", str(round(at[0])), str(SPEED))
        self.do("mousedown", "1")
        for x in at[1:]:
            self.do("mousemove", str(round(x)), str(SPEED))
        self.do("mouseup", "1")
        self.assertEqual(self.text(), SCENE, "nothing is written yet")
        self.do("mousemove", *map(str, APPLY))
        self.do("mousedown", "1")
        self.do("mouseup", "1")
        self.until(lambda: self.text() != SCENE)
        value = self.text().split("speed = ")[1].split()[0]
        self.assertAlmostEqual(float(value), 1.5, delta=0.3)
        self.assertEqual(self.text(), SCENE.replace('hero:play "Walk"', 'hero:play("Walk", { speed = %s })' % value))
        self.told(f"speed 1 → {value}")
        self.do("mousemove", "500", "500", "key", "ctrl+z")
        self.until(lambda: self.text() == SCENE)
        self.press("key", "j")
        self.told("jumped")
        self.wait(5)
        self.press("key", "F9")
        self.told("jumped")
        heard = -1
        while heard != len(self.heard):
            heard = len(self.heard)
            time.sleep(1)
        self.press("key", "Escape")
        self.wait(3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
