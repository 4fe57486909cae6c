"""sinew info: what it says of our own model, to people and to programs."""
import json
import unittest

import program


class Info(program.Case):
    def test_people_read_it(self):
        result = program.sinew("info", program.HERO)
        self.assertEqual(result.status, 0, result)
        for word in ("Nodes (", "Meshes (", "Clips (", "Materials (", "Hips *", "Walk", "Smile", " m high"):
            self.assertIn(word, result.out, result)
        hips = next(line for line in result.out.splitlines() if "Hips *" in line)
        spine = next(line for line in result.out.splitlines() if "Spine *" in line)
        self.assertGreater(spine.index("Spine"), hips.index("Hips"), "children stand further in")

    def test_programs_read_it(self):
        result = program.sinew("info", program.HERO, "--json")
        self.assertEqual(result.status, 0, result)
        info = json.loads(result.out)
        for key in ("path", "bounds", "nodes", "meshes", "materials", "images", "clips", "notes"):
            self.assertIn(key, info)
        self.assertGreaterEqual(sum(node["bound"] for node in info["nodes"]), 50)
        for node in info["nodes"]:
            self.assertLess(node["parent"], len(info["nodes"]))
        walk = next(clip for clip in info["clips"] if clip["name"] == "Walk")
        self.assertGreater(walk["duration"], 0.3)
        self.assertGreater(walk["rate"], 10)
        self.assertGreater(info["bounds"]["maximum"][1], 1.4)

    def test_the_command_line(self):
        self.assert_says(program.sinew("info"), 2, "MODEL")
        self.assert_says(program.sinew("info", program.HERO, "--jsn"), 2, "--jsn", "--json")


if __name__ == "__main__":
    unittest.main(verbosity=2)
