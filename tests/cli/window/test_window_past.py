"""Somebody looks back in a real window: sees a jump, mends it as the window says, and plays on; also in scenes that load
in the background, follow a gamepad, run out of time and fail."""
import os
import re
import shutil
import time
import unittest

import program
import window

HEAD = """
local sinew = require "sinew"
sinew.view.ground = false
local hero = sinew.actor("hero", sinew.model "hero.glb", { visible = false })
hero:play "Wave"
"""
FRAME = "function sinew.draw() if sinew.frame % 5 == 0 then print('frame', sinew.frame, {words}) end end\n"
JUMP = "  if sinew.frame == 60 then hero:play('Idle', {{ fade = {fade} }}) print 'jumped' end\n"
UPDATE = "function sinew.update(dt)\n{before}" + JUMP + "end\n"
# In a window of 960 × 540: the line of the panel that names what caused the mark.
CAUSE = 200, 341


class WindowPast(window.Case):
    SIZE = "160x120"  # keys need no more

    def setUp(self):
        super().setUp()
        if not shutil.which("xdotool"):
            self.skipTest("xdotool is not here")
        self.editor = self.write("editor", f'#!/bin/sh\necho "$@" >{self.folder}/opened\n')
        self.editor.chmod(0o700)
        os.environ["VISUAL"] = str(self.editor)
        self.addCleanup(os.environ.pop, "VISUAL")

    def scene(self, before="", fade="0", after="", words="''", head=HEAD):
        return head + UPDATE.format(before=before, fade=fade) + FRAME.format(words=words) + after

    def begin(self, text, *words):
        self.save(text)
        self.start("--dt", "0.0166667", *words)
        self.wait(1)
        self.press("search", "--name", "Sinew", "windowfocus")

    def look_back(self):
        """After the jump; the scene stands."""
        self.told("jumped\n")
        self.wait(5)
        self.press("key", "F9")
        deadline = time.time() + 60
        heard = -1
        while heard != len(self.heard) and time.time() < deadline:
            heard = len(self.heard)
            time.sleep(1)

    def run_again(self, text):
        """Saves, and returns what the panel says about the seconds that ran again."""
        before = len(self.heard)
        self.save(text)
        deadline = time.time() + 60
        while time.time() < deadline:
            for line in self.heard[before:]:
                if line.startswith("sinew: ") and ("with your edit" in line or "run again" in line):
                    return line
            time.sleep(0.05)
        self.fail(f"nothing ran again: {''.join(self.heard[-20:])}")

    def frames_of(self, lines):
        return [int(line.split("\t")[1]) for line in lines]

    def press_anew(self, *keys):
        """Forgets the frames that were told before."""
        while not self.lines.empty():
            self.lines.get()
        self.press(*keys)

    def play_on(self):
        """Enter, from the loop; the frames that follow."""
        self.press_anew("key", "space", "key", "Return")
        return self.wait(6)

    def assert_jump_is_mended(self, told):
        """A fade leaves no displacement at one instant."""
        jump = re.search(r"differs from .*jump (\d+)° (\d+) cm → 0° 0 cm \(gone\)", told)
        self.assertTrue(jump, told)
        self.assertGreater(int(jump[1]), 12)

    def test_a_jump_is_mended_as_the_window_says(self):
        self.SIZE = window.SCREEN
        self.begin(self.scene())
        self.look_back()
        self.press("mousemove", *map(str, CAUSE), "click", "1")
        deadline = time.time() + 60
        while not (self.folder / "opened").exists() and time.time() < deadline:
            time.sleep(0.05)
        line = next(i for i, text in enumerate(self.scene().splitlines(), 1) if "hero:play('Idle'" in text)
        self.assertEqual((self.folder / "opened").read_text().split(), [f"+{line}", f"{self.folder}/scene.lua"])
        self.shrink()
        self.assertIn("nothing differs", self.run_again(self.scene(after="-- the same")))
        self.assert_jump_is_mended(self.run_again(self.scene(fade="0.4")))
        left = max(self.frames_of(line for line in self.heard if line.startswith("frame\t")))
        seen = self.frames_of(self.play_on())
        self.assertLess(seen[0], left)
        self.assertEqual(seen, list(range(seen[0], seen[0] + 30, 5)))
        self.press("key", "F9", "key", "ctrl+z", "key", "Escape")  # the run that was left
        while seen[-1] < left:
            seen += self.frames_of(self.wait(1))
        self.assertIn(left + 5, seen + self.frames_of(self.wait(2)))

    def test_while_a_model_is_on_its_way(self):
        real = next(os.path.join(where, "sinew-import") for where in
                    (os.path.dirname(program.PROGRAM), "/usr/bin") if os.path.exists(os.path.join(where, "sinew-import")))
        importer = self.write("importer", f'#!/bin/sh\nwhile [ ! -e {self.folder}/go ]; do sleep 0.05; done\nexec {real} "$@"\n')
        importer.chmod(0o700)
        late = "  if sinew.frame == 20 then late = sinew.model('fox.glb', { wait = false, unit = 1.25 }) end\n"
        scene = {"before": late, "words": "late and late.loaded", "head": HEAD + "local late\n"}
        self.save(self.scene(**scene))  # the hero comes from the cache then
        program.sinew("run", self.folder / "scene.lua", "--headless", "--frames", "2", SINEW_CACHE=str(self.folder / "cache"))
        os.environ["SINEW_IMPORT"] = str(importer)
        self.addCleanup(os.environ.pop, "SINEW_IMPORT")
        self.begin(self.scene(**scene))
        self.look_back()
        self.assertIn("nothing differs", self.run_again(self.scene(**scene, after="-- the same")))
        self.assert_jump_is_mended(self.run_again(self.scene(**scene, fade="0.4")))
        self.assertIn("false", self.play_on()[-1])
        (self.folder / "go").touch()
        deadline = time.time() + 60
        while "true" not in self.wait(1)[0]:
            self.assertLess(time.time(), deadline, "the model never comes")

    def test_with_a_gamepad(self):
        pad = os.environ.get("SINEW_VIRTUAL_PAD_LIBRARY")
        if not pad:
            self.skipTest("there is no virtual gamepad in this build")
        held = self.write("held", "0.5 0")
        os.environ.update(LD_PRELOAD=pad, SINEW_VIRTUAL_PAD=str(held))
        self.addCleanup(os.environ.pop, "LD_PRELOAD")
        self.addCleanup(os.environ.pop, "SINEW_VIRTUAL_PAD")
        walks = "  hero.position = hero.position + sinew.vec3(0, 0, sinew.strength 'left_stick_up' * dt)\n"
        scene = {"before": walks, "words": "hero.position.z",
                 "after": "function sinew.key_pressed(key) if key == 'pad_a' then print 'pressed' end end\n"}
        self.begin(self.scene(**scene))
        os.replace(self.write("now", "0.5 1"), held)
        self.told("pressed")
        self.look_back()
        os.replace(self.write("now", "1 0"), held)  # the past has its own
        self.assertIn("nothing differs", self.run_again(self.scene(**scene) + "-- the same"))
        os.replace(self.write("now", "0.5 0"), held)
        seen = [line for line in self.heard if line.startswith("frame\t")]
        self.assertIn(self.play_on()[0], seen)
        os.replace(self.write("now", "1 0"), held)
        before, after = (float(line.split("\t")[2]) for line in self.wait(8)[-2:])
        self.assertAlmostEqual(after - before, 5 / 60, delta=1e-4)

    def test_an_update_that_fails_is_mended_in_the_past(self):
        fails = "  if sinew.frame > 40 then hero.position = sinew.vec3(0, 0, {}) end\n"
        jumps = "function sinew.draw() if sinew.frame == 60 then print 'jumped' end print('frame', sinew.frame) end\n"
        self.begin(HEAD + "function sinew.update(dt)\n" + fails.format("speeed * dt") + "end\n" + jumps)
        self.look_back()
        mended = HEAD + "function sinew.update(dt)\n" + fails.format("1 * dt") + "end\n" + jumps
        self.press("key", "Home", "key", "bracketleft")
        self.assertIn("differs from", self.run_again(mended))
        self.assertTrue(self.play_on())
        self.assertIsNone(self.run_of_scene.poll())

    def test_a_callback_that_the_clock_ended_is_told(self):
        endless = "  if sinew.frame == 40 then while true do end end\n"
        jumps = "function sinew.draw() if sinew.frame == 60 then print 'jumped' end print('frame', sinew.frame) end\n"
        self.begin(HEAD + "function sinew.update(dt)\n" + endless + "end\n" + jumps)
        self.look_back()
        self.press("key", "Home", "key", "bracketleft", "key", "End", "key", "bracketright")
        self.assertIn("took longer than allowed", self.run_again(HEAD + "function sinew.update(dt)\nend\n" + jumps))
        self.press_anew("key", "Escape")  # it takes the save all the same
        self.assertGreater(self.frames_of(self.wait(3))[-1], 60)
        self.assertIsNone(self.run_of_scene.poll())

    def test_the_console_asks_the_past(self):
        self.begin(self.scene(words="hero.name"))
        self.look_back()
        self.press("key", "ctrl+grave")
        self.press("type", "--delay", "60", 'print("then", sinew.frame < 100)')
        self.press("key", "Return")
        time.sleep(1)
        self.assertNotIn("then\ttrue\n", self.heard)  # it is in the panel, and no part of the run
        self.press("key", "Escape", "key", "Escape")
        self.wait(2)


if __name__ == "__main__":
    unittest.main()
