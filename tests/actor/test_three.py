"""Another mixer's opinion: three.js's AnimationMixer plays our glTF, and every joint is where Sinew has it.

Where the two mean the same: crossfades, weights that come to 1 or more, additive clips of any weight, a layer that covers
some joints. Where they differ on
purpose, it is said here how much: three.js turns along arcs one clip after the other, Sinew takes a normalised sum that does
not depend on the order; a crossfade of Sinew stops feet at the ground, where three.js's sink into it; three.js fills up weights under 1 with the rest pose, Sinew does that under 0.1 only, and leaves it to
layers. Skipped without node, and where npm cannot get three.js.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import unittest

from baked import read_glb, worlds
import program

VERSION = "0.187.0"
HOLDER = pathlib.Path(program.PROGRAM).resolve().parent / "three"
LIBRARY = HOLDER / "node_modules/three/build/three.module.js"


def clip(name, time, weight=1, additive=False):
    return {"clip": name, "time": time, "weight": weight, "additive": additive}


def beyond(reference, at, name, time, weight=1):
    """Added as what it has beyond a moment of another clip."""
    return {**clip(name, time, weight, True), "reference": {"clip": reference, "time": at}}


ARM = ("RightShoulder", "RightArm", "RightForeArm", "RightForeArmHalf", "RightHand")


def cover(name, time, weight):
    """On an override layer of that weight, masked to the right arm. three.js has neither: what the arm does below gets 1 - weight, and the
    clip on top only its tracks there."""
    return {"clip": name, "time": time, "weight": weight, "additive": False, "joints": ARM}


CASES = {
    "half": {"actions": [clip("Walk", 0.3, 0.5), clip("Run", 0.2, 0.5)]},
    "quarter": {"actions": [clip("Walk", 0.5, 0.75), clip("Run", 0.1, 0.25)]},
    "heavy": {"actions": [clip("Walk", 0.3, 1), clip("Run", 0.2, 1)]},
    "thirds": {"actions": [clip("Walk", 0.3, 1), clip("Run", 0.2, 1), clip("Idle", 0.6, 1)]},
    "added": {"actions": [clip("Walk", 0.4), clip("Wave", 0.7, 1, True)]},
    "added half": {"actions": [clip("Walk", 0.4), clip("Wave", 0.7, 0.5, True)]},
    "beyond": {"actions": [clip("Walk", 0.4), beyond("Idle", 0.5, "Wave", 0.7)]},
    "beyond half": {"actions": [clip("Walk", 0.4), beyond("Run", 0.2, "Wave", 0.7, 0.5)]},
    "covered": {"actions": [clip("Walk", 0.4), cover("Wave", 0.7, 1)]},
    "half covered": {"actions": [clip("Walk", 0.4), cover("Wave", 0.7, 0.5)]},
    "alone": {"actions": [clip("Walk", 0.3, 0.5)]},
}
LEGS = tuple(side + joint for side in ("Left", "Right") for joint in ("UpLeg", "Leg", "Foot", "ToeBase", "UpLegHalf", "LegHalf"))
FADE, BEFORE, AFTER = 0.5, 9, (8, 15, 23)
for after in AFTER:
    CASES[f"fade {after}"] = {"actions": [clip("Walk", 0)], "before": BEFORE, "next": clip("Run", 0), "fade": FADE,
                              "after": after}


def scene():
    """All cases at once, each an actor; what stands is baked in one of the first frames, fades when their time has come."""
    lines = ['local sinew = require "sinew"', 'local man = sinew.model("hero.glb", { exact = true })', "local due = {}"]
    for index, (name, case) in enumerate(CASES.items()):
        lines.append(f'do local a = sinew.actor("{name}", man)')
        for action in case["actions"]:
            reference = action.get("reference")
            of = f', reference = {{ clip = "{reference["clip"]}", time = {reference["time"]} }}' if reference else ""
            owner = f'a:layer("added", {{ mode = "additive"{of} }})' if action["additive"] else "a"
            if "joints" in action:
                mask = ", ".join(f"{joint} = 1" for joint in action["joints"])
                owner = f'a:layer("cover", {{ weight = {action["weight"]}, mask = {{ {mask} }} }})'
            speed = 0 if "next" not in case else 1
            weight = 1 if "joints" in action else action["weight"]
            lines.append(f'{owner}:play("{action["clip"]}", {{ fade = 0, weight = {weight}, '
                         f'time = {action["time"]}, speed = {speed} }})')
        frame = case["before"] + case["after"] if "next" in case else 2 + index // 4  # a few takes at once
        lines.append(f'due[{frame}] = due[{frame}] or {{}}; table.insert(due[{frame}], a) end')
    lines.append(f"""
