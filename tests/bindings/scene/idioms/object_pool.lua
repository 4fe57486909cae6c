-- A pool that hands out objects and takes them back; free ones are a stack, those in use a set by table keys.
local Bullet = {}
Bullet.__index = Bullet
local pool = { free = {}, used = {}, made = 0 }
function pool.get()
  local b = table.remove(pool.free)
  if not b then
    pool.made = pool.made + 1
    b = setmetatable({ age = 0 }, Bullet)
  end
  b.age, pool.used[b] = 0, true
  return b
end
function pool.put(b)
  pool.used[b] = nil
  pool.free[#pool.free + 1] = b
end
function Bullet:update()
  self.age = self.age + 1
  if self.age > 5 then pool.put(self) end
end
local n = 0
function sinew.update()
  n = n + 1 -- edited
  pool.get()
  local used = {}
  for b in pairs(pool.used) do used[#used + 1] = b end
  for _, b in ipairs(used) do b:update() end
  print(pool.made <= 7 and n)
end
