-- Listeners that are added while the scene runs, and removed by the function itself.
local bus = { listeners = {} }
function bus.on(name, f)
  bus.listeners[name] = bus.listeners[name] or {}
  table.insert(bus.listeners[name], f)
  return f
end
function bus.off(name, f)
  for i, other in ipairs(bus.listeners[name]) do
    if other == f then table.remove(bus.listeners[name], i) return true end
  end
end
function bus.emit(name, ...)
  for _, f in ipairs(bus.listeners[name] or {}) do f(...) end
end
local n, frames, removed = 0, 0, 0
local function count(by) n = n + by end
function sinew.update()
  frames = frames + 1
  if frames == 1 then
    bus.on("tick", count)
    bus.on("tick", function(by)
      n = n + 0 * by
    end)
  end
  local extra = bus.on("other", function() end)
  removed = removed + (bus.off("other", extra) and 1 or 0)
  bus.emit("tick", 1) -- edited
  print(removed == frames and n)
end
