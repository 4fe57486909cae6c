"""Clips of many files: which files a pattern names, what their clips are called, and how they come onto the model."""
import json
import os
import unittest

from imported import Case, inverse, product, program, read_glb, write_glb

HERO = program.ROOT / "assets/hero.glb"


def rows(world):
    return [[world[4 * c + r] for c in range(4)] for r in range(4)]


class Packs(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "pack/deep").mkdir(parents=True)

    def clip_file(self, path, *clips, change=lambda name, node: None):
        """A file with the hero's skeleton and (name, clip of the hero's) as its clips."""
        told, rest = read_glb(HERO)
        for node in told["nodes"]:
            node.pop("mesh", None), node.pop("skin", None)
            change(node["name"], node)
        for key in ("meshes", "skins", "materials", "textures", "images", "samplers"):
            told.pop(key, None)
        own = {a["name"]: a for a in told["animations"]}
        told["animations"] = [{**own[clip], "name": name, "channels": [
            c for c in own[clip]["channels"] if c["target"]["path"] != "weights"]} for name, clip in clips]
        if not clips:
            del told["animations"]
        return write_glb(self.folder / path, told, rest)

    def bare_hero(self, name="bare.glb"):
        told, rest = read_glb(HERO)
        del told["animations"]
        return write_glb(self.folder / name, told, rest)

    def told(self, model, *words, **more):
        result = program.sinew("info", model, "--json", *words, **{"SINEW_CACHE": "off", **more})
        self.assertEqual(result.status, 0, result)
        return json.loads(result.out)

    def names(self, model, *words):
        return [c["name"] for c in self.told(model, *words)["clips"]]

    def make_pack(self):
        self.clip_file("pack/wave.glb", ("mixamo.com", "Wave"))
        self.clip_file("pack/Run.glb", ("run", "Run"))
        self.clip_file("pack/deep/jump.GLB", ("Armature|Jump", "Jump"))
        self.clip_file("pack/gaits.glb", ("Walk", "Walk"), ("Take 001", "Run"), ("Armature|mixamo.com|Layer0", "Idle"))
        self.write("pack/notes.txt", "no model")
        self.write("pack/.hidden.glb", "no model")

    def test_a_pattern_names_files(self):
        self.make_pack()
        bare, pack = self.bare_hero(), self.folder / "pack"
        flat = ["Run", "Walk", "gaits", "gaits 2", "wave"]
        for pattern, found in (("*.glb", flat), ("*", flat), ("", flat), ("**", ["Run", "jump"] + flat[1:]),
                               ("**/*.glb", ["Run", "jump"] + flat[1:]), ("*/*", ["jump"]), ("?un.glb", ["Run"]),
                               ("g*s.glb", flat[1:4])):
            self.assertEqual(self.names(bare, "--clips", f"{pack}/{pattern}"), found, pattern)
        os.chdir(self.folder)
        self.addCleanup(os.chdir, "/")
        self.assertEqual(self.names(bare, "--clips", "pack/*"), flat)
        self.assertEqual(self.names(bare, "--clips", "*/wave.glb"), ["wave"])
        self.assert_says(program.sinew("info", bare, "--clips", "pack/*.fbx"), 1, "no model file matches 'pack/*.fbx'")
        self.assert_says(program.sinew("info", bare, "--clips", "nowhere/*.fbx"), 1, "no model file", "nowhere/*.fbx")

    def test_links_to_folders_are_not_followed_by_two_stars(self):
        self.make_pack()
        os.symlink(self.folder, self.folder / "pack/deep/round")
        self.assertEqual(self.names(self.bare_hero(), "--clips", f"{self.folder}/pack/**/jump.*"), ["jump"])

    def test_clips_have_names_of_their_own(self):
        """The only clip of a file, one without a name and one whose name is taken are called after the file."""
        bare = self.bare_hero()
        (self.folder / "other").mkdir()
        files = [self.clip_file("pack/a.glb", ("Idle", "Idle"), ("Walk", "Walk")),
                 self.clip_file("pack/b.glb", ("Idle", "Idle"), ("Run", "Run")),
                 self.clip_file("pack/c.glb", ("Idle", "Idle")),
                 self.clip_file("other/c.glb", ("Take 003", "Walk")),
                 self.clip_file("other/d.glb", ("Same", "Walk"), ("Same", "Run"), ("", "Idle"))]
        told = self.told(bare, *(word for file in files for word in ("--clips", file)))
        self.assertEqual([c["name"] for c in told["clips"]],
                         ["Idle", "Walk", "b Idle", "Run", "c", "other/c", "Same", "Same 2", "d"])
        self.assertEqual([c["file_name"] for c in told["clips"]][2:6], ["Idle", "Run", "Idle", "Take 003"])
        here = f"{self.folder}/other/./c.glb"  # as files of the folder "." are called
        self.assertEqual(self.names(bare, "--clips", files[2], "--clips", here), ["c", "c 2"])
        self.assertEqual([c["clip_file"] for c in told["clips"]], [0, 0, 1, 1, 2, 3, 4, 4, 4])

    def test_the_only_clip_of_a_model_has_a_name_that_says_something(self):
        for own, name in (("Scene", "dance"), ("Take 001", "dance"), ("Armature|mixamo.com|Layer0", "dance"),
                          ("Armature|Waltz", "Armature|Waltz"), ("Waltz", "Waltz")):
            dance = self.clip_file("dance.glb", (own, "Walk"))
            self.assertEqual(self.names(dance), [name])
            self.assertEqual(self.pose(dance, own, [0.5], "--unit", "1")["clips"][0]["name"], name)
        self.assertEqual(self.names(self.clip_file("two.glb", ("Take 001", "Walk"), ("Take 002", "Run"))),
                         ["Take 001", "Take 002"])

    def test_the_models_own_clips_are_told_apart(self):
        own = self.clip_file("own.glb", ("Go", "Walk"), ("Go", "Run"), ("Go 2", "Idle"), ("Stay", "Idle"))
        self.assertEqual(self.names(own), ["Go", "Go 3", "Go 2", "Stay"])
        self.assertEqual(self.names(own, "--edit", "Stay,0..0.2", "--edit", "Stay,0.2..0.4"),
                         ["Go", "Go 3", "Go 2", "Stay", "Stay 2"])

    def test_a_clip_is_found_by_the_name_in_its_file_and_by_numbers(self):
        files = ["--unit", "1", "--clips", str(self.clip_file("pack/jig.glb", ("Dance", "Walk"), ("Take 001", "Wave")))]
        bare = self.bare_hero()
        for word in ("jig", "Take 001", "#1", "2"):
            self.assertEqual(self.pose(bare, word, [0.5], *files)["clips"][0]["name"], "jig", word)
        self.assertEqual(self.names(bare, "--edit", "Take 001=Hello", *files), ["Dance", "Hello"])
        self.assert_says(program.sinew("pose", bare, *files, "--clip", "3", "--time", "0"), 1, "no clip '3'")

    def test_a_pattern_leaves_out_what_does_not_fit(self):
        self.clip_file("pack/walk.glb", ("Walk", "Walk"))
        self.clip_file("pack/still.glb")
        self.clip_file("pack/box.glb", ("Open", "Walk"), change=lambda name, node: node.update(name="part " + name[::-1]))
        bare = self.bare_hero("pack/model.glb")
        told = self.told(bare, "--clips", f"{self.folder}/pack/*.glb")
        self.assertEqual([c["name"] for c in told["clips"]], ["walk"])
        self.assert_noted(told, "still.glb", "holds no clips")
        self.assert_noted(told, "box.glb", "its clip moves no joint of the model")
        self.assertEqual([sum(name in note for note in told["notes"]) for name in ("still.glb", "box.glb")], [1, 1],
                         "one sentence for each file")
        self.assert_not_noted(told, "model.glb")
        self.assertEqual(len(told["clip_files"]), 1, "and the model is none of its own clip files")
        for name in ("still", "box"):
            self.refused_clips(bare, f"{self.folder}/pack/{name}.glb")

    def refused_clips(self, model, clips):
        self.assert_says(program.sinew("info", model, "--clips", clips, SINEW_CACHE="off"), 1, clips)

    def test_copy_and_fit_are_chosen(self):
        """A rig with longer arms: copied, each joint turns as in its file; fitted, it keeps its place on the ground."""
        def taller(name, node):
            if name in ("LeftLeg", "LeftFoot", "RightLeg", "RightFoot"):
                node["translation"] = [1.3 * x for x in node["translation"]]
            if name == "Hips":
                node["translation"][1] += 0.25
            if name == "LeftArm":
                node["rotation"] = [0, 0, 0.3826834, 0.9238795]
        clips = str(self.clip_file("pack/walk.glb", ("Walk", "Walk"), change=taller))
        bare, found = self.bare_hero(), {}
        for how in ("auto", "copy", "fit"):
            for cache in (str(self.folder / "cache"),) * 2:  # made, and taken out
                told = self.told(bare, "--clips", clips, "--retarget", how, SINEW_CACHE=cache)
                self.assertEqual(told["clip_files"][0]["corrected"], how != "copy", how)
                found[how] = told["clips"][0]
        self.assertTrue(found["fit"]["compared"] and found["fit"]["fits"] and found["auto"] == found["fit"], found)
        turns, heights = {}, {}
        for how, file in (("file", clips), ("copy", bare), ("fit", bare)):
            more = ["--clips", clips, "--retarget", how] if file is bare else []
            dump = self.pose(file, "Walk", [0.3], "--unit", "1", *more)
            worlds = dict(zip((n["name"] for n in dump["nodes"]), map(rows, dump["clips"][0]["frames"][0]["world"])))
            turns[how] = product(inverse(worlds["LeftShoulder"]), worlds["LeftArm"])
            heights[how] = worlds["Hips"][1][3]
        for a, b in zip(turns["file"], turns["copy"]):
            self.assert_near(a[:3], b[:3], 1e-3, "the copied turn of a joint is the file's")
        self.assertGreater(abs(heights["copy"] - heights["fit"]), 0.01)
        same = str(self.clip_file("pack/same.glb", ("Walk", "Walk")))
        for how, corrected in (("auto", False), ("fit", True)):
            self.assertEqual(self.told(bare, "--clips", same, "--retarget", how)["clip_files"][0]["corrected"], corrected)
        self.assert_says(program.sinew("info", bare, "--clips", same, "--retarget", "best"), 2, "auto, copy, fit or raw")

    def test_scenes_name_packs(self):
        self.make_pack()
        self.bare_hero()
        scene = self.write("scene.lua", """
            local man = sinew.model("bare.glb", { clips = { "pack/*.glb", "pack/deep" } })
            local fitted = sinew.model("bare.glb", { clips = { "pack/*.glb" }, retarget = "fit" })
            function sinew.test()
              local names = table.concat(man:clips(), ", ")
              assert(names == "Run, Walk, gaits, gaits 2, wave, jump", names)
              assert(#fitted:clips() == 5)
              local hero = sinew.actor("hero", man)
              for _, clip in ipairs { "wave", "mixamo.com", 5, "5", "#4" } do
                assert(math.abs(man:duration(clip) - man:duration "wave") < 1e-9, clip)
              end
              for _, bad in ipairs { "pack/*.fbx", "nowhere/*", "../*.glb", "/etc/*", "pack/../../*/*.glb", "**/../../*" } do
                local model, message = sinew.try_model("bare.glb", { clips = { bad } })
                assert(model == nil and #message > 10, bad)
              end
              local _, message = pcall(sinew.try_model, "bare.glb", { clips = { "pack" }, retarget = "best" })
              assert(message:find '"auto"', message)
            end""")
        result = program.sinew("test", scene)
        self.assertEqual(result.status, 0, result)

    def test_a_link_out_of_the_scenes_folder_leads_nowhere(self):
        inner = self.folder / "scene"
        inner.mkdir()
        self.make_pack()
        os.symlink(self.folder / "pack", inner / "pack")
        self.bare_hero("scene/bare.glb")
        result = program.sinew("test", self.write("scene/scene.lua", """
            function sinew.test()
              local model, message = sinew.try_model("bare.glb", { clips = { "pack/*.glb" } })
              assert(model == nil and message:find "may read", message)
            end"""))
        self.assertEqual(result.status, 0, result)


if __name__ == "__main__":
    unittest.main()
