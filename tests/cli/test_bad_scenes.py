"""A script that fails ends a headless run with status 1, and the error says file and line."""
import unittest

import program


class BadScenes(program.Case):
    def assert_fails(self, text, line, *words, frames=20):
        scene = self.write("scene.lua", 'local sinew = require "sinew"\n' + text)
        result = program.sinew("run", scene, "--headless", "--frames", frames, "--size", "64x64")
        self.assert_says(result, 1, f"scene.lua:{line}", *words)

    def test_syntax(self):
        self.assert_fails("local = 3\n", 2)

    def test_an_error_while_loading(self):
        self.assert_fails('\nerror("the quick brown fox")\n', 3, "the quick brown fox")

    def test_an_error_in_update(self):
        self.assert_fails("function sinew.update(dt)\n  local nothing\n  nothing.field = 1\nend\n", 4)

    def test_an_error_in_draw(self):
        self.assert_fails("function sinew.draw()\n  error('in draw')\nend\n", 3, "in draw")

    def test_an_error_in_a_later_frame(self):
        self.assert_fails("local n = 0\nfunction sinew.update(dt)\n  n = n + 1\n  if n == 7 then error('seventh') end\n"
                          "end\n", 5, "seventh")

    def test_a_script_that_never_ends_while_loading(self):
        self.assert_fails("while true do end\n", 2)

    def test_a_script_that_never_ends_in_update(self):
        self.assert_fails("function sinew.update(dt)\n  while true do end\nend\n", 3)

    def test_an_unknown_callback_gets_the_nearest(self):
        self.assert_fails("function sinew.udpate(dt) end\n", 2, "udpate", "update")

    def test_an_unknown_clip_gets_the_nearest(self):
        self.assert_fails('local hero = sinew.actor("hero", sinew.model("hero.glb"))\nhero:play("Wlak")\n', 3, "Wlak",
                          "Walk")


if __name__ == "__main__":
    unittest.main(verbosity=2)
