-- Locomotion: start, walk, run, strafe, stop, turn and pivot over a slope and steps, with keys or a gamepad; mouse and right
-- stick turn the camera. W A S D move relative to it, SHIFT runs. Hold Q to face its way: A and D strafe, turns are in place.
local sinew, locomotion = require "sinew", require "sinew.locomotion"
local input, camera = require "sinew.input", require "sinew.camera"
local man = sinew.model("hero.glb", { clips = { "hero_extra.glb", "hero_locomotion.glb" } })
local hero = sinew.actor("hero", man, { params = { foot = 0 } })
input.map { left = { "a", "left_stick_left" }, right = { "d", "left_stick_right" }, ahead = { "w", "left_stick_up" },
  back = { "s", "left_stick_down" }, run = { "left_shift", "right_trigger" }, aim = { "q", "left_trigger" } }

local function ground(x, z) -- height and normal: a slope from 3 m on, and steps of 12 cm to the side of it
  if x > 2 then return 0.12 * sinew.clamp(math.floor(x - 2) + 1, 0, 6), { 0, 1, 0 } end
  return 0.2 * sinew.clamp(z - 3, 0, 6), { 0, 1, z > 3 and z < 9 and -0.2 or 0 }
end

local walk = locomotion(hero, { acceleration = 4, braking = 4, -- as the clips
  gaits = { "Idle", "Walk", "Run", "WalkBack", "RunBack", "StrafeLeft", "StrafeRight", "RunStrafeLeft", "RunStrafeRight" },
  starts = { "WalkStart", "RunStart" }, stops = { "WalkStop", "WalkStopRight", "RunStop", "RunStopRight" },
  turns = { "Turn90", "Turn90Right", "Turn180", "Turn180Right", "PivotLeft", "PivotRight", "RunPivotLeft", "RunPivotRight" } })
hero:set_modifiers { sinew.warp { "strides" }, sinew.plant { "feet", lock = 0.15, ground = ground } }
camera.follow(hero, { distance = 4, behind = 0, ground = ground })
sinew.help_text = "W A S D, left stick: go   SHIFT, RT: run   Q, LT: face ahead   drag, right stick: camera"

function sinew.update(dt)
  local aims, runs = input.is_down "aim", input.is_down "run"
  local gait = runs and (aims and 2.2 or 4) or aims and 0.8 or 1.4
  walk:go(camera.flat(input.axis("right", "left") * gait, input.axis("back", "ahead") * gait), aims and camera.yaw() or nil)
  local at = hero.position
  hero.position = { at.x, sinew.damp(at.y, ground(at.x, at.z), 12, dt), at.z } -- feet do the rest
end

function sinew.draw() -- the ground, as lines
  local at = hero.position
  for i = 0, 24 * 18 - 1 do
    local x, z = math.floor(at.x * 4 - 10 + i % 18) / 4, math.floor(at.z * 4 - 8 + i // 18) / 4
    sinew.debug.line({ x, ground(x, z), z }, { x + 0.25, ground(x + 0.25, z), z }, { 0.3, 0.8, 0.4 })
  end
end

local function goes_through(wanted, seconds, keys, within) -- the states, in order; the first 0.15 s after the keys at most
  local states, began = { (hero:state()) }, nil
  for frame = 1, seconds * 60 do
    sinew.simulate { frames = 1, keys = frame == 1 and keys or {} }
    local state = hero:state()
    if state ~= states[#states] then states[#states + 1], began = state, began or frame / 60 end
  end
  assert(table.concat(states, " ") == wanted and began < (within or 0.19), table.concat(states, " ") .. " after " .. tostring(began))
end

function sinew.tests.starts_stops_turns_and_pivots()
  sinew.simulate { seconds = 0.5 }
  goes_through("idle WalkStart move", 2.1, { { 0, "+w" } })
  goes_through("move pivot move", 3, { { 0, "-w" }, { 0, "+s" } })
  goes_through("move stop idle", 2.5, { { 0, "-s" } })
  goes_through("idle turn_180 idle RunStart move", 4.5, { { 0, "+w" }, { 0, "+left_shift" } })
  assert(math.abs(hero.params.speed - 4) < 0.01 and math.abs(hero.rotation.y) < 0.05, "she runs the way she faced first")
  goes_through("move stop idle", 3, { { 0, "-w" }, { 0, "-left_shift" } })
  goes_through("idle turn_90", 0.5, { { 0, "+a" } })
  goes_through("turn_90 idle", 1.5, { { 0, "-a" } }, 1)
end
