-- Bake: a character's final motion becomes an animation that Blender can read. B records three seconds into
-- take.glb beside this file, and a twin plays them. Start it with  sinew run scripts/examples/15_bake.lua
local sinew = require "sinew"

local hero = sinew.actor("hero", sinew.model "hero.glb")
local walk = hero:play("Walk", { fade = 0, sync = "gait", weight = 1 })
local run = hero:play("Run", { fade = 0, sync = "gait", weight = 0 })
hero:layer("arm", { mask = { ["RightShoulder/**"] = 1 } })

sinew.camera.position = { 2.2, 1.6, 3.8 }
sinew.camera.target = { 0.6, 0.95, 0 }
sinew.help_text = "B: bake three seconds   E: wave   SHIFT: run"

local take = { file = "take.glb", hands = {} }

local function bake(seconds)
  hero:bake(take.file, { seconds = seconds, rate = 60 })
  take.left, take.hands = seconds, {}
end

-- The baked file has joints and no skin, so the twin is seen by its skeleton.
local function meet_the_twin()
  take.twin = sinew.actor("twin", sinew.model(take.file), { position = { 1.2, 0, 0 } })
  take.twin:play("take", { fade = 0 })
end

function sinew.update(dt)
  local v = sinew.is_down "left_shift" and 1 or 0
  run.weight = sinew.damp(run.weight, v, 5, dt)
  walk.weight = 1 - run.weight
  if take.left then
    take.left = take.left - dt
    if take.left < -0.1 then
      take.left = nil
      meet_the_twin()
    end
  end
end

function sinew.draw()
  take.hands[#take.hands + 1] = hero:joint "RightHand"
  if take.left then sinew.debug.text(20, 60, "recording …") end
  if take.twin then sinew.debug.skeleton(take.twin) end
end

function sinew.key_pressed(key)
  if key == "b" then bake(3) end
  if key == "e" then hero:play("Wave", { layer = "arm", loop = "once", fade_out = 0.3 }) end
end

function sinew.test()
  sinew.simulate { seconds = 0.5 }
  bake(1)
  sinew.simulate { frames = 61, keys = { { 0, "e" }, { 0.2, "+left_shift" } } }
  assert(take.hands[61].y > take.hands[1].y + 0.2, "she waves meanwhile")
  local shown = take.hands[31] -- half a second after the first key
  local twin = sinew.actor("still", sinew.model(take.file))
  twin:play("take", { fade = 0, speed = 0, time = 0.5 })
  sinew.simulate { frames = 1 }
  local off = twin:joint "RightHand" - shown
  assert(math.abs(off.x) + math.abs(off.y) + math.abs(off.z) < 2e-4, "the take moves as the hero did: " .. tostring(off))
end
