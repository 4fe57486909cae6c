#!/usr/bin/env python3
"""The fuzzer of the API: scenes that call all that the description lists, with values that nobody should give, from
within every kind of callback. What ends the host, hangs it, or breaks a promise is made small and printed.

  fuzz_api.py RUNNER [--seconds N | --cases N] [--seed N] [--jobs N] [--all] [--pairs FILE]
  fuzz_api.py RUNNER --case SEED --write DIR      one case, as files

Seconds are those of the processor. Status 1: something was found; DIR/found has it."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(__file__))
from description import Description  # noqa: E402
from generate import Case, LAST  # noqa: E402
from shrink import shrink  # noqa: E402

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
# The multiple of the requested seconds that a run may take if it has reached too few entries, for slow machines.
LONGEST = 4
PRECIOUS = {"family.mp4": b"not made by Sinew\n", "notes.txt": b"keep me\n", "bad.glb": b"glTF" + bytes(range(256))}
WHAT_IS_THERE = """
local function walk(name, t)
  for k, v in pairs(t) do
    if type(k) == "string" and type(v) == "function" then print("@" .. name .. "." .. k) end
    if type(v) == "table" and name == "_G" and v ~= _G then walk(k, v) end
  end
end
walk("_G", _G)
for _, module in ipairs { @modules } do
  local fine, m = pcall(require, "sinew." .. module)
  if fine and type(m) == "table" then walk("require('sinew." .. module .. "')", m) end
