"""Measures the time from a save to the first picture that shows it, in a window on a display of its own (Xvfb).

    measure_saves.py [--saves N] [--busy N] [--size WxH]

Reads the pixels of the display, so nothing in the program says when it is done. Three kinds of saves: a file that is
renamed over the scene's, one that is written in place, and one that is rewritten again and again, 3 ms apart, until it
shows: of that the clock starts with the first byte. `--busy` lets as many other processes compute meanwhile. Also says
how long a frame takes, since a save is seen between two frames. This measures and asserts nothing: it is no test."""
import argparse
import mmap
import multiprocessing
import os
import pathlib
import random
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import program

SCENE = """
local sinew = require "sinew"
sinew.light.sky = {{ {red}, 0.05, {blue} }}
sinew.camera.position = {{ 0, 1.6, 4 }}
local hero = sinew.actor("hero", sinew.model "hero.glb", {{ params = {{ pace = 1.2 }} }})
hero:set_graph(sinew.blend_space_1d {{ param = "pace", sync = true, {{ 0, "Idle" }}, {{ 1.6, "Walk" }} }})
local frames, since = 0, 0
function sinew.update(dt)
  frames, since = frames + 1, since + dt
  if frames == 120 then print(("frame %.2f"):format(since / frames * 1000)) frames, since = 0, 0 end
end
"""


class Display:
    """Xvfb, and the picture that it holds in a file."""

    def __init__(self, folder, width, height):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-fbdir", str(folder),
             "-nolisten", "tcp", "-noreset"],
            pass_fds=[write], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as told:
            self.number = told.readline().strip()
        with open(folder / "Xvfb_screen0", "rb") as file:
            self.memory = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        fields = struct.unpack(">25I", self.memory[:100])  # XWDFileHeader
        self.at = fields[0] + fields[19] * 12 + height // 8 * fields[12] + 40 * 4  # messages stand on the right

    def is_red(self):
        """In the sky on the left; the picture has blue, green, red."""
        blue, _, red = self.memory[self.at:self.at + 3]
        return red > blue

    def wait_for_picture(self, until):
        while not any(self.memory[self.at:self.at + 3]):
            if time.monotonic() > until:
                sys.exit("the window shows nothing")
            time.sleep(0.1)

    def wait(self, red, until):
        while self.is_red() != red:
            if time.monotonic() > until:
                sys.exit("the window does not show what was saved")
            time.sleep(0.0005)
        return time.monotonic()


def text_of(red):
    return SCENE.format(red=0.9 if red else 0.05, blue=0.05 if red else 0.9)


def rename(path, red):
    beside = path.with_suffix(".new")
    beside.write_text(text_of(red), encoding="utf-8")
    begin = time.monotonic()
    beside.rename(path)
    return begin


def write(path, red):
    path.write_text(text_of(red), encoding="utf-8")
    return time.monotonic()


def rewrite(path, red, shown):
    begin = time.monotonic()
    path.write_text(text_of(red), encoding="utf-8")
    while not shown():
        with path.open("a", encoding="utf-8") as file:
            file.write("-- more\n")
        if time.monotonic() > begin + 30:
            sys.exit("the window does not show what is being written")
        time.sleep(0.003)
    return begin, time.monotonic()


def compute():
    while True:
        pass


def say(name, times):
    times = sorted(t * 1000 for t in times)
    print(f"{name:28} median {statistics.median(times):6.1f}   95 % {times[int(len(times) * 0.95)]:6.1f}   "
          f"slowest {times[-1]:6.1f} ms", flush=True)


def measure(display, path, saves):
    red = False
    for name, save in (("by rename", rename), ("written in place", write), ("written again and again", None)):
        times = []
        for _ in range(saves if save else max(saves // 5, 1)):
            time.sleep(0.25 + random.random() / 20)  # at any moment of a frame
            red = not red
            if save:
                begin = save(path, red)
                times.append(display.wait(red, begin + 30) - begin)
            else:
                begin, end = rewrite(path, red, lambda want=red: display.is_red() == want)
                times.append(end - begin)
        say(name, times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--saves", type=int, default=60)
    parser.add_argument("--busy", type=int, default=0)
    parser.add_argument("--size", default="640x360")
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, {options.busy} processes beside it", flush=True)
    with tempfile.TemporaryDirectory(prefix="sinew-measure-") as holder:
        folder = pathlib.Path(holder)
        path = folder / "scene.lua"
        write(path, False)
        display = Display(folder, width, height)
        run = subprocess.Popen([program.PROGRAM, "run", str(path), "--size", options.size], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                               env=program.environment(DISPLAY=f":{display.number}"))
        others = [multiprocessing.Process(target=compute, daemon=True) for _ in range(options.busy)]
        try:
            display.wait_for_picture(time.monotonic() + 60)
            time.sleep(2)
            for other in others:
                other.start()
            measure(display, path, options.saves)
        finally:
            for other in others:
                other.terminate()
            run.terminate()
            frames = [float(line.split()[-1]) for line in run.communicate()[0].splitlines() if line.startswith("frame ")]
            display.process.terminate()
        if frames:
            print(f"a frame took {min(frames):.1f} to {max(frames):.1f} ms")


if __name__ == "__main__":
    main()
