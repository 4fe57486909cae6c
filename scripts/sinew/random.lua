-- Numbers that look random and are the same in each run: one seed, one sequence, on every machine.
--
--   local random = require "sinew.random"
--   local dice = random.new(7)
--   print(dice:integer(1, 6), dice:number(-1, 1), dice:choice { "Walk", "Run" })
--
-- Each generator has its own sequence, so the numbers that one part of a scene draws do not affect another part.
-- SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
local _, own = ... -- what Sinew gives its modules
local Random = {}
Random.__index = Random

local function next_bits(r)
  r.state = r.state + 0x9E3779B97F4A7C15
  local z = r.state
  z = (z ~ (z >> 30)) * 0xBF58476D1CE4E5B9
  z = (z ~ (z >> 27)) * 0x94D049BB133111EB
  return z ~ (z >> 31)
end

-- From 0 to 1 (without 1), or from `low` to `high`.
function Random:number(low, high)
  local fraction = (next_bits(self) >> 11) * 2.0 ^ -53
  if not low then return fraction end
  if not high then error("random:number: 'high' is missing", 0) end
  return low + (high - low) * fraction
end

-- A whole number from `low` to `high`, both of them included.
function Random:integer(low, high)
  if low > high then error(("random:integer: %d is above %d"):format(low, high), 0) end
  return low + math.floor(self:number() * (high - low + 1))
end

-- True in so many of all cases: 0.25 is one in four.
function Random:chance(probability) return self:number() < probability end

function Random:choice(list)
  if #list == 0 then error("random:choice: the list is empty", 0) end
  return list[self:integer(1, #list)]
end

-- In place (Fisher and Yates).
function Random:shuffle(list)
  for i = #list, 2, -1 do
    local k = self:integer(1, i)
    list[i], list[k] = list[k], list[i]
  end
  return list
end

---@class sinew.Random
local random = {}

-- Any number is a seed.
function random.new(seed)
  seed = seed or 1
  return setmetatable({ state = math.tointeger(seed) or string.unpack("<i8", string.pack("<d", seed)) }, Random)
end

own.dress("random_generator", Random)
return own.dress("random", random)
