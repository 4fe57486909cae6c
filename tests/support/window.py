"""A scene in a window of its own display (Xvfb), with a cache of its own."""
import os
import queue
import shutil
import subprocess
import threading
import time

import program

SCREEN = "960x540"
PLAIN = ["--samples", "1", "--shadow", "0"]  # how it looks is for tests/render


class Case(program.Case):
    SIZE = "64x48"
    DISPLAY = SCREEN

    def setUp(self):
        super().setUp()
        if not shutil.which("Xvfb"):
            self.skipTest("Xvfb is not here")
        read, write = os.pipe()
        display = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{self.DISPLAY}x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[write], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, display)
        os.close(write)
        with os.fdopen(read) as told:
            self.display = told.readline().strip()
        if not self.display:
            self.skipTest("Xvfb does not start")
        self.runs = self.folder / "cache" / "runs"

    @staticmethod
    def end(process):
        process.kill()
        process.wait(30)
        if process.stdout:
            process.stdout.close()

    def start(self, *words, scene="scene.lua"):
        self.run_of_scene = run = subprocess.Popen(
            [program.PROGRAM, "run", f"{self.folder}/{scene}", "--size", self.SIZE, *PLAIN, *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", bufsize=1,
            env=program.environment(DISPLAY=f":{self.display}", SINEW_CACHE=str(self.folder / "cache")))
        self.addCleanup(self.end, run)
        self.lines, self.heard = queue.Queue(), []
        threading.Thread(target=self.listen, args=(run,), daemon=True).start()
        return run

    def listen(self, run):
        for line in run.stdout:
            self.heard.append(line)
            self.lines.put(line)

    def next_line(self):
        """The next line of the run. One that says nothing for a minute has ended, or hangs."""
        try:
            return self.lines.get(timeout=60)
        except queue.Empty:
            status = self.run_of_scene.poll()
            end = "says nothing any more" if status is None else f"ended with status {status}"
            self.fail(f"the run {end}, after: {''.join(self.heard[-20:])}")

    def wait(self, count):
        """So many frames that were told."""
        seen = []
        while len(seen) < count:
            line = self.next_line()
            if line.startswith("frame\t"):
                seen.append(line)
        return seen

    def save(self, text):
        self.write("new.lua", text)
        os.replace(self.folder / "new.lua", self.folder / "scene.lua")

    def told(self, text):
        """The first line of the run that has this in it, which may still have to come."""
        deadline = time.time() + 60
        while time.time() < deadline:
            for line in list(self.heard):
                if text in line:
                    return line
            time.sleep(0.05)
        self.fail(f"nothing says {text!r}: {''.join(self.heard[-20:])}")

    def press(self, *words):
        """What somebody at the window does: `xdotool` says it."""
        subprocess.run(["xdotool", *words], check=True, env=program.environment(DISPLAY=f":{self.display}"),
                       stdout=subprocess.DEVNULL, timeout=60)

    def shrink(self):
        """To a window that only hears keys: to draw a large one is most of a test's work."""
        self.press("search", "--name", "Sinew", "windowsize", "160", "120")
