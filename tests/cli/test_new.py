"""`sinew new` makes a folder whose scene runs as it is."""
import unittest

import program


class New(program.Case):
    def new(self, name, *words):
        return program.sinew("new", self.folder / name, *words)

    def assert_runs(self, name):
        scene = self.folder / name / "main.lua"
        result = program.sinew("run", scene, "--headless", "--frames", "10", "--size", "64x64")
        self.assertEqual(result.status, 0, result)
        return scene.read_text(encoding="utf-8")

    def test_with_our_own_hero(self):
        result = self.new("plain")
        self.assertEqual(result.status, 0, result)
        self.assertIn("sinew run", result.out)
        text = self.assert_runs("plain")
        self.assertIn("hero.glb", text)
        self.assertLessEqual(len(text.splitlines()), 30)
        stubs = (self.folder / "plain/sinew.d.lua").read_text(encoding="utf-8")
        self.assertIn('---| "Walk"', stubs, "the editor knows this model's clips")
        self.assertTrue((self.folder / "plain/.luarc.json").is_file(), "the editor's settings")

    def test_with_a_model_of_ones_own(self):
        mine = self.write("my model.glb", program.HERO.read_bytes())
        result = self.new("mine", "--model", mine)
        self.assertEqual(result.status, 0, result)
        mine.unlink()
        self.assertTrue((self.folder / "mine/my model.glb").is_file(), "the model goes along")
        text = self.assert_runs("mine")
        self.assertIn("my model.glb", text)
        self.assertIn("Walk", text)

    def test_a_name_that_exists(self):
        (self.folder / "taken").mkdir()
        self.assert_says(self.new("taken"), 1, "taken")
        self.write("file", "")
        self.assert_says(self.new("file"), 1, "file")

    def test_a_model_that_is_none(self):
        self.assert_says(self.new("x", "--model", self.write("empty.glb", b"")), 1, "empty.glb")
        self.assertFalse((self.folder / "x").exists(), "nothing is left behind")
        self.assert_says(self.new("y", "--model", self.folder / "nobody.glb"), 1, "nobody.glb")

    def test_a_name_that_is_none(self):
        self.assert_says(program.sinew("new", ""), 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
