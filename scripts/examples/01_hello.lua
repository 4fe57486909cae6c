-- Hello: a character that walks, runs, jumps and waves. Start it with  sinew run scripts/examples/01_hello.lua
-- Then change a number, save, and watch: the scene continues from where it is.
local sinew = require "sinew"

-- Values that outlive a save. Sliders below move them; change one here and that one changes.
local tune = sinew.keep("tune", {
  walk_speed = 1.4,  -- metres per second   <- change this to 0.8 and save
  run_speed = 4,
  swiftness = 6,     -- how fast one gait becomes another
  by_hand = false,   -- true: the sliders hold the weights, not the keys
})

local hero = sinew.actor("hero", sinew.model "hero.glb") -- one character, made of a model
-- With a weight, an action joins the mix: all three play at once, and the weights decide.
local idle = hero:play("Idle", { weight = 1, fade = 0 })
local walk = hero:play("Walk", { weight = 0, fade = 0 })
local run = hero:play("Run", { weight = 0, fade = 0 })
-- Layers lie over what is below: the arm waves while the legs walk, a jump covers all, breath is added.
hero:layer("arm", { mask = { ["RightShoulder/**"] = 1, Head = 0.4, Neck = 0.2 } })
hero:layer("whole", {})
hero:layer("breath", { mode = "additive", weight = 0.7 }):play "Breath"

sinew.camera.position = { 1.6, 1.7, 4.5 } -- she is on the right, the panel on the left
sinew.camera.target = { -0.6, 0.95, 0.3 }
sinew.help_text = "W or up: walk   SHIFT: run   A, D or left, right: turn   SPACE: jump   E: wave"
local now = sinew.keep("now", { speed = 0, heading = 0 })
local function wanted_speed()
  if not (sinew.is_down "w" or sinew.is_down "up") then return 0 end
  return sinew.is_down "left_shift" and tune.run_speed or tune.walk_speed
end
-- Between two gaits the weights cross over; below a walk the rest is idle.
local function blend_gaits(v)
  local running = sinew.clamp((v - tune.walk_speed) / (tune.run_speed - tune.walk_speed + 1e-3), 0, 1)
  local moving = sinew.clamp(v / tune.walk_speed, 0, 1)
  idle.weight, walk.weight, run.weight = 1 - moving, moving * (1 - running), moving * running
end

local function go(step) -- and the camera along with it
  hero.position = hero.position + step
  sinew.camera.position = sinew.camera.position + step
  sinew.camera.target = sinew.camera.target + step
end

function sinew.update(dt)
  local left, right = sinew.is_down "a" or sinew.is_down "left", sinew.is_down "d" or sinew.is_down "right"
  now.heading = now.heading + 2 * ((left and 1 or 0) - (right and 1 or 0)) * dt
  now.speed = sinew.damp(now.speed, wanted_speed(), tune.swiftness, dt)
  if not tune.by_hand then blend_gaits(now.speed) end
  run.time = walk.time / walk.duration * run.duration -- the same foot at the same time
  hero.rotation = now.heading
  go(sinew.vec3(math.sin(now.heading), 0, math.cos(now.heading)) * (now.speed * dt))
  hero.morphs.Smile = sinew.damp(hero.morphs.Smile, sinew.is_down "e" and 1 or 0.2, 6, dt)

  sinew.ui.panel("Gait", function()
    sinew.ui.checkbox(tune, "by_hand")
    sinew.ui.slider(idle, "weight", 0, 1, "Idle")
    sinew.ui.slider(walk, "weight", 0, 1, "Walk")
    sinew.ui.slider(run, "weight", 0, 1, "Run")
    sinew.ui.slider(tune, "walk_speed", 0.5, 2.5)
  end)
end

function sinew.key_pressed(key)
  if key == "space" then hero:play("Jump", { layer = "whole", loop = "once", fade = 0.1, fade_out = 0.3 }) end
  if key == "e" then hero:play("Wave", { layer = "arm", loop = "once", fade_out = 0.3 }) end
end

function sinew.test()
  local function highest(joint, seconds, key)
    local y = 0
    sinew.simulate { frames = 1, keys = { { 0, key } } }
    for _ = 1, seconds * 60 do sinew.simulate { frames = 1 } y = math.max(y, hero:joint(joint).y) end
    return y
  end
  local hips, hand = highest("Hips", 2, "+w"), highest("RightHand", 1, "+w")
  assert(walk.weight > 0.9 and hero.position.z > 2, "W walks and gets somewhere")
  assert(tostring(hero:explain "Spine2"):find "Breath", "and breathes")
  assert(highest("RightHand", 1.5, "e") > hand + 0.3 and highest("Hips", 1, "space") > hips + 0.1, "E waves, SPACE jumps")
end
