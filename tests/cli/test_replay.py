"""A run that was recorded runs again, bit for bit: keys, mouse, panels, the time of each frame."""
import json
import os
import pathlib
import re
import subprocess
import unittest

import program
from recorded import SCENE, recording


def without_blobs(data):
    """The lines of a recording, without the bytes between them."""
    text = b""
    while data:
        line, _, data = data.partition(b"\n")
        if line.startswith(b"blob "):
            data = data[int(line.split()[1]) + 1:]
        else:
            text += line + b"\n"
    return text.decode("utf-8")


class Replay(program.Case):
    def run_scene(self, *words):
        result = program.sinew("run", self.write("scene.lua", SCENE), "--headless", *words)
        self.assertEqual(result.status, 0, result)
        return result.out

    def test_a_run_is_repeated_bit_for_bit(self):
        first, second = self.write("first.txt", recording()), self.folder / "second.txt"
        one = self.run_scene("--replay", first, "--record", second)
        self.assertEqual(len([line for line in one.splitlines() if "\t" in line]), 9, one)
        self.assertEqual(self.run_scene("--replay", first), one)
        # What was played back is written as it was read, so the second recording is the first one.
        whole = second.read_bytes()
        lines = without_blobs(whole).splitlines(keepends=True)
        answers = [line for line in lines if line.startswith(("answer ", "refusal "))]
        played = [line for line in lines if line not in answers and not line.startswith("check ")]
        self.assertEqual("".join(played), first.read_text())
        asked = [line.split()[2] for line in answers]
        self.assertEqual(sorted(set(asked)), ["assets", "model", "scene", "stamp", "text"])
        other = self.write("other.txt", recording(edit=lambda frame: ["release w"] if frame == 95 else []))
        self.assertNotEqual(self.run_scene("--replay", other), one)
        self.assertNotEqual(self.run_scene("--frames", "300"), one)

    def test_a_recording_needs_no_other_file(self):
        first, second = self.write("first.txt", recording()), self.folder / "second.txt"
        one = self.run_scene("--replay", first, "--record", second)
        other = self.write("other.lua", SCENE.replace("8, dt", "3, dt"))
        (self.folder / "scene.lua").unlink()
        again = program.sinew("replay", second, SINEW_HOME=str(self.folder), SINEW_CACHE="off")
        self.assertEqual((again.status, again.out), (0, one), again)
        same_input = program.sinew("replay", second, other)
        self.assertEqual(same_input.status, 0, same_input)
        self.assertNotEqual(same_input.out, one)
        self.assertEqual(len(same_input.out.splitlines()), len(one.splitlines()))
        self.assert_says(program.sinew("replay", first), 1, "no scene")

    def test_a_run_is_repeated_with_the_arithmetic_of_another_processor(self):
        """Products and sums are rounded once by AVX2 and NEON, twice by SSE2 and plain C; each machine can do both."""
        scene, outputs = self.write("scene.lua", SCENE), {}
        for made in ("fused", "scalar", "sse2", "avx2", "neon"):  # one that is not here stands for the machine's own
            log = self.folder / f"{made}.rec"
            run = program.sinew("run", scene, "--headless", "--frames", "61", "--record", log, SINEW_SIMD=made)
            self.assertEqual(run.status, 0, run)
            word = re.search(rb" arithmetic (\w+)\n", log.read_bytes()[:100])[1].decode()
            outputs.setdefault(word, run.out)
            self.assertEqual(outputs[word], run.out, made)
            for other in ("fused", "scalar"):
                again = program.sinew("replay", log, SINEW_SIMD=other)
                self.assertEqual((again.status, again.out), (0, run.out), (made, other))
        self.assertEqual(sorted(outputs), ["fused", "separate"])
        self.assertNotEqual(outputs["fused"], outputs["separate"])

    def test_a_recording_of_the_version_before_opens(self):
        first = self.write("first.txt", recording())
        one = self.run_scene("--replay", first, "--record", self.folder / "second.txt")
        old = (self.folder / "second.txt").read_bytes().replace(b"recording 4", b"recording 3", 1)
        (self.folder / "old.txt").write_bytes(old.replace(b" arithmetic fused", b"", 1))
        again = program.sinew("replay", self.folder / "old.txt", SINEW_SIMD="fused")
        self.assertEqual((again.status, again.out), (0, one), again)
        self.assertIn("earlier version", again.err)

    def test_a_replay_that_is_not_the_recorded_run_says_so(self):
        """A trusted scene reads what no recording has."""
        scene = """
local sinew = require "sinew"
local hero = sinew.actor("hero", sinew.model "hero.glb")
hero:play "Walk"
function sinew.update(dt)
  if sinew.frame == 40 then hero.position = { tonumber(io.open(os.getenv "SINEW_AWAY"):read "a"), 0, 0 } end
end
"""
        log, away = self.folder / "log.rec", self.write("away.txt", "1")
        words = ("run", self.write("scene.lua", scene), "--trust", "--headless", "--frames", "100", "--record", log)
        self.assertEqual(program.sinew(*words, SINEW_AWAY=str(away)).status, 0)
        same = program.sinew("replay", log, "--trust", SINEW_AWAY=str(away))
        self.assertEqual(same.status, 0, same)
        self.assertNotIn("is not the recorded run", same.err)
        away.write_text("2")
        other = program.sinew("replay", log, "--trust", SINEW_AWAY=str(away))
        self.assert_says(other, 0, "is not the recorded run, in frame 60")

    def test_texts_of_tables_and_functions_repeat(self):
        """What Lua would make of addresses."""
        scene = """
local sinew = require "sinew"
local hero, kept = sinew.actor("hero", sinew.model "hero.glb"), {}
function sinew.update(dt)
  kept[#kept + 1] = { tostring(sinew.frame) }
  if sinew.frame % 10 == 0 then
    print(kept[1], tostring(print), ("%s"):format(sinew.update), coroutine.create(print))
  end
end
"""
        log = self.folder / "log.rec"
        ran = program.sinew("run", self.write("scene.lua", scene), "--headless", "--frames", "40", "--record", log)
        for thread in (4, 5):  # tostring and format come before print, which sees the table third
            line = f"table: 0x00000003\tfunction: 0x00000001\tfunction: 0x00000002\tthread: 0x0000000{thread}\n"
            self.assertIn(line, ran.out)
        again = program.sinew("replay", log)
        self.assertEqual((again.status, again.out), (0, ran.out), again)
        self.assertNotIn("is not the recorded run", again.err)

    def test_what_a_scene_writes_is_not_written_again(self):
        scene = SCENE + """
function sinew.mouse_pressed()
  hero:pose():save "now.pose"
  hero:bake("now.glb", { seconds = 0.5 })
  print(pcall(function() hero:pose():save "../no.pose" end))
end
"""
        log = self.folder / "log.txt"
        one = program.sinew("run", self.write("scene.lua", scene), "--headless", "--replay",
                            self.write("first.txt", recording()), "--record", log)
        self.assertEqual(one.status, 0, one)
        for name in ("now.pose", "now.glb"):
            (self.folder / name).unlink()
        again = program.sinew("replay", log)
        self.assertEqual((again.status, again.out), (0, one.out), again)
        self.assertEqual([name for name in ("now.pose", "now.glb") if (self.folder / name).exists()], [])

    def test_a_run_that_was_killed_is_repeated_up_to_there(self):
        scene, log = self.write("scene.lua", SCENE), self.folder / "killed.rec"
        run = subprocess.Popen([program.PROGRAM, "run", scene, "--headless", "--frames", "100000000", "--record", log],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=program.environment())
        try:
            seen = [run.stdout.readline().decode() for _ in range(20)]  # 600 frames
        finally:
            run.kill()
            run.communicate()
        again = program.sinew("replay", log)
        self.assertEqual(again.status, 0, again)
        self.assertEqual(again.out.splitlines(keepends=True)[:len(seen)], seen)

    def test_files_that_are_others_now_are_named(self):
        first, second = self.write("first.txt", recording()), self.folder / "second.txt"
        self.run_scene("--replay", first, "--record", second)
        same = program.sinew("run", self.folder / "scene.lua", "--headless", "--replay", second)
        self.assertNotIn("warning", same.err, same)
        changed = program.sinew("run", self.write("scene.lua", SCENE + "-- later"), "--headless", "--replay", second)
        self.assert_says(changed, 0, "warning", "scene.lua has changed since")

    def test_a_video_of_a_replay_lasts_as_long_as_the_run(self):
        """ffmpeg is played by a script that keeps the pictures."""
        script = self.write("ffmpeg", "#!/bin/sh\nfor last; do :; done\ncat > \"${last#file:}\"\n")
        script.chmod(0o755)
        steps = [0.05, 0.004, 0.004, 0.2, 0.0166] * 8  # slow frames, and some that are too short for a picture
        text = "sinew recording 4\npanels 0 scale 1 arithmetic fused\nsize 32 16\n" + "".join(f"frame {dt}\n" for dt in steps)
        scene, video = self.write("scene.lua", "require 'sinew'"), self.folder / "run.mp4"
        result = program.sinew("run", scene, "--headless", "--replay", self.write("run.txt", text), "--capture", video,
                               PATH=f"{self.folder}:{os.environ['PATH']}")
        if "EGL" in result.err or "OpenGL" in result.err and result.status:
            self.skipTest("no pictures here")
        self.assertEqual(result.status, 0, result)
        self.assertEqual(video.stat().st_size, round(sum(steps) * 60) * 32 * 16 * 4 + 24)  # and the mark of an MP4

    def test_panels_take_part_without_a_window(self):
        def click(frame):  # the slider answers once; a press beside it that a panel of then took is not told
            return {40: ['set -2 widget "speed" "" "" "" 0 0 1.5'], 70: ["press e", "withheld 0"],
                    72: ["release e"]}.get(frame, [])
        text = recording(panels=1, edit=click)
        one = self.run_scene("--replay", self.write("first.txt", text))
        speeds = [line.split("\t")[3] for line in one.splitlines() if "\t" in line]
        self.assertEqual([float(speed) for speed in speeds], [1] + [1.5] * 5 + [1] * 3, one)  # it restarts in frame 200
        self.assertEqual(self.run_scene("--replay", self.folder / "first.txt"), one)
        told = self.run_scene("--replay", self.write("told.txt", text.replace("withheld 0\n", "")))
        self.assertNotEqual(told, one)

    def test_a_recording_of_older_kinds_of_changes_plays_on(self):
        """old_changes.rec has each kind of change that was recorded before all of them were edits of a field."""
        here = pathlib.Path(__file__).parent
        result = program.sinew("replay", here / "old_changes.rec")
        self.assertEqual(result.status, 0, result)
        said = [line for line in result.out.splitlines() if not line.startswith("hash")]
        self.assertEqual(said, (here / "old_changes.txt").read_text(encoding="utf-8").splitlines())

    def test_what_is_no_recording_is_refused_with_the_line(self):
        good = recording()
        for text, line in (("", 0), ("hello\n", 1), ("sinew recording 4\n", 1), (good.replace("panels 0", "panels 7"), 2),
                           (good.replace("size 640 360\n", ""), 3), (good.replace("press w", "press W"), 24),
                           (good.replace("size 640", "size -1"), 3), (good.replace("mouse1", "mouse9"), 0),
                           (good.replace("frame 0.0", "frame -0.0", 1), 4), (good + "wheel nan\n", 0),
                           (good + 'set 0 param "speed" "hero" "" 0 0 1\n', 0), (good + "withheld -1\n", 0),
                           (good + "press " + "x" * 100 + "\n", 0), (good + "drop " + "x" * 5000 + "\n", 0)):
            result = program.sinew("run", self.write("scene.lua", SCENE), "--headless", "--replay",
                                   self.write("bad.txt", text))
            self.assert_says(result, 1, "bad.txt", "recording" if text else "bad.txt")
            if line:
                self.assertIn(f"bad.txt:{line}:", result.err)
        for version in ("2", "99"):
            old = self.write("old.txt", good.replace("recording 4", f"recording {version}"))
            self.assert_says(program.sinew("replay", old), 1, "old.txt", f"version {version}", "versions 3 and 4")
        self.assert_says(program.sinew("run", self.write("scene.lua", SCENE), "--replay", self.folder / "none"), 1, "none")
        self.assert_says(program.sinew("run", "x.lua", "--replay", "a", "--dt", "0.1"), 2, "--dt")


if __name__ == "__main__":
    unittest.main(verbosity=2)
