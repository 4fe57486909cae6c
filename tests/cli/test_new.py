"""`sinew new` makes a folder whose scene runs as it is."""
import json
import pathlib
import shlex
import unittest

import program
from imported import read_glb, write_glb


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
        settings = json.loads((self.folder / "plain/.luarc.json").read_text(encoding="utf-8"))
        self.assertTrue((pathlib.Path(settings["workspace.library"][0]) / "task.lua").is_file(), "where the modules are")
        self.assertTrue((self.folder / "plain/.luacheckrc").is_file(), "luacheck's settings")

    def test_with_a_model_of_ones_own(self):
        mine = self.write("my model.glb", program.HERO.read_bytes())
        result = self.new("mine", "--model", mine)
        self.assertEqual(result.status, 0, result)
        mine.unlink()
        self.assertTrue((self.folder / "mine/my model.glb").is_file(), "the model goes along")
        text = self.assert_runs("mine")
        self.assertIn("my model.glb", text)
        self.assertIn("Walk", text)

    def files(self, name):
        folder = self.folder / name
        return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())

    def split_hero(self, path, clips=None):
        """The hero as .gltf with a buffer in a folder of its own; `clips`: without meshes, and these clips only."""
        told, rest = read_glb(program.HERO)
        if clips is not None:
            for node in told["nodes"]:
                node.pop("mesh", None), node.pop("skin", None)
            told["animations"] = [a for a in told["animations"] if a["name"] in clips]
            for animation in told["animations"]:
                animation["channels"] = [c for c in animation["channels"] if c["target"]["path"] != "weights"]
            for key in ("meshes", "skins", "materials", "textures", "images", "samplers"):
                told.pop(key, None)
        target = self.folder / path
        (target.parent / "data").mkdir(parents=True, exist_ok=True)
        told["buffers"][0]["uri"] = f"data/{target.stem}.bin"
        (target.parent / f"data/{target.stem}.bin").write_bytes(rest[8:])
        target.write_text(json.dumps(told))
        return target

    def test_a_unit_that_cannot_be_is_questioned(self):
        told, rest = read_glb(program.HERO)
        scene = told["scenes"][told.get("scene", 0)]
        told["nodes"].append({"name": "Large", "scale": [100, 100, 100], "children": scene["nodes"]})
        scene["nodes"] = [len(told["nodes"]) - 1]
        result = self.new("large", "--model", write_glb(self.folder / "large.glb", told, rest))
        self.assertEqual(result.status, 0, result)
        self.assertIn("in centimetres?", result.err, result)
        text = self.assert_runs("large")
        self.assertIn("local model = sinew.model(\"large.glb\", { unit = 0.01 })", text)
        self.assertNotIn("unit =", (self.new("plain") and self.assert_runs("plain")))

    def test_what_was_found_is_written_into_the_scene(self):
        told, rest = read_glb(program.HERO)
        scene = told["scenes"][told.get("scene", 0)]
        told["nodes"].append({"name": "Turned", "rotation": [0, 1, 0, 0], "children": scene["nodes"]})
        scene["nodes"] = [len(told["nodes"]) - 1]
        result = self.new("turned", "--model", write_glb(self.folder / "turned.glb", told, rest))
        self.assertIn("It faces -z", result.err, result)
        self.assertIn("sinew.model(\"turned.glb\", { front = \"-z\" })", self.assert_runs("turned"))
        result = self.new("told", "--model", program.HERO, "--role", "left_foot=LeftToeBase", "--role",
                          "right_foot=RightToeBase", "--retarget", "raw")
        self.assertEqual(result.status, 0, result)
        self.assertIn("{ roles = { left_foot = \"LeftToeBase\", right_foot = \"RightToeBase\" }, retarget = \"raw\" })",
                      self.assert_runs("told"))

    def test_a_model_whose_feet_are_found_by_its_mesh_has_them_in_the_scene(self):
        rig = program.ROOT.parent / "shared/models/rigs/files/quat_skeleton.fbx"
        if not rig.exists():
            self.skipTest(f"{rig} is not here")
        self.assertEqual(self.new("bones", "--model", rig).status, 0)
        self.assertRegex(self.assert_runs("bones"), r"roles = \{ left_foot = \"R.DownLeg_end\", right_foot = ")  # as its viewer sees it

    def test_only_what_the_model_needs_goes_along(self):
        model = self.split_hero("art/man.gltf")
        for name in ("art/man.blend", "art/man_old.gltf", "art/manual.txt", "art/data/other.bin"):
            self.write(name, "not needed")
        result = self.new("mine", "--model", model)
        self.assertEqual(result.status, 0, result)
        self.assertEqual(self.files("mine"), [".luacheckrc", ".luarc.json", "data/man.bin", "main.lua", "man.gltf", "sinew.d.lua"])
        self.assert_runs("mine")

    def test_clips_go_along(self):
        model = self.split_hero("art/man.gltf", clips=[])
        self.split_hero("art/moves/wave.gltf", clips=["Wave"])
        self.split_hero("pack/walk.gltf", clips=["Walk"])
        self.split_hero("pack/still.gltf", clips=[])
        self.write("pack/readme.txt", "not needed")
        result = self.new("mine", "--model", model, "--clips", f"{self.folder}/pack/*", "--clips", self.folder / "art/moves")
        self.assertEqual(result.status, 0, result)
        self.assertEqual(self.files("mine"), [".luacheckrc", ".luarc.json", "clips/data/walk.bin", "clips/walk.gltf", "data/man.bin",
                                              "main.lua", "man.gltf", "moves/data/wave.bin", "moves/wave.gltf",
                                              "sinew.d.lua"])
        text = self.assert_runs("mine")
        self.assertIn('"clips/walk.gltf"', text)
        self.assertIn('"moves/wave.gltf"', text)
        for clip in ("walk", "wave"):
            self.assertIn(clip, text)

    def test_many_clips_are_named_by_their_folder(self):
        for i in range(8):
            self.split_hero(f"pack/move{i}.gltf", clips=["Wave"])
        result = self.new("mine", "--clips", self.folder / "pack")
        self.assertEqual(result.status, 0, result)
        text = self.assert_runs("mine")
        self.assertIn('"clips/*"', text)
        self.assertNotIn("hero.glb", str(self.files("mine")), "the hero stays with Sinew's assets")

    def test_the_printed_line_runs(self):
        for name in ("plain", "my scene", "it's $HOME; `x`", "ümlaut"):
            result = self.new(name)
            self.assertEqual(result.status, 0, result)
            words = shlex.split(result.out.strip().splitlines()[-1])
            self.assertEqual(words, ["sinew", "run", str(self.folder / name / "main.lua")])

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
