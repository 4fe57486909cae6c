"""Named numbers over the time of clips, from the extras of glTF animations: their values against lines drawn here."""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import unittest

from imported import Case, program, read_glb
from write_gltf import Gltf

RATE = 60
EDGE = 1e-3  # a loop's end is its beginning


def value(keys, time):
    """Linear between keys and constant outside; of two at one time the second."""
    before = [key for key in keys if key[0] <= time]
    after = [key for key in keys if key[0] > time]
    if not before or not after:
        return after[0][1] if not before else before[-1][1]
    (t, a), (u, b) = before[-1], after[0]
    return a + (b - a) * (time - t) / (u - t)


def flat(keys):
    return [number for key in keys for number in key]


class Curves(Case):
    def gltf(self, clips, name="model.gltf", nodes=("Hips", "LeftArm", "RightArm")):
        """clips: name → (start, end, what extras.curves is)"""
        gltf = Gltf()
        for i, node in enumerate(nodes):
            side = 1 if "Left" in node else -1 if "Right" in node else 0
            gltf.node(name=node, translation=[side, 1, 0], **({"children": [1, 2]} if i == 0 else {}))
        for clip, (start, end, curves) in clips.items():
            gltf.animation(clip, [(1, "rotation", [start, end], [0, 0, 0, 1, 0, 0, 0.6, 0.8], "LINEAR")])
            gltf.animations[-1]["extras"] = {"curves": curves}
        return self.write(name, gltf.text().replace("Infinity", "1e999"))

    def curves(self, path, *words):
        """Of each clip, as the import has them."""
        result = program.sinew("info", path, "--json", *words, SINEW_CACHE="off")
        self.assertEqual(result.status, 0, result)
        told = json.loads(result.out)
        return {clip["name"]: {curve["name"]: curve["keys"] for curve in clip["curves"]} for clip in told["clips"]}, told

    def play(self, lines, frames, curve, options="{}", model="model.gltf"):
        """What actor:curve says in each frame; `lines` play, and `step` is called with the time of a frame."""
        scene = self.write("scene.lua", f"""
            local sinew = require "sinew"
            local model = sinew.model("{model}", {options})
            local actor = sinew.actor("actor", model)
            local frame, step = -1, function() end
            {lines}
            function sinew.update() frame = frame + 1 step(frame / {RATE}) end
            function sinew.draw() print(string.format("<%d %.17g>", frame, actor:curve "{curve}")) end""")
        result = program.sinew("run", scene, "--headless", "--frames", frames, SINEW_CACHE="off")
        self.assertEqual(result.status, 0, result)
        found = re.findall(r"<(\d+) (\S+)>", result.out + result.err)
        self.assertGreaterEqual(len(found), frames, result)
        return [(int(frame) / RATE, float(number)) for frame, number in found]

    def test_values_are_those_of_the_lines(self):
        """Times are the file's seconds; the clip begins at 0.5 s, and keys go on beyond both of its ends."""
        grip = [[0.2, 3], [0.7, 1], [1.103, 1], [1.103, -2], [1.9, 0.5], [2.6, 7]]
        draw = random.Random(7)
        many = sorted([draw.uniform(0, 3), draw.uniform(-5, 5)] for i in range(300))
        for curve, keys, written in (("grip", grip, grip), ("grip", grip, flat(grip)), ("many", many, flat(many))):
            self.gltf({"Grab": (0.5, 2.5, {"other": [[0, 1]], curve: written})})
            seen = self.play('local p = actor:play("Grab", { fade = 0, speed = 0 })\n'
                             "step = function(t) p.time = math.min(t, END) end".replace("END", repr(2 - EDGE)), 125, curve)
            for time, number in seen:
                self.assertAlmostEqual(number, value(keys, 0.5 + min(time, 2 - EDGE)), delta=1e-9, msg=time)

    def test_keys_outside_of_the_clip_leave_their_value_at_its_ends(self):
        told, _ = self.curves(self.gltf({"Grab": (0.5, 2.5, {
            "across": [0, 0, 4, 8], "before": [[0, 1], [0.25, 2]], "after": [[3, 5], [4, 6]], "one": [[1, 9]],
            "start": [[0, 1], [0.5, 2], [0.5, 3], [2.5, 4], [2.5, 5], [2.6, 6]]})}))
        self.assertEqual(told["Grab"], {"across": [[0, 1], [2, 5]], "before": [[0, 2]], "after": [[0, 5], [2, 5]],
                                        "one": [[0.5, 9]], "start": [[0, 2], [0, 3], [2, 4], [2, 5]]})

    def test_two_clips_blend(self):
        a, b = [[0, 0], [1, 4]], [[0, 10], [0.5, -6], [1, 10]]
        self.gltf({"A": (0, 1, {"grip": a}), "B": (0, 1, {"grip": b})})
        seen = self.play('local p = actor:play("A", { fade = 0, speed = 0, weight = 0.75 })\n'
                         'local q = actor:play("B", { fade = 0, speed = 0, weight = 0.25 })\n'
                         "step = function(t) p.time, q.time = math.min(t, 0.99), math.max(0.99 - t, 0) end", 61, "grip")
        for time, number in seen[1:]:
            expected = 0.75 * value(a, min(time, 0.99)) + 0.25 * value(b, max(0.99 - time, 0))
            self.assertAlmostEqual(number, expected, delta=1e-6, msg=time)

    def test_a_curve_of_the_script_wins(self):
        self.gltf({"A": (0, 1, {"grip": [[0, 1]], "open": [[0, 5]]})})
        play = 'actor:play("A", { fade = 0 }) '
        for script, curve, expected in (("", "grip", 1), ('model:curve("A", "grip", { { 0, 2 } })', "grip", 2),
                                        ('model:curve("A", "grip", { { 0, 2 } })', "open", 5),
                                        ('model:curve("A", "grip", {})', "grip", 1)):
            script += ' assert(table.concat(model:curves "A", " ") == "grip open")'
            self.assertEqual(self.play(play + script, 2, curve)[-1][1], expected, script)

    def test_clips_of_other_files_bring_theirs(self):
        """Of the same rig, and of one that is retargeted."""
        grip = {"left_grip": [[0, 0], [0.5, 1]]}
        model = self.gltf({"Own": (0, 1, {})})
        self.gltf({"Other": (0, 1, grip)}, "same.gltf")
        self.gltf({"Turned": (0, 1, grip)}, "other.gltf", ("mixamorig:Hips", "mixamorig:LeftArm", "mixamorig:RightArm"))
        for words in (), ("--retarget", "fit"):
            told, _ = self.curves(model, "--clips", self.folder / "same.gltf", "--clips", self.folder / "other.gltf", *words)
            self.assertEqual([told[name] for name in ("Own", "same", "other")], [{}, grip, grip])

    def test_edits_change_them_with_their_clip(self):
        """Cut, run backwards, and with left and right exchanged."""
        grip, swing = [[0, 0], [0.503, 1], [0.503, 3], [2, 0]], [[0, 5], [2, 1]]
        self.gltf({"Grab": (0, 2, {"left_grip": grip, "right_grip": swing, "swing.L": swing, "plain": swing})})
        scene = ('local p = actor:play("Grab", { fade = 0, speed = 0 })\n'
                 "step = function(t) p.time = math.min(t, %r) end")
        for edit, length, curve, expected in (
                ("from = 0.25, to = 1.25", 1, "left_grip", lambda t: value(grip, 0.25 + t)),
                ("reverse = true", 2, "right_grip", lambda t: value(swing, 2 - t)),
                ("from = 0.25, to = 1.25, reverse = true", 1, "right_grip", lambda t: value(swing, 1.25 - t)),
                ("mirror = true", 2, "right_grip", lambda t: value(grip, t)),
                ("mirror = true", 2, "left_grip", lambda t: value(swing, t)),
                ("mirror = true", 2, "swing.R", lambda t: value(swing, t)),
                ("mirror = true", 2, "plain", lambda t: value(swing, t))):
            options = '{ edits = { { clip = "Grab", %s } } }' % edit
            for time, number in self.play(scene % (length - EDGE), int(length * RATE) + 2, curve, options):
                self.assertAlmostEqual(number, expected(min(time, length - EDGE)), delta=1e-6, msg=(edit, curve, time))

    def test_a_bake_keeps_them(self):
        """The blend of two clips; a curve that begins late, and one that no playing clip has."""
        a, b = [[0, 0], [0.33, 1], [1, 4]], [[0, 10], [0.5, -6], [1, 10]]
        self.gltf({"A": (0, 1, {"grip": a}), "B": (0, 1, {"grip": b}), "C": (0, 1, {"late": [[0, 5], [1, 6]]}),
                   "D": (0, 1, {"unheard": [[0, 1]]})})
        seen = self.play('local p = actor:play("A", { fade = 0, speed = 0, weight = 0.75 })\n'
                         'local q = actor:play("B", { fade = 0, speed = 0, weight = 0.25 })\n'
                         'step = function(t) p.time, q.time = math.min(t, 0.99), math.max(0.99 - t, 0)\n'
                         '  if frame == 5 then actor:bake("take.glb", { seconds = 0.5, name = "Leap" }) end\n'
                         '  if frame == 15 then actor:play("C", { fade = 0.1, speed = 0 }) end end', 50, "grip")
        told, _ = self.curves(self.folder / "take.glb")
        self.assertEqual(sorted(told["Leap"]), ["grip", "late"])
        baked, at = told["Leap"]["grip"], [time for time, _ in seen].index(5 / RATE)
        for time, number in seen[at:at + 30]:
            self.assertAlmostEqual(value(baked, time - 5 / RATE), number, delta=1e-4, msg=(time, baked))
        late = told["Leap"]["late"]
        self.assertEqual(value(late, 9 / RATE), 0)
        self.assertAlmostEqual(value(late, 0.4), 5, delta=1e-6)

    def test_a_cooked_model_has_them(self):
        model = self.gltf({"A": (0.5, 2.5, {"grip": [[0.2, 3], [1.1, 1], [1.1, -2], [2.6, 7]], "b": [1, 2]}), "B": (0, 1, {})})
        cooked = self.folder / "model.sinew"
        result = program.sinew("cook", model, "-o", cooked, SINEW_CACHE="off")
        self.assertEqual(result.status, 0, result)
        self.assertEqual(self.curves(cooked)[0], self.curves(model)[0])
        self.assertIn("curves grip, b", program.sinew("info", cooked).out)

    def test_what_is_no_curve_is_left_out_with_one_note(self):
        good = [[0, 1]]
        bad = {"odd": [0, 1, 2], "text": "0 1", "number": 4, "none": None, "object": {"0": 1}, "mixed": [[0, 1], 2, 3],
               "mixed2": [0, 1, [2, 3]], "three": [[0, 1, 2]], "single": [[0]], "words": [["0", 1]], "empty": [],
               "nested": [[[0, 1]]], "yes": [True, True], "late": [[1, 0], [0, 1]], "huge": [[0, 1e999]],
               "endless": [[1e999, 0]], "": good, "n" * 64: good, "large": [[0, 1e16]], "far": [[1e8, 0]],
               "long": [number for i in range(65537) for number in (i * 1e-6, 0)]}
        told, whole = self.curves(self.gltf({"Grab": (0, 1, {**bad, "good": good})}))
        self.assertEqual(told["Grab"], {"good": good})
        for name in bad:
            notes = [note for note in whole["notes"] if f"curve '{name}' is left out" in note]
            self.assertEqual(len(notes), 1, (name, whole["notes"]))
        self.assertEqual(len(whole["notes"]), len(bad), whole["notes"])

    def test_what_holds_no_curves_is_left_out(self):
        for curves in [1], "grip", 3, None, True:
            told, whole = self.curves(self.gltf({"Grab": (0, 1, curves)}))
            self.assertEqual(told["Grab"], {})
            self.assertEqual(len(whole["notes"]), 1, (curves, whole["notes"]))
        told, whole = self.curves(self.gltf({"Grab": (0, 1, {f"c{i}": [i, i] for i in range(70)})}))
        self.assertEqual(list(told["Grab"]), [f"c{i}" for i in range(64)])
        self.assert_noted(whole, "'c69'", "64 curves already")

    def test_names_that_come_twice_and_frames_in_place_of_seconds_are_noted(self):
        path = self.gltf({"Grab": (0, 1, {"grip": [[0, 1], [24, 0]], "gripp": [[0, 2]]})})
        path.write_text(path.read_text().replace("gripp", "grip"))
        told, whole = self.curves(path)
        self.assertEqual(list(told["Grab"]), ["grip"])
        self.assert_noted(whole, "'grip'", "another one of that name")
        self.assert_noted(whole, "'grip'", "24 s", "times are seconds")

    @unittest.skipUnless(shutil.which("blender"), "no Blender")
    def test_blender_writes_them(self):
        """A custom property of an action; the clip begins at frame 6 of 24 a second and ends at 30."""
        script, path = pathlib.Path(__file__).with_name("blender_curves.py"), self.folder / "model.glb"
        blender = pathlib.Path(shutil.which("blender"))
        beside = {**os.environ, "PATH": str(blender.parent)}  # its Python is the one beside it, not that of this test
        done = subprocess.run([blender, "-b", "--factory-startup", "-P", script, "--", path], capture_output=True,
                              text=True, timeout=240, check=False, env=beside)
        if "No module named 'numpy'" in done.stderr + done.stdout:
            self.skipTest("Blender has no numpy")
        self.assertTrue(path.exists(), done.stdout + done.stderr)
        self.assertIn("curves", read_glb(path)[0]["animations"][0]["extras"])
        grip = [[0, 0], [0.5, 1], [0.75, 0.25], [2, 0.25]]
        seen = self.play('local p = actor:play("Grasp", { fade = 0, speed = 0 })\n'
                         "step = function(t) p.time = math.min(t, 0.99) end", 62, "left_grip", model="model.glb")
        for time, number in seen:
            self.assertAlmostEqual(number, value(grip, 0.25 + min(time, 0.99)), delta=1e-6, msg=time)
        self.assertEqual(self.curves(path)[0]["Grasp"]["steps"], [[0, 1.5], [0.75, 3]])


if __name__ == "__main__":
    unittest.main()
