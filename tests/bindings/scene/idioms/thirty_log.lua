-- Classes as in 30log: a registry of classes and instances in weak tables, attributes that are copied into instances.
local classes, instances = setmetatable({}, { __mode = "k" }), setmetatable({}, { __mode = "k" })
local function copy(from, to)
  for k, v in pairs(from) do
    if type(v) == "table" and not classes[v] then v = copy(v, {}) end
    to[k] = v
  end
  return to
end
local base = {}
local function instantiate(class, ...)
  local instance = setmetatable({ class = class }, class)
  instances[instance] = class
  copy(class.attributes, instance)
  if class.init then class.init(instance, ...) end
  return instance
end
local function class(name, attributes, parent)
  local c = { name = name, attributes = copy(attributes or {}, copy(parent and parent.attributes or {}, {})), super = parent }
  c.__index, classes[c] = c, true
  return setmetatable(c, { __index = parent or base, __call = instantiate, __tostring = function() return name end })
end
function base:instance_of(c)
  local own = instances[self]
  while own and own ~= c do own = own.super end
  return own == c
end
local Window = class("Window", { size = { n = 0 } })
function Window:grow() self.size.n = self.size.n + 1 end -- edited
local Frame = class("Frame", { color = "black" }, Window)
local frame = Frame()
local late
function sinew.update()
  late = late or Frame()
  frame:grow()
  late:grow()
  print(late:instance_of(Window) and frame:instance_of(Frame) and frame.size.n == late.size.n and late.size.n)
end
