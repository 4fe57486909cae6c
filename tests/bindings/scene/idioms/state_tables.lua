-- A machine whose current state is one of several tables, with a stack to return.
local states = { idle = { name = "idle" }, run = { name = "run" } }
local machine = { current = states.idle, stack = {}, n = 0 }
function states.idle.update(m)
  m.n = m.n + 1 -- edited
  if m.n > 5 then
    table.insert(m.stack, m.current)
    m.current = states.run
  end
end
function states.run.update(m)
  m.n = m.n + 1 -- edited
end
function sinew.update()
  machine.current.update(machine)
  local known = machine.current == states.idle or machine.current == states.run and machine.stack[1] == states.idle
  print(known and machine.n)
end
