"""The example of locomotion, on a slope and on steps, at 30, 60 and 144 Hz: starts, stops, turns and pivots whose feet
stand, stay above the ground, and are never thrown."""
import re
import unittest

import program

EXAMPLE = program.ROOT / "scripts/examples/locomotion.lua"

# Held keys come from KEYS by time. A ball stands while it is less than a centimetre above the ground; a stance is without
# its first and last 50 ms, where a foot rolls.
DRIVER = """
local held, clock, frame, last, speeds = {}, 0, 0, {}, {}
local joints = { "Hips", "Spine2", "Head", "LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase", "LeftHand", "RightHand" }
local states, seen, jump, lowest, worst = {}, {}, 0, 0, 0
local stances = { {}, {} }
input.is_down = function(name) return held[name] or false end
input.axis = function(from, to) return (held[to] and 1 or 0) - (held[from] and 1 or 0) end
local function end_stance(stance)
  local trim = math.ceil(0.05 / STEP)
  for i = trim + 2, #stance - trim do
    local way = stance[i] - stance[trim + 1]
    worst = math.max(worst, math.sqrt(way.x ^ 2 + way.z ^ 2))
  end
end
local function watch_joint(joint, dt)
  local at = hero:joint(joint)
  local speed = last[joint] and (at - last[joint]) * (1 / dt)
  if speed and speeds[joint] and clock > 0.3 then
    local change = speed - speeds[joint]
    jump = math.max(jump, math.sqrt(change.x ^ 2 + change.y ^ 2 + change.z ^ 2))
  end
  last[joint], speeds[joint] = at, speed
end
local function watch(dt)
  local state = hero:state()
  if not seen[state] then seen[state], states[#states + 1] = true, state end
  for _, joint in ipairs(joints) do watch_joint(joint, dt) end
  for foot, joint in ipairs { "LeftToeBase", "RightToeBase" } do
    local at, stance = hero:joint(joint), stances[foot]
    local height = at.y - ground(at.x, at.z)
    if clock > 0.3 then lowest = math.min(lowest, height) end
    if height < 0.01 then stance[#stance + 1] = at
    elseif #stance > 0 then
      end_stance(stance)
      stances[foot] = {}
    end
  end
end
local example, said = sinew.update, false
function sinew.update(dt)
  if frame > 0 then watch(dt) end
  frame, clock = frame + 1, clock + dt
  held = {}
  for _, span in ipairs(KEYS) do
    if clock >= span[2] and clock < span[3] then held[span[1]] = true end
  end
  example(dt)
  if clock >= LAST and not said then
    said = true
    print(("%.4f %.4f %.4f %s"):format(jump, -lowest, worst, table.concat(states, " ")))
  end
end
"""

# The same of clips that play alone, from five moments between two frames, with their own root motion; a clip that ends
# is left out from there on.
OWN = """
local sinew = require "sinew"
local man = sinew.model("hero.glb", { clips = { "hero_extra.glb", "hero_locomotion.glb" } })
local joints = { "Hips", "Spine2", "Head", "LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase", "LeftHand", "RightHand" }
local actors, jump, clock, frame = {}, 0, 0, 0
for i = 0, 5 * #NAMES - 1 do
  local name = NAMES[i // 5 + 1]
  local actor = sinew.actor("actor " .. i, man)
  local loop = (name == "Walk" or name == "Run") and "forever" or "once"
  actor:root_motion { axes = "xz yaw", feet = true }
  actor:play(name, { fade = 0, loop = loop, time = i % 5 / 5 * STEP })
  actors[#actors + 1] = { actor = actor, last = {}, speeds = {}, stops = loop == "once" and man:duration(name) - STEP }
end
local function watch(one, dt)
  local now = one.actor:playing()[1]
  if one.stops and (not now or now.time > one.stops) then one.over = true end
  for _, joint in ipairs(one.over and {} or joints) do
    local at = one.actor:joint(joint)
    local speed, before = one.last[joint] and (at - one.last[joint]) * (1 / dt), one.speeds[joint]
    if speed and before then
      local change = speed - before
      jump = math.max(jump, math.sqrt(change.x ^ 2 + change.y ^ 2 + change.z ^ 2))
    end
    one.last[joint], one.speeds[joint] = at, speed
  end
end
function sinew.update(dt)
  frame, clock = frame + 1, clock + dt
  for _, one in ipairs(frame > 1 and actors or {}) do watch(one, dt) end
  if clock >= 2.4 and clock < 2.4 + dt then print(("%.4f"):format(jump)) end
end
"""
OWN_JUMPS = {}  # of clips and a rate
WALKS = ["Walk", "WalkStart", "WalkStop", "WalkStopRight", "PivotLeft", "PivotRight"]
RUNS = ["Run", "RunStart", "RunStop", "RunStopRight", "RunPivotLeft", "RunPivotRight"]


