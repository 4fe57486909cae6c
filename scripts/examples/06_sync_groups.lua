-- Sync groups: both characters are half walk, half run. On the left the two clips share one phase, so their feet match.
-- On the right each clip has its own, and the feet slide and cross. The marks show where feet come down.
local sinew = require "sinew"
local man = sinew.model "hero.glb"

-- Footsteps can be found in a clip, also in one that walks on the spot. They are markers like those that one writes:
-- { 0.05, "left", sync = true }. Clips in sync meet where their sync markers have the same names.
local feet = { LeftToeBase = "left", RightToeBase = "right" }
man:markers("Walk", man:find_steps("Walk", feet))
man:markers("Run", man:find_steps("Run", feet))

local tune = sinew.keep("tune", { run = 0.5 }) -- the weight of the run

local function pair(name, x, sync)
  local actor = sinew.actor(name, man, { position = { x, 0, 0 }, rotation = 0.6 })
  local walk = actor:play("Walk", { weight = 0.5, fade = 0, sync = sync }) -- actions under one name share a phase
  local run = actor:play("Run", { weight = 0.5, fade = 0, sync = sync })
  return { actor = actor, walk = walk, run = run, heard = {}, marks = {} }
end

local together = pair("together", -0.8, "legs")
local apart = pair("apart", 0.8)

for _, p in ipairs { together, apart } do
  p.actor:on("*", function(event) -- once for each crossing: the name, the clip, the foot as data
    if event.name ~= "left" and event.name ~= "right" then return end
    table.insert(p.heard, { frame = sinew.frame, name = event.name, clip = event.clip, weight = event.weight })
    p.marks[event.name] = { at = p.actor:joint(event.data), since = sinew.time }
  end)
end

sinew.camera.position = { -1, 1.3, 4.6 }
sinew.camera.target = { -1, 0.95, 0 } -- the panel is on the left

function sinew.update()
  for _, p in ipairs { together, apart } do p.walk.weight, p.run.weight = 1 - tune.run, tune.run end
  sinew.ui.panel("Left: one phase. Right: each by itself", function() sinew.ui.slider(tune, "run", 0, 1) end)
end

function sinew.draw()
  for _, p in ipairs { together, apart } do
    for name, mark in pairs(p.marks) do
      local color = name == "left" and { 0.2, 0.9, 1 } or { 1, 0.6, 0.2 }
      local size = 0.3 * math.max(0.15, 1 - (sinew.time - mark.since) * 3)
      local x, z = mark.at.x, mark.at.z
      sinew.debug.line({ x - size, 0.01, z }, { x + size, 0.01, z }, color)
      sinew.debug.line({ x, 0.01, z - size }, { x, 0.01, z + size }, color)
    end
  end
end

function sinew.test()
  sinew.simulate { seconds = 8 }
  -- In sync both clips make one step, of all the weight, and left follows right. By itself each has steps of its own.
  assert(#together.heard >= 16, #together.heard)
  for i, step in ipairs(together.heard) do
    assert(step.weight > 0.99, step.weight)
    assert(i == 1 or step.name ~= together.heard[i - 1].name, "a foot comes down twice")
  end
  for _, step in ipairs(apart.heard) do assert(math.abs(step.weight - 0.5) < 0.01, step.weight) end
end
