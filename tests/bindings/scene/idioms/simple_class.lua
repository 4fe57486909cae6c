-- A class by __index, with instances made at run time.
local Counter = {}
Counter.__index = Counter
function Counter.new() return setmetatable({ n = 0 }, Counter) end
function Counter:step() self.n = self.n + 1 end -- edited
local first
function sinew.update()
  first = first or Counter.new()
  first:step()
  print(first.n)
end
