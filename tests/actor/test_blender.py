"""Baked animations: Blender has every joint where Sinew has it. Skipped where there is no Blender."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from baked import read_glb, worlds
import program

RATE, FRAMES = 60, (0, 7, 20, 33, 40)

SCENE = """
local sinew = require "sinew"
local hero = sinew.actor("hero", sinew.model "hero.glb")
hero:play("Walk", { fade = 0 })
hero:layer("arm", { weight = 0.8, mask = { ["RightShoulder/**"] = 1 } }):play("Wave", { fade = 0 })
hero:set_modifiers { sinew.ik { "reach", tip = "LeftHand", target = { 0.4, 1.3, 0.4 }, weight = 0.7 } }
local frame = 0
function sinew.update()
  frame = frame + 1
  if frame == 10 then
    hero:play("Run", { fade = 0.5 })
    hero:bake("take.glb", { seconds = 40 / 60 })
  end
end
"""


def as_blender_has_it(rows):
    """With z up: x, −z, y."""
    order, sign = (0, 2, 1, 3), (1, -1, 1, 1)
    return [[rows[order[r]][order[c]] * sign[r] * sign[c] for c in range(4)] for r in range(4)]


class Blender(program.Case):
    def test_a_baked_take_is_the_same_in_blender(self):
        scene, take, out = self.write("scene.lua", SCENE), self.folder / "take.glb", self.folder / "out.json"
        run = program.sinew("run", scene, "--headless", "--frames", 60)
        self.assertEqual(run.status, 0, run)
        script = pathlib.Path(__file__).with_name("blender_joints.py")
        blender = pathlib.Path(shutil.which("blender"))
        beside = {**os.environ, "PATH": str(blender.parent)}  # its Python is the one beside it, not that of this test
        done = subprocess.run([blender, "-b", "--factory-startup", "-P", script, "--", take, str(RATE), out,
                               *map(str, FRAMES)], capture_output=True, text=True, timeout=240, check=False, env=beside)
        if "No module named 'numpy'" in done.stderr + done.stdout:
            self.skipTest("Blender has no numpy")
        self.assertTrue(out.exists(), done.stdout + done.stderr)
        (gltf, numbers), theirs, worst = read_glb(take), json.loads(out.read_text()), 0
        self.assertEqual(gltf["accessors"][0]["count"], FRAMES[-1] + 1)
        for k, frame in enumerate(FRAMES):
            for node, rows in zip(gltf["nodes"], worlds(gltf, numbers, frame)):
                if "name" in node:
                    wanted, got = as_blender_has_it(rows), theirs[k][node["name"]]
                    worst = max(worst, *(abs(wanted[r][c] - got[r][c]) for r in range(3) for c in range(4)))
        print(f"# {worst:.2g} at most")
        self.assertLess(worst, 1e-4)


if __name__ == "__main__":
    if not shutil.which("blender"):
        print("# skipped: there is no blender")
        sys.exit(77)
    unittest.main()
