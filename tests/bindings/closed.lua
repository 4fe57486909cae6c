-- Finalizers that use everything that the module has while its state closes. `when` says what was made first: the object
-- with the finalizer, the module, or a model. What was called too late must be an error, and nothing may be a crash.
local when, hero, told = ...
local h = {}
local finalizer = { __gc = function(self) self.run() end }
local function arm() _G.armed = setmetatable({ run = function() h.run() end }, finalizer) end
if when == "module" then arm() end
local sinew = require "sinew"
if when == "model" then arm() end
local man = sinew.model(hero)
local actor = sinew.actor("hero", man)
local crowd = sinew.crowd(man, 3, { graph = "Walk", name = "crowd", params = { speed = 1 } })
h.things = {
  model = man, actor = actor, action = actor:play "Walk", layer = actor:layer("top", {}), mask = man:mask { Head = 1 },
  motor = actor:motor {}, pose = man:sample("Walk", 0.2), crowd = crowd, crowd_array = crowd.x, params = actor.params,
  built = sinew.build_model { joints = { { name = "root" } } }, sinew = sinew, camera = sinew.camera, ui = sinew.ui,
  view = sinew.view, vector = sinew.vec3(1, 2, 3),
}
actor:set_modifiers { sinew.look_at { "look", chain = { "Head" }, target = { 0, 1, 3 } } }
h.things.modifier = actor.modifiers.look
if when == "last" then arm() end
if when == "freed" then -- by hand, as a finalizer that runs before
  for _, name in ipairs { "model", "built" } do debug.getmetatable(h.things[name]).__gc(h.things[name]) end
  arm()
end

local never = { quit = true, simulate = true, test = true, wait = true, record = true, log = true, help = true }
local arguments = { {}, { "Walk" }, { man }, { "Head", man }, { { Head = 1 } }, { 1 }, { "Walk", 0.1 }, { man, 2 }, { h.things.pose, 0.5 } }

local function members(thing) -- of the metatable's __index
  local meta = debug.getmetatable(thing)
  local _, names = debug.getupvalue(meta.__index, 1)
  if type(names) == "function" then _, names = debug.getupvalue(names, 1) end
  return type(names) == "table" and names or {}
end

function h.run()
  local calls = 0
  for kind, thing in pairs(h.things) do
    local late = when == "module" or ((when == "model" or when == "freed") and (kind == "model" or kind == "built" or kind == "pose"))
    local is_module = kind == "sinew" or kind == "ui" or kind == "camera" or kind == "view"
    local function try(what, f, ...)
      calls = calls + 1
      if pcall(f, ...) and late then told(when, kind .. "." .. what) end
    end
    for member in pairs(members(thing)) do
      local found, value = pcall(function() return thing[member] end)
      if never[member] then -- ends or waits
      elseif found and type(value) == "function" then
        for _, a in ipairs(arguments) do
          if is_module then try(member, value, table.unpack(a)) else try(member, value, thing, table.unpack(a)) end
        end
      elseif not is_module then -- a module's modules and version are no state
        try(member, function() return thing[member] end)
        try(member, function() thing[member] = 1 end)
      end
    end
    pcall(tostring, thing)
    pcall(function() return #thing, thing == man, thing[1] end)
    pcall(function() for _ in pairs(thing) do end end)
    pcall(function() coroutine.wrap(function() return thing:rest() end)() end)
  end
  told("calls", calls)
end
h.keep = setmetatable({ run = function() pcall(sinew.build_model, { joints = { { name = "late" } } }) end }, finalizer)
_G.h = h
