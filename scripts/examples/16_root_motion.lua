-- Root motion: the clip moves the character. Start it with  sinew run scripts/examples/16_root_motion.lua
-- The left one plays a clip that travels. The right one plays a clip that walks on the spot; its feet tell how far it goes.
local sinew = require "sinew"

local man = sinew.model "hero.glb"
local feet = { "LeftFoot", "RightFoot" }

-- Its hips' way over the ground is taken out of the pose, and the actor goes along with it.
local traveller = sinew.actor("traveller", man, { position = { -0.6, 0, 0 } })
traveller:play "WalkRoot"
traveller:root_motion { joint = "Root", axes = "xz yaw" }

local walker = sinew.actor("walker", man, { position = { 0.6, 0, 0 } })
walker:play "Walk"
walker:root_motion { joint = "Root", axes = "xz yaw", feet = feet }

-- When feet are on the ground is found in the clip; as markers, that is an event at each step.
man:markers("Walk", man:find_steps("Walk", { LeftFoot = "LeftFoot", RightFoot = "RightFoot" }))
local steps = sinew.keep("steps", {})
for _, foot in ipairs(feet) do
  walker:on(foot, function() table.insert(steps, { walker:joint(foot), sinew.time }) end)
end

function sinew.update()
  local z = walker.position.z
  sinew.camera.target = { 0, 1.1, z }
  sinew.camera.position = { 2.5, 1.6, z + 3 }
end

function sinew.draw() -- a short line where each step began
  while #steps > 12 do table.remove(steps, 1) end
  for _, step in ipairs(steps) do
    local at = step[1]
    sinew.debug.line({ at.x - 0.15, 0.01, at.z }, { at.x + 0.15, 0.01, at.z }, { 1, 0.5, 0.1 })
  end
end

function sinew.test()
  sinew.simulate { seconds = man:duration "WalkRoot" } -- the fade has gone
  local a, b = traveller.position.z, walker.position.z
  local stride = man:duration "WalkRoot" * 4
  sinew.simulate { seconds = stride }
  local way_a, way_b = traveller.position.z - a, walker.position.z - b
  assert(way_a > 3 and way_b > 3, "both travel")
  assert(math.abs(way_b / way_a - 1) < 0.1, "about as far by its feet as by its clip")
  assert(#steps >= 6, "and each step is heard")
  assert(traveller:root_delta().z > 0)
end
