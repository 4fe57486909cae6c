-- Locomotion: walk, run, strafe and turn over a slope and steps, with keys or a gamepad; mouse and right stick turn the
-- camera. W A S D move relative to it, SHIFT runs. Hold Q to face its way: A and D strafe, and turns are in place.
local sinew, machine = require "sinew", require "sinew.machine"
local input, camera = require "sinew.input", require "sinew.camera"
local man = sinew.model("hero.glb", { clips = { "hero_extra.glb" },
  edits = { { clip = "Turn90" }, { clip = "Turn90", name = "Turn90Right", mirror = true } } })
local hero = sinew.actor("hero", man)
input.map { left = { "a", "left_stick_left" }, right = { "d", "left_stick_right" }, ahead = { "w", "left_stick_up" },
  back = { "s", "left_stick_down" }, run = { "left_shift", "right_trigger" }, aim = { "q", "left_trigger" } }

local function ground(x, z) -- a slope from 3 m on, and steps of 12 cm to the side of it
  if x > 2 then return 0.12 * sinew.clamp(math.floor(x - 2) + 1, 0, 6) end
  return 0.2 * sinew.clamp(z - 3, 0, 6)
end

local motor = hero:motor { acceleration = 9, braking = 12, turn_rate = 6 }
hero:set_graph(machine {
  start = "idle", states = { idle = "Idle",
    turn = sinew.blend_space_1d { param = "turn", match = "turn", { -1.57, "Turn90Right" }, { 1.57, "Turn90" } },
    move = sinew.blend_space_2d { param_x = "left", param_y = "ahead", sync = true,
      "Idle", "Walk", "Run", "StrafeLeft", "StrafeRight", "WalkBack" },
  },
  "* -> move: when wanted > 0.1, fade 0.2, inertial",
  "idle -> turn: when abs(turn) > 0.9, fade 0.1, inertial",
  "turn -> idle: before_end 0.15",
  "move -> idle: when wanted < 0.1 and speed < 0.2, fade 0.2, inertial",
})
hero:set_modifiers { sinew.warp { "strides" }, sinew.plant { "feet", lock = 0.15, ground = ground } }
camera.follow(hero, { distance = 4, behind = 0, ground = ground })
sinew.help_text = "W A S D, left stick: go   SHIFT, RT: run   Q, LT: face ahead   drag, right stick: camera"

function sinew.update(dt)
  local gait = input.is_down "run" and 4 or input.is_down "aim" and 0.8 or 1.4
  motor.velocity = camera.flat(input.axis("right", "left") * gait, input.axis("back", "ahead") * gait)
  motor.facing = input.is_down "aim" and camera.yaw() or nil -- without it she looks where she goes
  motor.turn_rate = hero:state() == "idle" and 0 or 6 -- who stands turns by steps, and only when it is far enough
  local at = hero.position
  hero.position = { at.x, sinew.damp(at.y, ground(at.x, at.z), 12, dt), at.z } -- feet do the rest
end

function sinew.draw()
  local at = hero.position
  for z = math.floor(at.z * 4 - 8) / 4, at.z + 4, 0.25 do
    for x = math.floor(at.x * 4 - 10) / 4, at.x + 2.5, 0.25 do
      sinew.debug.line({ x, ground(x, z), z }, { x + 0.25, ground(x + 0.25, z), z }, { 0.3, 0.8, 0.4 })
    end
  end
end

local function slide(seconds, keys) -- of feet, while they go on in the same way: metres a second
  sinew.simulate { seconds = 1, keys = keys }
  hero:measure { ground = ground, height = 0.03 }
  sinew.simulate { seconds = seconds }
  return hero.metrics.slide
end

function sinew.tests.walks_runs_strafes_and_stops()
  sinew.simulate { seconds = 2 }
  assert(hero:state() == "idle")
  local walking = slide(1, { { 0, "+w" } }) -- with all that feet do while they roll; Walk alone has 0.19
  assert(hero:state() == "move" and math.abs(hero.params.ahead - 1.4) < 0.01)
  assert(walking < 0.2, walking)
  sinew.simulate { seconds = 2, keys = { { 0, "+left_shift" } } }
  assert(math.abs(hero.params.speed - 4) < 0.01 and hero.position.y > 1, "up the slope")
  sinew.simulate { seconds = 1, keys = { { 0, "-w" }, { 0, "-left_shift" } } }
  assert(hero:state() == "idle" and hero.params.speed == 0)
  local strafing = slide(2, { { 0, "+q" }, { 0, "+a" } }) -- StrafeLeft alone has 0.23
  assert(strafing < 0.24, strafing)
  assert(math.abs(hero.params.left - 0.8) < 0.01 and math.abs(hero.params.ahead) < 0.01)
end

function sinew.tests.goes_where_the_camera_looks()
  sinew.simulate { seconds = 1, mouse = { { 0, 400, 200 }, { 0.1, "+left" }, { 0.2, 600, 200 }, { 0.3, "-left" } } }
  sinew.simulate { seconds = 2, keys = { { 0, "+w" } } }
  assert(math.abs(camera.yaw() + 1) < 0.02 and math.abs(2 * math.asin(hero.rotation.y) + 1) < 0.02, camera.yaw())
  sinew.simulate { seconds = 1.2, keys = {
    { 0, "-w" }, { 0.4, "+q" }, { 0.5, "right_stick_left", 1 }, { 1, "right_stick_left", 0 } } }
  hero:measure { ground = ground, height = 0.03 }
  sinew.simulate { seconds = 0.3 }
  assert(hero:state() == "turn" and hero.metrics.slide < 0.2, "she turns by steps, after the stick")
  sinew.simulate { seconds = 2, keys = { { 0, "-q" }, { 0.7, "left_stick_up", 0.5 } } }
  assert(math.abs(hero.params.ahead - 0.7) < 0.01 and math.abs(2 * math.asin(hero.rotation.y) - 0.25) < 0.05)
  sinew.simulate { frames = 1, keys = { { 0, "left_stick_up", 0 } } }
end
