-- A state machine: states that the hero can be in, and transitions between them. W walks, SHIFT runs, SPACE jumps and
-- returns by itself, F waves from any state, H toggles a nested machine.
local sinew = require "sinew"
local dark = { 0.05, 0.07, 0.12 }
local man = sinew.model "hero.glb"
local hero = sinew.actor("hero", man, { params = { speed = 0 } })

hero:set_graph(sinew.state_machine {
  start = "move",
  states = { -- a state is any node: a clip, a blend space, another machine
    move = sinew.blend_space_1d { param = "speed", sync = true, "Idle", "Walk", "Run" },
    jump = sinew.clip { "Jump", loop = "once" },
    greet = sinew.state_machine { -- nested: it begins anew each time it is entered
      start = "wave",
      states = { wave = sinew.clip { "Wave", loop = "once" }, wait = "Idle" },
      transitions = { { "wave", "wait", before_end = 0.3, fade = 0.3 } },
    },
  },
  transitions = { -- the first that holds is taken, one in a frame
    { "move", "jump", on = "jump", fade = 0.12, blend = "inertial" }, -- when hero:send "jump" said so
    { "jump", "move", before_end = 0.25, fade = 0.25 },               -- when so much is left of it
    { "*", "greet", on = "greet", fade = 0.3, ease = "in_out" },      -- from any state
    { "greet", "move", fade = 0.3, when = "speed > 0.5" },            -- a condition over parameters
  },
})

sinew.camera.position = { 1.6, 1.5, 3.6 }
sinew.camera.target = { 0, 0.9, 0 }
sinew.help_text = "W: walk   SHIFT: run   SPACE: jump   F: wave"

local touched = false -- until a key is pressed it shows itself
function sinew.update(dt)
  if not touched and sinew.frame % 300 == 30 then hero:send "jump" end
  if not touched and sinew.frame % 300 == 120 then hero:send "greet" end
  local want = sinew.is_down "w" and (sinew.is_down "left_shift" and 4 or 1.4) or 0
  hero.params.speed = sinew.damp(hero.params.speed, want, 6, dt)
end

function sinew.key_pressed(key)
  touched = true
  if key == "space" then hero:send "jump" end
  if key == "f" then hero:send "greet" end
end

function sinew.draw()
  local state, seconds, faded = hero:state()
  local line = ("%s   since %.1f s   faded in %3.0f %%"):format(state, seconds, faded * 100)
  local inner = hero:state "greet" -- nil where that machine does not run
  sinew.debug.text(16, 16, line .. (inner and "   inside: " .. inner or ""), dark)
  sinew.debug.text(16, 36, "before: " .. table.concat(hero:history(), ", "), dark)
end

function sinew.test()
  local function expect(state, where)
    local now = hero:state()
    assert(now == state, where .. ": in " .. tostring(now) .. ", not in " .. state)
  end
  sinew.simulate { seconds = 1, keys = { { 0, "+w" } } }
  expect("move", "at first")
  sinew.simulate { frames = 2, keys = { { 0, "space" } } }
  expect("jump", "SPACE")
  local jump = man:duration "Jump"
  sinew.simulate { seconds = jump - 0.35 }
  expect("jump", "until its end is near")
  sinew.simulate { seconds = 0.2 }
  expect("move", "back by itself")
  sinew.simulate { seconds = 1, keys = { { 0, "-w" } } }
  sinew.simulate { frames = 2, keys = { { 0, "space" } } }
  sinew.simulate { frames = 2, keys = { { 0, "f" } } }
  expect("greet", "F, in mid-jump")
  assert(hero:state "greet" == "wave" and hero:history()[1] == "jump")
  sinew.simulate { seconds = man:duration "Wave" }
  assert(hero:state "greet" == "wait", "the nested machine goes its own way")
  sinew.simulate { seconds = 0.5, keys = { { 0, "+w" } } }
  expect("move", "a condition leads out of it")
end
