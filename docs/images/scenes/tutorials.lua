-- The picture of docs/tutorials.md: sinew run docs/images/scenes/tutorials.lua --headless --frames 31 --size 760x340 --samples 8
-- --shadow 4096 --capture tutorials.png
local sinew = require "sinew"
local vec = require "sinew.vec"

-- A bar on two joints, its weights going over smoothly, at the end of its bend.
local RINGS, SIDES, positions, indices, weights = 40, 32, {}, {}, {}
for ring = 0, RINGS do
  local share = sinew.clamp((ring / RINGS - 0.5) / 0.45 + 0.5, 0, 1)
  for side = 0, SIDES - 1 do
    local turn = 2 * math.pi * side / SIDES
    positions[#positions + 1] = { 0.25 * math.sin(turn), 1.8 * ring / RINGS, 0.25 * math.cos(turn) }
    weights[#weights + 1] = { Lower = 1 - share, Upper = share }
    local a, b = ring * SIDES + side + 1, ring * SIDES + (side + 1) % SIDES + 1
    if ring < RINGS then indices[#indices + 1], indices[#indices + 2] = { a, b, b + SIDES }, { a, b + SIDES, a + SIDES } end
  end
end
local bar = sinew.build_model {
  name = "bar",
  joints = { { name = "Lower" }, { name = "Upper", parent = "Lower", position = { 0, 0.9, 0 } } },
  meshes = { { positions = positions, indices = indices, weights = weights,
               material = { color = { 0.2, 0.5, 0.25 }, double_sided = true } } },
  clips = { { name = "Bend", tracks = { Upper = { times = { 0, 0.5 },
              rotations = { { 0, 0, 0, 1 }, { vec.axis_angle(0, 0, 1, 1.4) } } } } } },
}
sinew.actor("bar", bar, { position = { -1.5, 0, 0 } }):play("Bend", { fade = 0, loop = "once" })

local man = sinew.model "hero_zup.dae"
for i, skinning in ipairs { "linear", "dual_quaternion" } do
  local walker = sinew.actor(skinning, man, { position = { i * 1.2 - 0.9, 0, 0 }, skinning = skinning })
  walker:play("Walk", { speed = 0, time = 0.2 })
  walker:set_modifiers {
    sinew.modifier { "twist", function(pose) pose:rotate("Spine1", "y", 2.3, "model") end },
  }
end
function sinew.draw() sinew.debug.skeleton(sinew.actor "bar") end
sinew.camera.position = { 0.3, 1.35, 3.7 }
sinew.camera.target = { 0.15, 0.92, 0 }
