-- Layers: the legs walk, the arm waves, the chest breathes. Each layer is applied on top of the ones before it.
-- E: the arm joins and leaves.   M: the other arm.   B: breath on and off.
local sinew = require "sinew"
local dark = { 0.05, 0.07, 0.12 }
local man = sinew.model "hero.glb"

local hero = sinew.actor("hero", man, { position = { -0.5, 0, 0 } })
hero:play("Walk", { fade = 0 }) -- without a layer's name it plays on "base", which has all joints

-- A mask gives each joint a weight. "/**" is a joint with all below it. A list is for the joint, its children and
-- so on, so that the spine leans a little and the shoulder follows fully: no edge shows.
local right = man:mask { ["Spine1/**"] = { 0.1, 0.25, 0.4 }, ["RightShoulder/**"] = 1, ["LeftShoulder/**"] = 0 }
local left = man:mask { ["Spine1/**"] = { 0.1, 0.25, 0.4 }, ["LeftShoulder/**"] = 1, ["RightShoulder/**"] = 0 }

local arm = hero:layer("arm", { mask = right })
arm:play("Wave", { fade = 0.3 })

-- An additive layer adds what its clip has moved since its first moment; nothing below is covered.
local breath = hero:layer("breath", { mode = "additive", weight = 1 })
breath:play("Breath", { speed = 2 })

-- The same walk without layers, to compare.
local twin = sinew.actor("twin", man, { position = { 0.5, 0, 0 } })
twin:play("Walk", { fade = 0 })

sinew.camera.position = { 0.3, 1.5, 3.4 }
sinew.camera.target = { 0, 0.95, 0 }
sinew.help_text = "E: the arm joins and leaves   M: the other arm   B: breath"

local mask, waves = right, true
function sinew.key_pressed(key)
  if key == "e" then
    waves = not waves
    arm:fade(waves and 1 or 0, 0.4) -- the layer's weight goes there in 0.4 s
  elseif key == "m" then
    mask = mask == right and left or right
    arm:set_mask(mask, 0.3) -- no joint jumps: each joins in 0.3 s
  elseif key == "b" then
    breath:fade(breath.weight > 0 and 0 or 1, 0.5)
  end
end

function sinew.draw()
  sinew.debug.text(16, 16, ("arm %.2f    breath %.2f    on the right the same walk without layers"):format(arm.weight, breath.weight), dark)
end

function sinew.test()
  -- The distance of a joint from the twin's, in metres.
  local function off(joint)
    local d = hero:joint(joint) - twin:joint(joint) + { 1, 0, 0 }
    return math.sqrt(d.x * d.x + d.y * d.y + d.z * d.z)
  end
  sinew.simulate { seconds = 1, keys = { { 0, "b" } } } -- without breath
  assert(off "RightHand" > 0.3, "the right arm waves")
  assert(off "LeftFoot" < 1e-4 and off "RightFoot" < 1e-4, "the legs walk as before")
  assert(off "Spine2" > 1e-4 and off "Spine2" < 0.05, "the spine leans a little")
  local last, most = hero:joint "RightHand", 0
  sinew.simulate { frames = 1, keys = { { 0, "m" } } }
  for _ = 1, 60 do
    local d = hero:joint "RightHand" - last
    last, most = hero:joint "RightHand", math.max(most, math.sqrt(d.x * d.x + d.y * d.y + d.z * d.z))
    sinew.simulate { frames = 1 }
  end
  assert(most < 0.12 and off "RightHand" < 0.1 and off "LeftHand" > 0.1, "the other arm, without a jump: " .. most)
  sinew.simulate { seconds = 0.5, keys = { { 0, "e" } } }
  assert(arm.weight == 0 and off "LeftHand" < 1e-4, "faded out, it is the plain walk")
  sinew.simulate { seconds = 1, keys = { { 0, "b" } } }
  assert(off "LeftHand" > 1e-4 and off "LeftHand" < 0.05, "and breath is added to it, no more")
end
