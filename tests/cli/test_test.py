"""`sinew test` runs each test of a scene in a scene of its own, and says in TAP how it went."""
import re
import unittest
import xml.etree.ElementTree

import program

SCENE = """
local hero = sinew.actor("hero", sinew.model "hero.glb")
local count = 0
function sinew.test() count = count + 1 print("count", count) end
function sinew.tests.again() count = count + 1 assert(count == 1, "what another test did is here") end
function sinew.tests.walks()
  local walk = hero:play "Walk"
  sinew.simulate { seconds = 0.5 }
  assert(math.abs(walk.time - 0.5) < 1e-6)
end
"""


class Test(program.Case):
    def assert_fails(self, result, *words):
        self.assert_says(result, 1, "1 of 1 tests failed")
        for word in words:
            self.assertIn(word, result.out, result)

    def test_every_test_is_a_line_and_has_the_scene_to_itself(self):
        scene = self.write("scene.lua", SCENE)
        result = program.sinew("test", scene)
        self.assertEqual(result.status, 0, result)
        lines = [line for line in result.out.splitlines() if not line.startswith("#")]
        self.assertEqual(lines, ["1..3", f"ok 1 - {scene}", f"ok 2 - {scene}: again", f"ok 3 - {scene}: walks"])
        self.assertIn("# count\t1", result.out)

    def test_a_failure_is_told_and_the_others_run(self):
        scene = self.write("scene.lua", SCENE + "function sinew.tests.bad() error 'nothing works' end\n"
                           "function sinew.tests.worse() sinew.simulate { frames = 1, keys = { { 0, 'spcae' } } } end\n")
        result = program.sinew("test", scene)
        self.assert_says(result, 1, "2 of 5 tests failed: 'bad' and others")
        self.assertEqual((result.out + result.err).count("nothing works"), 1, result)
        self.assertRegex(result.out, r"(?m)^not ok \d - .*: bad$")
        self.assertRegex(result.out, r"(?m)^# .*did you mean 'space'")
        self.assertRegex(result.out, r"(?m)^ok \d - .*: walks$")

    def test_a_long_message_is_told_whole(self):
        scene = self.write("scene.lua", "local sinew = require 'sinew'\nfunction sinew.test()\n"
                           "  error(('a line of a long message\\n'):rep(100) .. 'and its end')\nend\n"
                           "function sinew.tests.table() error { code = 3 } end\n")
        result = program.sinew("test", scene)
        self.assertEqual(result.out.count("a line of a long message"), 100, result)
        self.assertRegex(result.out, r"(?m)^# and its end$")
        self.assertRegex(result.out, r"(?m)^# .*scene.lua:3: in function")
        self.assertRegex(result.out, r"(?m)^# .*\{ code = 3 \}")

    def test_one_test_by_name(self):
        scene = self.write("scene.lua", SCENE + "function sinew.tests.bad() error 'nothing works' end\n")
        result = program.sinew("test", scene, "walks")
        self.assertEqual(result.status, 0, result)
        self.assertEqual(result.out, f"1..1\nok 1 - {scene}: walks\n")
        self.assert_says(program.sinew("test", scene, "wlaks"), 1, "wlaks")

    def test_a_pose_is_compared_with_its_file(self):
        def scene(time, name="golden.pose", joint=""):
            return self.write("scene.lua", f"""
                local hero = sinew.actor("hero", sinew.model "hero.glb")
                local walk = hero:play("Walk", {{ speed = 0, time = {time} }})
                function sinew.test()
                  sinew.simulate {{ frames = 2 }}
                  sinew.expect_pose(hero, "{name}", {{ tolerance = 0.002 }})
                end""")
        self.assert_fails(program.sinew("test", scene(0.2)), "golden.pose", "sinew test --update writes it")
        self.assertEqual(program.sinew("test", scene(0.2), "--update").status, 0)
        golden = (self.folder / "golden.pose").read_text()
        self.assertEqual(program.sinew("test", scene(0.2)).status, 0)
        self.assertEqual(program.sinew("test", scene(0.2001)).status, 0, "within the tolerance")
        self.assert_fails(program.sinew("test", scene(0.4)), "'hero' is 0.", "from golden.pose at ", "--update")
        self.assertEqual((self.folder / "golden.pose").read_text(), golden, "a comparison writes nothing")
        (self.folder / "golden.pose").write_text(re.sub(r'\bLeftHand\b', 'LeftFist', golden))
        self.assert_fails(program.sinew("test", scene(0.2)), "golden.pose lacks the joint 'LeftHand'")

    def test_a_folder_lists_and_runs_all_scenes_with_tests(self):
        (self.folder / "tests/deep").mkdir(parents=True)
        self.write("tests/b.lua", SCENE)
        self.write("tests/deep/a.lua", SCENE)
        self.write("tests/module.lua", "return {}")
        self.write("tests/broken.lua", "local = 3 -- sinew.test")
        folder = self.folder / "tests"
        listed = program.sinew("test", "--list", folder / "b.lua", folder / "deep")
        names = [f"{folder}/{scene}{name}" for scene in ("b.lua", "deep/a.lua") for name in ("", ": again", ": walks")]
        self.assertEqual((listed.status, listed.out.splitlines()), (0, names), listed)
        report = self.folder / "report.xml"
        ran = program.sinew("test", folder, "--junit", report, "--times")
        self.assert_says(ran, 1, "1 of 7 tests failed")
        self.assertRegex(ran.out, r"(?m)^ok 2 - .*/b.lua: again # time=\d+ms$")
        suites = xml.etree.ElementTree.parse(report).getroot()
        self.assertEqual([(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in suites],
                         [(f"{folder}/b.lua", "3", "0"), (f"{folder}/broken.lua", "1", "1"), (f"{folder}/deep/a.lua", "3", "0")])
        failure = suites[1][0][0]
        self.assertIn("broken.lua:1:", failure.get("message"))
        self.assertGreater(sum(float(case.get("time")) for suite in suites for case in suite), 0)
        self.assert_says(program.sinew("test", self.folder / "none"), 1, "none")

    def test_a_failure_shows_values_and_goes_on_after_checks(self):
        scene = self.write("scene.lua", SCENE + """
            local limit = 3
            function sinew.tests.values()
              local speed = 1.4
              assert(hero.position.z > limit and math.abs(speed) < 1)
            end
            function sinew.tests.several()
              sinew.check(limit == 4)
              sinew.check(sinew.frame < 0, "late")
              sinew.check(limit == 3)
              error "and <this>"
            end""")
        result = program.sinew("test", scene, "values")
        for words in ("scene.lua:15: assertion failed: hero.position.z > limit and math.abs(speed) < 1", "#   hero.position.z = 0.0",
                      "#   limit = 3", "#   math.abs(speed) = 1.4", "# locals:", "#   speed = 1.4"):
            self.assertIn(words + "\n", result.out)
        result = program.sinew("test", scene, "several", "--junit", self.folder / "r.xml")
        lines = [line for line in result.out.splitlines() if "scene.lua:" in line and line.startswith("# /")]
        self.assertRegex(lines[0], r":18: not true: limit == 4$")
        self.assertIn("#   limit = 3", result.out)
        self.assertRegex(lines[1], r":19: late$")
        self.assertRegex(lines[2], r":21: and <this>$")
        self.assertIn("and <this>", xml.etree.ElementTree.parse(self.folder / "r.xml").getroot()[0][0][0].text)

    def test_a_scene_without_tests_says_how_to_write_one(self):
        self.assert_says(program.sinew("test", self.write("none.lua", "-- nothing")), 1, "function sinew.test()")


if __name__ == "__main__":
    unittest.main(verbosity=2)
