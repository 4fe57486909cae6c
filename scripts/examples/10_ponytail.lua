-- Springs: hair swings behind the head. Start it with  sinew run scripts/examples/10_ponytail.lua
-- Move the sliders: a low frequency suits long soft hair, a high one a stiff tail; damping sets how long it swings.
local sinew = require "sinew"

local tune = sinew.keep("tune", { weight = 1, shake = 0.9 })
local man = sinew.model "hero.glb"

-- Two of them move alike; the right one's hair is stiff.
local soft = sinew.actor("soft", man, { position = { -0.5, 0, 0 }, rotation = 2.2 })
local stiff = sinew.actor("stiff", man, { position = { 0.5, 0, 0 }, rotation = 2.2 })
for _, actor in ipairs { soft, stiff } do
  actor:play "Run"
  actor:set_modifiers {
    sinew.modifier { "shake", function(pose) pose:rotate("Neck", "y", tune.shake * math.sin(sinew.time * 5)) end },
    sinew.spring { "hair", joints = { "Ponytail1/**" }, frequency = actor == soft and 2.5 or 12, damping = 0.3,
                   gravity = { 0, -4, 0 } },
    -- Hair does not go through the back: a cone about its rest.
    sinew.limit { "root", joint = "Ponytail1", swing = 1.2, twist_min = -0.3, twist_max = 0.3 },
  }
end

sinew.camera.position = { -0.3, 1.8, 1.9 }
sinew.camera.target = { 0.1, 1.4, 0 }

function sinew.update()
  soft.modifiers.hair.weight = tune.weight
  stiff.modifiers.hair.weight = tune.weight
  sinew.ui.slider(tune, "weight", 0, 1)
  sinew.ui.slider(tune, "shake", 0, 1.5)
end

-- They move alike, a metre apart: what else there is between their hair is what the springs do.
local function most_apart()
  local most = 0
  for _ = 1, 60 do
    sinew.simulate { frames = 1 }
    local d = stiff:joint "Ponytail4" - soft:joint "Ponytail4" - { 1, 0, 0 }
    most = math.max(most, math.sqrt(d.x ^ 2 + d.y ^ 2 + d.z ^ 2))
  end
  return most
end

function sinew.test()
  local held = false -- by the cone, now and then
  for _ = 1, 60 do
    sinew.simulate { frames = 1 }
    for _, cause in ipairs(soft:explain "Ponytail1") do held = held or cause.name == "root" end
  end
  assert(held, "the hair stays out of the back")
  assert(most_apart() > 0.1, "soft hair swings further than stiff hair")
  tune.weight = 0
  assert(most_apart() < 0.001, "without springs both go with their heads")
end
