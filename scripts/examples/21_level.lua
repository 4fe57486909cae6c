-- A level: she walks up stairs, rides on a lift, jumps.  Start it with  sinew run scripts/examples/21_level.lua
-- WASD walks, Shift runs, Space jumps. Move a part, change the stairs, and save: she stands on the new ones.
local sinew, input, camera = require "sinew", require "sinew.input", require "sinew.camera"

local wood, stone = { 0.42, 0.26, 0.14 }, { 0.36, 0.34, 0.31 }
local yard = sinew.level {
  { "floor", box = { 24, 0.2, 24 }, position = { 0, -0.1, 0 }, color = stone, surface = "stone" },
  { "stairs", stairs = { 12, rise = 0.17, run = 0.28, width = 2 }, position = { 4, 0, 2 }, color = wood, surface = "wood" },
  { "upstairs", box = { 6, 0.2, 6 }, position = { 4, 1.94, 8.36 }, color = wood, surface = "wood" },
  { "wall", box = { 7, 2.4, 0.3 }, position = { -7, 1.2, 4 }, color = { 0.55, 0.5, 0.42 } },
  { "ramp", box = { 2.5, 0.2, 6 }, position = { -2, 0.75, 6 }, rotation = { -0.139, 0, 0, 0.99 }, color = stone },
  { "column", capsule = { 0.35, 3 }, position = { -3, 1.5, -3 }, color = stone },
  { "lift", box = { 2, 0.2, 2 }, position = { -6, 0.1, -3 }, color = { 0.2, 0.3, 0.4 }, surface = "metal" },
}

local hero = sinew.actor("hero", sinew.model "hero.glb", { position = { 4, 0, -2 } })
local motor = hero:motor { level = yard }
hero:set_graph(sinew.blend_space_1d { param = "speed", sync = true, "Idle", "Walk", "Run" })

input.map { left = { "a" }, right = { "d" }, ahead = { "w" }, back = { "s" }, run = { "left_shift" }, jump = { "space" } }
input.on("jump", function() motor:jump(1.1) end)
camera.follow(hero, { distance = 5, height = 1.4 })
sinew.view.ground = false
sinew.light.environment = "golden_hour"
sinew.help_text = "WASD walks, Shift runs, Space jumps; the blue plate is a lift"

local wish -- the velocity that the test asks for
function sinew.update()
  local speed = input.is_down "run" and 3.2 or 1.4
  motor.velocity = wish or camera.flat(input.axis("right", "left") * speed, input.axis("back", "ahead") * speed)
  yard.lift.position = { -6, 1.1 - math.cos(sinew.time * 0.8), -3 }
end

function sinew.test()
  local function near(a, b, by) assert(math.abs(a - b) < by, a .. " is not " .. b) end
  sinew.simulate { seconds = 0.5 }
  assert(motor.grounded and motor.surface == "stone" and motor.rise == 0)
  near(sinew.ground(4, 8, 10), 2.04, 0.01)
  assert(sinew.raycast({ -7, 1, 0 }, { -7, 1, 8 }, { ignore = yard.ramp }).part == "wall", yard.name)
  wish = { 0, 0, 1.4 }
  sinew.simulate { seconds = 5.5 }
  near(hero.position.y, 2.04, 0.01)
  assert(motor.surface == "wood", "she is upstairs")
  wish = { 0, 0, 0 }
  hero.position = { -6, 0.3, -3 }
  sinew.simulate { seconds = 2 }
  near(hero.position.y, yard.lift.position.y + 0.1, 0.05)
  assert(motor:jump(1.1), "she stands on the lift")
end
