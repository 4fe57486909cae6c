"""The example of locomotion, on a slope and on steps, at 30, 60 and 144 Hz: starts, stops, turns and pivots whose feet
stand, stay above the ground, and are never thrown."""
import re
import unittest

import program

EXAMPLE = program.ROOT / "scripts/examples/locomotion.lua"
CLIPS = [program.ROOT / "assets" / name for name in ("hero.glb", "hero_extra.glb", "hero_locomotion.glb")]

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


def walks(ahead, back):
    """A start and a stop, a start, a pivot and a stop."""
    return [(ahead, 0.5, 2.8), (ahead, 4.5, 6.2), (back, 6.2, 8.6)], 10.2


def runs(ahead, back):
    return [("run", 0, 20), (ahead, 0.5, 3), (ahead, 5.5, 8), (back, 8, 11.2)], 13.2


TURNS = [("left", 0.5, 0.8), ("back", 3, 3.3), ("left", 5, 5.3)], 7


class Locomotion(program.Case):
    def drive(self, keys, seconds, place, rate):
        lines = EXAMPLE.read_text(encoding="utf-8").split("local function slide(")[0]
        spans = ", ".join('{ "%s", %g, %g }' % span for span in keys)
        for path in CLIPS:
            (self.folder / path.name).write_bytes(path.read_bytes())
        scene = self.folder / "scene.lua"
        scene.write_text(f"{lines}\nhero.position = {place}\nlocal KEYS, LAST, STEP = {{ {spans} }}, {seconds}, 1 / {rate}\n"
                         + DRIVER, encoding="utf-8")
        result = program.sinew("run", scene, "--headless", "--frames", int(seconds * rate) + 3, "--dt", repr(1 / rate))
        found = re.search(r"^([\d.]+) (-?[\d.]+) ([\d.]+) (.*)$", result.out, re.M)
        self.assertTrue(found, result)
        return [float(found[k]) for k in (1, 2, 3)], set(found[4].split())

    def expect(self, moves, place, states, jump, depth):
        """`jump` is of the joints' velocities, m/s, where a foot of the run lands: 5.3 at 30 Hz; `depth` in metres."""
        for rate in (30, 60, 144):
            (jumped, sunk, slid), seen = self.drive(*moves, place, rate)
            with self.subTest(rate=rate, place=place):
                self.assertLess(jumped, jump)
                self.assertLess(sunk, depth)
                self.assertLess(slid, 0.036)
                self.assertEqual(seen, states)

    def test_walk_on_a_slope(self):
        self.expect(walks("ahead", "back"), "{ 0, 0.1, 3.5 }", {"idle", "start", "move", "stop", "pivot"}, 3.8, 0.011)

    def test_run_on_a_slope(self):
        self.expect(runs("ahead", "back"), "{ 0, 0.04, 3.2 }", {"idle", "run_start", "move", "stop", "pivot"}, 5.4, 0.011)

    def test_turn_on_a_slope(self):
        self.expect(TURNS, "{ 0, 0.4, 5 }", {"idle", "turn"}, 1.2, 0.002)

    def test_walk_on_steps(self):
        self.expect(walks("left", "right"), "{ 1.2, 0, 0 }", {"idle", "turn", "start", "move", "stop", "pivot"}, 3.8, 0.011)

    def test_run_on_steps(self):
        self.expect(runs("left", "right"), "{ 1.2, 0, 0 }", {"idle", "turn", "run_start", "move", "stop", "pivot"}, 5.4, 0.011)


if __name__ == "__main__":
    unittest.main()
