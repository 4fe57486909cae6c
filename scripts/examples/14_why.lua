-- Explain and measure: what moves a joint, and how well the character moves. TAB chooses the next joint, C cuts to a run
-- and back, F fades. Start it with  sinew run scripts/examples/14_why.lua
local sinew = require "sinew"

local hero = sinew.actor("hero", sinew.model "hero.glb")
hero:play("Walk", { fade = 0, sync = "gait", weight = 0.7 })
hero:play("Run", { fade = 0, sync = "gait", weight = 0.3 })
hero:layer("arm", { weight = 0.6, mask = { ["RightShoulder/**"] = 1, Head = 0.4 } }):play("Wave", { fade = 0 })
hero:layer("breath", { mode = "additive", weight = 0.5 }):play("Breath", { fade = 0 })

sinew.camera.position = { 2.4, 2.1, 5 }
sinew.camera.target = { -0.2, 1.75, 0 } -- the text is above her
sinew.help_text = "TAB: another joint   C: cut   F: fade   M: measure afresh"

local joints = { "RightForeArm", "Head", "LeftForeArm", "Spine1", "Hips" }
local now = sinew.keep("now", { joint = 1, running = false })

local function change_gait(fade)
  now.running = not now.running
  hero:play(now.running and "Run" or "Walk", { fade = fade, sync = fade > 0 and "gait" or nil })
end

function sinew.key_pressed(key)
  if key == "tab" then now.joint = now.joint % #joints + 1 end
  if key == "c" then change_gait(0) end
  if key == "f" then change_gait(0.4) end
  if key == "m" then hero:measure() end
end

local function show(x, y, text) -- line by line
  for line in text:gmatch "[^\n]+" do
    sinew.debug.text(x, y, line, { 0.05, 0.07, 0.12 })
    y = y + 20
  end
end

function sinew.draw()
  sinew.debug.skeleton(hero)
  show(16, 16, tostring(hero:explain(joints[now.joint])))
  if not hero.metrics then return hero:measure() end -- nothing is measured until somebody asks
  local m = hero.metrics
  show(16, 140, ("feet slide %.2f m/s in the mean\nlargest pop %.2f m at %s"):format(m.slide, m.pop, m.pop_joint or "-"))
end

function sinew.test()
  local function weights(joint) -- of clips and layers, by name
    local sum, by_name = 0, {}
    for _, cause in ipairs(hero:explain(joint)) do
      by_name[cause.name] = cause.weight
      if cause.kind == "clip" and cause.layer ~= "breath" then sum = sum + cause.weight end
    end
    return by_name, sum
  end
  sinew.simulate { seconds = 0.5 }
  local arm, sum = weights "RightForeArm"
  assert(math.abs(arm.Wave - 0.6) < 1e-4 and math.abs(arm.Walk - 0.28) < 1e-4, "the wave covers 60 % of the mix")
  assert(math.abs(sum - 1) < 1e-4, "weights add up to one")
  assert(not weights("LeftFoot").Wave, "the mask leaves the feet alone")

  hero:measure()
  sinew.simulate { seconds = 1, keys = { { 0.5, "f" } } }
  local faded = hero.metrics.pop
  sinew.simulate { seconds = 1, keys = { { 0.5, "c" } } }
  assert(faded < 0.01 and hero.metrics.pop > 0.1, "a cut pops, a fade does not")
  sinew.simulate { frames = 5, keys = { { 0, "m" } } }
  assert(hero.metrics.seconds < 0.1 and hero.metrics.pop < 0.01, "M measures afresh")
end
