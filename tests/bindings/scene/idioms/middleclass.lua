-- Classes as in middleclass: methods are declared by __newindex and propagate to subclasses, which are kept in a weak table.
local function index_of(class, f)
  if type(f) == "function" then
    return function(self, name)
      local value = class.__dict[name]
      if value ~= nil then return value end
      return f(self, name)
    end
  end
  return f and function(_, name)
    local value = class.__dict[name]
    if value ~= nil then return value end
    return f[name]
  end or class.__dict
end
local function propagate(class, name, f)
  f = name == "__index" and index_of(class, f) or f
  class.__dict[name] = f
  for sub in pairs(class.subclasses) do
    if rawget(sub.__declared, name) == nil then propagate(sub, name, f) end
  end
end
local function declare(class, name, f)
  class.__declared[name] = f
  if f == nil and class.super then f = class.super.__dict[name] end
  propagate(class, name, f)
end
local function new_class(name, super)
  local dict = {}
  dict.__index = dict
  local class = { name = name, super = super, static = {}, __dict = dict, __declared = {}, subclasses = setmetatable({}, { __mode = "k" }) }
  if super then
    setmetatable(class.static, { __index = function(_, k)
      local result = rawget(dict, k)
      if result == nil then return super.static[k] end
      return result
    end })
  else
    setmetatable(class.static, { __index = function(_, k) return rawget(dict, k) end })
  end
  setmetatable(class, { __index = class.static, __newindex = declare, __tostring = function() return "class " .. name end })
  return class
end
local function subclass(super, name)
  local sub = new_class(name, super)
  for k, f in pairs(super.__dict) do
    if not (k == "__index" and type(f) == "table") then propagate(sub, k, f) end
  end
  super.subclasses[sub] = true
  return sub
end
local function create(class, ...)
  local object = setmetatable({ class = class }, class.__dict)
  object:initialize(...)
  return object
end
local Base = new_class "Base"
function Base:initialize() self.n = 0 end
function Base:step()
  self.n = self.n + 1 -- edited
end
local Hero = subclass(Base, "Hero")
function Hero:initialize()
  Base.initialize(self)
  self.hits = 0
end
local made
function sinew.update()
  made = made or create(Hero)
  made:step()
  print(made.class == Hero and tostring(made.class) == "class Hero" and Base.subclasses[Hero] and made.n)
end
