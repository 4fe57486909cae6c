-- Look and reach: modifiers change the blended pose. Start it with  sinew run scripts/examples/09_look_and_reach.lua
-- The head follows a ball that circles, the right hand catches it, and a function of the scene makes her lean.
local sinew = require "sinew"

local tune = sinew.keep("tune", { reach = 1, lean = 0.3 }) -- change one here and save
local hero = sinew.actor("hero", sinew.model "hero.glb", { params = { turn = 0 } })
hero:play "Idle"

local seen = { 0, 0, 1 }

-- They act in this order, each on what the ones before have left.
hero:set_modifiers {
  sinew.modifier { "lean", function(pose, actor) pose:rotate("Spine1", "z", tune.lean * actor.params.turn) end },
  sinew.look_at { "look", chain = { "Spine2", "Neck", "Head" }, weights = { 1, 2, 3 }, limit = math.rad(70) },
  sinew.ik { "reach", tip = "RightHand", pole = { -0.9, 0.6, -0.6 } }, -- the elbow points down and back
  -- Helper joints keep the skin's volume: they turn half as far as the joint beside them.
  sinew.twist { "elbow", joint = "RightForeArmHalf", source = "RightForeArm", fraction = 0.5 },
  -- One that only looks: where the nose points.
  sinew.modifier { "see", function(pose)
    local q = pose:get("Head", "model").rotation
    seen[1], seen[2], seen[3] = 2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x ^ 2 + q.y ^ 2)
  end },
}

sinew.camera.position = { 1.5, 1.6, 3.5 }
sinew.camera.target = { -0.4, 1.02, 0 }

local function ball_at(time) return sinew.vec3(-0.25 + 0.3 * math.cos(time * 1.5), 1.35 + 0.2 * math.sin(time * 2), 0.4) end
local ball = ball_at(0)

function sinew.update()
  ball = ball_at(sinew.time)
  hero.params.turn = -(ball.x + 0.25) / 0.3
  hero.modifiers.look.target = ball
  hero.modifiers.reach.target = ball
  hero.modifiers.reach.weight = tune.reach
  sinew.ui.slider(tune, "reach", 0, 1)
  sinew.ui.slider(tune, "lean", -0.6, 0.6)
end

function sinew.draw() -- the ball: three lines through its middle
  for _, d in ipairs { sinew.vec3(0.05, 0, 0), sinew.vec3(0, 0.05, 0), sinew.vec3(0, 0, 0.05) } do
    sinew.debug.line(ball - d, ball + d, { 1, 0.3, 0.1 }, true)
  end
end

local function length(v) return math.sqrt(v.x ^ 2 + v.y ^ 2 + v.z ^ 2) end

function sinew.test()
  sinew.simulate { seconds = 3 }
  assert(length(hero:joint "RightHand" - ball) < 0.01, "the hand is at the ball")
  assert(hero.modifiers.reach.reach_error < 0.01)
  local to = ball - hero:joint "Head"
  local facing = sinew.vec3(seen[1], seen[2], seen[3])
  assert((to.x * facing.x + to.y * facing.y + to.z * facing.z) / length(to) > 0.99, "the head looks at the ball")
  local elbow = hero:joint "RightForeArm"
  assert(elbow.x < hero:joint("RightHand").x - 0.01, "the elbow is on the outside")
  local why = hero:explain "RightForeArmHalf"
  assert(why[#why].name == "elbow" and why[#why].degrees > 5, "its helper follows")
  local upright = hero:joint("Neck").x
  tune.lean, tune.reach = -tune.lean, 0
  sinew.simulate { frames = 1 }
  assert(math.abs(hero:joint("Neck").x - upright) > 0.02, "the lean acts")
  assert(length(hero:joint "RightHand" - ball) > 0.1, "a weight of 0 lets go")
end
