"""sinew info: what it says of our own model, to people and to programs."""
import json
import math
import unittest

import program


class Info(program.Case):
    def test_people_read_it(self):
        result = program.sinew("info", program.HERO)
        self.assertEqual(result.status, 0, result)
        for word in ("Nodes (", "Meshes (", "Clips (", "Materials (", "Hips *", "Walk", "Smile", " m high",
                     "pelvis Hips", "left_foot LeftFoot"):
            self.assertIn(word, result.out, result)
        hips = next(line for line in result.out.splitlines() if "Hips *" in line)
        spine = next(line for line in result.out.splitlines() if "Spine *" in line)
        self.assertGreater(spine.index("Spine"), hips.index("Hips"), "children stand further in")

    def test_a_unit_that_cannot_be_is_questioned(self):
        for unit, words in (("100", ("large", "--unit 0.01")), ("0.01", ("small", "--unit 1,"))):
            result = program.sinew("info", program.HERO, "--unit", unit)
            for word in words:
                self.assertIn(word, result.out, result)
        self.assertNotIn("--unit", program.sinew("info", program.HERO).out)

    def test_programs_read_it(self):
        result = program.sinew("info", program.HERO, "--json")
        self.assertEqual(result.status, 0, result)
        info = json.loads(result.out)
        for key in ("path", "bounds", "nodes", "meshes", "materials", "images", "clips", "roles", "notes"):
            self.assertIn(key, info)
        self.assertGreaterEqual(sum(node["bound"] for node in info["nodes"]), 50)
        for node in info["nodes"]:
            self.assertLess(node["parent"], len(info["nodes"]))
        self.assertEqual(info["roles"]["right_hand"], "RightHand")
        walk = next(clip for clip in info["clips"] if clip["name"] == "Walk")
        self.assertGreater(walk["duration"], 0.3)
        self.assertGreater(walk["rate"], 10)
        self.assertGreater(info["bounds"]["maximum"][1], 1.4)
        size = math.dist(info["bounds"]["minimum"], info["bounds"]["maximum"])
        for clip in info["clips"]:
            self.assertGreater(clip["rows"], 1)
            # A row has at least a byte for each of so many joints that move; floats for all would be more than what is there.
            self.assertTrue(clip["rows"] < clip["bytes"] < clip["rows"] * len(info["nodes"]) * 40 + 65536, clip)
            self.assertTrue(0 < clip["error"] <= 5e-5 * size, clip)  # metres: what model.h promises

    def test_who_imports_is_told(self):
        self.assertIn("by sinew-import, under limits", program.sinew("info", program.HERO).out)
        result = program.sinew("info", program.HERO, SINEW_IMPORT="in-process", SINEW_CACHE="off")
        self.assertIn("in this process, without limits and without a jail", result.out, result)
        self.assertIn("is imported in this process, as asked for", result.err, result)

    def test_what_was_repaired_is_told(self):
        bare = self.write("bare.gltf", '{"asset":{"version":"2.0"},"nodes":[{"name":"a"}]}')
        self.assertIn("the file has no scene: all its nodes are shown", program.sinew("info", bare).out)
        self.assertNotIn("scene", program.sinew("info", program.HERO).out)

    def test_clip_files_are_reported(self):
        walk = program.ROOT / "assets/hero_walk.bvh"
        words = ("info", program.HERO, "--clips", walk, "--map", "Head=", "--edit", "#8=Stroll,0.1..0.5")
        result = program.sinew(*words)
        self.assertEqual(result.status, 0, result)
        for word in ("Clip files (1)", "1 by the map", "corrected", "by the map: Head", "stay at rest:", "Stroll"):
            self.assertIn(word, result.out, result)
        info = json.loads(program.sinew(*words, "--json").out)
        joints = {joint["theirs"]: joint for joint in info["clip_files"][0]["joints"]}
        self.assertEqual((joints["Head"]["match"], joints["Head"]["ours"]), ("map", None))
        self.assertEqual((joints["Hips"]["match"], joints["Hips"]["ours"]), ("name", "Hips"))
        stroll = next(clip for clip in info["clips"] if clip["name"] == "Stroll")
        self.assertAlmostEqual(stroll["duration"], 0.4, 4)

    def test_the_command_line(self):
        for words in (("--map", "Hips"), ("--edit", "Walk,backwards"), ("--edit", "Walk,1..x")):
            self.assert_says(program.sinew("info", program.HERO, *words), 2, words[1].split(",")[-1])
        self.assert_says(program.sinew("info", program.HERO, "--up", "z+"), 1, "z+", "+z")
        self.assert_says(program.sinew("info", program.HERO, "--edit", "Wlak,reverse"), 1, "Wlak", "Walk")
        self.assert_says(program.sinew("info"), 2, "MODEL")
        self.assert_says(program.sinew("info", program.HERO, "--jsn"), 2, "--jsn", "--json")


if __name__ == "__main__":
    unittest.main(verbosity=2)
