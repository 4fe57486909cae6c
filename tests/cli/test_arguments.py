"""Wrong command lines end with status 2 and a sentence that helps; help ends with 0 and goes to standard output."""
import unittest

import program

COMMANDS = ["run", "view", "new", "info", "pose", "test", "console", "stubs"]


class Arguments(program.Case):
    def test_nothing_at_all_shows_the_commands(self):
        result = program.sinew()
        self.assert_says(result, 2, *COMMANDS)
        self.assertEqual(result.out, "")

    def test_help_lists_every_command(self):
        for words in (["help"], ["--help"], ["-h"]):
            result = program.sinew(*words)
            self.assertEqual(result.status, 0, result)
            self.assertEqual(result.err, "")
            for command in COMMANDS:
                self.assertRegex(result.out, rf"(?m)^  {command} ")

    def test_every_command_explains_itself_both_ways(self):
        for command in COMMANDS:
            with self.subTest(command):
                one, other = program.sinew(command, "--help"), program.sinew("help", command)
                self.assertEqual(one.status, 0, one)
                self.assertIn(f"usage: sinew {command}", one.out)
                self.assertGreater(len(one.out.splitlines()), 2, one)
                self.assertEqual(one.out, other.out)
                self.assertEqual(one.err, "")

    def test_a_slip_gets_the_nearest_command(self):
        self.assert_says(program.sinew("veiw", "x.glb"), 2, "veiw", "did you mean 'view'?")
        self.assert_says(program.sinew("help", "rnu"), 2, "did you mean 'run'?")
        self.assert_says(program.sinew("zzzzzzzzz"), 2, "no command 'zzzzzzzzz'")

    def test_a_file_is_run_or_viewed(self):
        for scene in ("nowhere.lua", "./nowhere", "nowhere/", "../nowhere.d/x.lua"):
            self.assert_says(program.sinew(scene, "--headless"), 1, "no scene '" + scene)
        for model in ("nowhere.glb", "./a.b/nowhere.fbx"):
            self.assert_says(program.sinew(model, "--headless"), 1, model + ": no such file")
        self.assert_says(program.sinew("-x.glb"), 2, "no command '-x.glb'")

    def test_a_slip_gets_the_nearest_option(self):
        self.assert_says(program.sinew("run", "x.lua", "--headles"), 2, "--headles", "did you mean '--headless'?")

    def test_missing_and_surplus_arguments(self):
        for command in ("run", "info", "pose", "new", "test"):
            with self.subTest(command):
                self.assert_says(program.sinew(command), 2)
        self.assert_says(program.sinew("info", "a.glb", "b.glb"), 2, "b.glb")
        self.assert_says(program.sinew("version", "x"), 2, "x")

    def test_values_that_are_none(self):
        for words in (["--frames"], ["--frames", "ten"], ["--frames", "99999999999999999999"], ["--frames", "-99999999999999999999"],
                      ["--frames", "2147483648"], ["--frames", "-2147483649"], ["--frames", "3.5"], ["--frames", ""],
                      ["--dt", "nan"], ["--dt", "0.1s"], ["--dt", ""], ["--size", "640"], ["--size", "0x480"],
                      ["--size", "640x-1"], ["--size", "640x16385"], ["--size", "16385x480"], ["--headless=yes"]):
            with self.subTest(words=words):
                self.assert_says(program.sinew("run", "x.lua", *words), 2, words[0].split("=")[0])

    def test_version(self):
        result = program.sinew("version")
        self.assertEqual(result.status, 0)
        self.assertRegex(result.out, r"^sinew \d+\.\d+\.\d+\n$")


    def test_without_a_display_a_window_is_refused(self):
        scene = program.HERO.parent.parent / "scripts/examples/01_hello.lua"
        for words in (["run", scene], ["run", scene, "--frames", "2"], ["view", program.HERO]):
            self.assert_says(program.sinew(*words), 1, "no display", "--headless")


if __name__ == "__main__":
    unittest.main(verbosity=2)
