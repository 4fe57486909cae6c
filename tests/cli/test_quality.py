"""`sinew replay --metrics` measures how the actors of a recording move, and compares two recordings."""
import json
import re
import unittest

import program
from recorded import SCENE, recording


class Quality(program.Case):
    def test_two_takes_are_measured_and_compared(self):
        cut = SCENE.replace('hero:play("Wave", { loop = "once", fade_out = 0.3 })', 'hero:play("Run", { fade = 0 })')
        log = self.folder / "log.txt"
        ran = program.sinew("run", self.write("scene.lua", cut), "--headless", "--replay",
                            self.write("first.txt", recording()), "--record", log)
        self.assertEqual(ran.status, 0, ran)
        told = json.loads(program.sinew("replay", "--metrics", log, "--json").out)
        hero = told["actors"][0]
        self.assertEqual((told["frames"], hero["name"], hero["lost_marks"]), (300, "hero", 0))
        self.assertEqual(hero["pops"], len([mark for mark in hero["marks"] if mark["kind"] == "pop"]))
        largest = max(mark["radians"] for mark in hero["marks"] if mark["kind"] == "pop")
        self.assertEqual(largest, hero["pop_radians"])
        text = "\n".join(mark["text"] for mark in hero["marks"])
        self.assertRegex(text, r"LeftArm jumped by \d+° and \d+ cm after actor:play \(")
        self.assertRegex(text, r"hero jumped by 168° after actor.rotation \(")
        self.assertAlmostEqual(hero["slid_metres"], sum(m["metres"] for m in hero["marks"] if m["kind"] == "slide"), 1)
        cut_at = sum((0.75 + 0.5 * (frame * 0.381966 % 1)) / 60 for frame in range(1, 91))
        self.assertTrue(any(m["kind"] == "pop" and 0 <= m["begin"] - cut_at < 0.1 for m in hero["marks"]), hero["marks"])
        same = program.sinew("replay", "--metrics", log, "--against", log)
        self.assertIn("equal to the bit in 300 frames", same.out, same)
        self.assertEqual(same.out.count("hero ends 0.0 cm away"), 2, same.out)  # it is measured afresh after R
        lines = same.out[same.out.index("hero: "):].split("\nhero: ")[0].splitlines()[1:]
        kinds = [line.split()[2] for line in lines if not line.startswith("  and ")]
        order = ["pop" if kind == "pop" else "slide" if kind == "slide" else "machine" for kind in kinds]
        self.assertEqual(order, sorted(order, key=["pop", "slide", "machine"].index), "what is worst comes first")
        degrees = [int(m[1]) for line in lines if (m := re.search(r" pop .* jumped by (\d+)°", line))]
        self.assertEqual(degrees, sorted(degrees, reverse=True))
        self.assertLessEqual(sum(" slide " in line for line in lines), 5)
        self.assertEqual(sum(" pop " in line for line in lines), hero["pops"])
        self.assertRegex(same.out, r"jumped by .* after actor:play \(.*scene.lua:\d+\)")
        other = self.write("other.lua", cut.replace("fade = 0 }", "fade = 0.4 }"))
        both = json.loads(program.sinew("replay", "--metrics", log, other, "--json", "--against", log).out)
        self.assertEqual(both["first_difference"], 90)
        self.assertEqual(both["against"], told)
        self.assertEqual(both["run"]["actors"][0]["pops"], hero["pops"] - 1)

    def test_springs_that_flutter_and_slides_of_one_cause(self):
        def measure(frequency, damping):
            scene = self.write("scene.lua", f"""local sinew = require "sinew"
                local hero = sinew.actor("hero", sinew.model "hero.glb")
                hero:play("Walk", {{ fade = 0 }})
                hero:set_modifiers {{ sinew.spring {{ "pony", joints = {{ "Ponytail1/**" }}, frequency = {frequency}, damping = {damping} }} }}
                function sinew.update(dt) hero.rotation = math.sin(sinew.time * 9) end""")
            log = self.folder / "log.txt"
            self.assertEqual(program.sinew("run", scene, "--headless", "--frames", 180, "--record", log).status, 0)
            return program.sinew("replay", "--metrics", log).out
        wild, tame = measure(40, 0), measure(4, 0.5)
        self.assertRegex(wild, r"pop +Ponytail4 jumped by \d+° and \d+ cm by the modifier 'pony' \(.*scene.lua:4\)")
        self.assertLessEqual(wild.count("'pony'"), 3, "once a second")
        self.assertNotIn("'pony'", tame)
        for out in (wild, tame):
            self.assertRegex(out, r"slide +feet slid [\d.]+ cm in \d+ contacts until [\d.]+ s on the ground: 'Walk' \(.*scene.lua:3\)")
            self.assertEqual(out.count(" slide "), 1)

    def test_what_cannot_be_measured(self):
        self.assert_says(program.sinew("replay", "--metrics"), 2, "RECORDING")
        self.assert_says(program.sinew("replay", "--metrics", self.folder / "none.rec"), 1, "none.rec")


if __name__ == "__main__":
    unittest.main(verbosity=2)
