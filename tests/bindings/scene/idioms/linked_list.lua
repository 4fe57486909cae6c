-- A doubly linked list with cycles, and a pointer into it.
local head = { n = 0 }
head.next, head.previous = head, head
local function insert(n)
  local node = { n = n, previous = head.previous, next = head }
  head.previous.next, head.previous = node, node
end
for i = 1, 3 do insert(i) end
local at, total, late = head, 0, false
function sinew.update()
  if not late then insert(4) late = true end
  at = at.next
  total = total + 1 -- edited
  local count, node = 0, head.next
  while node ~= head do count, node = count + 1, node.next end
  print(count == 4 and at.n == late and total or count == 4 and total)
end
