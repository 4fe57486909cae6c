local sinew = require "sinew"
local machine = require "sinew.machine"
local hero = sinew.actor("hero", sinew.model "hero.glb", { params = { fear = 0 } })

hero:set_graph(machine {
  start = "move",
  states = { move = "Walk", jump = sinew.clip { "Jump", loop = "once" }, flee = "Run" },
  "move -> jump: on jump, fade 0.12, inertial",
  "jump -> move: before_end 0.15, fade 0.25, ease in_out",
  "flee -> move: when fear < 0.5 and state_time > 0.1, fade 0",
  { "* -> flee: fade 0", when = function(actor) return actor.params.fear > 1 end },
})

local function refuses(rule, part)
  local fine, message = pcall(machine, { start = "a", states = { a = "Walk", b = "Run" }, rule })
  assert(not fine and message:find(part, 1, true), message)
end

function sinew.test()
  sinew.simulate { frames = 5 }
  assert(hero:state() == "move")
  hero:send "jump"
  sinew.simulate { frames = 2 }
  assert(hero:state() == "jump")
  sinew.simulate { seconds = 2 }
  assert(hero:state() == "move" and hero:history()[1] == "jump")
  hero.params.fear = 2
  sinew.simulate { frames = 2 }
  assert(hero:state() == "flee")
  hero.params.fear = 0
  sinew.simulate { frames = 2 }
  assert(hero:state() == "flee")
  sinew.simulate { frames = 8 }
  assert(hero:state() == "move")
  refuses("a to b", "does not read")
  local fine, message = pcall(function()
    local made = machine { start = "a", states = { a = "Walk" }, "a -> a: at_end" }
    return made
  end)
  assert(not fine and message:find("machine.lua:%d+: machine: 'at_end' in") and not message:find "sinew/machine", message)
  refuses("a -> b: fade soon", "fade soon")
  refuses("a -> b: while hungry", "while hungry")
end
