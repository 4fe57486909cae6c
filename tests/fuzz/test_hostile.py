"""Scenes that somebody wrote to harm the host (hostile/): it lives on, runs an innocent scene after each, and has said what
was wrong. They run as cases of the API's fuzzer do, with every movable array moving.

A file has many, each after a line "---- NAME"; what stands before the first one begins them all. "--== save" begins the text of
the next save, any other "--== LINE" is one of the schedule (api/runner.c). What the host must say is in SAYS."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

RUNNER = os.path.abspath(sys.argv.pop())
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "api"))
from fuzz_api import HOME, name_of  # noqa: E402
from generate import LAST  # noqa: E402

LONG = "the script ran too long"
# Loops that make one call again and again until the budget ends them. Sanitizers look for wrong uses of memory, which are the
# same in each round: there the budget is a quarter, and that of other endless scenes half.
ROUNDS = {"masks of everything on a long chain", "names that are nearly right, and long", "poses compared, mixed and mirrored",
          "retargets between long chains", "vertices and bounds of everything"}
LOCKED = "the stage is being updated"
SAYS = {
    "save inside handler stack via restart between": "actor:clear_graph: " + LOCKED,
    "modifier keeps its pose and actor and uses them later": "this pose was an actor's",
    "pose kept by a coroutine that yields inside a modifier": "this pose was an actor's",
    "pose written from its own metamethod": "is not a finite number",
    "crowd array kept beyond resize and removal": "the crowd of this array has been removed",
    "crowd array set from itself by a metamethod": "the table has 0 numbers, and the crowd 100 members",
    "attach chain that eats itself": "'a' cannot be attached to 'b', which is attached to it",
    "modifier handle kept while modifiers are replaced": "no modifier 'grip' in actor 'hero'",
    "modifier sets targets of itself and of others from inside": "which itself waits for 'friend'",
    "markers replaced from a handler of a marker": "a clip has 256 markers at most",
    "node given to itself": "the graph is deeper than 16 levels",
    "measure with a ground that errs, yields, removes and prints": "the ground of actor:measure returned no height",
    "ground of a plant is the measure of another, each removing": "actor.position: " + LOCKED,
    "simulate inside everything": "sinew.simulate works inside sinew.test() only",
    "coroutine closed by its own close handler during a yield in a handler": "attempt to yield across a C-call boundary",
    "samples that stand nowhere": "its position is not a finite number",
    "any state to any state, a thousand times": "the graph has more than 512 nodes",
    "blend spaces whose places all move": "a graph has more than 64 functions",
    "layers without end": "has 16 layers already",
    "chains of actors that hang on each other": "more than 256 actors would be attached one to the other",
    "bakes of everything at once": "at most 8 animations can be baked at once",
    "curves and markers in the largest number": "a curve has 4096 keys at most",
    "tests that simulate for ever": "must be seconds, 0 or more",
    "metatables of things": "bad argument #1 to 'rawset'",
    **{name: LONG for name in (
        "conditions as text, deep and long", "every clip leaps a billion loops", "tasks that make tasks",
        "chains of actors that aim at each other", "masks of everything on a long chain", "retargets between long chains",
        "explanations of long chains", "poses compared, mixed and mirrored", "poses written to disk without end",
        "poses written under new names without end", "names that are nearly right, and long", "modules without end",
        "models with the same parts without end", "a model of a million vertices without normals",
        "vertices and bounds of everything", "values kept that are deep, wide and their own", "widgets in widgets",
        "crowds of the largest number with arrays of the same", "crowds whose members each have a moving graph")},
}


def scenes():
    for path in sorted((HERE / "hostile").glob("*.lua")):
        parts = re.split(r"^---- (.*)\n", path.read_text(encoding="utf-8"), flags=re.M)
        for name, body in zip(parts[1::2], parts[2::2]):
            yield name, parts[0], body


def write(folder, begin, body):
    """The scene's saves, and the schedule."""
    first, *rest = re.split(r"^--== (.*)\n", body, flags=re.M)
    saves, schedule = [begin + first], []
    for line, text in zip(rest[::2], rest[1::2]):
        if line.startswith("save"):
            saves.append(text if line == "save bare" else begin + text)
            line = f"save save{len(saves)}.lua"
        schedule.append(line + "\n")
    files = {f"save{i}.lua": text for i, text in enumerate(saves, 1)}
    files.update({"schedule": "".join(schedule), "last.lua": LAST})
    if "chain(" not in body:  # the largest arrays would take minutes
        files["shake"] = ""
    for name, text in files.items():
        pathlib.Path(folder, name).write_text(text, encoding="utf-8")


def budget(name):
    if os.environ.get("SINEW_SANITIZED") != "1" or SAYS.get(name) != LONG:
        return "2000000"
    return "500000" if name in ROUNDS else "1000000"


class Hostile(unittest.TestCase):
    def live(self, begin, body, instructions="2000000"):
        environment = dict(os.environ, SINEW_HOME=os.environ.get("SINEW_HOME", HOME), SINEW_THREADS="2", LC_ALL="C",
                           SINEW_IMPORT="in-process", FUZZ_HANG_SECONDS="60", FUZZ_VERBOSE="1",
                           FUZZ_INSTRUCTIONS=instructions,
                           ASAN_OPTIONS="intercept_tls_get_addr=0:quarantine_size_mb=32:detect_leaks=0:handle_abort=1:allocator_may_return_null=1",
                           UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1")
        with tempfile.TemporaryDirectory() as folder:
            write(folder, begin, body)
            done = subprocess.run([RUNNER, "run", folder], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                                  check=False, encoding="utf-8", errors="replace")
        signal = max(0, -done.returncode)
        return name_of(done.returncode, signal, done.stderr), done.stderr

    def test_each_is_survived(self):
        left = set(SAYS)
        for name, begin, body in scenes():
            with self.subTest(name):
                found, said = self.live(begin, body, budget(name))
                self.assertIsNone(found, said[-4000:])
                self.assertIn(SAYS.get(name, ""), said)
            left.discard(name)
        self.assertEqual(left, set(), "no such scene")

    def test_one_that_harms_is_noticed(self):
        self.assertRegex(self.live("", 'print "!it came back"\n')[0] or "", "it came back")


if __name__ == "__main__":
    unittest.main()
