-- Skinning from nothing: a cylinder whose mesh, joints, weights and key frames are made here, in Lua.
-- Start it with  sinew run scripts/examples/tutorials/skinned_cylinder.lua , then change a number and save.
-- SPACE starts the clip again, W shows the triangles, J the weights of the middle joint as heat.
local sinew = require "sinew"
local vec = require "sinew.vec"

local HEIGHT, RADIUS = 2, 0.28
local RINGS, SIDES = 40, 24 -- more rings bend more smoothly
local SECONDS, ANGLE = 2, math.rad(80)

-- 1. The mesh: rings of vertices from the ground up, two triangles between four neighbours.
local function cylinder()
  local positions, indices = {}, {}
  for ring = 0, RINGS do
    for side = 0, SIDES - 1 do
      local turn = 2 * math.pi * side / SIDES
      positions[#positions + 1] = { RADIUS * math.sin(turn), HEIGHT * ring / RINGS, RADIUS * math.cos(turn) }
    end
  end
  for ring = 0, RINGS - 1 do
    for side = 0, SIDES - 1 do
      local a, b = ring * SIDES + side + 1, ring * SIDES + (side + 1) % SIDES + 1 -- vertices are counted from 1
      indices[#indices + 1] = { a, b, b + SIDES }
      indices[#indices + 1] = { a, b + SIDES, a + SIDES }
    end
  end
  return positions, indices
end

-- 2. The joints: each stands on the one before. `count` of them share the height.
local function skeleton(count)
  local joints = {}
  for i = 1, count do
    joints[i] = { name = "Joint" .. i, parent = i > 1 and i - 1 or nil, position = { 0, i > 1 and HEIGHT / count or 0, 0 } }
  end
  return joints
end

-- 3. The weights: which joints a vertex follows, and how much. A vertex at height y lies `at` joints up.
-- Binary: all of it follows one joint, and the skin breaks where two joints meet.
local function binary(at, count) return "Joint" .. math.min(count, math.floor(at) + 1) end

-- Smooth: around a joint, the weight passes from the one below it to the one above, within a part of the height.
local SOFT = 0.9
local function smooth(at, count)
  local weights = { Joint1 = 1 }
  for i = 2, count do
    local weight = sinew.clamp((at - (i - 1)) / SOFT + 0.5, 0, 1)
    weight = weight * weight * (3 - 2 * weight)
    weights["Joint" .. i] = weight
    weights["Joint" .. i - 1] = weights["Joint" .. i - 1] - weight
  end
  return weights
end

-- 4. The key frames: every joint but the first turns to one side, to the other, and back. Together they make ANGLE.
local function bend(count)
  local tracks, each = {}, ANGLE / (count - 1)
  local function turned(angle) return { vec.axis_angle(0, 0, 1, angle) } end
  for i = 2, count do
    tracks["Joint" .. i] = {
      times = { 0, SECONDS * 0.25, SECONDS * 0.5, SECONDS * 0.75, SECONDS },
      rotations = { turned(0), turned(each), turned(0), turned(-each), turned(0) },
    }
  end
  return tracks
end

-- 5. All together.
local function make(name, joint_count, weigh, color)
  local positions, indices = cylinder()
  local weights = {}
  for i, p in ipairs(positions) do weights[i] = weigh(p[2] / HEIGHT * joint_count, joint_count) end
  return sinew.build_model {
    name = name,
    joints = skeleton(joint_count),
    meshes = { { positions = positions, indices = indices, weights = weights,
                 material = { color = color, double_sided = true } } },
    clips = { { name = "Bend", tracks = bend(joint_count) } },
  }
end

local bars = {
  { "binary", make("binary", 2, binary, { 0.75, 0.2, 0.15 }) },
  { "smooth", make("smooth", 2, smooth, { 0.2, 0.5, 0.25 }) },
  { "three joints", make("three joints", 3, smooth, { 0.2, 0.35, 0.7 }) },
}
local actors, actions = {}, {}
for i, bar in ipairs(bars) do
  actors[i] = sinew.actor(bar[1], bar[2], { position = { (i - 2) * 2.2, 0, 0 } })
  actions[i] = actors[i]:play("Bend", { fade = 0 })
end

sinew.help_text = "SPACE again, W wireframe, J weights of Joint2"
sinew.camera.position = { 0, 1.9, 6.2 }
sinew.camera.target = { 0, 1, 0 }

function sinew.key_pressed(key)
  if key == "space" then for _, action in ipairs(actions) do action.time = 0 end end
  if key == "w" then sinew.view.wireframe = not sinew.view.wireframe end
  if key == "j" then
    sinew.view.joint = "Joint2"
    sinew.view.surface = sinew.view.surface == "shaded" and "weight" or "shaded"
  end
end

function sinew.draw()
  for _, actor in ipairs(actors) do sinew.debug.skeleton(actor) end
end

-- The length of the longest edge between two rings, relative to its length at rest.
local function stretch(actor)
  local v, most = actor:vertices(), 0
  for i = 1, #v - SIDES * 3, 3 do
    local j = i + SIDES * 3
    most = math.max(most, vec.distance(v[i], v[i + 1], v[i + 2], v[j], v[j + 1], v[j + 2]))
  end
  return most / (HEIGHT / RINGS)
end

-- After a quarter of the clip the joints have turned all the way: where they are is worked out here once more.
function sinew.test()
  sinew.simulate { seconds = SECONDS * 0.25 }
  local tip = actors[1]:joint "Joint2"
  assert(math.abs(tip.y - HEIGHT / 2) < 1e-3 and math.abs(tip.x - actors[1].position.x) < 1e-3)
  local third, each, length = actors[3]:joint "Joint3" - actors[3].position, ANGLE / 2, HEIGHT / 3
  assert(math.abs(third.x + length * math.sin(each)) < 1e-2, "it bends about its second joint")
  assert(math.abs(third.y - length * (1 + math.cos(each))) < 1e-2)
  local torn, bent, shared = stretch(actors[1]), stretch(actors[2]), stretch(actors[3])
  assert(torn > 4 * bent and shared < bent, ("stretched %.2f, %.2f and %.2f times"):format(torn, bent, shared))
  sinew.simulate { seconds = 0.3, keys = { { 0, "space" } } }
  assert(math.abs(actions[1].time - 0.3) < 0.02, "SPACE starts again")
end
