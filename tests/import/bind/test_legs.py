"""The hero's walk on legs of other proportions: feet stand on the ground and do not slide, and bones keep their lengths."""
import json
import math
import unittest

from imported import Case, program, read_glb, write_glb

HERO = program.ROOT / "assets/hero.glb"
SOLE = 4  # the mesh of the soles of both shoes
STEP = 1 / 15
TIMES = [k * STEP for k in range(14)]


class Legs(Case):
    def hero_with_legs(self, thigh, shin):
        """The hero without clips, its thighs and shins so many times as long, and its feet on the ground."""
        rest = self.pose(HERO, None, (), "--unit", "1")
        at = lambda name: rest["rest"]["world"][self.node(rest, name)][12:15]
        upper, lower = (math.dist(at(a), at(b)) for a, b in (("LeftUpLeg", "LeftLeg"), ("LeftLeg", "LeftFoot")))
        told, rest = read_glb(HERO)
        for node in told["nodes"]:
            factor = {"LeftLeg": thigh, "RightLeg": thigh, "LeftFoot": shin, "RightFoot": shin}.get(node["name"], 1)
            if factor != 1:
                node["translation"] = [factor * x for x in node["translation"]]
            if node["name"] == "Hips":
                node["translation"][1] += (thigh - 1) * upper + (shin - 1) * lower
        del told["animations"]
        return write_glb(self.folder / "other.glb", told, rest)

    def walk(self, model, how, clip="Walk"):
        """A list of joints' matrices by name, and the heights of the soles, in the frames of the hero's walk."""
        dump = self.pose(model, clip, TIMES, "--unit", "1", "--vertices", "--clips", str(HERO), "--retarget", how)
        names = [node["name"] for node in dump["nodes"]]
        frames = dump["clips"][0]["frames"]
        return ([dict(zip(names, frame["world"])) for frame in frames],
                [min(frame["pos"][SOLE][1::3]) for frame in frames])

    def slides(self, frames):
        """How far the toes that move less travel over the ground in each frame."""
        return [min(math.dist(a[name][12:15:2], b[name][12:15:2]) for name in ("LeftToeBase", "RightToeBase"))
                for a, b in zip(frames, frames[1:])]

    def test_feet_stand_on_the_ground(self):
        for thigh, shin in ((1.4, 0.6), (0.6, 1.3)):
            model = self.hero_with_legs(thigh, shin)
            _, raw = self.walk(model, "raw")
            self.assertGreater(max(map(abs, raw)), 0.02, "legs that turn alike leave the ground")
            _, lowest = self.walk(model, "fit")
            self.assertLess(max(map(abs, lowest)), 0.01, lowest)

    def test_planted_feet_do_not_slide(self):
        model = self.hero_with_legs(1.3, 0.75)
        raw, fitted = (self.slides(self.walk(model, how, "WalkRoot")[0]) for how in ("raw", "fit"))
        own = self.slides(self.walk(HERO, "auto", "WalkRoot")[0])
        self.assertGreater(max(raw), 0.01)
        self.assertLess(max(fitted), max(own) + 0.003, fitted)

    def test_bones_keep_their_lengths_and_feet_their_rotation(self):
        model = self.hero_with_legs(0.7, 1.2)
        (raw, _), (fitted, _) = (self.walk(model, how) for how in ("raw", "fit"))
        for a, b in zip(raw, fitted):
            for side in "Left", "Right":
                for above, below in (("UpLeg", "Leg"), ("Leg", "Foot"), ("Foot", "ToeBase")):
                    lengths = [math.dist(f[side + above][12:15], f[side + below][12:15]) for f in (a, b)]
                    self.assertAlmostEqual(*lengths, delta=1e-3)
                self.assert_near(a[side + "Foot"][:12], b[side + "Foot"][:12], 5e-3)
                hip, knee, ankle = (b[side + name][12:15] for name in ("UpLeg", "Leg", "Foot"))
                middle = (hip[2] + ankle[2]) / 2  # the hero walks to +z and never lifts a knee over its hip
                self.assertGreater(knee[2], middle - 0.02, "knees bend forwards")

    def test_the_same_proportions_are_left_alone(self):
        told = read_glb(HERO)
        del told[0]["animations"]
        model = write_glb(self.folder / "same.glb", *told)
        (raw, _), (fitted, _) = (self.walk(model, how) for how in ("raw", "fit"))
        for a, b in zip(raw, fitted):
            for name in a:
                self.assert_near(a[name], b[name], 1e-3, name)

    def test_a_limb_that_a_clip_stretches_is_named(self):
        told, rest = read_glb(HERO)
        node = [node["name"] for node in told["nodes"]].index("LeftForeArm")
        walk = next(animation for animation in told["animations"] if animation["name"] == "Walk")
        moved = next(c for c in walk["channels"] if c["target"]["path"] == "translation")
        walk["channels"].append({"sampler": moved["sampler"], "target": {"node": node, "path": "translation"}})
        told["animations"] = [walk]
        clips = write_glb(self.folder / "stretched.glb", told, rest)
        result = program.sinew("info", HERO, "--clips", clips, "--retarget", "copy", "--json", SINEW_CACHE="off")
        self.assert_noted(json.loads(result.out), "times as long as at rest (left upper arm)")


if __name__ == "__main__":
    unittest.main()
