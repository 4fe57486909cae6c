-- Objects as closures: each has its own variables; some are made at run time.
local function counter(start)
  local n = start
  local self = {}
  function self.step() n = n + 1 end -- edited
  function self.get() return n end
  return self
end
local a, b = counter(0), counter(100)
local late
function sinew.update()
  late = late or counter(0)
  a.step()
  b.step()
  late.step()
  print(b.get() - a.get() == 100 and late.get() == a.get() and late.get())
end
