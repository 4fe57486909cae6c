-- The modules that are written in Lua answer wrong calls as `sinew` does: at the scene's line, with the nearest name.
local sinew = require "sinew"
local task, tween, camera = require "sinew.task", require "sinew.tween", require "sinew.camera"
local input, random, vec, machine = require "sinew.input", require "sinew.random", require "sinew.vec", require "sinew.machine"
local hero = sinew.actor("hero", sinew.model "hero.glb")

local mistakes = {
  { function() task.wiat(1) end, "task has no field 'wiat'; did you mean 'wait'?" },
  { function() task.wait(1) end, "task.wait works only inside a task" },
  { function() task:wait(1) end, "task:wait: call it with a dot" },
  { function() task.every(0, print) end, "task.every: 'seconds' must be a number above 0 (got 0)" },
  { function() tween.to(hero, "postion", { 0, 0, 1 }, 1) end, "actor has no field 'postion'; did you mean 'position'?" },
  { function() tween.to(hero, "position", 1, 1) end, "'position' is {0, 0, 0}, which does not become 1" },
  { function() tween.to(hero, "rotation", "x", 1) end, "does not become x" },
  { function() tween.to(hero, "position", { 0, 0, 1 }, 1, { eas = "in" }) end, "no option 'eas'" },
  { function() tween.to(hero, "position", { 0, 0, 1 }, 1, { ease = "inn" }) end, "no easing 'inn'; there are back," },
  { function() camera.follow(hero, { distanc = 3 }) end, "did you mean 'distance'?" },
  { function() camera.orbit "hero" end, "camera.orbit: 'target' must be an actor or three finite numbers" },
  { function() input.map { jump = "spce" } end, "no key 'spce'; did you mean 'space'?" },
  { function() input.map { "space" } end, "'map' must be a table by names" },
  { function() input.on("jmp", print) end, "input: nothing is called 'jmp'" },
  { function() random.new(1):integer(6, 1) end, "random:integer: 6 is above 1" },
  { function() random.new(1).integer(1, 6) end, "random_generator.integer: call it with a colon" },
  { function() random.new(1):choise { 1 } end, "did you mean 'choice'?" },
  { function() random.new(1):choice {} end, "the list is empty" },
  { function() vec.length(1, 2) end, "vec.length: 'z' must be a finite number (got nil)" },
  { function() machine { "a => b" } end, "does not read \"state -> state: ...\"" },
  { function() machine { strat = "a" } end, "machine: 'definition': no option 'strat'" },
  { function() machine "x" end, "machine: 'definition' must be a table of options (got 'x')" },
}

function sinew.tests.sentences()
  for i, mistake in ipairs(mistakes) do
    local fine, message = pcall(mistake[1])
    assert(not fine and message:find(mistake[2], 1, true), i .. ": " .. tostring(message))
    assert(message:find("modules.lua:" .. i + 7 .. ":", 1, true), i .. " is at " .. message)
  end
end

function sinew.tests.both_calls_of_machine()
  for _, make in ipairs { machine, machine.machine } do hero:set_graph(make { states = { a = "Walk" } }) end
end

-- What fails later is reported with the line of the call, and the others go on.
function sinew.tests.a_target_is_gone()
  local other, t = sinew.actor("other", hero.model), { x = 0 }
  tween.to(other, "position", { 0, 0, 1 }, 1)
  tween.to(t, "x", 1, 0.1)
  sinew.simulate { frames = 2 }
  other:remove()
  local _, message = pcall(sinew.simulate, { seconds = 0.2 })
  assert(message:find "modules.lua:47: actor 'other' has been removed" and t.x < 1, message)
end
