-- Tweens: change a value over a given time.
--
--   local tween = require "sinew.tween"
--   tween.to(hero, "position", { 0, 0, 2 }, 1.5, { ease = "in_out" })
--   tween.to(hero.morphs, "Smile", 1, 0.3)
--   tween.to(hero:layer "arm", "weight", 0, 0.2, { done = function() print "the arm is down" end })
--
-- Works on numbers, vectors and rotations of any object with fields. A new tween of a field starts from its current value.
local sinew = require "sinew"
local vec = require "sinew.vec"
local _, own = ... -- what Sinew gives its modules
---@class sinew.Tween
local tween = {}

-- The fraction of the distance for the fraction t of the time. "back" overshoots a little, "bounce" arrives like a ball.
tween.ease = {
  linear = function(t) return t end,
  ["in"] = function(t) return t * t end,
  out = function(t) return t * (2 - t) end,
  in_out = function(t) return t * t * (3 - 2 * t) end,
  back = function(t) return 1 + 2.7 * (t - 1) ^ 3 + 1.7 * (t - 1) ^ 2 end,
  bounce = function(t)
    local up = math.abs(math.cos(2.5 * math.pi * t))
    return 1 - up * (1 - t) ^ 2
  end,
}

local running = {} -- in the order of their start

local function mix(from, to, t)
  if type(from) == "number" then return from + (to - from) * t end
  if #from == 3 then return sinew.lerp(from, to, t) end
  return { vec.nlerp(from[1], from[2], from[3], from[4], to[1], to[2], to[3], to[4], t) }
end

local function goal_of(from, value)
  local is_turn = type(from) ~= "number" and #from == 4 and type(value) == "number"
  return is_turn and { vec.axis_angle(0, 1, 0, value) } or value
end

-- Numbers to numbers, and tables to as many numbers; a rotation also takes an angle.
local function check(from, value, field)
  local fits = type(from) == type(value) and type(from) == "number"
  if not fits and type(from) ~= "number" and from ~= nil and type(from) ~= "string" and type(from) ~= "boolean" then
    local fine, count = pcall(function() return #from end)
    local same, wanted = pcall(function() return #value end)
    fits = fine and (same and type(value) ~= "string" and count == wanted or count == 4 and type(value) == "number")
  end
  if not fits then
    error(("tween.to: '%s' is %s, which does not become %s"):format(field, tostring(from), tostring(value)), 0)
  end
end

-- Takes target[field] to the value in so many seconds. Options: ease (a name or a function), delay, done (a function).
-- Returns the tween: its `stop()` leaves the field where it is.
function tween.to(target, field, value, seconds, options)
  options = options or {}
  local ease = options.ease or "linear"
  local shape = type(ease) == "function" and ease or tween.ease[ease]
  if not shape then
    local known = {}
    for name in pairs(tween.ease) do known[#known + 1] = name end
    table.sort(known)
    error("tween.to: no easing '" .. tostring(ease) .. "'; there are " .. table.concat(known, ", "), 0)
  end
  check(target[field], value, field)
  for _, other in ipairs(running) do
    if other.target == target and other.field == field then other.over = true end
  end
  local t = { target = target, field = field, value = value, seconds = seconds, shape = shape, line = own.line() }
  t.elapsed, t.done, t.over = -(options.delay or 0), options.done, false
  function t.stop() t.over = true end
  running[#running + 1] = t
  return t
end

local function advance(t, dt)
  t.elapsed = t.elapsed + dt
  if t.elapsed < 0 then return end
  if not t.from then -- a delay is over: from where it is by now
    t.from = t.target[t.field]
    t.goal = goal_of(t.from, t.value)
  end
  local fraction = t.seconds > 0 and math.min(t.elapsed / t.seconds, 1) or 1
  t.target[t.field] = fraction < 1 and mix(t.from, t.goal, t.shape(fraction)) or t.goal
  if fraction < 1 then return end
  t.over = true
  if t.done then t.done() end
end

sinew.on("update", function(dt)
  local kept = 0
  for i = 1, #running do
    local t = running[i]
    if not t.over and not own.guard(t.line, advance, t, dt) then t.over = true end
  end
  for i = 1, #running do -- those that `done` started are among them
    local t = running[i]
    running[i] = nil
    if not t.over then
      kept = kept + 1
      running[kept] = t
    end
  end
end)

return own.dress("tween", tween)
