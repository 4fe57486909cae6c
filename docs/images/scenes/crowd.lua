-- The crowd of docs/gallery.md: sinew run docs/images/scenes/crowd.lua --headless --from 20 --to 20 --size 800x400
-- --shadow 2048 --capture crowd.png
local sinew = require "sinew"
local random = require "sinew.random"

local SIDE, STEP = 100, 1.2
local crowd = sinew.crowd(sinew.model "hero.glb", SIDE * SIDE, {
  name = "walkers",
  params = { speed = 0.7, hurry = 0 },
  graph = sinew.blend {
    sync = true,
    { sinew.blend_space_1d { param = "speed", { 0, "Idle" }, { 1.4, "Walk" } }, 1 },
    { "Run", "hurry" },
  },
})

local dice = random.new(7)
for i = 1, crowd.count do
  local row, column = (i - 1) // SIDE, (i - 1) % SIDE
  local x, z = (column - SIDE / 2) * STEP + dice:number(-0.3, 0.3), -row * STEP + dice:number(-0.3, 0.3)
  local wave = math.sin(0.35 * z + 0.2 * x)
  crowd:place(i, x, 0, z, dice:number(-0.4, 0.4), dice:number(0.92, 1.08))
  crowd:tint(i, dice:number(0.6, 1.3), dice:number(0.6, 1.3), dice:number(0.6, 1.3))
  crowd.phase[i], crowd.rate[i] = dice:number(), dice:number(0.8, 1.2)
  crowd.params.speed[i] = 0.7 + 0.7 * wave
  crowd.params.hurry[i] = wave > 0.6 and 2 * (wave - 0.6) or 0
end

sinew.camera.position = { -7, 4.5, 9 }
sinew.camera.target = { -3, 0.5, -6 }
sinew.camera.fov = math.rad(34)
sinew.light.direction = { -0.55, 0.55, 0.4 }
sinew.light.fog = 0.006
