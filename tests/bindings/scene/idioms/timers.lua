-- Timers with callbacks, and a queue of delayed calls.
local timers, n = {}, 0
local function after(frames, call) timers[#timers + 1] = { left = frames, call = call } end
local function tick()
  n = n + 1 -- edited
  after(1, tick)
end
local begun = false
function sinew.update()
  if not begun then
    begun = true
    after(1, tick)
  end
  local due = {}
  for i = #timers, 1, -1 do
    timers[i].left = timers[i].left - 1
    if timers[i].left <= 0 then due[#due + 1] = table.remove(timers, i) end
  end
  for _, t in ipairs(due) do t.call() end
  print(n)
end
