"""A scene in a window of its own display (Xvfb) that somebody goes on saving: each save is told in the words of the edit,
the walk keeps its stride, a broken save changes nothing, and the end of the scene's file is said."""
import os
import queue
import shutil
import subprocess
import sys
import threading
import time
import unittest

import program

# Two figures of one scene: `hero` is edited, `twin` never is. What each frame prints is how far their hips are apart.
SCENE = """
local sinew = require "sinew"
local man = sinew.model "hero.glb"
local hero = sinew.actor("hero", man, { visible = false, params = { pace = 1.2 } })
local twin = sinew.actor("twin", man, { visible = false, params = { pace = 1.2 }, position = { 2, 0, 0 } })
HERO
twin:set_graph(sinew.blend_space_1d { param = "pace", sync = true, { 0, "Idle" }, { 1.6, "Walk" } })
local frame = 0
function sinew.update()
  frame = frame + 1
  local worst = 0
  for _, name in ipairs { "Hips", "LeftFoot", "RightHand" } do
    local a, b = hero:joint(name), twin:joint(name)
    worst = math.max(worst, math.abs(a.y - b.y), math.abs(a.z - b.z), math.abs(a.x + 2 - b.x))
  end
  if frame % 10 == 0 then print(("apart %.4f"):format(worst)) end
end
"""
SPACE = 'sinew.blend_space_1d { param = "pace", sync = true, { 0, "Idle" }, { 1.6, "Walk" } }'
EDITS = [  # the graph of hero, and what the save says
    (f"hero:set_graph(sinew.blend {{ {{ {SPACE}, 1 }} }})", "blend_space_1d → blend"),
    (f"hero:set_graph(sinew.state_machine {{ states = {{ move = {SPACE}, jump = 'Jump' }}, "
     "transitions = { { 'move', 'jump', on = 'x' } } })", "blend → state_machine"),
    (f"hero:set_graph(sinew.state_machine {{ states = {{ go = {SPACE}, jump = 'Jump' }}, "
     "transitions = { { 'go', 'jump', on = 'x' } } })", "key move → go"),
    (f"hero:set_graph({SPACE})", "state_machine → blend_space_1d"),
    (f"hero:set_graph({SPACE}) -- a comment", "nothing declared has changed"),
    (f"hero:set_graph({SPACE})\nlocal pal = sinew.actor('pal', man, {{ position = {{ -2, 0, 0 }} }})\npal:play 'Walk'",
     'pal joins'),
    (f"hero:set_graph({SPACE})\nsinew.camera.position = {{ 0, 2, 6 }}", "pal is gone"),
    (f"hero:set_graph({SPACE})\nhero:set_modifiers {{ sinew.limit {{ 'stiff', joint = 'Head', swing = 0.1 }} }}",
     "modifier stiff joins"),
]


