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
  fine, message = pcall(function() input.map { fire = "shift" } end)
  assert(not fine and message:find "tests/scripts/input.lua" and message:find "left_shift", message)
  fine, message = pcall(function() return (input.is_down "space") end)
  assert(not fine and message:find("sinew.is_down \"space\"", 1, true), message)
  input.map { left = { "a", "left_stick_left" }, right = { "d", "left_stick_right" }, jump = { "j", "pad_a" } }
  sinew.simulate { frames = 2, keys = { { 0, "-d" }, { 0, "left_stick_left", 0.3 } } }
  assert(math.abs(input.axis("left", "right") + 0.3) < 1e-6 and not input.is_down "left")
  sinew.simulate { frames = 2, keys = { { 0, "left_stick_left", 0.75 }, { 0, "pad_a" } } }
  assert(input.strength "left" == 0.75 and input.is_down "left" and jumps == 3)
  sinew.simulate { frames = 2, keys = { { 0, "+d" } } }
  assert(input.axis("left", "right") == 0.25 and sinew.strength "d" == 1 and sinew.strength "a" == 0)
  sinew.simulate { frames = 2, keys = { { 0, "left_stick_left", 0 } } }
  assert(input.axis("left", "right") == 1 and not sinew.is_down "left_stick_left")
  for _, wrong in ipairs { { 0, "a", 0.5 }, { 0, "left_stick_left", 2 }, { 0, "left_stik_left", 0.5 } } do
    assert(not pcall(sinew.simulate, { frames = 1, keys = { wrong } }))
  end
end
