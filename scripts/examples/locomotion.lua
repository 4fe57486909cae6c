-- Locomotion: start, walk, run, strafe, stop, turn and pivot over a slope and steps, with keys or a gamepad; mouse and right
-- stick turn the camera. W A S D move relative to it, SHIFT runs. Hold Q to face its way: A and D strafe, turns are in place.
local sinew, machine = require "sinew", require "sinew.machine"
local input, camera = require "sinew.input", require "sinew.camera"
local man = sinew.model("hero.glb", { clips = { "hero_extra.glb", "hero_locomotion.glb" } })
local hero = sinew.actor("hero", man, { params = { foot = 0 } })
input.map { left = { "a", "left_stick_left" }, right = { "d", "left_stick_right" }, ahead = { "w", "left_stick_up" },
  back = { "s", "left_stick_down" }, run = { "left_shift", "right_trigger" }, aim = { "q", "left_trigger" } }

local function ground(x, z) -- height and normal: a slope from 3 m on, and steps of 12 cm to the side of it
  if x > 2 then return 0.12 * sinew.clamp(math.floor(x - 2) + 1, 0, 6), { 0, 1, 0 } end
  return 0.2 * sinew.clamp(z - 3, 0, 6), { 0, 1, z > 3 and z < 9 and -0.2 or 0 }
end

local function by_foot(match, names) -- the clip that begins with the foot that has just come down, walking or running
  local clips = { param = "foot" }
  for i, name in ipairs(names) do clips[i] = sinew.clip { name, match = match } end
  return sinew.switch(clips)
end

local motor = hero:motor { acceleration = 4, braking = 4, turn_rate = 6 } -- as the clips
hero:set_graph(machine {
  start = "idle", states = { idle = "Idle",
    turn = sinew.blend_space_1d { param = "turn", match = "turn", { -0.9, "Turn90Right" }, { 0.9, "Turn90" } },
    turn_round = sinew.blend_space_1d { param = "turn", match = "turn", { -2, "Turn180Right" }, { 2, "Turn180" } },
    start = sinew.clip { "WalkStart", match = "travelled" }, run_start = sinew.clip { "RunStart", match = "travelled" },
    move = sinew.blend_space_2d { param_x = "left", param_y = "ahead", sync = true, "Idle", "Walk", "Run", "WalkBack",
      "RunBack", "StrafeLeft", "StrafeRight", "RunStrafeLeft", "RunStrafeRight" },
    pivot = by_foot("turn", { "PivotRight", "PivotLeft", "RunPivotRight", "RunPivotLeft" }),
    stop = by_foot("to_stop", { "WalkStop", "WalkStopRight", "RunStop", "RunStopRight" }),
  },
  "idle -> run_start: when wanted > 2 and ahead > 2 * abs(left), fade 0.15, inertial",
  "idle -> start: when wanted > 0.1 and ahead > 2 * abs(left), fade 0.15, inertial",
  "idle -> move: when wanted > 0.1, fade 0.2, inertial",
  "idle -> turn_round: when abs(turn) > 2.2, fade 0.2, inertial", "turn_round -> idle: before_end 0.15",
  "idle -> turn: when abs(turn) > 0.9, fade 0.2, inertial", "turn -> idle: before_end 0.15",
  "start -> move: before_end 0, fade 0.1, inertial", "run_start -> move: before_end 0, fade 0.1, inertial",
  "start -> move: when wanted < 0.1 or wanted > 2 or abs(turn) > 0.3, fade 0.2, inertial, keep_phase",
  "run_start -> move: when wanted < 2 or abs(turn) > 0.3, fade 0.2, inertial, keep_phase",
  "move -> pivot: when abs(turn) > 2.6 and ahead > 0.9, fade 0.2, inertial",
  "pivot -> move: before_end 0, fade 0.1, inertial",
  "move -> stop: when wanted < 0.1 and ahead > 0.9, fade 0.2, inertial",
  "stop -> idle: before_end 0.1", "stop -> move: when wanted > 0.1, fade 0.2, inertial",
  "move -> idle: when wanted < 0.1 and speed < 0.2, fade 0.2, inertial",
})
hero:set_modifiers { sinew.warp { "strides" }, sinew.plant { "feet", lock = 0.15, ground = ground } }
camera.follow(hero, { distance = 4, behind = 0, ground = ground })
sinew.help_text = "W A S D, left stick: go   SHIFT, RT: run   Q, LT: face ahead   drag, right stick: camera"

local function between(a, b) return (b - a + math.pi) % (2 * math.pi) - math.pi end -- radians, the shorter way
local round -- the direction to face while a pivot turns her round, so that she turns as its clip does

