"""Two scenes that a person should be able to write, run at 30, 60 and 144 Hz: full locomotion in 25 lines, and a slot for
the upper body with sections and a grip that follows a curve."""
import json
import struct
import unittest

import program

LOCOMOTION = """
local sinew, machine = require "sinew", require "sinew.machine"
local input, camera = require "sinew.input", require "sinew.camera"
local hero = sinew.actor("hero", sinew.model("hero.glb", { clips = { "clips/*.glb" } }))
input.map { left = "a", right = "d", ahead = "w", back = "s", run = "left_shift", aim = "q" }
local motor = hero:motor { acceleration = 9, braking = 12, turn_rate = 6 }
hero:set_graph(machine {
  start = "idle", states = { idle = "Idle",
    turn = sinew.blend_space_1d { param = "turn", match = "turn", { -1.57, "Turn90Right" }, { 1.57, "Turn90" } },
    start = sinew.clip { "WalkStart", loop = "once", match = "travelled" },
    stop = sinew.clip { "WalkStop", loop = "once", match = "to_stop" },
    move = sinew.blend_space_2d { param_x = "left", param_y = "ahead", sync = true,
      "Walk", "Run", "StrafeLeft", "StrafeRight", "WalkBack" },
  },
  "idle -> turn: when abs(turn) > 0.9, fade 0.1, inertial", "turn -> idle: before_end 0.15",
  "idle -> start: when wanted > 0.1, fade 0.15, inertial", "start -> move: before_end 0.2, keep_phase",
  "move -> stop: when wanted < 0.1, fade 0.2, inertial", "stop -> idle: before_end 0.2",
  "stop -> move: when wanted > 0.1, fade 0.2, inertial",
})
hero:set_modifiers { sinew.warp { "warp", stride = { 0.7, 1.4 }, angle = 0.9 }, sinew.plant { "feet", lock = 0.15 } }
camera.follow(hero, { distance = 4 })
function sinew.update()
  local gait = input.is_down "run" and 4 or 1.4
  motor.velocity = camera.flat(input.axis("right", "left") * gait, input.axis("back", "ahead") * gait)
  motor.facing = input.is_down "aim" and camera.yaw() or nil
end
"""

WALK = """
local held, clock, seen = false, 0, {}
input.axis = function(_, to) return held and to == "ahead" and 1 or 0 end
local listing = sinew.update
function sinew.update(dt)
  clock = clock + dt
  held = clock > 0.5 and clock < 3
  listing(dt)
  local state = hero:state()
  if seen[#seen] ~= state then seen[#seen + 1] = state end
  if clock >= 5 - 1e-6 and clock - dt < 5 - 1e-6 then print(table.concat(seen, " "), ("%.1f"):format(hero.position.z)) end
end
"""

# Walks to all sides and back, and says how far a foot on the ground drifted at most, until it lifts; not on which foot
# she stood when she pressed a key.
STANDS = """
local keys = { { 0.5, "ahead", 1 }, { 2.5, "ahead" }, { 4, "back", 1 }, { 7.5, "back" }, { 9, "left", 1 }, { 12, "left" },
  { 14, "ahead", 1 }, { 14.9, "ahead" }, { 17, "right", 1 }, { 20, "right" } }
local held, clock, next_key, worst, states = {}, 0, 1, 0, {}
local feet = { LeftToeBase = {}, RightToeBase = {} }
input.axis = function(from, to) return (held[to] or 0) - (held[from] or 0) end
local listing = sinew.update
function sinew.update(dt)
  clock = clock + dt
  while keys[next_key] and clock >= keys[next_key][1] do
    held[keys[next_key][2]] = keys[next_key][3]
    next_key = next_key + 1
  end
  listing(dt)
  states[hero:state()] = true
  for name, foot in pairs(feet) do
    local at = hero:joint(name)
    local down = at.y < 0.015
    if down and not foot.from then foot.from = at end
    if down then worst = math.max(worst, math.sqrt((at.x - foot.from.x) ^ 2 + (at.z - foot.from.z) ^ 2)) end
    if not down then foot.from = nil end
  end
  if clock >= 22 and clock - dt < 22 then
    print(("turned %s, drifted %.1f cm"):format(states.turn, 100 * worst))
  end
end
"""

# Runs and stops eight times, each at another moment of the stride. Before the walk's stop begins, she slows down to the
# distance that it covers; a foot that is about to come down then drifts farther than in a walk.
RUNS = """
input.is_down = function(name) return name == "run" end
keys = {}
for i = 0, 7 do
  keys[2 * i + 1] = { 0.1 + 2.7 * i, "ahead", 1 }
  keys[2 * i + 2] = { 1.4 + 2.7833 * i, "ahead" }
end
"""

