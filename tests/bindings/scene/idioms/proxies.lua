-- Read-only and observed tables: proxies with __index, __newindex and __len, whose data are variables of closures.
local function observed(data, on_change)
  return setmetatable({}, { __index = data, __len = function() return #data end, __newindex = function(_, key, value)
    data[key] = value
    on_change(key)
  end })
end
local changes = 0
local state = observed({ n = 0 }, function() changes = changes + 1 end)
function sinew.update()
  state.n = state.n + 1 -- edited
  print(changes > 0 and rawget(state, "n") == nil and state.n)
end
