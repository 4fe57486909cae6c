"""`sinew console` evaluates the lines of standard input in a scene."""
import subprocess
import unittest

import program

SCENE = """local sinew = require "sinew"
local hero = sinew.actor("hero", sinew.model "hero.glb")
local frames = 0
hero:play "Walk"
function sinew.update() frames = frames + 1 end
"""


class Console(program.Case):
    def ask(self, lines, *words):
        scene = self.write("scene.lua", SCENE)
        done = subprocess.run([program.PROGRAM, "console", str(scene), *words], input=lines, text=True, timeout=60,
                              capture_output=True, check=False, env=program.environment())
        return done.returncode, done.stdout, done.stderr

    def test_a_frame_passes_after_each_line(self):
        status, out, err = self.ask("frames\nframes\nframes = 10\nframes\nhero:playing()[1].clip\n", "--quiet")
        self.assertEqual((status, out, err), (0, "1\n2\n11\nWalk\n", ""))

    def test_a_line_that_fails_is_told_and_the_rest_goes_on(self):
        status, out, err = self.ask("1 +\nhero:play 'Wlak'\nframes\n", "--quiet")
        self.assertEqual((status, out), (1, "3\n"))
        self.assertIn("did you mean 'Walk'?", err)
        self.assertIn("console:1:", err)

    def test_with_a_prompt(self):
        self.assertEqual(self.ask("1 + 1\n")[:2], (0, "> 2\n> "))

    def test_a_line_that_is_too_long_is_skipped(self):
        status, out, err = self.ask("'" + "x" * 10000 + "'\n'fine'\n", "--quiet")
        self.assertEqual((status, out), (0, "fine\n"))
        self.assertIn("4095 bytes", err)

    def test_a_scene_that_is_not_there(self):
        self.assert_says(program.sinew("console", "nowhere.lua"), 1, "no scene 'nowhere.lua'")


if __name__ == "__main__":
    unittest.main(verbosity=2)