def walks(ahead, back):
    """A start and a stop, a start, a pivot and a stop."""
    return [(ahead, 0.5, 2.8), (ahead, 4.5, 6.2), (back, 6.2, 8.6)], 10.2


def runs(ahead, back):
    return [("run", 0, 20), (ahead, 0.5, 3), (ahead, 5.5, 8), (back, 8, 11.2)], 13.2


TURNS = [("left", 0.5, 0.8), ("back", 3, 3.3), ("left", 5, 5.3)], 7


class Locomotion(program.Case):
    def run_scene(self, lines, seconds, rate, pattern):
        scene = self.folder / "scene.lua"
        scene.write_text(lines, encoding="utf-8")
        result = program.sinew("run", scene, "--headless", "--frames", int(seconds * rate) + 3, "--dt", repr(1 / rate))
        found = re.search(pattern, result.out, re.M)
        self.assertTrue(found, result)
        return found

    def drive(self, keys, seconds, place, rate):
        lines = EXAMPLE.read_text(encoding="utf-8").split("local function goes_through(")[0]
        spans = ", ".join('{ "%s", %g, %g }' % span for span in keys)
        lines += f"\nhero.position = {place}\nlocal KEYS, LAST, STEP = {{ {spans} }}, {seconds}, 1 / {rate}\n"
        found = self.run_scene(lines + DRIVER, seconds, rate, r"^([\d.]+) (-?[\d.]+) ([\d.]+) (.*)$")
        return [float(found[k]) for k in (1, 2, 3)], set(found[4].split())

    def own_jump(self, clips, rate):
        known = OWN_JUMPS.get((*clips, rate))
        if known is not None:
            return known
        names = ", ".join(f'"{name}"' for name in clips)
        lines = f"local NAMES, STEP = {{ {names} }}, 1 / {rate}\n" + OWN
        OWN_JUMPS[(*clips, rate)] = jump = float(self.run_scene(lines, 2.5, rate, r"^([\d.]+)$")[1])
        return jump

    def expect(self, moves, place, states, clips, times=1.1, depth=0.01):
        """A foot that lifts or lands changes its speed at once in the clips, too; where a clip plays faster than it
        was made, to catch up with the actor, it does so by as much more: `times`. `depth` is in metres."""
        for rate in (30, 60, 144):
            (jumped, sunk, slid), seen = self.drive(*moves, place, rate)
            with self.subTest(rate=rate, place=place):
                self.assertLess(jumped, times * self.own_jump(clips, rate))
                self.assertLess(sunk, depth)
                self.assertLess(slid, 0.014)
                self.assertEqual(seen, states)

    def test_walk_on_a_slope(self):
        self.expect(walks("ahead", "back"), "{ 0, 0.1, 3.5 }", {"idle", "WalkStart", "move", "stop", "pivot"}, WALKS)

    def test_run_on_a_slope(self):
        self.expect(runs("ahead", "back"), "{ 0, 0.04, 3.2 }", {"idle", "RunStart", "move", "stop", "pivot"}, RUNS,
                    times=1.5)  # a stop that waits 0.15 s at most begins between two steps

    def test_turn_on_a_slope(self):
        self.expect(TURNS, "{ 0, 0.4, 5 }", {"idle", "turn_90"}, ["Turn90", "Turn90Right"], depth=0.002)

    def test_walk_on_steps(self):
        self.expect(walks("left", "right"), "{ 1.2, 0, 0 }", {"idle", "turn_90", "WalkStart", "move", "stop", "pivot"}, WALKS,
                    depth=0.02)  # for a frame, as the first step passes an edge

    def test_run_on_steps(self):
        self.expect(runs("left", "right"), "{ 1.2, 0, 0 }", {"idle", "turn_90", "RunStart", "move", "stop", "pivot"}, RUNS)


if __name__ == "__main__":
    unittest.main()
