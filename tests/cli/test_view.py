"""The viewer without a display: every model of ours and of the shared set, its options, its mistakes, what it saves."""
import subprocess
import unittest

import program
from test_pictures import png
from write_fbx import Fbx

SHARED = program.ROOT.parent / "shared/models/files"
MODELS = [".glb", ".gltf", ".fbx", ".dae", ".bvh", ".md5mesh"]
SMALL = ["--headless", "--size", "96x64", "--frames", "3", "--samples", "1", "--shadow", "0"]


def view_in(folder, *words):
    """The same from another folder: scenes are saved where the program runs."""
    done = subprocess.run([program.PROGRAM, "view", *SMALL, *map(str, words)], cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=program.PATIENCE, encoding="utf-8", errors="replace", check=False)
    return program.Result(done)


class View(program.Case):
    def view(self, *words):
        return program.sinew("view", *SMALL, *words, "--capture", self.folder / "out.png")

    def test_the_hero(self):
        result = self.view(program.HERO, "--clip", "Walk", "--time", "0.4", "--skeleton", "--wireframe", "--bind-pose")
        self.assertEqual(result.status, 0, result)
        size, bytes_ = png(self.folder / "out.png")
        self.assertEqual(size, (96, 64))
        self.assertGreater(len(set(bytes_)), 40, "an empty picture")

    @program.compares_only
    def test_a_camera_far_away_leaves_the_skeleton_in_the_picture(self):
        """A file of joints and cameras, as clip files are."""
        pictures = []
        for away in (None, (4000, 9000, 0)):
            fbx = Fbx()
            for name, parent in (("Hip", 0), ("Knee", 1), ("Foot", 2)):
                parent = fbx.model(name, 1000 + parent if parent else 0, Lcl_Translation=(0, 40, 0))
            if away:
                fbx.model("Top", what="Camera", Lcl_Translation=away)
            result = self.view(self.write("model.fbx", fbx.text()), "--no-panels")
            self.assertEqual(result.status, 0, result)
            pictures.append(png(self.folder / "out.png")[1])
        different = sum(a != b for a, b in zip(*pictures))
        self.assertLess(different, 0.02 * len(pictures[0]))

    @program.compares_only
    def test_the_camera_follows_a_clip_that_travels_far(self):
        """Where a triangle crosses a hall, it stays where it was in the picture."""
        pictures = []
        for way in (0, 4000):
            fbx = Fbx()
            model = fbx.model("Sail", what="Mesh")
            fbx.mesh(model, [(-50, 0, 0), (50, 0, 0), (0, 100, 0)])
            layer, = fbx.stack("Go", 0, 1)
            fbx.curves(layer, model, "Lcl Translation", (0, 1), ((0, 0, 0), (0, 0, way)))
            result = program.sinew("view", self.write("model.fbx", fbx.text()), "--no-panels", *SMALL,
                                   "--frames", "45", "--capture", self.folder / "out.png")  # a whole square further on
            self.assertEqual(result.status, 0, result)
            pictures.append(png(self.folder / "out.png")[1])
        self.assertLess(sum(a != b for a, b in zip(*pictures)), 0.03 * len(pictures[0]))

    def test_a_clip_that_is_not_there_is_told_from_what_is(self):
        self.assert_says(self.view(program.HERO, "--clip", "Wlak"), 1, "Wlak", "did you mean 'Walk'")
        for number in ("0", "9", "#8"):
            self.assert_says(self.view(program.HERO, "--clip", number), 1, f"'{number}'", "from #0 to #7")
        bare = self.write("bare.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.assert_says(self.view(bare, "--clip", "Walk"), 1, "it has no clips", "assets/hero.glb lends it")

    @program.compares_only
    def test_shadow_and_samples_are_chosen(self):
        shown = []
        for words in (["--shadow", "512"], [], ["--samples", "4"]):
            result = self.view(program.HERO, "--no-panels", *words)
            self.assertEqual(result.status, 0, result)
            shown.append(png(self.folder / "out.png")[1])
        self.assertEqual(len(set(shown)), 3)

    @program.compares_only
    def test_equal_runs_are_equal(self):
        pictures = []
        for _ in range(2):
            self.assertEqual(self.view(program.HERO).status, 0)
            pictures.append((self.folder / "out.png").read_bytes())
        self.assertTrue(pictures[0] == pictures[1])

    @program.compares_only
    def test_every_model_of_the_shared_set(self):
        files = [path for path in sorted(SHARED.glob("*")) if path.suffix in MODELS] if SHARED.is_dir() else []
        if not files:
            self.skipTest("the shared models are not here")
        for path in files:
            with self.subTest(path.name):
                result = program.sinew("view", path, "--headless", "--size", "96x64", "--frames", "1", "--shadow", "0", "--capture",
                                       self.folder / "out.png")
                self.assertEqual(result.status, 0, result)

    def test_mistakes_have_a_sentence(self):
        self.assert_says(self.view(program.HERO, "--clip", "Wlak"), 1, "Wlak", "did you mean 'Walk'")
        self.assert_says(self.view(self.folder / "none.glb"), 1, "none.glb")
        self.assert_says(self.view(self.write("empty.glb", b"")), 1, "empty.glb")
        self.assert_says(program.sinew("view", program.HERO, *SMALL, "--capture", "no/folder/x.png"), 1, "no/folder")
        self.assert_says(program.sinew("view"), 2, "MODEL")
        self.assert_says(program.sinew("view", program.HERO, "--headless", "--frames=-1"), 2, "--frames")

    def make_pack(self):
        (self.folder / "my pack").mkdir()
        for name in ("hero.glb", "hero_walk.bvh"):
            self.write(f"my pack/{name}", (program.HERO.parent / name).read_bytes())

    @program.compares_only
    def test_a_folder_is_shown_with_pictures_of_its_clips(self):
        """Each row has a picture of its own: without panels the same picture is another."""
        self.make_pack()
        shown = []
        for words in (["--sort=-speed"], ["--sort", "length"], ["--no-panels"]):
            result = program.sinew("view", self.folder / "my pack", *words, "--headless", "--size", "640x360", "--shadow", "0", "--frames",
                                   "12", "--capture", self.folder / "out.png")
            self.assertEqual(result.status, 0, result)
            shown.append(png(self.folder / "out.png")[1])
        self.assertEqual(len(set(shown)), 3)
        self.assert_says(self.view(self.folder / "my pack", "--sort", "sped"), 2, "speed")
        (self.folder / "bare").mkdir()
        self.assert_says(self.view(self.folder / "bare"), 1, "holds no model file")

    def test_a_folder_is_saved_as_a_scene(self):
        self.make_pack()
        result = view_in(self.folder, "my pack", "--clip", "hero_walk", "--save")
        self.assertEqual(result.status, 0, result)
        scene = (self.folder / "hero.lua").read_text()
        self.assertIn('clips = { "my pack/**" }', scene)
        self.assertIn('hero:play("hero_walk"', scene)
        result = program.sinew("run", self.folder / "hero.lua", "--headless", "--frames", "2")
        self.assertEqual(result.status, 0, result)

    def test_the_saved_scene_has_no_surprises(self):
        result = view_in(self.folder, program.HERO, "--clip", "Wave", "--save")
        self.assertEqual(result.status, 0, result)
        scene = (self.folder / "hero.lua").read_text()
        self.assertIn('sinew.model("hero.glb")', scene)  # Sinew's own asset, by its short name
        self.assertIn('hero:play("Wave"', scene)
        self.assertNotIn("--allow", scene)
        self.assertLessEqual(len(scene.strip().split("\n")), 21)

    def test_a_saved_scene_replaces_nothing(self):
        model = self.write("my hero.glb", program.HERO.read_bytes())
        for name in ("my hero.lua", "my hero_2.lua"):
            result = view_in(self.folder, model.name, "--save")
            self.assertEqual(result.status, 0, result)
            self.assertIn('sinew.model("my hero.glb")', (self.folder / name).read_text())

    def test_a_saved_scene_says_what_it_must_read(self):
        model = self.write("my hero.glb", program.HERO.read_bytes())
        other = self.folder / "elsewhere"
        other.mkdir()
        self.assertEqual(view_in(other, model, "--save").status, 0)
        scene = (other / "my hero.lua").read_text()
        self.assertIn(f"--allow {self.folder.resolve()}", scene.split("\n")[0])
        self.assertIn(f'sinew.model("{model.resolve()}")', scene)

    def test_a_saved_scene_runs(self):
        if "run" not in program.sinew("help").out:
            self.skipTest("this build runs no scenes")
        self.assertEqual(view_in(self.folder, program.HERO, "--save").status, 0)
        result = program.sinew("run", self.folder / "hero.lua", *SMALL)
        self.assertEqual(result.status, 0, result)

    def test_a_saved_scene_loads_the_model_the_same_way(self):
        if "run" not in program.sinew("help").out:
            self.skipTest("this build runs no scenes")
        how = ["--edit", "Walk=Back and forth,0.1..0.6,reverse", "--edit", "Idle,loop", "--unit", "0.5", "--up", "+z", "--front", "-x"]
        self.assertEqual(view_in(self.folder, program.HERO, *how, "--clip", "Back and forth", "--save").status, 0)
        scene = self.folder / "hero.lua"
        with scene.open("a", encoding="utf-8") as file:
            file.write('\nprint(("%.3f"):format(model:duration("Back and forth")))\n')
        self.assertIn('hero:play("Back and forth"', scene.read_text(encoding="utf-8"))
        result = program.sinew("run", scene, *SMALL)
        self.assertEqual(result.status, 0, result)
        self.assertIn("0.500", result.out + result.err)


if __name__ == "__main__":
    unittest.main()
