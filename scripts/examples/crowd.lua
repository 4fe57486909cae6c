-- Ten thousand walkers, each with its own time, blend and colour, and the time they take. Start it with
--   sinew run scripts/examples/crowd.lua         1 .. 5: 100, 300, 1,000, 5,000, 10,000 walkers
-- The numbers at the top right: evaluation on the CPU, data sent to the GPU, and the GPU's time. Without a GPU, when the
-- processor also draws, it begins with 300 and says so.
local sinew = require "sinew"
local random = require "sinew.random"

local software = sinew.renderer:find "software rasteriser" ~= nil
local tune = sinew.keep("tune", { count = software and 300 or 10000, near = 25, spread = 1.2 })
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
sinew.help_text = "1 2 3 4 5: how many   F3: numbers"

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
  if software then sinew.ui.text "No GPU: the processor draws, so they begin with 300; 5 makes them 10,000." end
end

function sinew.key_pressed(key)
  local count = ({ ["1"] = 100, ["2"] = 300, ["3"] = 1000, ["4"] = 5000, ["5"] = 10000 })[key]
  if not count then return end
  crowd:resize(count)
  place(1)
end

-- The height that feet reach: of members that stand at that moment, and of those that run.
function sinew.test()
  assert(crowd.count == (software and 300 or 10000))
  sinew.simulate { seconds = 0.5, keys = { { 0, "1" } } }
  assert(crowd.count == 100)
  local speed, hurry, standing, running = crowd.params.speed, crowd.params.hurry, 0, 0
  for _ = 1, 60 do
    sinew.simulate { frames = 1 }
    for i = 1, crowd.count do
      local foot = crowd:joint(i, "LeftFoot").y / crowd.scale[i]
      if speed[i] < 0.05 then standing = math.max(standing, foot) end
      if hurry[i] > 0.5 then running = math.max(running, foot) end
    end
  end
  assert(standing > 0 and standing < 0.12, "who stands has his feet on the ground")
  assert(running > 0.22, "whoever the wave comes to, runs")
end
