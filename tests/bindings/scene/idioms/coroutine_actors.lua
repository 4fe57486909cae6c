-- Coroutines that yield each frame, resumed from a list; a generator by coroutine.wrap.
local count = 0
local scripts = {}
local function script()
  local step = 0
  while true do
    step = step + 1
    coroutine.yield(step)
  end
end
local numbers = coroutine.wrap(function()
  local i = 0
  while true do
    i = i + 1
    coroutine.yield(i)
  end
end)
scripts[1] = coroutine.create(script)
local offset
function sinew.update()
  local _, step = coroutine.resume(scripts[1])
  offset = offset or 0
  count = count + 1 -- edited
  print(step == numbers() and count)
end
