-- A machine whose current state is a function in a table.
local states, n, entered = {}, 0, 0
local current
function states.idle()
  n = n + 1 -- edited
  entered = entered + 1
  if entered > 5 then current = states.run end
end
function states.run() -- now
  n = n + 1 -- edited
end
current = states.idle
function sinew.update()
  current()
  print(current == states.idle and n or current == states.run and n)
end
