"""sinew bundle: a scene with its modules and cooked models in one file, which plays where none of them is."""
import json
import struct
import unittest

import program

MAIN = """
local sinew = require "sinew"
local clip = require "walk"
local hero = sinew.actor("hero", sinew.model("hero.glb", { clips = { "hero_extra.glb" } }))
hero:play(clip, { fade = 0 })
function sinew.update()
  local head = hero:joint "Head"
  print(string.format("%a %a %a", head.x, head.y, head.z), sinew.frame)
  if sinew.frame == FRAME then sinew.model "fox.glb" end
end
"""


def glb(document):
    text = json.dumps(document).encode("utf-8")
    text += b" " * (-len(text) % 4)
    return struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text), len(text), b"JSON") + text


class Bundle(program.Case):
    def bundle(self, frame=99, *words):
        self.write("main.lua", MAIN.replace("FRAME", str(frame)))
        self.write("walk.lua", 'return "Walk"')
        return program.sinew("bundle", self.folder / "main.lua", *words)

    def play(self, *words, frames=8):
        nowhere = {"SINEW_HOME": str(self.folder), "SINEW_CACHE": "off"}
        return program.sinew("run", self.folder / "main.sinewbundle", "--headless", "--frames", frames, *words, **nowhere)

    def forget_sources(self):
        for name in ("main.lua", "walk.lua"):
            (self.folder / name).unlink()

    def test_a_bundle_plays_alone_as_the_scene_does(self):
        self.assertEqual(self.bundle().status, 0)
        scene = program.sinew("run", self.folder / "main.lua", "--headless", "--frames", 8)
        self.forget_sources()
        played = self.play()
        self.assertEqual((played.status, played.out), (0, scene.out), played)
        self.assertEqual(len(played.out.splitlines()), 8)

    def test_a_run_of_a_bundle_is_recorded_and_repeated(self):
        self.bundle()
        played = self.play("--record", self.folder / "run.rec")
        again = program.sinew("replay", self.folder / "run.rec")
        self.assertEqual((again.status, again.out), (0, played.out), again)

    def test_what_is_loaded_later_needs_more_frames(self):
        self.bundle(4)
        self.assert_says(self.play(), 1, "'fox.glb' is not in the bundle", "--frames")
        self.bundle(4, "--frames", 5)
        self.assertEqual(self.play().status, 0)

    def test_a_licence_is_told(self):
        says = "2026 Ann Example, CC BY 4.0"
        self.write("box.glb", glb({"asset": {"version": "2.0", "copyright": says}, "nodes": [{"name": "box"}],
                                   "scenes": [{"nodes": [0]}], "scene": 0}))
        self.write("main.lua", 'local sinew = require "sinew"\nsinew.actor("box", sinew.model "box.glb")')
        self.assertIn(f"box.glb: copyright: {says}", program.sinew("bundle", self.folder / "main.lua").out)
        self.assertIn(says, program.sinew("info", self.folder / "box.glb").out)

    def test_mistakes_are_sentences_and_leave_no_file(self):
        self.write("bad.lua", "error 'no'")
        self.assert_says(program.sinew("bundle", self.folder / "bad.lua"), 1, "no")
        self.assertFalse((self.folder / "bad.sinewbundle").exists())
        self.write("main.sinewbundle", "mine")
        self.assert_says(self.bundle(), 1, "is not a bundle; it is not replaced")
        self.assertEqual((self.folder / "main.sinewbundle").read_text(), "mine")
        self.assert_says(self.play(), 1, "main.sinewbundle", "not a recording")
        self.assert_says(self.play("--trust"), 2, "sandbox")
        self.assert_says(self.bundle(1, "-o", self.folder / "x.zip"), 2, ".sinewbundle")
        (self.folder / "main.sinewbundle").unlink()
        self.assert_says(self.play(), 1, "main.sinewbundle")

    def test_a_cut_or_newer_bundle_is_a_sentence(self):
        self.bundle()
        whole = (self.folder / "main.sinewbundle").read_bytes()
        self.write("main.sinewbundle", whole.replace(b"recording 4", b"recording 9", 1))
        self.assert_says(self.play(), 1, "version 9")
        self.write("main.sinewbundle", whole[:len(whole) // 2])
        self.assert_says(self.play(), 1)


if __name__ == "__main__":
    unittest.main()