local frame = 0
function sinew.update()
  frame = frame + 1
  for _, after in ipairs {{ {", ".join(map(str, AFTER))} }} do
    if frame == {BEFORE + 1} then sinew.actor("fade " .. after):play("Run", {{ fade = {FADE} }}) end
  end
  for _, a in ipairs(due[frame] or {{}}) do a:bake(a.name .. ".glb", {{ seconds = 0.01 }}) end
end
""")
    return "\n".join(lines)


class Mixer(program.Case):
    @classmethod
    def setUpClass(cls):
        if not LIBRARY.exists():
            HOLDER.mkdir(exist_ok=True)
            subprocess.run(["npm", "install", "--prefix", HOLDER, "--no-save", "--ignore-scripts", "--no-audit",
                            "--no-fund", "--fetch-retries", "0", "--fetch-timeout", "60000", f"three@{VERSION}"],
                           capture_output=True, check=False)
        if not LIBRARY.exists():
            raise unittest.SkipTest("npm cannot get three.js")

    def ours(self):
        run = program.sinew("run", self.write("scene.lua", scene()), "--headless", "--frames", 40)
        self.assertEqual(run.status, 0, run)
        result = {}
        for name in CASES:
            gltf, numbers = read_glb(self.folder / f"{name}.glb")
            result[name] = {node["name"]: rows for node, rows in zip(gltf["nodes"], worlds(gltf, numbers, 0))
                            if "name" in node}
        return result

    def theirs(self, between):
        cases = self.write("cases.json", json.dumps(CASES))
        script = pathlib.Path(__file__).with_name("mixer.mjs")
        done = subprocess.run(["node", script, LIBRARY, program.HERO, cases, between], capture_output=True, text=True,
                              timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_joints_are_where_three_js_has_them(self):
        ours = self.ours()

        def worst(case, theirs):
            rows = {name: row for name, row in theirs[case].items() if "next" not in CASES[case] or name not in LEGS}
            self.assertGreater(len(rows), 50)
            return max(abs(ours[case][name][r][c] - columns[4 * c + r])
                       for name, columns in rows.items() for r in range(3) for c in range(4))

        sums, arcs = self.theirs("nlerp"), self.theirs("slerp")
        for case in CASES:
            print(f"# {case}: {worst(case, sums):.2g} off, {worst(case, arcs):.2g} off its arcs")
        for case in CASES:
            with self.subTest(case=case):
                if case == "alone":  # theirs is half-way to the rest pose
                    self.assertGreater(worst(case, sums), 0.1)
                elif case == "thirds":  # their order matters
                    self.assertLess(worst(case, sums), 0.02)
                else:
                    self.assertLess(worst(case, sums), 1e-5)
                    self.assertLess(worst(case, arcs), 0.02)
        sunk = 0
        for case in (f"fade {after}" for after in AFTER):
            for ball in ("LeftToeBase", "RightToeBase"):
                height, theirs = ours[case][ball][1][3], sums[case][ball][13]
                self.assertGreater(height, -0.0045, case)  # as in the run
                self.assertGreater(height, theirs - 1e-5, case)
                sunk = min(sunk, theirs)
        self.assertLess(sunk, -0.005)
        for case in ("half", "heavy", "added", "added half", "covered", "half covered", "fade 15"):  # half-way an arc and a sum meet
            self.assertLess(worst(case, arcs), 1e-5, case)


if __name__ == "__main__":
    if not shutil.which("node") or not shutil.which("npm"):
        print("# skipped: there is no node with npm")
        sys.exit(77)
    unittest.main()
