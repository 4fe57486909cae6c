-- Motors: what they are told, and what they say.
local sinew = require "sinew"
local man = sinew.model "hero.glb"
local hero = sinew.actor("hero", man, { position = { 1, 2, 3 } })
local motor = hero:motor { acceleration = 4, braking = 8, turn_rate = 1 }

assert(man:roles().pelvis == "Hips" and man:roles().left_foot == "LeftFoot")

function sinew.test()
  assert(motor.acceleration == 4 and motor.braking == 8 and motor.turn_rate == 1 and motor.facing == nil)
  motor.acceleration, motor.braking, motor.turn_rate = 2, 10, 0
  motor.velocity, motor.facing = { 2, 9, 0 }, 0.5
  assert(motor.velocity.x == 2 and motor.velocity.y == 0 and motor.facing == 0.5)
  sinew.simulate { seconds = 0.5 }
  assert(math.abs(hero.position.x - 1.25) < 1e-4 and hero.position.y == 2, hero.position.x) -- t² at 2 m/s²
  assert(math.abs(hero.params.left - 1) < 1e-4 and hero.params.turn == 0.5, "a motor that cannot turn does not")
end
