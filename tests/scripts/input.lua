local sinew = require "sinew"
local input = require "sinew.input"
input.map { left = { "a", "left" }, right = { "d", "right" }, jump = "space" }
local jumps = 0
input.on("jump", function() jumps = jumps + 1 end)

function sinew.test()
  sinew.simulate { frames = 2, keys = { { 0, "+left" } } }
  assert(input.is_down "left" and not input.is_down "right" and input.axis("left", "right") == -1)
  sinew.simulate { frames = 2, keys = { { 0, "+d" } } }
  assert(input.axis("left", "right") == 0)
  sinew.simulate { frames = 2, keys = { { 0, "-left" }, { 0, "space" } } }
  assert(input.axis("left", "right") == 1 and jumps == 1)
  input.map { jump = "j" } -- the others keep theirs
  sinew.simulate { frames = 2, keys = { { 0, "space" }, { 0, "j" } } }
  assert(jumps == 2 and input.is_down "right")
  local fine, message = pcall(input.is_down, "jmup")
  assert(not fine and message:find "jmup" and message:find "jump")
  assert(not pcall(input.map, { fire = "spaec" }))
end
