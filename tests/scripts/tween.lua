local sinew = require "sinew"
local tween = require "sinew.tween"
local hero = sinew.actor("hero", sinew.model "hero.glb")
hero:play "Idle"
hero:layer("arm", { mask = { ["RightShoulder/**"] = 1 }, weight = 0 }):play "Wave"

local function near(a, b) assert(math.abs(a - b) < 1e-5, a .. " is not " .. b) end

function sinew.test()
  local ended = 0
  local box = { value = 1 }
  tween.to(box, "value", 5, 1, { done = function() ended = ended + 1 end })
  tween.to(hero, "position", { 0, 0, 2 }, 1, { ease = "in_out" })
  tween.to(hero, "rotation", math.pi / 2, 1)
  tween.to(hero.morphs, "Smile", 0.8, 0.5)
  tween.to(hero:layer "arm", "weight", 1, 1, { delay = 0.5 })
  sinew.simulate { frames = 30 }
  near(box.value, 3)
  near(hero.position.z, 1)
  near(hero.rotation.y, math.sin(math.pi / 8)) -- an eighth of a turn
  near(hero.morphs.Smile, 0.8)
  near(hero:layer("arm").weight, 0)
  assert(ended == 0)
  sinew.simulate { frames = 30 }
  near(box.value, 5)
  near(hero.position.z, 2)
  near(hero:layer("arm").weight, 0.5)
  assert(ended == 1)
  sinew.simulate { frames = 60 }
  assert(ended == 1)

  -- Another one takes over from where the first is; stop leaves it there.
  tween.to(box, "value", 9, 1)
  sinew.simulate { frames = 30 }
  local other = tween.to(box, "value", 0, 1)
  sinew.simulate { frames = 15 }
  near(box.value, 7 * 0.75)
  other.stop()
  sinew.simulate { frames = 15 }
  near(box.value, 7 * 0.75)

  for name, shape in pairs(tween.ease) do
    assert(math.abs(shape(0)) < 1e-9 and math.abs(shape(1) - 1) < 1e-9, name .. " goes from 0 to 1")
  end
  assert(not pcall(tween.to, box, "value", 1, 1, { ease = "elastc" }))
end
