-- A crowd: hundreds of characters that share a model and a graph, each with its own numbers and state. Start it with
--   sinew run scripts/examples/17_crowd.lua      UP and DOWN: more and fewer
local sinew = require "sinew"
local random = require "sinew.random"

local man = sinew.model "hero.glb"
local WIDE = 12 -- metres, from one end of the square to the other

-- Far from the camera every second frame is enough, further away every fourth.
local crowd = sinew.crowd(man, 200, {
  name = "walkers",
  params = { speed = 1.4, greet = 0 },
  graph = sinew.state_machine { start = "go",
    states = { hello = sinew.clip { "Wave", loop = "once" },
      go = sinew.blend_space_1d { param = "speed", sync = true, { 0, "Idle" }, { 1.4, "Walk" }, { 4, "Run" } } },
    transitions = { { "go", "hello", when = "greet > 0 and speed < 0.5", fade = 0.3 }, -- those who stand
      { "hello", "go", before_end = 0.3, fade = 0.3 } } },
  half_from = 15, quarter_from = 25,
  tinted = { "Jacket", "Trousers" }, -- not the skin
})

-- Arrays have a number of each member. Read and written so they leave no garbage.
local x, z, yaw, speed = crowd.x, crowd.z, crowd.yaw, crowd.params.speed

local function place(first)
  local dice = random.new(first)
  for i = first, crowd.count do
    crowd:place(i, dice:number(-WIDE, WIDE) / 2, 0, dice:number(-WIDE, WIDE) / 2, dice:number(-3, 3), dice:number(0.9, 1.1))
    crowd:tint(i, dice:number(0.8, 1.2), dice:number(0.8, 1.2), dice:number(0.8, 1.2))
    crowd.phase[i] = dice:number()
    speed[i] = dice:number(0, 4)
  end
end
place(1)

local now_and_then = random.new(7)

sinew.camera.position = { 0, 7, 14 }
sinew.camera.target = { 0, 0.5, 0 }
sinew.help_text = "UP, DOWN: more and fewer   F3: what it costs"

function sinew.update(dt)
  local i = now_and_then:integer(1, crowd.count)
  crowd.params.greet[i] = crowd:state(i) == "go" and 1 or 0
  for i = 1, crowd.count do
    local s, turn = speed[i], yaw[i] + 0.3 * dt
    yaw[i] = turn
    x[i] = (x[i] + math.sin(turn) * s * dt + WIDE / 2) % WIDE - WIDE / 2
    z[i] = (z[i] + math.cos(turn) * s * dt + WIDE / 2) % WIDE - WIDE / 2
  end
end

function sinew.key_pressed(key)
  local before = crowd.count
  if key == "up" then crowd:resize(math.min(before * 2, 20000)) end
  if key == "down" then crowd:resize(math.max(before // 2, 1)) end
  if crowd.count > before then place(before + 1) end -- the others walk on
end

function sinew.test()
  speed:set({ 0, 1.4, 4 }, 1) -- the first three: one stands, one walks, one runs
  local most, least = { 0, 0, 0 }, { 9, 9, 9 }
  for _ = 1, 60 do
    sinew.simulate { frames = 1 }
    for i = 1, 3 do
      local foot = crowd:joint(i, "LeftFoot").y / crowd.scale[i]
      most[i], least[i] = math.max(most[i], foot), math.min(least[i], foot)
    end
  end
  local lift = { most[1] - least[1], most[2] - least[2], most[3] - least[3] }
  assert(lift[1] < 0.02 and lift[2] > 0.1 and lift[3] > lift[2] + 0.05, "each lifts its foot as its speed says")
  crowd.params.greet[1], crowd.params.greet[2] = 1, 1
  sinew.simulate { frames = 1 }
  assert(crowd:state(1) == "hello" and crowd:state(2) == "go", "a member that stands waves, and one that walks keeps walking")
  local at, foot = speed[200], crowd:joint(200, "Head")
  sinew.simulate { frames = 2, keys = { { 0, "up" } } }
  local moved = crowd:joint(200, "Head") - foot
  assert(crowd.count == 400 and speed[200] == at and moved.x ^ 2 + moved.z ^ 2 < 0.1, "more, and the others walk on")
end
