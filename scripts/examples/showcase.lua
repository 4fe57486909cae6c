-- Showcase: the scene that `./dev run` starts. It runs by itself: a walker and a runner go in circles, one waves, one
-- dances between gaits, two stand and breathe. Change a number, save, and watch.
local sinew = require "sinew"
local ui = sinew.ui

local tune = sinew.keep("tune", {
  walk_speed = 1.35,  -- metres per second   <- change this to 0.9 and save
  run_speed = 3.4,
  ring = 3.0,         -- radius of the runner's round, metres
  panel = false,      -- TAB shows it
  blend = -1,         -- -1: the dancer blends by itself; 0 idle, 1 walk, 2 run
})

local man = sinew.model "hero.glb"

-- Every one of them breathes.
local function person(name, position, rotation)
  local actor = sinew.actor(name, man, { position = position, rotation = rotation })
  actor:layer("breath", { mode = "additive", weight = 0.7 }):play("Breath", { time = #name * 0.2 })
  return actor
end

local walker = person("walker", { 0, 0, 1.8 })
local walk = walker:play("Walk", { fade = 0 })

local runner = person("runner", { 3, 0, 0 })
local run = runner:play("Run", { fade = 0 })
for _, actor in ipairs { walker, runner } do actor:set_modifiers { sinew.plant { "feet", lock = 0.15 } } end

local waver = person("waver", { -0.45, 0, 0.45 }, 0.2)
waver:play("Idle", { fade = 0 })
waver:layer("arm", { mask = { ["RightShoulder/**"] = 1, Head = 0.6, Neck = 0.4 } }):play "Wave"
waver.morphs.Smile = 1

local dancer = person("dancer", { 0.5, 0, 0.3 }, -0.3)
local mix = {
  dancer:play("Idle", { weight = 1, fade = 0 }),
  dancer:play("Walk", { weight = 0, fade = 0 }),
  dancer:play("Run", { weight = 0, fade = 0 }),
}

local jumper = person("jumper", { 1.3, 0, -0.35 }, -0.5)
jumper:play("Idle", { fade = 0, time = 1 })
jumper:layer("whole", {})

local friend = person("friend", { -1.3, 0, -0.35 }, 0.5)
friend:play("Idle", { fade = 0, time = 2 })
friend.morphs.Smile = 0.6

sinew.camera.position = { 0.9, 1.7, 5.3 }
sinew.camera.fov = math.rad(32)
sinew.camera.target = { 0, 0.85, 0 }
sinew.help_text = "TAB: panel   mouse: turn, shift, zoom   SPACE: jump   E: everybody waves   1 2 3: idle, walk, run   F1: inspector"

-- Goes round a circle at a speed, and plays the clip as fast. Planted feet do not turn along.
local function go_round(actor, clip, radius, speed, centre_z)
  clip.speed = speed / man:velocity(clip.clip).z
  local angle = speed * sinew.time / radius
  actor.position = { radius * math.sin(angle), 0, centre_z + radius * math.cos(angle) }
  actor.rotation = angle + math.pi / 2
end

-- The position between idle (0), walk (1) and run (2).
local function blend(level)
  for i, action in ipairs(mix) do
    action.weight = math.max(0, 1 - math.abs(level - (i - 1)))
  end
  mix[3].time = mix[2].time / mix[2].duration * mix[3].duration -- the same foot at the same time
end

function sinew.update()
  go_round(walker, walk, 1.8, tune.walk_speed, 0)
  go_round(runner, run, tune.ring, tune.run_speed, -0.6)
  blend(tune.blend >= 0 and tune.blend or 1 - math.cos(sinew.time * 0.8))
  if sinew.frame % 240 == 60 then jumper:play("Jump", { layer = "whole", loop = "once", fade = 0.1, fade_out = 0.3 }) end
  for i, actor in ipairs { walker, runner, waver, dancer, jumper, friend } do
    local phase = (sinew.time + i * 0.7) % 3.1
    actor.morphs.Blink = phase < 0.15 and 1 - math.abs(phase / 0.075 - 1) or 0
  end

  if not tune.panel then return end
  ui.panel("Showcase", function()
    ui.slider(tune, "walk_speed", 0, 3)
    ui.slider(tune, "run_speed", 0, 6)
    ui.slider(tune, "ring", 2.5, 6)
    ui.slider(tune, "blend", -1, 2, "dancer: idle, walk, run")
  end)
end

function sinew.key_pressed(key)
  local levels = { ["1"] = 0, ["2"] = 1, ["3"] = 2 }
  if levels[key] then tune.blend = levels[key] end
  if key == "tab" then tune.panel = not tune.panel end
  if key == "space" then jumper:play("Jump", { layer = "whole", loop = "once", fade = 0.1, fade_out = 0.3 }) end
  if key == "e" then
    for _, actor in ipairs { walker, dancer, friend } do
      local arm = actor:layer("arm once", { mask = { ["RightShoulder/**"] = 1 } })
      arm:play("Wave", { loop = "once", fade_out = 0.3 })
    end
  end
end

function sinew.test()
  local start = walker.position
  sinew.simulate { seconds = 2 }
  local way = walker.position - start
  assert(way.x * way.x + way.z * way.z > 1, "the walker walks")
  assert(walker:joint("Head").y > 1.3, "and stands upright")
  sinew.simulate { seconds = 2, keys = { { 0, "space" }, { 0.5, "e" }, { 1, "2" } } }
  assert(tune.blend == 1 and mix[2].weight == 1)
end
