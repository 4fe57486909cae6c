"""sinew run --bake: what an actor does, as a file that other programs read."""
import json
import unittest

import program

SCENE = """
local sinew = require "sinew"
local hero = sinew.actor("hero", sinew.model "hero.glb")
hero:play("Walk", { fade = 0 })
"""


class Bake(program.Case):
    def bake(self, what, frames=31):
        return program.sinew("run", self.write("scene.lua", SCENE), "--headless", "--frames", frames, "--bake", what)

    def pose(self, model, clip, time):
        result = program.sinew("pose", model, "--clip", clip, "--time", time)
        self.assertEqual(result.status, 0, result)
        told = json.loads(result.out)
        return {node["name"]: world for node, world in zip(told["nodes"], told["clips"][0]["frames"][0]["world"])}

    def test_a_run_becomes_a_clip(self):
        take = self.folder / "take.glb"
        self.assertEqual(self.bake(f"hero:{take}").status, 0)
        baked, played = self.pose(take, "take", 0.5), self.pose(program.HERO, "Walk", 0.5 + 1 / 60)
        for name, world in played.items():
            for i, (a, b) in enumerate(zip(world, baked[name])):
                # Two imports, each of which may be 0.1 mm off at a joint and on a shell 0.07 m around it.
                self.assertAlmostEqual(a, b, delta=2e-4 if i >= 12 else 2e-3, msg=name)

    def test_what_cannot_be_baked_says_why(self):
        self.assert_says(self.bake(f"nobody:{self.folder}/take.glb"), 1, "no actor 'nobody'")
        self.assert_says(self.bake("hero:/nowhere/at/all.glb"), 1, "/nowhere/at/all.glb")
        self.assert_says(self.bake("take.glb"), 2, "--bake ACTOR:FILE.glb")


if __name__ == "__main__":
    unittest.main()