class Window(program.Case):
    def setUp(self):
        super().setUp()
        if not shutil.which("Xvfb"):
            self.skipTest("Xvfb is not here")
        self.path = self.folder / "scene.lua"
        read, write = os.pipe()
        self.display = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "320x240x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[write], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.stop, self.display)
        os.close(write)
        with os.fdopen(read) as told:
            number = told.readline().strip()
        if not number:
            self.skipTest("Xvfb does not start")
        self.save(f"hero:set_graph({SPACE})")
        self.lines = queue.Queue()
        self.run = subprocess.Popen(
            [program.PROGRAM, "run", str(self.path), "--size", "64x48"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", bufsize=1,
            env=program.environment(DISPLAY=f":{number}"))
        self.addCleanup(self.stop, self.run)
        threading.Thread(target=self.listen, daemon=True).start()

    @staticmethod
    def stop(process):
        process.terminate()
        process.wait(30)
        if process.stdout:
            process.stdout.close()

    def listen(self):
        for line in self.run.stdout:
            self.lines.put(line)
        self.lines.put("")

    def save(self, hero, way="rename"):
        """By a rename, by writing the file in one go, or slowly: emptied, then in pieces."""
        text = SCENE.replace("HERO", hero) if hero else "this is no Lua"
        if way == "rename":
            (self.folder / "scene.lua.new").write_text(text, encoding="utf-8")
            (self.folder / "scene.lua.new").rename(self.path)
        elif way == "write":
            self.path.write_text(text, encoding="utf-8")
        else:
            with self.path.open("w", encoding="utf-8") as file:
                for at in range(0, len(text), 400):
                    file.flush()
                    time.sleep(0.03)
                    file.write(text[at:at + 400])

    def expect(self, word):
        """The next line with the word; the program says it within a minute however busy the machine is."""
        heard, end = [], time.monotonic() + 60
        while time.monotonic() < end:
            try:
                line = self.lines.get(timeout=1)
            except queue.Empty:
                continue
            heard.append(line)
            if "not loaded" in line and word != "not loaded":
                self.fail(line)
            if word in line:
                return line
            if line == "":
                break
        return self.fail(f"'{word}' was not said: {''.join(h for h in heard if 'apart' not in h)}")

    def test_saves_are_told_and_the_stride_is_kept(self):
        self.expect("apart")
        for number, (hero, said) in enumerate(EDITS):
            self.save(hero, ("rename", "write", "slowly")[number % 3])
            self.expect(said)
            for _ in range(2):
                self.assertLess(float(self.expect("apart").split()[-1]), 0.002, hero)
        self.save(None)
        self.expect("not loaded")
        self.assertLess(float(self.expect("apart").split()[-1]), 0.002)
        self.save(EDITS[-1][0])
        self.expect("apart")
        self.path.unlink()
        self.expect("was deleted; the last version runs on")
        self.expect("apart")
        self.assertIsNone(self.run.poll())

    def write_together(self, files, gone=()):
        """As a checkout does: each file goes, and comes again."""
        for name, text in files.items():
            path = self.folder / name
            path.unlink(missing_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        for name in gone:
            (self.folder / name).unlink()

    def expect_alone(self, word):
        """The next reload says the word, and in the second after it no other is told."""
        said = self.expect("reloaded")
        self.assertIn(word, said)
        end = time.monotonic() + 1
        while time.monotonic() < end:
            line = self.expect("")
            self.assertNotIn("reloaded", line)
            self.assertNotIn("deleted", line)
        return said

    def test_files_that_change_together_are_told_together(self):
        hero = f"hero:set_graph({SPACE})"
        fox, man = ((program.ROOT / "assets" / name).read_bytes() for name in ("fox.glb", "hero.glb"))
        self.expect("apart")
        self.write_together({"gait.lua": "return 1.4", "arm.lua": "return 'arm'", "own.glb": fox})
        self.save(f"{hero}\nlocal layer = require 'arm'\nhero.params.pace = 1.2 + 0 * require 'gait'\n"
                  "sinew.actor('own', sinew.model 'own.glb', { position = { 4, 0, 0 } }):play 'Walk'")
        self.expect("own joins")
        # A function of the new module, and a clip of the new model: neither is called before it is there.
        self.write_together({
            "scene.lua": SCENE.replace("HERO", f"{hero}\nlocal layer = require('arm').name()\nhero:layer(layer, {{}})\n"
                                       "hero.params.pace = 1.2\n"
                                       "sinew.actor('own', sinew.model 'own.glb', { position = { 4, 0, 0 } }):play 'Wave'"),
            "arm.lua": "return { name = function() return 'left arm' end }", "own.glb": man}, gone=["gait.lua"])
        said = self.expect_alone("2 files (scene.lua, arm.lua): ")
        self.assertIn("own \"Wave\" plays", said)
        self.assertIn("hero: layer left arm joins", said)
        self.write_together({"scene.lua": SCENE.replace("HERO", hero + " -- all as it was"), "arm.lua": "return {}"})
        self.expect_alone("own is gone")
        self.assertIsNone(self.run.poll())


if __name__ == "__main__":
    sys.exit(unittest.main())
