"""Headless pictures: the same run gives the same bytes, the demos draw something, a bad place to write is said."""
import pathlib
import shutil
import struct
import subprocess
import unittest
import zlib

import program

HELLO = program.ROOT / "scripts/examples/01_hello.lua"
SHOWCASE = program.ROOT / "scripts/examples/showcase.lua"


# Turns to the steps of the example and runs up, seen from ahead.
CLIMB = """
hero.position = { 1.2, 0, 0 }
local clock = 0
input.is_down = function(name) return name == "run" end
input.axis = function(_, to) return to == "left" and clock >= 0.5 and clock < 2.4 and 1 or 0 end
local example = sinew.update
function sinew.update(dt)
  clock = clock + dt
  local p = hero.position
  sinew.camera.position, sinew.camera.target = { p.x, p.y + 1.5, p.z - 4 }, { p.x, p.y + 1, p.z }
  example(dt)
  p = hero.position
  sinew.camera.position, sinew.camera.target = { p.x + 3.2, p.y + 1.1, p.z + 1.2 }, { p.x, p.y + 0.7, p.z }
end
"""


def png(path):
    """Width, height and the bytes of the picture (unfiltered only as far as counting colours needs)."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    at, packed, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    return size, zlib.decompress(packed)


class Pictures(program.Case):
    def draw(self, scene, name, *words):
        path = f"{self.folder}/{name}"
        result = program.sinew("run", scene, "--headless", "--size", "160x90", "--capture", path, *words)
        self.assertEqual(result.status, 0, result)
        return pathlib.Path(path)

    def test_every_picture_of_a_run_on_steps_is_finished(self):
        """With anisotropic filtering a software rasteriser never finished two of these."""
        example = (program.ROOT / "scripts/examples/locomotion.lua").read_text(encoding="utf-8")
        lines = example.split("local function goes_through(")[0].replace("camera.follow(", "assert(")
        scene = self.folder / "scene.lua"
        scene.write_text(lines + CLIMB, encoding="utf-8")
        path = self.folder / "run.png"
        result = program.sinew("run", scene, "--headless", "--size", "480x400", "--capture", f"{path}:4", "--from", "178",
                               "--to", "181", timeout=100)
        self.assertEqual(result.status, 0, result)
        self.assertGreater(len(set(png(path)[1])), 50)

    def test_the_same_run_gives_the_same_bytes(self):
        words = ["--frames", "40", "--dt", "0.02"]
        one, two = (self.draw(HELLO, name, *words).read_bytes() for name in ("one.png", "two.png"))
        self.assertTrue(one == two, "two equal runs differ")
        other = self.draw(HELLO, "other.png", "--frames", "60", "--dt", "0.02").read_bytes()
        self.assertFalse(one == other, "another moment gives the same picture: nothing moves")

    def test_the_demos_draw_something(self):
        for scene in (HELLO, SHOWCASE):
            with self.subTest(scene.name):
                size, bytes_ = png(self.draw(scene, scene.stem + ".png", "--frames", "10"))
                self.assertEqual(size, (160, 90))
                self.assertGreater(len(set(bytes_)), 40, "an empty picture")

    def test_a_contact_sheet(self):
        path = self.folder / "sheet.png"
        result = program.sinew("run", HELLO, "--headless", "--frames", "24", "--size", "96x54", "--capture",
                               f"{path}:6")
        self.assertEqual(result.status, 0, result)
        (width, height), _ = png(path)
        self.assertGreaterEqual(width * height, 6 * 96 * 54)

    # Surfaces that show velocity need the picture before; the path of the root all before it.
    MOVING = """
        local sinew = require "sinew"
        local hero = sinew.actor("hero", sinew.model "hero.glb", { skinning = "dual_quaternion" })
        hero:play "Walk"
        sinew.view.surface, sinew.view.root_path = "velocity", true
        function sinew.update(dt) hero.position = { 0, 0, sinew.time } end
    """

    def test_the_last_picture_is_that_of_the_whole_run(self):
        """Frames that nobody keeps are not drawn, and that changes nothing."""
        whole = self.draw(self.write("scene.lua", self.MOVING), "whole/", "--frames", "9") / "frame_00008.png"
        ends = {"limit": ("", 0), "quits": ("sinew.quit()", 0), "fails": ("error 'here'", 1)}
        for name, (end, status) in ends.items():
            scene = self.write(name + ".lua", self.MOVING + f"""
                local frames = 0
                function sinew.draw()
                  frames = frames + 1
                  if frames == 9 then {end} end
                end
            """)
            path = self.folder / (name + ".png")
            result = program.sinew("run", scene, "--headless", "--size", "160x90", "--capture", path, "--frames",
                                   "9" if name == "limit" else "40")
            self.assertEqual(result.status, status, result)
            if name != "fails":  # the reason stands in the picture
                self.assertTrue(path.read_bytes() == whole.read_bytes(), name)
            self.assertTrue(path.exists())

    def test_a_part_of_a_run_is_the_same_pictures(self):
        scene = self.write("scene.lua", self.MOVING)
        for name, words in (("whole", ["--frames", "12"]), ("part", ["--from", "7", "--to", "10"])):
            self.draw(scene, f"{name}/", *words)
        whole, part = self.folder / "whole", self.folder / "part"
        names = sorted(path.name for path in part.iterdir())
        self.assertEqual(names, [f"frame_{i:05}.png" for i in range(7, 11)])
        self.assertEqual(len(list(whole.iterdir())), 12)
        for name in names:
            self.assertTrue((whole / name).read_bytes() == (part / name).read_bytes(), name)

    @unittest.skipUnless(shutil.which("ffmpeg") and shutil.which("ffprobe"), "needs ffmpeg")
    def test_a_scene_records_a_video(self):
        scene = self.write("scene.lua", """
            local sinew = require "sinew"
            local frame = 0
            function sinew.update(dt)
              frame = frame + 1
              if frame == 3 then assert(sinew.record("film.mp4", { rate = 20, seconds = 0.5 })) end
            end
        """)
        self.draw(scene, "last.png", "--frames", "20")
        asked = ["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=width,nb_read_frames,r_frame_rate",
                 "-of", "csv=p=0", self.folder / "film.mp4"]
        self.assertEqual(subprocess.run(asked, capture_output=True, text=True).stdout.strip(), "160,20/1,10")

    def test_what_a_scene_cannot_record(self):
        for call, said in (("sinew.record '../x.mp4'", "own folder"), ("sinew.record '/tmp/x.mp4'", "own folder"),
                           ("sinew.record 'scene.lua'", ".webm"), ("sinew.record('x.mp4', { rat = 1 })", "rate"),
                           ("sinew.record('x.mp4', { rate = -1 })", "rate")):
            scene = self.write("scene.lua", f"function sinew.update() {call} end")
            result = program.sinew("run", scene, "--headless", "--size", "96x54", "--frames", "2", "--capture", self.folder / "x.png")
            self.assertNotEqual(result.status, 0, call)
            self.assertIn(said, result.err, call)
        quiet = self.write("scene.lua", "function sinew.update() assert(not sinew.record 'x.mp4') end")
        self.assertEqual(program.sinew("run", quiet, "--headless", "--frames", "2").status, 0)

    def test_ranges_that_cannot_be(self):
        for words, said in ((["--from", "5", "--to", "3"], "--to"), (["--from", "-1"], "--from"),
                            (["--from", "9", "--frames", "9"], "0 .. 8")):
            result = program.sinew("run", HELLO, "--headless", "--capture", self.folder / "x.png", *words)
            self.assertNotEqual(result.status, 0, words)
            self.assertIn(said, result.err, words)
        result = program.sinew("run", HELLO, "--headless", "--from", "3")
        self.assert_says(result, 2, "--capture")

    def test_a_place_that_cannot_be_written(self):
        blocker = self.write("blocker", "a file, not a folder")
        result = program.sinew("run", HELLO, "--headless", "--frames", "2", "--capture", blocker / "x.png")
        self.assert_says(result, 1, "blocker")


if __name__ == "__main__":
    unittest.main(verbosity=2)
