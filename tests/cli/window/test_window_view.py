"""No impossible setting of a scene closes the window: the old picture stays, and a line gives the reason."""
import unittest

import window

SCENE = """
local sinew = require "sinew"
sinew.actor("hero", "hero.glb"):play "Walk"
local frame = 0
function sinew.update()
  frame = frame + 1
  if frame == 5 then VIEW end
  if frame % 5 == 0 then print("frame", frame) end
end
"""


class View(window.Case):
    def said(self):
        return "".join(self.lines.get() for _ in range(self.lines.qsize()))

    def test_a_camera_that_sees_nothing(self):
        self.save(SCENE.replace("VIEW", "sinew.camera.position, sinew.camera.target = { 1, 1, 1 }, { 1, 1, 1 }"))
        run = self.start("--frames", "30")
        self.assertEqual(run.wait(60), 0)
        run.stdout.close()
        said = self.said()
        self.assertEqual(said.count("position and target must be apart"), 1, said)
        self.assertIn("frame\t30", said)

    def test_a_camera_that_is_too_far(self):
        self.save(SCENE.replace("VIEW", "sinew.camera.position = { 1e30, 1, 1 }"))
        self.assertEqual(self.start("--frames", "30").wait(60), 0, self.said())


if __name__ == "__main__":
    unittest.main(verbosity=2)
