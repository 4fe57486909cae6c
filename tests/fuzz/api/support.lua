-- The beginning of every scene of the API fuzzer. P finds what the API has given, H is a table that lies, B holds what
-- callbacks do, t tries a statement.
local sinew = require "sinew"
local rawequal, print, pcall, type, tostring, getmetatable, setmetatable = rawequal, print, pcall, type, tostring, getmetatable, setmetatable
local pools, plays, told, runs, here, depth = {}, {}, {}, {}, "load", 0

local function kind_of(v)
  local metatable = type(v) == "userdata" and getmetatable(v)
  return type(metatable) == "string" and metatable or type(v)
end

-- The first four of a kind stay, of the others the last four.
local function keep(v)
  local kind = kind_of(v)
  if v == nil or kind == "number" or kind == "string" or kind == "boolean" then return v end
  local pool = pools[kind] or { n = 0 }
  pools[kind] = pool
  for i = 1, #pool do
    if rawequal(pool[i], v) then return v end
  end
  pool.n = pool.n + 1
  pool[pool.n <= 8 and pool.n or 5 + pool.n % 4] = v
  return v
end

local function P(kind, i)
  local pool = pools[kind]
  return pool and pool[1 + i % #pool]
end

-- The object that `play` returns has a kind of its own.
local function new(action)
  local fine, done = pcall(function() return action.done end)
  if here == "load" or not fine or done then return action end
  for _, other in ipairs(plays) do
    if other == action then print "!an action that was new is one of before" end
  end
  if #plays < 8 then plays[#plays + 1] = action end
  return action
end

local function tell(id, result)
  local what = ("@%d %s %s"):format(id, here, result)
  if told[what] then return end
  told[what] = true
  print(what)
end

local DEPTH = 4

local function may(id, skip, times)
  local n = (runs[id] or 0) + 1
  runs[id] = n
  return n > skip and n <= skip + times and depth < DEPTH
end

-- Runs a statement, but not the first `skip` times and `times` at most. An error stays in it.
local function t(id, skip, times, f, ...)
  if not may(id, skip, times) then return end
  local before, place = depth, here
  depth = before + 1
  local fine, a, b = pcall(f, ...)
  depth, here = before, place
  tell(id, fine and "did" or "raised")
  if fine then keep(a) keep(b) end
end

-- The same, and an error goes on.
local function u(id, skip, times, f, ...)
  if not may(id, skip, times) then return end
  depth = depth + 1
  tell(id, "began")
  keep(f(...))
  depth = depth - 1
end

local B = {}

-- A callback: what B has for it, told from where.
local function C(n, label)
  return function(...)
    local body, before = B[n], here
    for i = 1, select("#", ...) do keep((select(i, ...))) end
    if not body then return end
    here = label
    return (function(...) here = before return ... end)(body(...))
  end
end

local events = { "index", "newindex", "len", "tostring", "pairs", "eq", "lt", "le", "call", "close", "concat", "unm", "add",
  "sub", "mul", "div", "mod", "idiv", "pow", "band", "bor", "bxor", "shl", "shr", "bnot" }
local lies = { 0, 3, 1 << 53, -1, math.maxinteger, 2.5, "x", math.mininteger, 1 }

-- A table whose metamethods, or `only` that one, call B[n] and then lie, each time otherwise.
local function H(n, first, only)
  local metatable, count = {}, first
  for _, event in ipairs(only and { only } or events) do
    local body = C(n, "__" .. event)
    metatable["__" .. event] = function(...)
      local answer = body(...)
      count = count + 1
      if answer ~= nil then return answer end
      if event == "pairs" then return next, {}, nil end
      if event == "tostring" then return "x" end
      if event == "index" then return 1 end
      return lies[1 + count % #lies]
    end
  end
  return setmetatable({ 1, 2, 3 }, metatable)
end

-- The same with one metamethod, which calls `f`.
local function X(f, event, first)
  local count = first
  return setmetatable({ 1, 2, 3 }, { ["__" .. event] = function()
    pcall(f)
    count = count + 1
    if event == "tostring" then return "x" end
    return lies[1 + count % #lies]
  end })
end

local big_table, many_names, long_chain, deep_table
local function big()
  if not big_table then
    big_table = {}
    for i = 1, 100000 do big_table[i] = i end
  end
  return big_table
end

local function deep()
  if not deep_table then
    deep_table = {}
    for _ = 1, 300 do deep_table = { deep_table, a = deep_table } end
  end
  return deep_table
end

local function circle()
  local c = { 1, 2 }
  c[3], c.c = c, c
  return c
end

-- Joints in one long chain, and a table with a word for each of the first of them.
local function chain()
  if long_chain then return long_chain end
  local joints = { { name = "j1" } }
  for i = 2, 8000 do joints[i] = { name = "j" .. i, parent = i - 1 } end
  long_chain = keep(sinew.build_model { name = "chain", joints = joints })
  return long_chain
end

local function names(suffix, value)
  many_names = {}
  for i = 1, 2000 do many_names["j" .. i .. suffix] = value end
  return many_names
end

