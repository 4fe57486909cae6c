"""Output of a scene and names in a model are shown, not obeyed: a terminal takes escape sequences for
commands, which fill the clipboard, move the cursor or pretend to be an answer of Sinew's."""
import json
import os
import re
import struct
import subprocess
import unittest

import program

# In UTF-8 as well, and alone: terminals know 8-bit control characters, too.
EVIL = "\x1b]52;c;ZXZpbA==\x07\x1b[2J\r\x7f\x9b31m"
LUA = "\\27]52;c;ZXZpbA==\\7\\27[2J\\13\\127\\194\\15531m\\15531m"
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffd]")

SCENE = f"""
local sinew = require "sinew"
local evil = "{LUA}"
print(evil) sinew.log(evil)
local hero = sinew.actor(evil, sinew.model "evil.glb")
hero:play(1)
function sinew.update()
  if sinew.frame == 1 then hero:measure() hero:bake("new.glb", {{ seconds = 0.05 }}) end
  if sinew.frame == 3 then hero:set_graph(sinew.state_machine {{ states = {{ [evil] = "Walk" }} }}) end
  if sinew.frame == 5 then hero:joint(evil) end
end
sinew.tests[evil] = function() print(evil) error(evil) end
"""


def evil_model():
    """The hero, with such names for all that has one."""
    data = program.HERO.read_bytes()
    size, = struct.unpack_from("<I", data, 12)
    file = json.loads(data[20:20 + size])
    for kind in ("nodes", "meshes", "materials", "images", "textures"):
        for i, part in enumerate(file.get(kind, [])):
            part["name"] = f"{EVIL}{part.get('name', kind)}{i}"
    file["animations"].append({**file["animations"][0], "name": EVIL})
    text = json.dumps(file).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + size:]
    head = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
    return head + text + rest


class Terminal(program.Case):
    def assert_harmless(self, result, shows="\\x1b"):
        said = result.out + result.err
        self.assertIsNone(CONTROL.search(said), result)
        self.assertIn(shows, said)

    def setUp(self):
        super().setUp()
        self.model = self.write("evil.glb", evil_model())
        self.scene = self.write("scene.lua", SCENE)

    def test_a_run_without_a_window_tells_its_end(self):
        """On a terminal only: in a pipe there is what the scene prints."""
        log = self.folder / "run.txt"
        scene = self.write("quiet.lua", 'local sinew = require "sinew"\n')
        for words in (["run", scene, "--headless", "--frames", "120", "--record", log], ["replay", log]):
            ours, theirs = os.openpty()
            result = subprocess.run([program.PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, stdout=theirs,
                                    stderr=subprocess.PIPE, env=program.environment(), timeout=120)
            os.close(theirs)
            said = os.read(ours, 4096).decode()
            os.close(ours)
            self.assertEqual(result.returncode, 0, result)
            self.assertRegex(said, r"^\S+: 120 frames, 2\.0 s of the scene, in \d+\.\d s\r\n$")
            self.assertEqual(program.sinew(*words).out, "")

    def test_what_a_scene_says(self):
        log = self.folder / "run.txt"
        self.assert_harmless(program.sinew("run", self.scene, "--headless", "--frames", "9", "--record", log))
        self.assert_harmless(program.sinew("test", self.scene))
        self.assert_harmless(program.sinew("replay", log))
        self.assert_harmless(program.sinew("replay", "--metrics", log))
        self.assert_harmless(program.sinew("replay", "--metrics", log, "--json"))
        broken = self.write("broken.lua", f'error("{LUA}")')
        self.assert_harmless(program.sinew("run", broken, "--headless", "--frames", "1"))
        named = self.folder / f"{EVIL.replace('/', '')}.lua"
        named.write_text("local = 1", encoding="utf-8")
        self.assert_harmless(program.sinew("run", named, "--headless", "--frames", "1"))

    def test_what_a_model_is_called(self):
        self.assert_harmless(program.sinew("info", self.model))
        self.assert_harmless(program.sinew("info", self.model, "--json"), "\\u001b")
        self.assert_harmless(program.sinew("info", self.folder))
        self.assert_harmless(program.sinew("pose", self.model, "--json"), "\\u001b")
        self.assert_harmless(program.sinew("pose", self.model, "--clip", EVIL + "x", "--json"))
        named = self.write(f"{EVIL}.glb", b"glTF of nothing")
        self.assert_harmless(program.sinew("info", named), "31m.glb")

    def test_the_console(self):
        words = [program.PROGRAM, "console", str(self.scene)]
        done = subprocess.run(words, input=f'"{LUA}"\nerror("{LUA}")\n', capture_output=True, encoding="utf-8",
                              errors="replace", timeout=program.PATIENCE, env=program.environment(), check=False)
        self.assert_harmless(program.Result(done))


if __name__ == "__main__":
    unittest.main(verbosity=2)
