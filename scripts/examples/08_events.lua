-- Events: a clip tells when a foot comes down, and the script reacts. Each step leaves a ring on the ground; a task waits
-- for the end of one clip before it begins the next.
local sinew = require "sinew"
local dark = { 0.05, 0.07, 0.12 }
local task = require "sinew.task"
local man = sinew.model "hero.glb"
local hero = sinew.actor("hero", man)

-- A marker is a time, a name, and what you want to know when it is passed: here, which joint has come down.
man:markers("Walk", man:find_steps("Walk", { LeftToeBase = "step", RightToeBase = "step" }))
man:markers("Wave", { { 1.0, "hello", data = { text = "hello!" } } })

local walk = hero:play("Walk", { fade = 0 })
hero:layer("arm", { mask = { ["RightShoulder/**"] = 1 } })

local rings, steps, loops, words, said = {}, 0, 0, "", 0
hero:on("step", function(event)
  steps = steps + 1
  rings[#rings + 1] = { at = hero:joint(event.data), size = event.weight, since = sinew.time } -- play a sound here
end)
hero:on("loop", function() loops = loops + 1 end) -- "loop" and "finish" need no marker, "*" hears all
hero:on("hello", function(event) words, said = event.data.text, said + 1 end)

-- One thing after another reads best as a task. A save begins it anew.
local round = 0
task.run(function()
  while true do
    task.wait(1)
    local wave = hero:play("Wave", { layer = "arm", loop = "once", fade = 0.3 })
    wave:wait "finish"
    wave:stop(0.3)
    words, round = "", round + 1
  end
end)

sinew.camera.position = { 2.2, 1.6, 3.2 }
sinew.camera.target = { 0, 0.8, 0.2 }
sinew.help_text = "SPACE: a step back in time, which is heard again"

function sinew.key_pressed(key)
  if key == "space" then walk:seek(math.max(walk.time - 0.3, 0), true) end
end

function sinew.draw()
  sinew.debug.text(16, 16, ("%d steps, %d loops, %d rounds of the task   %s"):format(steps, loops, round, words), dark)
  for _, ring in ipairs(rings) do
    local age = sinew.time - ring.since
    local radius, glow = 0.05 + 0.2 * age, ring.size * (1 - age)
    for i = 0, 15 do -- sixteen short lines
      local a, b = i * math.pi / 8, (i + 1) * math.pi / 8
      local from = { ring.at.x + radius * math.cos(a), 0.01, ring.at.z + radius * math.sin(a) }
      local to = { ring.at.x + radius * math.cos(b), 0.01, ring.at.z + radius * math.sin(b) }
      if glow > 0.3 then sinew.debug.line(from, to, { 0.1, 0.5 * glow, glow }) end
    end
  end
  while rings[1] and sinew.time - rings[1].since > 1 do table.remove(rings, 1) end
end

function sinew.test()
  local frames, period = sinew.frame, man:duration "Walk"
  local seconds = 20 * period -- twenty passes: two steps each, and as many loops
  sinew.simulate { seconds = seconds }
  assert(sinew.frame > frames and steps >= 39 and steps <= 41, steps .. " steps")
  assert(loops == 20 or loops == 19, loops .. " loops")
  local expected = math.floor(seconds / (1 + man:duration "Wave"))
  assert(round == expected, round .. " rounds, not " .. expected)
  assert(said == expected or said == expected + 1, said .. " words")
  walk.speed = 0
  walk.time = 0.03
  sinew.simulate { frames = 2 }
  local before = steps
  walk:seek(period - 0.02, true) -- both steps of a pass lie between
  sinew.simulate { frames = 2 }
  assert(steps == before + 2, "a heard seek")
  walk:seek(0.03) -- in silence
  sinew.simulate { frames = 2 }
  assert(steps == before + 2, "a silent one")
end
