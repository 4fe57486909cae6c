-- Poses as values: sampled, mixed, mirrored, compared, shown. Start it with  sinew run scripts/examples/13_poses.lua
-- The left one shows a wave, the middle one the same wave mirrored, the right one a pose between two moments of a run.
local sinew = require "sinew"

local tune = sinew.keep("tune", { time = 1.1, mix = 0.5, by_hand = false })
local man = sinew.model "hero.glb"
local left = sinew.actor("left", man, { position = { -1, 0, 0 } })
local middle = sinew.actor("middle", man)
local right = sinew.actor("right", man, { position = { 1, 0, 0 } })

-- The function of a modifier shows a pose in place of what plays.
local poses = {}
for _, actor in ipairs { left, middle, right } do
  actor:set_modifiers { sinew.modifier { "show", function(pose)
    if poses[actor.name] then pose:take(poses[actor.name]) end
  end } }
end

sinew.camera.position = { -0.9, 1.5, 5 }
sinew.camera.target = { -0.9, 1.25, 0 } -- the panel is on the left

function sinew.update()
  if not tune.by_hand then tune.mix = 0.5 + 0.5 * math.sin(sinew.time * 2) end
  local wave = man:sample("Wave", (tune.time + sinew.time) % man:duration "Wave")
  poses.left, poses.middle = wave, wave:mirror()
  -- The right one breathes as well: the difference that the breath makes lies on top.
  local run = man:sample("Run", 0):blend(man:sample("Run", 0.33), tune.mix)
  poses.right = run:add(man:sample("Breath", sinew.time % 4), man:sample("Breath", 0))
  sinew.ui.checkbox(tune, "by_hand")
  sinew.ui.slider(tune, "mix", 0, 1)
end

function sinew.test()
  sinew.simulate { frames = 10 }
  assert(left:pose():compare(poses.left) < 1e-4, "what is shown is the pose")
  assert(poses.left:compare(poses.middle) > 0.2, "mirrored, the other arm waves")
  assert(poses.middle:mirror():compare(poses.left) < 0.01, "mirrored twice it is the same")
  local run = man:sample("Run", 0):blend(man:sample("Run", 0.33), tune.mix)
  assert(poses.right:compare(run) > 1e-4, "breath is added")
  assert(poses.right:compare(man:sample("Run", 0)) > 0.02, "and it is between two moments")
  local a, b = man:sample("Run", 0), man:sample("Run", 0.33)
  assert(a:blend(b, 0):compare(a) < 1e-5 and a:blend(b, 1):compare(b) < 1e-5)
  assert(a:blend(b, 0.5):compare(a) > 0.05 and a:blend(b, 0.5):compare(b) > 0.05)
  local arm = a:blend(b, 1, { ["RightShoulder/**"] = 1 })
  local _, joint = arm:compare(a)
  assert(joint:find "^Right", "only the arm has changed")
end
