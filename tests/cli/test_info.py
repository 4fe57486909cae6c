"""sinew info: what it says of our own model, to people and to programs."""
import base64
import json
import math
import struct
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
        """The size that the file would have is a person's: what it is read with now does not matter."""
        for unit in ("100", "40", "1000", "0.01", "0.001"):
            result = program.sinew("info", program.HERO, "--unit", unit)
            for word in ("much" if float(unit) > 1 else "little", "in metres?", "--unit 1,"):
                self.assertIn(word, result.out, result)
        for factor, unit, name in ((100, "0.01", "centimetres"), (39.37, "0.0254", "inches"),
                                   (1000, "0.001", "millimetres")):
            result = program.sinew("info", self.larger(factor))
            for word in (f"in {name}?", f"--unit {unit}, in Lua unit = {unit}"):
                self.assertIn(word, result.out, result)
        self.assertNotIn("--unit", program.sinew("info", program.HERO).out)

    def larger(self, factor):
        """The bare skeleton of a person, so many times as large."""
        joints = (("Hips", -1, (0, 1, 0)), ("Spine", 0, (0, 0.2, 0)), ("Neck", 1, (0, 0.3, 0)), ("Head", 2, (0, 0.1, 0)),
                  ("LeftUpLeg", 0, (0.1, 0, 0)), ("LeftLeg", 4, (0, -0.45, 0)), ("LeftFoot", 5, (0, -0.45, 0)),
                  ("RightUpLeg", 0, (-0.1, 0, 0)), ("RightLeg", 7, (0, -0.45, 0)), ("RightFoot", 8, (0, -0.45, 0)),
                  ("LeftArm", 1, (0.2, 0.2, 0)), ("LeftForeArm", 10, (0.3, 0, 0)), ("LeftHand", 11, (0.3, 0, 0)),
                  ("RightArm", 1, (-0.2, 0.2, 0)), ("RightForeArm", 13, (-0.3, 0, 0)), ("RightHand", 14, (-0.3, 0, 0)))
        nodes = [{"name": name, "translation": [factor * x for x in at],
                  "children": [k for k, joint in enumerate(joints) if joint[1] == i]}
                 for i, (name, _, at) in enumerate(joints)]
        for node in nodes:
            if not node["children"]:
                del node["children"]
        return self.write("larger.gltf", json.dumps({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
                                                     "nodes": nodes}))

    def test_an_axis_that_cannot_be_is_questioned(self):
        self.assertIn('--up +y, in Lua up = "+y"', program.sinew("info", program.HERO, "--up", "+z").out)
        self.assertIn('--up +y, in Lua up = "+y"', program.sinew("info", program.HERO, "--up", "-y").out)
        self.assertNotIn("--up", program.sinew("info", program.HERO).out)

    def test_a_character_that_faces_another_way_is_told(self):
        for file, seen in (("-z", "-z"), ("+x", "-x"), ("-x", "+x")):
            told = program.sinew("info", program.HERO, "--front", file).out
            self.assertIn(f'It faces {seen}, and characters here face +z. --front {seen}, in Lua front = "{seen}"', told)
        self.assertNotIn("faces", program.sinew("info", program.HERO).out)
        self.assert_says(program.sinew("info", program.HERO, "--front", "up"), 1, "front is 'up'", "-x")

    def test_clips_have_the_speed_that_a_folder_shows(self):
        told = json.loads(program.sinew("info", program.HERO, "--json").out)
        folder = json.loads(program.sinew("info", program.HERO.parent, "--model", program.HERO, "--json").out)
        of_folder = {clip["name"]: clip for clip in folder["clips"] if clip["file"] == str(program.HERO)}
        self.assertEqual(len(told["clips"]), len(of_folder))
        for clip in told["clips"]:
            for key in ("speed", "turn", "seam", "slide", "on_the_spot", "velocity"):
                self.assertEqual(clip[key], of_folder[clip["name"]][key], clip["name"])
        lines = program.sinew("info", program.HERO).out.splitlines()
        walk = next(clip for clip in told["clips"] if clip["name"] == "Walk")
        self.assertTrue(any(" Walk " in line and f"{walk['speed']:.2f} m/s *" in line for line in lines), lines)

    def test_a_speed_that_nothing_shows_is_unknown(self):
        rocking = struct.pack("<2f8f", 0, 1, 0, 0, 0, 1, 0, 0, 0.6, 0.8)
        data = "data:application/octet-stream;base64," + base64.b64encode(rocking).decode()
        path = self.write("chair.gltf", json.dumps({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"name": "Chair"}],
            "buffers": [{"byteLength": len(rocking), "uri": data}],
            "bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 32}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
                          {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4"}],
            "animations": [{"name": "Rock", "samplers": [{"input": 0, "output": 1}],
                            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]}]}))
        self.assertRegex(program.sinew("info", path).out, r"#0 +Rock +1\.000 s +unknown ")
        clip = json.loads(program.sinew("info", path, "--json").out)["clips"][0]
        self.assertIsNone(clip["speed"])
        self.assertIsNone(clip["velocity"])

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
            self.assertGreater(clip["frames"], 1)
            # A row has at least a byte for each of so many joints that move; floats for all would be more than what is there.
            self.assertTrue(clip["frames"] < clip["bytes"] < clip["frames"] * len(info["nodes"]) * 40 + 65536, clip)
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
