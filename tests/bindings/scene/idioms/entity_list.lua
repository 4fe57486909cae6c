-- Entities that are spawned and removed; the list is compacted.
local Entity = {}
Entity.__index = Entity
local entities, serial = {}, 0
local function spawn(life)
  serial = serial + 1
  entities[#entities + 1] = setmetatable({ id = serial, life = life, age = 0 }, Entity)
end
function Entity:update() self.age = self.age + 1 end -- edited
for _ = 1, 3 do spawn(10) end
spawn(1e9)
local frames = 0
function sinew.update()
  frames = frames + 1
  if frames % 4 == 0 then spawn(9) end
  for i = #entities, 1, -1 do
    entities[i]:update()
    if entities[i].age > entities[i].life then table.remove(entities, i) end
  end
  print(entities[1].age)
end
