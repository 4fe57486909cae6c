"""The message after a save against another opinion: this program edits a scene that it keeps as a tree of its own, so it
knows what it has changed. Each save of a running window must name all of that, in the words of the scene, and nothing
else. It also counts in its own text where each thing stands: what the scene tells of itself must name those lines. The
same number gives the same edits; SINEW_TELLINGS says how many runs of 50 saves there are (4, under a sanitizer 2)."""
import itertools
import os
import random
import re
import sys
import unittest

import window
from told_scene import EDITS, Scene


def expected(facts):
    """The clauses of the message: what changes in one thing is said together."""
    things, clauses = {}, []
    for thing, what in facts:
        if thing:
            things.setdefault(thing, []).append(what)
        else:
            clauses += [what] if isinstance(what, str) else what
    return clauses, things


def rest_of(message, facts):
    """What is left of the message without what was expected; and what it lacks. Spaces beside a sign mean nothing."""
    clauses, things = expected([(thing, re.sub(" ([<>]) ", r"\1", what) if thing else what) for thing, what in facts])
    message = re.sub(" ([<>]) ", r"\1", message)
    lacks = []
    for clause in sorted(clauses, key=len, reverse=True):
        lacks += [] if clause in message else [clause]
        message = message.replace(clause, "", 1)
    for thing, parts in things.items():
        said = [f"{thing}: {', '.join(order)}" for order in itertools.permutations(parts)]
        found = next((text for text in said if text in message), None)
        lacks += [] if found else [said[0]]
        message = message.replace(found or "\0", "", 1)
    return re.sub(r"^[, ]+|[, ]+$", "", re.sub(r"(, )+", ", ", message)), lacks


class Tellings(window.Case):
    def told(self):
        """The message of the next load, without its time."""
        while True:
            line = self.next_line()
            if "not loaded" in line or ": error" in line:
                self.fail(line + "".join(self.lines.get(timeout=9) for _ in range(8)))
            if "reloaded in " in line:
                return line.split(" ms: ", 1)[1].strip()

    def save_part(self, scene):
        self.write("new.lua", f"return {{ number = {scene.module} }}\n")
        os.replace(self.folder / "new.lua", self.folder / "part.lua")

    def edit(self, scene, edits):
        """A few edits in one save: what is a lie in its message, or nothing. What goes is kept for ten seconds with its
        state, so that a scene of many saves would have more layers than there may be."""
        facts = [fact for fact in (edit(scene) for edit in edits) if fact is not None]
        before = scene.saved
        scene.saved = scene.lua()
        if scene.saved == before:
            return None
        self.save(scene.saved)
        message = self.told()
        rest, lacks = rest_of(message, facts)
        quiet = rest == "" if any(what for _, what in facts) else "nothing declared has changed" in rest
        lie = None if quiet and not lacks else f"{[e.__name__ for e in edits]} lacks {lacks}, and says: {message}"
        return lie or self.wrong_line(scene)

    def wrong_line(self, scene):
        """The first frame after the message that the new scripts have drawn: each cause names a line where it stands."""
        while self.next_line() != "whole\n":
            pass
        for line in iter(self.next_line, "whole\n"):
            word, cause, at, way, way_at = (line.rstrip("\n").split("\t") + ["nil"] * 5)[:5]
            known = [(cause, at)] + ([(f"way {way}", way_at)] if way != "nil" else [])
            known = [(what, where.rpartition("/")[2]) for what, where in known]
            for what, where in known if word == "why" else []:
                self.causes[what.split()[0]] = self.causes.get(what.split()[0], 0) + 1
                if what in scene.lines and where not in {f"scene.lua:{number}" for number in scene.lines[what]}:
                    return f"{what} is said to stand in {where}, and not in {sorted(scene.lines[what])}"
        return None

    def run_of_saves(self, seed, saves):
        dice, lies = random.Random(seed), []
        scene = Scene(dice)
        scene.saved = scene.lua()
        self.save_part(scene)
        self.save(scene.saved)
        run = self.start()
        self.wait(2)
        for number in range(saves):
            kinds = dice.sample(EDITS, dice.choice([1, 1, 2, 3]))
            lie = self.edit(scene, [dice.choice(kind) for kind in kinds])
            lies += [f"{seed}, {number}: {lie}"] if lie else []
        lies += self.edit_part(scene)
        self.end(run)
        return lies

    def edit_part(self, scene):
        scene.module += 1
        self.save_part(scene)
        message, told = self.told(), f"part.number {scene.module - 1} → {scene.module}"
        return [] if message == told else [f"the module: {message}"]

    def test_each_save_tells_what_was_edited_and_nothing_else(self):
        self.causes = {}
        usual = "2" if os.environ.get("SINEW_SANITIZED") == "1" else "4"
        first, runs = int(os.environ.get("SINEW_SEED", "1")), int(os.environ.get("SINEW_TELLINGS", usual))
        lies = [lie for seed in range(first, first + runs) for lie in self.run_of_saves(seed, 50)]
        self.assertFalse(lies, "\n".join(lies))
        for kind in ("clip", "layer", "modifier", "way"):
            self.assertGreater(self.causes.get(kind, 0), 2.5 * runs, f"no {kind} has told its line: {self.causes}")


if __name__ == "__main__":
    sys.exit(unittest.main())
