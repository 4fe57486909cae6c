-- Names for actions, so that a scene asks for "jump" and a player may choose the key. A gamepad's buttons, sticks
-- and triggers are keys, too.
--
--   local input = require "sinew.input"
--   input.map { left = { "a", "left_stick_left" }, right = { "d", "left_stick_right" }, jump = { "space", "pad_a" } }
--   input.on("jump", function() hero:send "jump" end)
--   function sinew.update(dt) turn = input.axis("left", "right") end
local sinew = require "sinew"
local _, own = ... -- what Sinew gives its modules
---@class sinew.Input
local input = {}

local keys = {}      -- name -> list of keys
local names = {}     -- key -> list of names
local handlers = {}  -- name -> list of functions

local function check(name)
  if keys[name] then return end
  local known = {}
  for other in pairs(keys) do known[#known + 1] = other end
  table.sort(known)
  local names = #known > 0 and "input.map gave " .. table.concat(known, ", ") or "input.map has given no name yet"
  local hint = pcall(sinew.is_down, name) and "; for the key itself: sinew.is_down \"" .. name .. "\"" or ""
  error("input: nothing is called '" .. tostring(name) .. "'; " .. names .. hint, 0)
end

-- Each name with a key or a list of keys. Said again, a name gets other keys.
function input.map(map)
  for name, list in pairs(map) do
    keys[name] = type(list) == "table" and list or { list }
    for _, key in ipairs(keys[name]) do
      local known, message = pcall(sinew.is_down, key)
      if not known then error(message, 0) end
    end
  end
  names = {}
  for name, list in pairs(keys) do
    for _, key in ipairs(list) do
      names[key] = names[key] or {}
      table.insert(names[key], name)
    end
  end
end

function input.is_down(name)
  check(name)
  for _, key in ipairs(keys[name]) do
    if sinew.is_down(key) then return true end
  end
  return false
end

-- The strength from 0 to 1: that of the key that is pressed farthest. Keys other than sticks and triggers
-- count as 1 while they are held.
function input.strength(name)
  check(name)
  local most = 0
  for _, key in ipairs(keys[name]) do most = math.max(most, sinew.strength(key)) end
  return most
end

-- From -1 to 1: the second name counts up, the first down.
function input.axis(down, up) return input.strength(up) - input.strength(down) end

-- Calls the function when one of the name's keys is pressed.
function input.on(name, handler)
  check(name)
  handlers[name] = handlers[name] or {}
  table.insert(handlers[name], handler)
end

sinew.on("key_pressed", function(key)
  for _, name in ipairs(names[key] or {}) do
    for _, handler in ipairs(handlers[name] or {}) do handler() end
  end
end)

return own.dress("input", input)
