-- Features of crowds that no example uses.
local sinew = require "sinew"
local man = sinew.model "hero.glb"
local crowd = sinew.crowd(man, 4, { name = "four", graph = "Walk" })

assert(crowd.name == "four" and crowd.model == man and crowd.count == 4)
assert(crowd.line:match "crowd%.lua:4$", crowd.line)
assert(sinew.crowd "four" == crowd)

function sinew.test()
  crowd.x, crowd.y, crowd.scale, crowd.yaw, crowd.rate = { 1, 2, 3, 4 }, 0.5, 2, math.pi, 0
  crowd.red, crowd.green, crowd.blue, crowd.opacity, crowd.visible = 0.5, 0.25, 0, { 1, 1, 0.5, 0 }, true
  assert(crowd.opacity[3] == 0.5 and crowd.green[1] == 0.25 and crowd.red[4] == 0.5 and crowd.blue[2] == 0)
  assert(crowd.visible[1] and crowd.scale[2] == 2 and crowd.y[1] == 0.5 and crowd.rate[2] == 0)
  sinew.simulate { frames = 2 }
  local hips, head = crowd:joint(1, "Hips"), crowd:joint(1, "Head")
  assert(head.y - hips.y > 0.8 and math.abs(head.x - 1) < 0.3, "twice as tall, and where it was put")
  crowd.x:set({ 7, 8 }, 3)
  local numbers = crowd.x:read()
  assert(#numbers == 4 and numbers[2] == 2 and numbers[4] == 8)
  crowd:resize(2)
  assert(crowd.count == 2 and #crowd.x == 2)
  crowd:remove()
  assert(not pcall(function() return crowd.count end))
end