end
"""


class Runner:
    """A process that lives through cases, each in a process of its own."""

    def __init__(self, program, folder, hang):
        self.program, self.folder = program, folder
        self.environment = dict(
            os.environ, SINEW_HOME=os.environ.get("SINEW_HOME", HOME), SINEW_THREADS="2",
            SINEW_IMPORT="in-process",
            FUZZ_HANG_SECONDS=str(hang), LC_ALL="C",
            ASAN_OPTIONS="intercept_tls_get_addr=0:quarantine_size_mb=32:detect_leaks=0:handle_abort=1:allocator_may_return_null=1",
            UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1")
        os.makedirs(folder)
        self.process = None

    def start(self):
        self.process = subprocess.Popen([self.program, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=self.environment)

    def live(self, write):
        """Writes a case by `write(folder)` and lives through it: (what was found or None, reached, seconds)."""
        folder = os.path.join(self.folder, "case")
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        for name, text in PRECIOUS.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text)
        with open(os.path.join(folder, "many.pose"), "w", encoding="utf-8") as file:
            file.write(MANY_POSE)
        write(folder)
        if not self.process:
            self.start()
        self.process.stdin.write(folder + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        status, signal, seconds = int(answer[0]), int(answer[1]), float(answer[2])
        with open(os.path.join(folder, "log"), encoding="utf-8", errors="replace") as file:
            log = file.read()
        found = name_of(status, signal, log)
        for name, text in PRECIOUS.items():
            with open(os.path.join(folder, name), "rb") as file:
                if file.read() != text:
                    found = found or "BROKEN: a file was overwritten: " + name
        return found, reached(folder), seconds, log

    def end(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()


MANY_POSE = ""


def reached(folder):
    with open(os.path.join(folder, "reached"), encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()


def frames_of(log):
    """The functions on the stack, innermost first, and whether they are ours."""
    frames = re.findall(r"^\s*#\d+ 0x[0-9a-f]+ (?:in (\S+) )?(\S+)", log.split("freed by thread")[0], re.M)
    return [(name, bool(re.search(r"(^|\.\./|%s/)(src|bindings)/(?!libsanitizer)" % HOME, place)))
            for name, place in frames]


def where_of(log):
    return " < ".join([name for name, ours in frames_of(log) if ours][:3])


def hang_of(log):
    """What a script has called, or what the host was at: innermost frames change from moment to moment."""
    ours = [name for name, own in frames_of(log) if own]
    for i, name in enumerate(ours):
        if name in ("call_on", "call_entry", "index_member", "set_member", "forward"):
            return ours[max(0, i - 1)]
    return ours[0] if ours else "?"


def name_of(status, signal, log):
    """What ended a case, in a line that is the same for the same defect; None: nothing did."""
    if status == 0:
        return None
    where = where_of(log)
    if "HANG: " in log:
        return "hang in " + hang_of(log)
    error = re.search(r"AddressSanitizer: ([\w-]+)", log)
    undefined = re.search(r"runtime error: (.*)", log)
    failed = re.search(r"Assertion `(.*)' failed", log)
    broken = re.search(r"BROKEN: (.*?)( \(|$)", log, re.M)
    if broken:
        return "BROKEN: " + re.sub(r"\d+|/\S+", "…", broken.group(1))[:150]
    if failed:
        return "assertion %s in %s" % (failed.group(1), where)
    if undefined:
        return "%s in %s" % (re.sub(r"-?[\d.]+(e[+-]?\d+)?|0x[0-9a-f]+", "…", undefined.group(1)), where)
    if error:
        return "%s in %s" % (error.group(1), where)
    said = [line for line in log.splitlines() if not line.startswith("sinew: ")]  # what a save told differs by the case
    return "signal %d, status %d %s %s" % (signal, status, where, "\n".join(said)[-200:].strip() if not where else "")


class Fuzzer:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.lock = threading.Lock()
        self.spent, self.cases, self.next = 0.0, 0, 0
        self.found, self.pairs, self.callbacks = {}, set(), set()
        first = Runner(options.runner, os.path.join(folder, "first"), options.hang)
        modules = sorted(f[:-4] for f in os.listdir(os.path.join(HOME, "scripts", "sinew")) if f.endswith(".lua"))
        text = WHAT_IS_THERE.replace("@modules", ", ".join('"%s"' % m for m in modules))
        found, names, _, log = first.live(lambda folder: write_files(folder, {
            "save1.lua": text, "schedule": "", "last.lua": LAST}))
        first.end()
        if found:
            sys.exit("the fuzzer cannot begin: %s\n%s" % (found, log))
        self.api = Description(options.runner, names)

    def entries(self):
        return {e.full for e in self.api.functions + self.api.fields + self.api.callbacks}

    def reached_entries(self):
        return {entry for entry, _ in self.pairs} & self.entries()

    def has_reached_least(self):
        return len(self.reached_entries()) >= self.options.least * len(self.entries())

    def take(self):
        """The seed of the next case; None: it is enough."""
        with self.lock:
            o = self.options
            seconds = o.seconds if self.has_reached_least() else o.seconds * LONGEST
            enough = self.cases >= o.cases if o.cases else self.spent >= seconds
            if enough or (self.found and not o.all):
                return None
            self.next += 1
            self.cases += 1
            if o.case:
                return o.case if self.cases == 1 else None
            return o.seed * 1000000 + self.next

    def note(self, case, lines, seconds):
        with self.lock:
            if int(self.spent / 60) < int((self.spent + seconds) / 60):
                print("… %d cases in %.0f s" % (self.cases, self.spent + seconds), flush=True)
            self.spent += seconds
            for line in lines:
                number, rest = line.split(" ", 1)
                here, result = rest.rsplit(" ", 1)
                told = case.told.get(int(number)) if number.isdigit() else None
                if told:
                    self.pairs.add((told, here))
                    self.callbacks.add(here)

    def work(self, number):
        runner = Runner(self.options.runner, os.path.join(self.folder, "runner%d" % number), self.options.hang)
        while (seed := self.take()) is not None:
            before = time.thread_time()
            case = Case(self.api, seed, self.options.large)
            found, lines, seconds, log = runner.live(case.write)
            self.note(case, lines, seconds + time.thread_time() - before)
            if found:
                self.keep(runner, case, found, log)
        runner.end()

    def keep(self, runner, case, found, log):
        with self.lock:
            known = self.found.get(found)
            self.found[found] = (known or 0) + 1
            spent = self.spent
        if known:
            return
        print("found after %.0f s: %s (seed %d)" % (spent, found, case.seed), flush=True)
        tries = self.options.tries if not found.startswith("hang") else self.options.tries // 6
        without = shrink(case, lambda w: runner.live(lambda f: case.write(f, w))[0] == found, tries)
        folder = os.path.join(self.options.found, "%d" % case.seed)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        case.write(folder, without)
        write_files(folder, {"log": log, "name": found + "\n"})
        texts = case.files(without)
        shown = "\n".join("-- %s\n%s" % (name, text.replace(support(), "")) for name, text in texts.items()
                          if name != "last.lua" and text != support())
        with self.lock:
            print("---- %s\n%s\n---- %s has the files; its log begins with:\n%s" %
                  (found, shown, folder, "\n".join(log.splitlines()[:self.options.lines])), flush=True)

    def run(self):
        workers = [threading.Thread(target=self.work, args=(i,)) for i in range(self.options.jobs)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def report(self):
        entries, reached = self.entries(), self.reached_entries()
        kinds = sorted(self.callbacks - {"metamethod"})
        pairs = {(e, k) for e, k in self.pairs if e in entries}
        whole = max(1, len(entries) * len(kinds))
        print("%d cases in %.0f s of the processor: %d of %d entries from within %d kinds of callback, %d pairs (%.0f %%)" %
              (self.cases, self.spent, len(reached), len(entries), len(kinds), len(pairs),
               100 * len(pairs) / whole))
        print("callbacks: " + ", ".join(kinds))
        missed = sorted(entries - reached)
        if missed:
            print("not reached: " + ", ".join(missed))
        if self.options.pairs:
            with open(self.options.pairs, "w", encoding="utf-8") as file:
                file.writelines("%s\t%s\n" % pair for pair in sorted(self.pairs))
        if not self.has_reached_least():
            self.found["too few entries were reached"] = 1
        for found, count in sorted(self.found.items(), key=lambda item: -item[1]):
            print("%5d times: %s" % (count, found))


def support():
    from generate import SUPPORT
    return SUPPORT


def write_files(folder, files):
    for name, text in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runner")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--cases", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--all", action="store_true", help="go on after the first defect")
    parser.add_argument("--hang", type=float, default=20, help="seconds of the processor that one frame may take; the most "
                        "joints that there may be take 8 under the sanitizers on a busy machine")
    parser.add_argument("--tries", type=int, default=600, help="to make a case small")
    parser.add_argument("--large", type=float, default=0.25, help="the share of cases with large things in them, of 1")
    parser.add_argument("--lines", type=int, default=25, help="of a log that are shown")
    parser.add_argument("--least", type=float, default=0, help="the share of entries that has to be reached, of 1; until it is, the run goes on, up to four times as long")
    parser.add_argument("--pairs", help="a file for the pairs of entry and callback that were reached")
    parser.add_argument("--found", default="out/fuzz_api", help="the folder for what was found")
    parser.add_argument("--case", type=int, help="this seed alone")
    parser.add_argument("--write", help="writes the case into this folder and does not live through it")
    return parser.parse_args()


def main():
    global MANY_POSE
    options = read_options()
    options.runner = os.path.abspath(options.runner)
    MANY_POSE = many_pose()
    with tempfile.TemporaryDirectory(prefix="sinew-fuzz-") as folder:
        fuzzer = Fuzzer(options, folder)
        if options.write:
            os.makedirs(options.write, exist_ok=True)
            Case(fuzzer.api, options.case, options.large).write(options.write)
            return 0
        fuzzer.run()
        fuzzer.report()
        return 1 if fuzzer.found else 0


def many_pose():
    """A saved pose of joints that no model has."""
    return "sinew pose 1\njoints 32000\n%send\n" % "".join("0 0 0 0 0 0 1 1 1 1 u%d\n" % i for i in range(32000))


if __name__ == "__main__":
    sys.exit(main())
