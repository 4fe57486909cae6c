-- Objects whose methods come from an __index function that looks along a list of mixins.
local Moves = {}
function Moves.step(self) self.n = self.n + 1 end -- edited
local Names = { title = function(self) return self.name end }
local function mix(...)
  local parts = { ... }
  return { __index = function(_, key)
    for _, part in ipairs(parts) do
      if part[key] then return part[key] end
    end
  end }
end
local Thing = mix(Moves, Names)
local thing = setmetatable({ name = "thing", n = 0 }, Thing)
function sinew.update()
  thing:step()
  print(thing:title() == "thing" and thing.n)
end
