-- Up to ten thousand walkers, each with its own time, blend and colour, and what they cost. Start it with
--   sinew run scripts/examples/crowd.lua         1 .. 4: 100, 1,000, 5,000, 10,000 walkers
-- The numbers at the top right: evaluation on the CPU, what goes to the GPU, and how long that takes.
local sinew = require "sinew"
local random = require "sinew.random"

local tune = sinew.keep("tune", { count = 500, near = 25, spread = 1.2 })
local man = sinew.model "hero.glb"

local crowd = sinew.crowd(man, tune.count, {
  name = "walkers",
  params = { speed = 0.7, hurry = 0 },
  graph = sinew.blend { -- weights multiply on the way down to four clips at most
    sync = true,
    { sinew.blend_space_1d { param = "speed", { 0, "Idle" }, { 1.4, "Walk" } }, 1 },
    { "Run", "hurry" },
  },
  half_from = tune.near, quarter_from = 2 * tune.near,
})

local function place(first)
  local side = math.ceil(math.sqrt(crowd.count))
  local dice = random.new(7)
  for i = first, crowd.count do
    local row, column = (i - 1) // side, (i - 1) % side
    crowd:place(i, (column - side / 2) * tune.spread, 0, -row * tune.spread, dice:number(-0.5, 0.5), dice:number(0.92, 1.08))
    crowd:tint(i, dice:number(0.75, 1.25), dice:number(0.75, 1.25), dice:number(0.75, 1.25))
    crowd.phase[i] = dice:number()
    crowd.rate[i] = dice:number(0.8, 1.2)
  end
end
place(1)

sinew.view.stats = true
sinew.camera.position = { 0, 5, 9 }
sinew.camera.target = { 0, 0, -6 }
sinew.help_text = "1 2 3 4: how many   F3: numbers"

-- A wave of hurry goes through the rows; two numbers are set for each walker in each frame.
function sinew.update()
  local speed, hurry, z = crowd.params.speed, crowd.params.hurry, crowd.z
  local time, sin = sinew.time, math.sin
  for i = 1, crowd.count do
    local wave = sin(2 * time + 0.6 * z[i])
    speed[i] = 0.7 + 0.7 * wave
    hurry[i] = wave > 0.8 and 5 * (wave - 0.8) or 0
  end
  sinew.ui.text(("%d walkers"):format(crowd.count))
end

function sinew.key_pressed(key)
  local count = ({ ["1"] = 100, ["2"] = 1000, ["3"] = 5000, ["4"] = 10000 })[key]
  if not count then return end
  crowd:resize(count)
  place(1)
end

function sinew.test()
  sinew.simulate { seconds = 0.5, keys = { { 0, "1" } } }
  assert(crowd.count == 100)
  local standing, running = 0, 0
  for i = 1, crowd.count do
    if crowd.params.speed[i] < 0.1 then standing = standing + 1 end
    if crowd.params.hurry[i] > 0 then running = running + 1 end
  end
  assert(standing > 0 and running > 0, "the wave is among them")
  local least, most = 9, -9
  for _ = 1, 120 do
    sinew.simulate { frames = 1 }
    local foot = crowd:joint(1, "LeftFoot").y
    least, most = math.min(least, foot), math.max(most, foot)
  end
  assert(most - least > 0.1, "and whoever it comes to, runs")
end
