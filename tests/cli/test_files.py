"""No file is lost: what is written stands beside the old one until it is whole, whatever happens meanwhile."""
import os
import re
import signal
import subprocess
import time
import unittest

import program

SCENE = """
local sinew = require "sinew"
local hero = sinew.actor("hero", "hero.glb")
function sinew.update() hero:play "Walk" end
"""


def frames_of(file):
    """Whole lines."""
    return len(re.findall(rb"\nframe [^\n]*(?=\n)", file.read_bytes()))


class Files(program.Case):
    def left_over(self):
        return [path.name for path in self.folder.iterdir() if path.name.startswith(".part-")]

    def test_a_recording_that_is_killed_has_every_frame_so_far(self):
        scene, file = self.write("scene.lua", SCENE), self.folder / "run.txt"
        words = [program.PROGRAM, "run", scene, "--headless", "--frames", "100000000", "--record", file]
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=program.environment())
        while not file.exists() or frames_of(file) < 200:
            self.assertIsNone(child.poll())
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
        child.wait()
        self.assertEqual(program.sinew("replay", file).status, 0)
        self.assertEqual(self.left_over(), [])

    def test_half_a_line_at_the_end_is_left_out(self):
        scene, file = self.write("scene.lua", SCENE), self.folder / "run.txt"
        self.assertEqual(program.sinew("run", scene, "--headless", "--frames", "5", "--record", file).status, 0)
        file.write_bytes(file.read_bytes() + b"frame 0.01")
        self.assert_says(program.sinew("replay", file), 0, "ends within a line, which is left out")

    def test_what_sinew_did_not_make_stays(self):
        scene, stranger = self.write("scene.lua", SCENE), self.write("notes.txt", "shopping")
        self.assert_says(program.sinew("run", scene, "--headless", "--frames", "3", "--record", stranger), 1, "not replaced")
        self.assert_says(program.sinew("run", scene, "--headless", "--frames", "3", "--record", scene), 1, "not replaced")
        self.assertEqual(stranger.read_text(), "shopping")
        self.assertEqual(scene.read_text(), SCENE)
        model = self.write("model.glb", "glTF of somebody")
        self.assert_says(program.sinew("run", scene, "--headless", "--frames", "3", "--bake", f"hero:{model}"), 1, "not replaced")
        self.assertEqual(model.read_text(), "glTF of somebody")
        stranger = self.write("hero.sinew", "somebody's")
        self.assert_says(program.sinew("cook", program.HERO, "-o", stranger), 1, "not replaced")
        self.assertEqual(stranger.read_text(), "somebody's")
        take = self.folder / "take.glb"
        for _ in range(2):  # what it did make is replaced
            self.assertEqual(program.sinew("run", scene, "--headless", "--frames", "3", "--bake", f"hero:{take}").status, 0)
            self.assertEqual(program.sinew("run", scene, "--headless", "--frames", "3", "--record",
                                           self.folder / "run.txt").status, 0)

    def test_fifos_are_neither_read_nor_replaced(self):
        """Whoever opens one waits for its other end."""
        scene, pipe = self.write("scene.lua", SCENE), self.folder / "pipe.lua"
        os.mkfifo(pipe)
        os.mkfifo(self.folder / "pipe.glb")
        for words in (["run", pipe, "--headless", "--frames", "3"], ["test", pipe], ["console", pipe]):
            self.assert_says(program.sinew(*words), 1, "pipe.lua", "is not a file that can be read")
        for option, target in (("--record", pipe), ("--bake", f"hero:{self.folder / 'pipe.glb'}")):
            self.assert_says(program.sinew("run", scene, "--headless", "--frames", "3", option, target), 1, "not replaced")
        self.assertTrue(pipe.is_fifo() and (self.folder / "pipe.glb").is_fifo())
        loads = self.write("loads.lua", "require('sinew').model 'pipe.glb'")
        self.assert_says(program.sinew("run", loads, "--headless", "--frames", "1"), 1, "'pipe.glb' is not a regular file")

    def test_a_video_of_a_stranger_stays(self):
        """ffmpeg is played by a script that keeps the pictures."""
        script = self.write("ffmpeg", "#!/bin/sh\nfor last; do :; done\ncat > \"${last#file:}\"\n")
        script.chmod(0o755)
        path = {"PATH": f"{self.folder}:{os.environ['PATH']}"}
        scene = self.write("scene.lua", "local sinew = require 'sinew'\nlocal begun\nfunction sinew.update()\n"
                                        "if not begun then sinew.record('film.mp4', { seconds = 0.1 }) begun = true end end")
        def run():
            return program.sinew("run", scene, "--headless", "--frames", "12", "--size", "32x16", "--capture",
                                 self.folder / "x.png", **path)
        film = self.write("film.mp4", "holidays")
        result = run()
        if "EGL" in result.err or "OpenGL" in result.err and "film" not in result.err:
            self.skipTest("no pictures here")
        self.assert_says(result, 1, "film.mp4", "not replaced")
        self.assertEqual(film.read_text(), "holidays")
        film.unlink()
        for _ in range(2):
            self.assertEqual(run().status, 0)
            self.assertGreater(film.stat().st_size, 32 * 16 * 4)
        self.assertEqual(self.left_over(), [])
        script.write_text("#!/bin/sh\nexit 1\n")
        before = film.read_bytes()
        run()
        self.assertEqual(film.read_bytes(), before, "an encoder that fails leaves the old film")

    def test_encoders_do_not_start_without_end(self):
        """Each takes time that is not the script's own."""
        script = self.write("ffmpeg", f"#!/bin/sh\necho >> '{self.folder}/started'\ncat > /dev/null\n")
        script.chmod(0o755)
        scene = self.write("scene.lua", "local sinew = require 'sinew'\nfunction sinew.update()\n"
                                        "while true do sinew.record 'a.mp4' sinew.record 'b.mp4' end end")
        result = program.sinew("run", scene, "--headless", "--frames", "1", "--size", "32x16", "--capture", self.folder / "x.png",
                               PATH=f"{self.folder}:{os.environ['PATH']}")
        if "EGL" in result.err or "OpenGL" in result.err and "ran too long" not in result.err:
            self.skipTest("no pictures here")
        self.assert_says(result, 1, "scene.lua:3", "ran too long")
        self.assertLessEqual((self.folder / "started").read_text().count("\n"), 16)

    def test_a_full_disk_leaves_the_old_file(self):
        """A limit on the size of files is what a full disk is to a program: a write that fails."""
        scene = self.write("scene.lua", SCENE)
        files = {"run.txt": ["run", scene, "--headless", "--frames", "300", "--record"],
                 "hero.sinew": ["cook", program.HERO, "-o"]}
        for name, words in files.items():
            file = self.folder / name
            self.assertEqual(program.sinew(*words, file).status, 0)
            old = file.read_bytes()
            full = subprocess.run(["sh", "-c", "ulimit -f 0; trap '' XFSZ; exec \"$@\"", "sh", program.PROGRAM,
                                   *words, file], env=program.environment(SINEW_IMPORT="in-process"), capture_output=True, text=True)
            self.assertIn(name, full.stderr)
            self.assertNotIn("Input/output error", full.stderr)
            self.assertEqual(file.read_bytes(), old, name)
        self.assertEqual(self.left_over(), [])

    def test_a_disk_that_fills_ends_a_recording_with_its_last_whole_line(self):
        scene, file = self.write("scene.lua", SCENE), self.folder / "run.txt"
        words = [program.PROGRAM, "run", scene, "--headless", "--frames", "3000", "--record", file]
        self.assertEqual(program.sinew("run", scene, "--headless", "--frames", "100", "--record", file).status, 0)
        blocks = file.stat().st_size // 512
        full = subprocess.run(["sh", "-c", f"ulimit -f {blocks}; trap '' XFSZ; exec \"$@\"", "sh", *words],
                              env=program.environment(SINEW_IMPORT="in-process"), capture_output=True, text=True)
        self.assertEqual((full.stderr.count("the recording ends here"), full.stderr.count("run.txt")), (1, 1), full.stderr)
        self.assertEqual(full.returncode, 1)
        self.assertGreater(frames_of(file), 50)
        self.assertEqual(program.sinew("replay", file).status, 0)

    def run_on_a_full_disk(self, *words, **environment):
        words = ["sh", "-c", "ulimit -f 0; trap '' XFSZ; exec \"$@\"", "sh", program.PROGRAM, *words]
        return subprocess.run(words, env=program.environment(SINEW_IMPORT="in-process", **environment),
                              capture_output=True, text=True)

    def test_a_cache_that_cannot_be_written_is_told_once(self):
        scene = self.write("scene.lua", SCENE + "sinew.model 'fox.glb'\n")
        for cache in (self.folder / "cache", "/proc/nothing"):
            run = self.run_on_a_full_disk("run", scene, "--headless", "--frames", "3", SINEW_CACHE=cache)
            self.assertEqual(run.returncode, 0, run)
            self.assertEqual(run.stderr.count("imported again each time"), 1, run.stderr)
            self.assertIn(str(cache), run.stderr)

    def test_a_new_scene_that_cannot_be_written_leaves_nothing(self):
        made = self.folder / "mine"
        for words in ([], ["--model", program.HERO]):
            run = self.run_on_a_full_disk("new", made, *words)
            self.assertEqual((run.returncode, made.exists()), (1, False), run)
            self.assertRegex(run.stderr, "File too large|No space")

    def test_a_take_that_cannot_be_written_is_told_once(self):
        scene = self.write("scene.lua", SCENE)
        run = self.run_on_a_full_disk("run", scene, "--headless", "--frames", "9", "--bake", f"hero:{self.folder / 'take.glb'}")
        self.assertEqual((run.returncode, (run.stderr + run.stdout).count("take.glb")), (1, 1), run)

    def test_output_that_is_lost_is_told(self):
        scene = self.write("scene.lua", "local sinew = require 'sinew'\nprint 'hello'\nfunction sinew.test() end")
        for words in (["info", program.HERO], ["pose", program.HERO, "--json"], ["version"], ["help"],
                      ["run", scene, "--headless", "--frames", "1"], ["test", scene]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                run = subprocess.run([program.PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, stdout=full,
                                     stderr=subprocess.PIPE, text=True, env=program.environment(), check=False)
            self.assertEqual(run.returncode, 1, (words, run))
            self.assertIn("not all of the output could be written", run.stderr, words)

    def test_what_is_printed_without_an_output_goes_into_no_file(self):
        """The first file that is opened would get the number of what is closed."""
        scene, file = self.write("scene.lua", "print('said' .. 'by the scene')\n" + SCENE), self.folder / "run.txt"
        for closed in (">&-", "2>&-", "<&- >&- 2>&-"):
            words = ["sh", "-c", f'exec "$@" {closed}', "sh", program.PROGRAM, "run", scene, "--headless", "--frames", "5",
                     "--record", file]
            self.assertEqual(subprocess.run(words, env=program.environment(), check=False).returncode, 0)
            self.assertNotIn(b"saidby", file.read_bytes(), closed)
            self.assertEqual(program.sinew("replay", file).status, 0, closed)

    def test_rights_are_kept(self):
        file = self.folder / "run.txt"
        scene = self.write("scene.lua", SCENE)
        words = ["run", scene, "--headless", "--frames", "3", "--record", file]
        self.assertEqual(program.sinew(*words).status, 0)
        file.chmod(0o600)
        self.assertEqual(program.sinew(*words).status, 0)
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)


if __name__ == "__main__":
    unittest.main(verbosity=2)
