local sinew = require "sinew"
local task = require "sinew.task"
local hero = sinew.actor("hero", sinew.model "hero.glb")
hero.model:markers("Walk", { { 0.4, "step" } })
local said = {}
local function say(text) said[#said + 1] = text end
local function heard(text)
  for i, one in ipairs(said) do
    if one == text then return i end
  end
end

function sinew.test()
  hero:play "Walk"
  -- Time: many short waits are exactly as long as one.
  local start = sinew.frame
  task.run(function()
    for _ = 1, 10 do task.wait(0.1) end
    say("waited " .. sinew.frame - start)
  end)
  task.after(0.5, function() say "after" end)
  local beat = task.every(0.25, function() say "beat" end)
  local stopped = task.run(function()
    task.wait(0.2)
    say "never"
  end)
  stopped:cancel()
  sinew.simulate { frames = 60 }
  assert(heard "waited 60", table.concat(said, ", "))
  assert(heard "after" and not heard "never")
  beat:cancel()
  local beats = 0
  for _, one in ipairs(said) do beats = beats + (one == "beat" and 1 or 0) end
  assert(beats == 4, beats)

  -- Conditions and events.
  local open = false
  task.run(function()
    task.wait_until(function() return open end)
    say "open"
    local event = hero:wait "step"
    say("step " .. event.clip)
    hero:play("Wave", { loop = "once", fade = 0 }):wait "finish"
    say "waved"
    hero:play("Jump", { loop = "once", fade = 0, fade_out = 0.3 }):wait "finish" -- is gone when it ends
    say "jumped"
  end)
  sinew.simulate { frames = 10 }
  assert(not heard "open")
  open = true
  sinew.simulate { seconds = 1.5 }
  assert(heard "open" and heard "step Walk" and not heard "waved")
  sinew.simulate { seconds = 2.8 }
  assert(heard "waved" and not heard "jumped")
  sinew.simulate { seconds = 2 }
  assert(heard "jumped")

  assert(task.count() == 0, "all have ended")

  -- Outside of a task there is nothing that could come back.
  local fine, message = pcall(hero.wait, hero, "step")
  assert(not fine and message:find "only inside a task", message)
end
