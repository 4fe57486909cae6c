-- State machines, written as text.
--
--   local machine = require "sinew.machine"
--   hero:set_graph(machine {
--     start = "move",
--     states = { move = "Walk", jump = sinew.clip { "Jump", loop = "once" } },
--     "move -> jump: on jump, fade 0.12, inertial",
--     "jump -> move: before_end 0.15, fade 0.25, ease in_out",
--     "move -> fall: when height > 0.3 and not (state_time < 0.1), fade 0.1",
--     { "* -> move", when = function(actor) return actor.params.speed < 0 end },
--   })
--
-- It returns a node, as sinew.state_machine does. A transition is a text, or a table whose first entry is a text and whose
-- other fields are options. Words after the colon: on EVENT, when CONDITION, before_end S, fade S, ease NAME, crossfade,
-- frozen, inertial, keep_phase, restart, locked. Conditions are those of sinew.state_machine, over the parameters of the
-- actor, time_left, phase and state_time.
local sinew = require "sinew"
local _, own = ... -- what Sinew gives its modules
---@class sinew.Machine
local machine = {}

local takes_text = { on = true, when = true, ease = true }
local takes_number = { before_end = true, fade = true }
local blends = { crossfade = true, frozen = true, inertial = true }
local switches = { keep_phase = true, restart = true, locked = true }

local function read_word(text, clause, into)
  local word, value = clause:match "^%s*([%w_]+)%s*(.-)%s*$"
  if word and takes_text[word] and value ~= "" then
    into[word] = value
  elseif word and takes_number[word] and tonumber(value) then
    into[word] = tonumber(value)
  elseif word and blends[word] and value == "" then
    into.blend = word
  elseif word and switches[word] and value == "" then
    into[word] = true
  else
    error("machine: '" .. clause:match "^%s*(.-)%s*$" .. "' in \"" .. text .. "\" is none of: on EVENT, when CONDITION, "
      .. "before_end S, fade S, ease NAME, crossfade, frozen, inertial, keep_phase, restart, locked", 0)
  end
end

local function read_transition(rule)
  local text = type(rule) == "table" and rule[1] or rule
  local from, to, rest = tostring(text):match "^%s*([^%s:]+)%s*%->%s*([^%s:]+)%s*:?(.*)$"
  if not from then error("machine: \"" .. tostring(text) .. "\" does not read \"state -> state: ...\"", 0) end
  local made = { from, to }
  for clause in rest:gmatch "[^,]+" do read_word(text, clause, made) end
  for name, value in pairs(type(rule) == "table" and rule or {}) do
    if name ~= 1 then made[name] = value end
  end
  return made
end

function machine.machine(definition)
  local plain = { transitions = {} }
  for name, value in pairs(definition) do
    if math.type(name) ~= "integer" then plain[name] = value end
  end
  for i, rule in ipairs(definition) do plain.transitions[i] = read_transition(rule) end
  return sinew.state_machine(plain)
end

return own.dress("machine", machine)
