"""A model or scene that is missing, empty, truncated, foreign or a folder: status 1 and one sentence that names it."""
import random
import unittest

import program


class BadFiles(program.Case):
    def assert_refused(self, path, *words):
        for command in (["info"], ["pose", "--json"]):
            with self.subTest(command=command, path=path.name):
                result = program.sinew(command[0], path, *command[1:])
                self.assert_says(result, 1, path.name, *words)
                self.assertLess(len(result.err), 2000, "one sentence is enough")

    def test_missing(self):
        self.assert_refused(self.folder / "nobody.glb")

    def test_empty(self):
        self.assert_refused(self.write("empty.glb", b""))

    def test_a_folder(self):
        (self.folder / "folder.glb").mkdir()
        self.assert_refused(self.folder / "folder.glb")

    def test_truncated(self):
        whole = program.HERO.read_bytes()
        for part in (3, 12, 100, len(whole) // 3):
            self.assert_refused(self.write(f"cut{part}.glb", whole[:part]))

    def test_foreign(self):
        self.assert_refused(self.write("text.glb", "Dear diary, today I was a model.\n"))
        self.assert_refused(self.write("noise.fbx", random.Random(7).randbytes(4000)))
        self.assert_refused(self.write("unknown.xyzzy", "no reader knows me\n"))

    def test_a_scene_that_is_not_there(self):
        for command in ("run", "test"):
            result = program.sinew(command, self.folder / "nobody.lua", *(["--headless"] if command == "run" else []))
            self.assert_says(result, 1, "nobody.lua")

    def test_a_scene_with_a_bad_model(self):
        self.write("empty.glb", b"")
        scene = self.write("scene.lua", 'local sinew = require "sinew"\nsinew.model("empty.glb")\n')
        self.assert_says(program.sinew("run", scene, "--headless", "--frames", "2"), 1, "scene.lua:2", "empty.glb")


if __name__ == "__main__":
    unittest.main(verbosity=2)