RELOAD = """
local sinew, task = require "sinew", require "sinew.task"
local man = sinew.model("hero.glb", { clips = { "reload.glb" } })
local hero = sinew.actor("hero", man)
hero:play "Run"
man:markers("Reload", { { 0.55, "shell" }, { 1.10, "close" } })
local upper = hero:layer("upper", { mask = { ["Spine/**"] = { 0.3, 0.7, 1 } },
  space = "model", play = { loop = "once", fade = 0.15, fade_out = 0.25 } })
local rifle = hero:attach("RightHand", sinew.model "rifle.glb")
hero:set_modifiers { sinew.ik { "grip", tip = "LeftHand", target = { rifle, "Grip" }, weight = "left_grip" } }
local function reload(shells)
  task.run(function()
    local action = upper:play "Reload"
    for _ = 2, shells do
      if not action:wait "close" then return end
      action:go_to "shell"
    end
    if action:wait "finish" then print "loaded" end
  end)
end
"""

SHOOT = """
local clock, shells, near, far = 0, 0, 0, 0
hero:on("shell", function() shells = shells + 1 end)
local function apart()
  local d = rifle:joint "Grip" - hero:joint "LeftHand"
  return math.sqrt(d.x ^ 2 + d.y ^ 2 + d.z ^ 2)
end
local function passes(dt, time) return clock >= time - 1e-6 and clock - dt < time - 1e-6 end
function sinew.update(dt)
  clock = clock + dt
  if passes(dt, 0.5) then
    near = apart()
    reload(3)
  end
  if passes(dt, 2) then far = apart() end
  if passes(dt, 6) then
    print(("shells %d, held %s, let go %s, held %s"):format(shells, near < 0.02, far > 0.3, apart() < 0.02))
  end
end
"""


def read_glb(path):
    data = path.read_bytes()
    size = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20:20 + size]), data[28 + size:]


def write_glb(path, document, binary):
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I", len(text)) + b"JSON" + text + struct.pack("<I", len(binary)) + b"BIN\0" + binary
    path.write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks)


class Listings(program.Case):
    def run_scene(self, lines, seconds, rate):
        scene = self.folder / "scene.lua"
        scene.write_text(lines, encoding="utf-8")
        result = program.sinew("run", scene, "--headless", "--frames", int(seconds * rate) + 2, "--dt", repr(1 / rate))
        self.assertEqual(result.status, 0, result)
        return result.out

    def copy(self, name, to):
        to.parent.mkdir(exist_ok=True)
        to.write_bytes((program.ROOT / "assets" / name).read_bytes())

    def test_locomotion(self):
        self.copy("hero.glb", self.folder / "hero.glb")
        for name in ("hero_extra.glb", "hero_locomotion.glb"):
            self.copy(name, self.folder / "clips" / name)
        for rate in (30, 60, 144):
            self.assertRegex(self.run_scene(LOCOMOTION + WALK, 5.1, rate), r"idle start move stop idle\s3\.[2-7]")
            for gait, turned, most in ("", "true", 10), (RUNS, "nil", 15):
                out = self.run_scene(LOCOMOTION + STANDS + gait, 22.1, rate)
                self.assertIn(f"turned {turned}", out)
                self.assertLess(float(out.split("drifted ")[1].split()[0]), most, f"{rate} Hz{gait}: {out}")

    def test_reload(self):
        self.copy("hero.glb", self.folder / "hero.glb")
        document, binary = read_glb(program.ROOT / "assets/hero_extra.glb")
        document["animations"] = [a for a in document["animations"] if a["name"] == "Point"]
        document["animations"][0].update(name="Reload", extras={"curves": {"left_grip": [0, 1, 0.3, 0, 2.1, 0, 2.4, 1]}})
        write_glb(self.folder / "reload.glb", document, binary)
        grip = {"name": "Grip", "translation": [0, 0, 0.2]}
        write_glb(self.folder / "rifle.glb", {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
                                              "nodes": [{"name": "Rifle", "children": [1]}, grip]}, b"\0" * 4)
        for rate in (30, 60, 144):
            out = self.run_scene(RELOAD + SHOOT, 6.1, rate)
            self.assertIn("loaded", out)
            self.assertIn("shells 3, held true, let go true, held true", out)


if __name__ == "__main__":
    unittest.main()
