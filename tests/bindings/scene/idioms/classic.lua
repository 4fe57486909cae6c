-- Inheritance as in classic: extend copies metamethods, `super` is a field, instances are called into being.
local Object = {}
Object.__index = Object
function Object:new() end
function Object:extend()
  local class = {}
  for k, v in pairs(self) do
    if k:find "__" == 1 then class[k] = v end
  end
  class.__index, class.super = class, self
  return setmetatable(class, self)
end
function Object:is(T)
  local mt = getmetatable(self)
  while mt do
    if mt == T then return true end
    mt = getmetatable(mt)
  end
  return false
end
function Object:__call(...)
  local obj = setmetatable({}, self)
  obj:new(...)
  return obj
end
local Point = Object:extend()
function Point:new(n) self.n = n end
function Point:step()
  self.n = self.n + 1 -- edited
end
local Rect = Point:extend()
function Rect:new(n)
  Rect.super.new(self, n)
  self.w = 1
end
local list = {}
function sinew.update()
  if #list == 0 then list[1] = Rect(0) end
  list[1]:step()
  print(list[1]:is(Object) and list[1]:is(Point) and list[1].n)
end
