"""Rigs as others make them (../shared/models/rigs): steps in sync, speeds of what walks alone, the hero's walk on their legs."""
import json
import unittest

import program

RIGS = program.ROOT.parent / "shared/models/rigs/files"
WALKERS = {  # walk, run, and the joint of the left foot
    "kaykit_knight.glb": ("Walking_A", "Running_A", "foot.l"),
    "quat_human.fbx": ("Human Armature|Walk", "Human Armature|Run", "LeftFoot"),
    "quat_male.fbx": ("HumanArmature|Man_Walk", "HumanArmature|Man_Run", "Foot.L"),
    "quat_knight.fbx": ("HumanArmature|Walking", "HumanArmature|Run", "Foot.L"),
    "robot_expressive.glb": ("Walking", "Running", "Foot.L"),
    "godot_robot.glb": ("walk", "run", "r-foot"),
    "quat_horse.fbx": ("Armature|Walk", "Armature|Run", "BackFoot.L"),
    "quat_raptor.fbx": ("Armature|Velociraptor_Walk", "Armature|Velociraptor_Run", "BackFoot.L"),
}
# Where each clip alone has its left foot foremost, against where both are in a blend of the two.
SYNC = """
    local man = sinew.model(FILE)
    local function crest(clip)
      local best, at = -math.huge, 0
      for k = 0, 199 do
        local z = man:sample(clip, man:duration(clip) * k / 200):get(FOOT, "model").position.z
        if z > best then best, at = z, k / 200 end
      end
      return at
    end
    local function near(d) d = d % 1; return d > 0.5 and d - 1 or d end
    local figure = sinew.actor("figure", man, { params = { s = 1.5 } })
    figure:set_graph(sinew.blend_space_1d { param = "s", sync = true, { 1, WALK }, { 2, RUN } }, { fade = 0 })
    function sinew.test()
      local walk, run = crest(WALK), crest(RUN)
      for frame = 1, 60 do
        sinew.simulate { frames = 1 }
        local phases = {}
        for _, entry in ipairs(figure:playing()) do if entry.kind == "clip" then phases[entry.clip] = entry.phase end end
        local off = near((phases[WALK] - walk) - (phases[RUN] - run))
        assert(math.abs(off) <= 0.05, ("frame %d is out of step by %.3f of a stride"):format(frame, off))
      end
    end
"""
# No part of the figure's own soles goes below the ground by more than 2 % of its height.
GROUND = """
    local man = sinew.model(FILE, { clips = { HERO } })
    local own, figure = sinew.model(FILE), sinew.actor("figure", man)
    local names = {}
    for _, clip in ipairs(own:clips()) do names[clip] = true end
    function sinew.test()
      sinew.simulate { frames = 1 }
      local low, high = figure:bounds()
      local soles = {} -- what is near the ground at rest
      for mesh = 1, #man:meshes() do
        soles[mesh] = {}
        local points = figure:vertices(mesh)
        for i = 2, #points, 3 do if points[i] < 0.035 * (high.y - low.y) then table.insert(soles[mesh], i) end end
      end
      for _, clip in ipairs(man:clips()) do
        if not names[clip] and (clip:find "Walk$" or clip:find "Run$") then
          local act = figure:play(clip, { fade = 0, speed = 0 })
          for k = 0, 11 do
            act.time = man:duration(clip) * k / 12
            sinew.simulate { frames = 1 }
            local lowest = math.huge
            for mesh, indices in pairs(soles) do
              local points = figure:vertices(mesh)
              for _, i in ipairs(indices) do lowest = math.min(lowest, points[i]) end
            end
            assert(lowest > -0.02 * (high.y - low.y), ("%s: %.3f m below the ground"):format(clip, -lowest))
          end
        end
      end
    end
"""

# Nothing but legs differs from the plain blend of the two clips, and a joint never moves much farther in one short frame.
GUARD = """
    local man = sinew.model(FILE)
    local own, plain = {}, sinew.model(FILE)
    local figures = { kept = sinew.actor("kept", man), blended = sinew.actor("blended", plain) }
    figures.blended:layer("plain", { mask = { ["**"] = 1 } }) -- layers above the base keep no feet
    function sinew.test()
      local joints = {}
      for _, name in ipairs(man:joints()) do table.insert(joints, name) end
      sinew.view.speed = 60 / 480
      for start = 0, 3 do
        local before, most = {}, { kept = 0, blended = 0 }
        for name, figure in pairs(figures) do
          local where = name == "blended" and "plain" or nil
          figure:play(WALK, { fade = 0, time = start / 4 * man:duration(WALK), layer = where })
        end
        sinew.simulate { frames = 8 }
        for name, figure in pairs(figures) do figure:play(RUN, { fade = 0.1, layer = name == "blended" and "plain" or nil }) end
        for frame = 1, 60 do
          sinew.simulate { frames = 1 }
          for name, figure in pairs(figures) do
            for i = 1, #joints do
              local p, key = figure:joint(i), name .. i
              local q = before[key]
              if q then most[name] = math.max(most[name], ((p.x - q.x) ^ 2 + (p.y - q.y) ^ 2 + (p.z - q.z) ^ 2) ^ 0.5) end
              before[key] = p
            end
          end
        end
        local low, high = figures.kept:bounds()
        assert(most.blended > 0, "the plain blend moves")
        assert(most.kept < most.blended + 0.02 * (high.y - low.y),
          ("a joint goes %.3f m in a frame, %.3f m in the plain blend"):format(most.kept, most.blended))
      end
    end
"""


@unittest.skipUnless(RIGS.is_dir(), f"there are no rigs in {RIGS}")
class Rigs(program.Case):
    def run_scene(self, text, **names):
        values = "".join(f"local {name} = {json.dumps(str(value))}\n" for name, value in names.items())
        scene = self.write("scene.lua", "local sinew = require 'sinew'\n" + values + text)
        result = program.sinew("test", scene, "--allow", RIGS, "--allow", program.ROOT / "assets")
        self.assertEqual(result.status, 0, result)

    def test_walk_and_run_are_in_step(self):
        for rig, (walk, run, foot) in WALKERS.items():
            with self.subTest(rig):
                self.run_scene(SYNC, FILE=RIGS / rig, WALK=walk, RUN=run, FOOT=foot)

    def test_keeping_feet_adds_no_jumps(self):
        for rig, (walk, run, _) in WALKERS.items():
            with self.subTest(rig):
                self.run_scene(GUARD, FILE=RIGS / rig, WALK=walk, RUN=run)

    def test_what_walks_has_a_speed_and_what_dies_has_none(self):
        for rig, (walk, run, _) in WALKERS.items():
            told = json.loads(program.sinew("info", RIGS / rig, "--json").out)
            speeds = {clip["name"]: clip["speed"] for clip in told["clips"]}
            for name, speed in speeds.items():
                with self.subTest(f"{rig}: {name}"):
                    if name in (walk, run):
                        self.assertGreater(speed, 0.3)
                    if any(word in name for word in ("Man_Death", "Velociraptor_Death", "Punch", "Sit_Chair_Idle")):
                        self.assertLess(speed or 0, 0.05)

    def test_the_heros_gaits_stand_on_the_ground(self):
        for rig in ("robot_expressive.glb", "quat_male.fbx", "quat_knight.fbx", "quat_human.fbx", "godot_robot.glb"):
            with self.subTest(rig):
                self.run_scene(GROUND, FILE=RIGS / rig, HERO=program.ROOT / "assets/hero.glb")


if __name__ == "__main__":
    unittest.main()