-- A walker stops, or turns round, on the foot that comes down next; from a stand she turns before she walks.
local function plan(wish, aims)
  local state, speed, phase = (hero:state()), hero.params.speed, hero:playing()[1].phase
  local yaw = 2 * math.atan(hero.rotation.y, hero.rotation.w)
  local wanted, way = math.sqrt(wish.x ^ 2 + wish.z ^ 2), math.atan(wish.x, wish.z)
  local off = wanted > 0.1 and math.abs(between(yaw, way)) or 0
  if math.abs(hero.params.turn) < 2 then round = nil end
  if aims then return wish, camera.yaw() end
  if state == "move" and hero.params.ahead > 0.9 and (wanted < 0.1 or off > 2.6) then
    if phase % 0.5 > 0.06 then return motor.velocity end
    hero.params.foot = (phase < 0.5 and 0 or 1) + (speed > 2.4 and 2 or 0)
    if off > 2.6 then round = yaw + (phase < 0.5 and -3.1 or 3.1) end
  elseif state:find "turn" then return sinew.vec3(0, 0, 0), motor.facing
  elseif state == "idle" and off > 0.6 then return sinew.vec3(0, 0, 0), way end
  return wish, round
end

function sinew.update(dt)
  local aims, runs = input.is_down "aim", input.is_down "run"
  local gait = runs and (aims and 2.2 or 4) or aims and 0.8 or 1.4
  local wish = camera.flat(input.axis("right", "left") * gait, input.axis("back", "ahead") * gait)
  motor.velocity, motor.facing = plan(wish, aims)
  local state, at = hero:state(), hero.position
  motor.turn_rate = state == "idle" and 0 or 6 -- who stands turns by steps, and only when it is far enough
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
  sinew.simulate { seconds = 2.5, keys = { { 0, "-w" }, { 0, "-left_shift" } } }
  assert(hero:state() == "idle" and hero.params.speed == 0)
  local strafing = slide(2, { { 0, "+q" }, { 0, "+a" } }) -- StrafeLeft alone has 0.23
  assert(strafing < 0.24, strafing)
  assert(math.abs(hero.params.left - 0.8) < 0.01 and math.abs(hero.params.ahead) < 0.01)
end

local function goes_through(wanted, seconds, keys) -- the states, in order
  local states = { (hero:state()) }
  for frame = 1, seconds * 60 do
    sinew.simulate { frames = 1, keys = frame == 1 and keys or {} }
    local state = hero:state()
    if state ~= states[#states] then states[#states + 1] = state end
  end
  assert(table.concat(states, " ") == wanted, table.concat(states, " "))
end

function sinew.tests.starts_stops_turns_and_pivots()
  sinew.simulate { seconds = 0.5 }
  goes_through("idle start move", 2, { { 0, "+w" } })
  goes_through("move pivot move", 3, { { 0, "-w" }, { 0, "+s" } })
  assert(math.abs(hero.params.ahead - 1.4) < 0.01 and math.abs(2 * math.atan(hero.rotation.y, hero.rotation.w)) > 3.1)
  goes_through("move stop idle", 2.5, { { 0, "-s" } })
  goes_through("idle turn_round idle run_start move", 4.5, { { 0, "+w" }, { 0, "+left_shift" } })
  goes_through("move pivot move", 3.5, { { 0, "-w" }, { 0, "+s" } })
  goes_through("move stop idle", 3, { { 0, "-s" }, { 0, "-left_shift" } })
  goes_through("idle turn", 0.5, { { 0, "+a" } })
  goes_through("turn idle", 1.5, { { 0, "-a" } })
  assert(math.abs(2 * math.atan(hero.rotation.y, hero.rotation.w) - math.pi / 2) < 0.02)
end

function sinew.tests.goes_where_the_camera_looks()
  sinew.simulate { seconds = 1, mouse = { { 0, 400, 200 }, { 0.1, "+left" }, { 0.2, 600, 200 }, { 0.3, "-left" } } }
  sinew.simulate { seconds = 2, keys = { { 0, "+w" } } }
  assert(math.abs(camera.yaw() + 1) < 0.02 and math.abs(2 * math.asin(hero.rotation.y) + 1) < 0.02, camera.yaw())
  sinew.simulate { seconds = 2.9, keys = {
    { 0, "-w" }, { 2.1, "+q" }, { 2.2, "right_stick_left", 1 }, { 2.7, "right_stick_left", 0 } } }
  hero:measure { ground = ground, height = 0.03 }
  sinew.simulate { seconds = 0.3 }
  assert(hero:state() == "turn" and hero.metrics.slide < 0.2, "she turns by steps, after the stick")
  sinew.simulate { seconds = 2, keys = { { 0, "-q" }, { 0.7, "left_stick_up", 0.5 } } }
  assert(math.abs(hero.params.ahead - 0.7) < 0.01 and math.abs(2 * math.asin(hero.rotation.y) - 0.25) < 0.05)
  sinew.simulate { frames = 1, keys = { { 0, "left_stick_up", 0 } } }
end
